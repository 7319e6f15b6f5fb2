// SPDX-License-Identifier: BSD-3-Clause
import { format } from "../common/data.js";
import { el, table } from "../common/dom.js";

/// Frequencies and damping (docs/manual/modes.md).
export function modesTable({ modes, status, reason }) {
  if (!modes?.length) return el("p", { class: "hint" }, reason || status || "There are none.");
  return table(
    ["", "kind", "[Hz]", "[rad/s]", "damping", "mostly"],
    modes.map((mode, k) => [
      String(k + 1),
      mode.kind,
      format(mode.hertz),
      format(mode.omega),
      format(mode.damping_ratio, 3),
      mode.label ?? "",
    ]),
    { numeric: [0, 2, 3, 4] },
  );
}
