// SPDX-License-Identifier: BSD-3-Clause
// Roots over a parameter: their ways in the complex plane, and frequencies over the parameter
// (Campbell's diagram). Modes are followed by their shapes: each has one colour.
import { chart, colors, padded, svg } from "../common/chart.js";
import { extent } from "../common/data.js";
import { el, name } from "../common/dom.js";

const ways = (points) =>
  points.reduce(
    (d, point, k) => (point === null ? d : `${d}${points[k - 1] ? "L" : "M"}${point[0]},${point[1]}`),
    "",
  );

export class Locus {
  constructor({ vary, values, tracks, orders = [], critical = [] }) {
    const all = tracks.flatMap((track) => track.filter((s) => s !== null));
    const plane = chart({
      width: 520,
      height: 420,
      x: { title: "Re s [1/s]", log: false, range: padded(extent(all.map(([re]) => re)), false) },
      y: { title: "Im s [rad/s]", log: false, range: padded(extent(all.map(([, im]) => im)), false) },
      label: `roots over ${vary}`,
    });
    const campbell = chart({
      width: 520,
      height: 420,
      x: { title: vary, log: false, range: extent(values) },
      y: { title: "Im s [rad/s]", log: false, range: padded(extent(all.map(([, im]) => im)), false) },
      label: `frequencies over ${vary}`,
    });
    const [low, high] = plane.area ? [plane.area.top, plane.area.bottom] : [0, 0];
    plane.plot.append(svg("path", { class: "axis", d: `M${plane.px(0)},${low}V${high}` }));
    this.drawn = tracks.map((track, k) => {
      const color = `way color-${k % colors}`;
      const points = track.map((s) => (s === null ? null : [plane.px(s[0]), plane.py(s[1])]));
      plane.plot.append(svg("path", { class: color, d: ways(points) }));
      const first = points.find((point) => point !== null);
      if (first)
        plane.plot.append(svg("circle", { class: `${color} start`, cx: first[0], cy: first[1], r: 3 }));
      campbell.plot.append(
        svg("path", {
          class: color,
          d: ways(
            track.map((s, n) => (s === null ? null : [campbell.px(values[n]), campbell.py(s[1])])),
          ),
        }),
      );
      return points;
    });
    // orders of a speed: lines through the origin
    const last = values.at(-1);
    for (const order of orders)
      campbell.plot.append(
        svg(
          "path",
          {
            class: "axis",
            d: `M${campbell.px(0)},${campbell.py(0)}L${campbell.px(last)},${campbell.py(order * last)}`,
          },
          svg("title", {}, `order ${order}`),
        ),
      );
    this.critical = critical.map((one) => [campbell.px(one.at), campbell.py(one.omega)]);
    critical.forEach((one, k) => {
      const [cx, cy] = this.critical[k];
      campbell.front.append(
        svg(
          "circle",
          { class: "peak", cx, cy, r: 4 },
          svg("title", {}, `order ${one.order} at ${vary} = ${one.at}`),
        ),
      );
    });
    this.element = el(
      "section",
      { class: "locus" },
      el("h2", {}, "Roots over ", name(vary)),
      el(
        "div",
        { class: "plots" },
        el("figure", { class: "card" }, plane.root),
        el("figure", { class: "card" }, campbell.root),
      ),
    );
  }
}
