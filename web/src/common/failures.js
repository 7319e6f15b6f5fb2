// SPDX-License-Identifier: BSD-3-Clause
// Runs that failed, grouped by their reasons.
//
//   failureGroups(groups, look)   a list, or null where there are none; look(group) shows the first
//                                 run of one
import { el } from "./dom.js";

export function failureGroups(groups, look) {
  if (!groups || groups.length === 0) return null;
  return el(
    "section",
    { class: "failures", "aria-label": "Runs that failed" },
    el("h2", {}, "Runs that failed"),
    el(
      "ul",
      {},
      groups.map((group) =>
        el(
          "li",
          {},
          el("b", {}, `${group.count} × ${group.status.replaceAll("_", " ")}`),
          ": ",
          el("bdi", {}, group.reason),
          " ",
          el("button", { type: "button", onclick: () => look(group) }, `run ${group.first}`),
        ),
      ),
    ),
  );
}
