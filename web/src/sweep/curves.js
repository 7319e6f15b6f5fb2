// SPDX-License-Identifier: BSD-3-Clause
// One parameter: each measure against it. Runs that failed are crosses at the lower edge.
import { chart, marker, padded, svg } from "../common/chart.js";
import { extent } from "../common/data.js";
import { el } from "../common/dom.js";
import { failures, known, titled, wantsLog } from "./grid.js";

export class Curve {
  /// page.choose(k): the point k of the sweep is pointed at.
  constructor(data, measure, page) {
    Object.assign(this, {
      data,
      measure,
      page,
      axis: data.axes[0],
      points: [],
      failed: [],
      bad: failures(data),
      chosen: null,
    });
    const box = el("input", {
      type: "checkbox",
      onchange: () => ((this.log = box.checked), this.draw()),
    });
    this.log = wantsLog(measure.values);
    box.checked = this.log;
    const positive = known(measure.values).every((v) => v > 0);
    this.frame = el("div", {
      class: "drawing",
      tabindex: "0",
      role: "group",
      "aria-label": `${measure.name}; arrow keys go from run to run`,
    });
    this.element = el(
      "figure",
      { class: "curve card" },
      el(
        "figcaption",
        {},
        el("bdi", {}, measure.name),
        positive ? el("label", {}, box, " log") : null,
      ),
      this.frame,
    );
    this.frame.addEventListener("pointermove", (event) => this.point(event));
    this.frame.addEventListener("pointerdown", (event) => this.point(event));
    this.frame.addEventListener("keydown", (event) => {
      const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!move) return;
      event.preventDefault();
      const last = this.axis.values.length - 1;
      page.choose(Math.min(last, Math.max(0, (this.chosen ?? -move) + move)));
    });
    let width = 0;
    new ResizeObserver(() => {
      if (Math.abs(this.frame.clientWidth - width) < 1) return;
      width = this.frame.clientWidth;
      this.draw();
    }).observe(this.frame);
  }

  draw() {
    const width = Math.max(260, this.frame.clientWidth || 560);
    const height = Math.round(Math.min(340, Math.max(220, 0.55 * width)));
    const { values, name, log } = this.axis;
    const measured = this.measure.values;
    const range = extent(known(measured)) ?? [0, 1];
    const { root, plot, front, px, py, area } = chart({
      width,
      height,
      x: { title: titled(this.axis), log, range: padded([values[0], values.at(-1)], log, 0.02) },
      y: { title: titled(this.measure), log: this.log, range: padded(range, this.log) },
      label: `${this.measure.name} against ${name}`,
    });

    for (const border of this.data.border ?? [])
      if (typeof border[name] === "number")
        plot.append(
          svg("path", { class: "stability", d: `M${px(border[name])},${area.top}V${area.bottom}` }),
        );

    // a line ends where a value is not known
    let path = "";
    let drawing = false;
    this.points = [];
    this.failed = [];
    values.forEach((value, k) => {
      const y = measured[k];
      if (typeof y === "number") {
        this.points.push({ index: k, value, measured: y, x: px(value), y: py(y) });
        path += `${drawing ? "L" : "M"}${px(value)},${py(y)}`;
      } else if (this.bad.has(k))
        this.failed.push({ index: k, value, x: px(value), y: area.bottom - 7 });
      drawing = typeof y === "number";
    });
    const group = svg("g", { class: "series color0" }, svg("path", { class: "line", d: path }));
    if (values.length <= 120)
      group.append(
        ...this.points.map(({ x, y }) => svg("path", { class: "mark", d: marker(0, x, y, 3) })),
      );
    const crosses = this.failed.map(({ x, y }) =>
      svg("path", { class: "cross", d: `M${x - 4},${y - 4}l8,8m0,-8l-8,8` }),
    );
    plot.append(group, ...crosses);

    this.line = svg("path", { class: "cursor", visibility: "hidden" });
    this.ring = svg("circle", { class: "ring", r: 7, visibility: "hidden" });
    front.append(this.line, this.ring);
    this.area = area;
    this.px = px;
    this.frame.replaceChildren(root);
    this.choose(this.chosen);
  }

  /// Marks point k.
  choose(k) {
    this.chosen = k;
    if (k === null || !this.line) return;
    const x = this.px(this.axis.values[k]);
    this.line.setAttribute("d", `M${x},${this.area.top}V${this.area.bottom}`);
    this.line.setAttribute("visibility", "visible");
    const point = this.points.find(({ index }) => index === k);
    this.ring.setAttribute("visibility", point ? "visible" : "hidden");
    if (point) {
      this.ring.setAttribute("cx", point.x);
      this.ring.setAttribute("cy", point.y);
    }
  }

  point(event) {
    const x = event.clientX - this.frame.getBoundingClientRect().left;
    let best = 0;
    const { values } = this.axis;
    for (let k = 1; k < values.length; ++k)
      if (Math.abs(this.px(values[k]) - x) < Math.abs(this.px(values[best]) - x)) best = k;
    this.page.choose(best);
  }
}
