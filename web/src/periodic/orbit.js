// SPDX-License-Identifier: BSD-3-Clause
// One coordinate over one period, and against its velocity.
import { chart, padded, svg } from "../common/chart.js";
import { extent } from "../common/data.js";
import { el, name } from "../common/dom.js";

const line = (points) => `M${points.map(([x, y]) => `${x},${y}`).join("L")}`;

/// The velocity of a coordinate, by its place among those that have one; null of a state.
function velocity(orbit, coordinate) {
  const k = Object.keys(orbit.q).indexOf(coordinate);
  return Object.entries(orbit.v)[k] ?? null;
}

/// What a state is drawn against: the next one.
function beside(orbit, coordinate) {
  const all = Object.entries(orbit.q);
  const k = all.findIndex(([own]) => own === coordinate);
  return all.length > 1 ? all[(k + 1) % all.length] : null;
}

function drawing(x, y, titles, label, size) {
  const { root, plot, px, py } = chart({
    ...size,
    x: { title: titles[0], log: false, range: titles[0] === "t [s]" ? extent(x) : padded(extent(x), false) },
    y: { title: titles[1], log: false, range: padded(extent(y), false) },
    label,
  });
  const points = x.map((value, k) => [px(value), py(y[k])]);
  plot.append(svg("path", { class: "curve-line", d: line(points) }));
  return { root, points };
}

export class Orbit {
  constructor(orbit, coordinate) {
    const values = orbit.q[coordinate];
    const time = drawing(orbit.t, values, ["t [s]", coordinate], `${coordinate} over a period`, {
      width: 620,
      height: 220,
    });
    const other = velocity(orbit, coordinate) ?? beside(orbit, coordinate);
    const phase = other
      ? drawing(values, other[1], [coordinate, other[0]], `${other[0]} over ${coordinate}`, {
          width: 300,
          height: 220,
        })
      : null;
    this.drawn = { coordinate, points: time.points, phase: phase?.points ?? null };
    this.element = el(
      "figure",
      { class: "orbit card" },
      el("figcaption", {}, name(coordinate)),
      el("div", { class: "pair" }, time.root, phase?.root ?? null),
    );
  }
}
