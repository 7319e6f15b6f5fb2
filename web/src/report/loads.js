// SPDX-License-Identifier: BSD-3-Clause
import { digitsFor, format } from "../common/data.js";
import { atMostOncePerFrame, el, name } from "../common/dom.js";
import { unitsOf } from "./units.js";

const listed = 5;

/// The constraints that carry most: a bar each, faint up to the largest load and solid up to that
/// at the time shown. A click goes to the moment of the largest.
export function loadList(data, motion, player) {
  const { loads, scene } = data;
  const { force } = unitsOf(data);
  const known = loads
    .filter(({ largest }) => Number.isFinite(largest) && largest !== 0)
    .slice(0, listed);
  if (known.length === 0) return null;
  const most = Math.abs(known[0].largest);
  // of rods, loads are forces; of other constraints they are what their formula makes them
  const rods = new Set(
    scene?.lines.filter(({ kind }) => kind === "rod").map(({ column }) => column),
  );
  const digits = digitsFor(motion.first, motion.last);
  const bars = known.map(() => el("span", { class: "bar-now" }));
  const rows = known.map(({ name: text, column, largest, at, note }, k) => {
    const go = () => {
      player.pause();
      player.seek(at);
    };
    const faint = el(
      "span",
      { class: "bar", style: { "--share": Math.abs(largest) / most } },
      bars[k],
    );
    const where = Number.isFinite(at) ? `Show ${motion.axis.name} = ${format(at, digits)}` : "";
    const button = el(
      "button",
      { type: "button", title: where, onclick: go },
      name(text),
      faint,
      el(
        "span",
        { class: "number" },
        `${format(Math.abs(largest), 4)}${rods.has(column) ? force : ""}`,
      ),
    );
    return el("li", {}, button, note ? el("p", { class: "hint note" }, note) : null);
  });
  const show = () => {
    const row = motion.row(player.time);
    known.forEach(({ column, largest }, k) => {
      const share = column === null ? 0 : Math.abs(motion.column(column)[row] / largest);
      bars[k].style.setProperty("--share", Number.isFinite(share) ? Math.min(1, share) : 0);
    });
  };
  player.on(atMostOncePerFrame(show));
  show();
  const rest = loads.length - known.length;
  return el(
    "div",
    { class: "load-list" },
    el("h2", {}, "Largest loads"),
    el("ul", {}, rows),
    rest > 0 ? el("p", { class: "hint" }, `${rest} more in the table below`) : null,
  );
}
