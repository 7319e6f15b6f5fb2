// SPDX-License-Identifier: BSD-3-Clause
// Two parameters of two or more: a measure as colours, the others held at values that sliders set.
import { chart, svg, ticks } from "../common/chart.js";
import { extent, format } from "../common/data.js";
import { el, isolated, name } from "../common/dom.js";
import { axisTitle, constant } from "../common/plot_scales.js";
import { mapColor } from "./colors.js";
import { contour, roughness } from "./contours.js";
import { cellRange, failures, known, places, pointAt, titled, wantsLog } from "./grid.js";

const failedColor = [128, 128, 128, 90];
const notRun = [0, 0, 0, 0];

export class SweepMap {
  constructor(data, page) {
    Object.assign(this, {
      data,
      page,
      across: 0,
      up: 1,
      at: data.axes.map(() => 0),
      chosen: null,
      cells: [],
      bad: failures(data),
    });
    this.frame = el("div", {
      class: "drawing",
      tabindex: "0",
      role: "group",
      "aria-label": "Map; arrow keys go from run to run",
    });
    this.bar = el("div", { class: "bar" });
    this.log = el("input", { type: "checkbox", onchange: () => this.draw() });
    this.select = el(
      "select",
      { onchange: () => this.show(Number(this.select.value)) },
      data.measures.map((measure, k) => el("option", { value: k }, measure.name)),
    );
    this.logLabel = el("label", {}, this.log, " log colours");
    this.lines = el("input", { type: "checkbox", onchange: () => this.draw() });
    this.sliders = el("div", { class: "sliders" });
    this.element = el(
      "figure",
      { class: "card" },
      el(
        "figcaption",
        {},
        el("label", {}, "Measure: ", this.select),
        this.logLabel,
        el("label", {}, this.lines, " lines of equal value"),
        this.axisChoice(),
      ),
      this.frame,
      this.bar,
      this.sliders,
    );
    this.frame.addEventListener("pointermove", (event) => this.point(event));
    this.frame.addEventListener("pointerdown", (event) => this.point(event));
    this.frame.addEventListener("keydown", (event) => this.key(event));
    let width = 0;
    new ResizeObserver(() => {
      if (Math.abs(this.frame.clientWidth - width) < 1) return;
      width = this.frame.clientWidth;
      this.draw();
    }).observe(this.frame);
    this.makeSliders();
    this.show(0);
  }

  /// Which two of three or more parameters are drawn.
  axisChoice() {
    const { axes } = this.data;
    if (axes.length < 3) return null;
    const choice = (which, label) => {
      const select = el(
        "select",
        {
          onchange: () => {
            const other = which === "across" ? "up" : "across";
            const wanted = Number(select.value);
            if (this[other] === wanted) this[other] = this[which];
            this[which] = wanted;
            for (const part of ["across", "up"]) this.choices[part].value = String(this[part]);
            this.makeSliders();
            this.draw();
          },
        },
        axes.map((axis, k) => el("option", { value: k, selected: this[which] === k }, axis.name)),
      );
      this.choices ??= {};
      this.choices[which] = select;
      return el("label", {}, label, select);
    };
    return [choice("across", "across: "), choice("up", "up: ")];
  }

  makeSliders() {
    const rest = this.data.axes
      .map((axis, a) => ({ axis, a }))
      .filter(({ a }) => a !== this.across && a !== this.up);
    this.sliders.replaceChildren(
      ...rest.map(({ axis, a }) => {
        const value = el("output", {}, format(axis.values[this.at[a]]));
        const slider = el("input", {
          type: "range",
          min: 0,
          max: axis.values.length - 1,
          value: this.at[a],
          "aria-label": axis.name,
          oninput: () => {
            value.textContent = format(axis.values[Number(slider.value)]);
            this.hold(a, Number(slider.value));
          },
        });
        return el("label", {}, name(axis.name), slider, value);
      }),
    );
  }

  /// Holds axis a at its value number n.
  hold(a, n) {
    this.at[a] = n;
    this.draw();
  }

  /// Shows measure number k.
  show(k) {
    this.measure = this.data.measures[k];
    this.select.value = String(k);
    const positive = known(this.measure.values).every((v) => v > 0);
    this.logLabel.hidden = !positive;
    this.log.checked = wantsLog(this.measure.values);
    // among neighbours that have nothing to do with each other lines say nothing
    const [wide, high] = [this.across, this.up].map((a) => this.data.axes[a].values.length);
    const value = (i, j) => this.measure.values[this.index(i, j)];
    const range = extent(known(this.measure.values)) ?? [0, 1];
    const enough = Math.min(wide, high) >= 8;
    this.lines.checked = enough && roughness(value, wide, high, range) < 0.08;
    this.draw();
  }

  index(i, j) {
    const at = [...this.at];
    at[this.across] = i;
    at[this.up] = j;
    return pointAt(this.data.axes, at);
  }

  draw() {
    const width = Math.max(260, this.frame.clientWidth || 640);
    const height = Math.round(Math.min(560, Math.max(300, 0.7 * width)));
    const x = this.data.axes[this.across];
    const y = this.data.axes[this.up];
    const range = extent(known(this.measure.values)) ?? [0, 1];
    const log = this.log.checked && range[0] > 0;
    const position = log ? Math.log : (v) => v;
    const [low, high] = range.map(position);
    const share = (value) => (constant(...range) ? 0.5 : (position(value) - low) / (high - low));
    const { root, plot, front, px, py, area } = chart({
      width,
      height,
      x: { title: titled(x), log: x.log, range: cellRange(x) },
      y: { title: titled(y), log: y.log, range: cellRange(y) },
      label: `${this.measure.name} over ${x.name} and ${y.name}`,
    });
    Object.assign(this, { area, px, py });

    // one pixel for each run; equal steps along an axis (or its logarithm) are equal on the screen
    const canvas = el("canvas", { width: x.values.length, height: y.values.length });
    const context = canvas.getContext("2d");
    const pixels = context.createImageData(canvas.width, canvas.height);
    this.cells = [];
    const crosses = [];
    const room =
      Math.min(
        (area.right - area.left) / x.values.length,
        (area.bottom - area.top) / y.values.length,
      ) >= 12;
    y.values.forEach((_, j) =>
      x.values.forEach((_, i) => {
        const k = this.index(i, j);
        const value = this.measure.values[k];
        const ran = this.data.statuses[k] !== null;
        const color =
          typeof value === "number" ? [...mapColor(share(value)), 255] : ran ? failedColor : notRun;
        pixels.data.set(color, 4 * ((y.values.length - 1 - j) * x.values.length + i));
        this.cells.push({ index: k, value, color, x: px(x.values[i]), y: py(y.values[j]) });
        if (room && this.bad.has(k))
          crosses.push(
            svg("path", {
              class: "cross",
              d: `M${px(x.values[i]) - 3},${py(y.values[j]) - 3}l6,6m0,-6l-6,6`,
            }),
          );
      }),
    );
    context.putImageData(pixels, 0, 0);
    plot.append(
      svg("image", {
        href: canvas.toDataURL(),
        x: area.left,
        y: area.top,
        width: area.right - area.left,
        height: area.bottom - area.top,
        preserveAspectRatio: "none",
        style: "image-rendering: pixelated",
      }),
      ...crosses,
      ...(this.data.border ?? [])
        .filter(
          (border) => typeof border[x.name] === "number" && typeof border[y.name] === "number",
        )
        .map((border) =>
          svg("circle", {
            class: "stability",
            cx: px(border[x.name]),
            cy: py(border[y.name]),
            r: 2.5,
          }),
        ),
    );
    this.contours = this.lines.checked ? this.contourLevels(range, log) : [];
    const [xs, ys] = [x.values.map(px), y.values.map(py)];
    const value = (i, j) => this.measure.values[this.index(i, j)];
    for (const level of this.contours)
      plot.append(svg("path", { class: "contour", d: contour(value, xs, ys, level) }));
    this.cursor = svg("rect", { class: "cell", visibility: "hidden" });
    front.append(this.cursor);
    this.frame.replaceChildren(root);
    this.drawBar(width, range, log);
    this.choose(this.chosen);
  }

  /// Where lines are drawn: at the marks of the scale of colours.
  contourLevels(range, log) {
    if (constant(...range)) return [];
    return ticks(range, log, 8)
      .ticks.map(({ value }) => value)
      .filter((level) => level > range[0] && level < range[1]);
  }

  drawBar(width, range, log) {
    const canvas = el("canvas", { width: 256, height: 1 });
    const context = canvas.getContext("2d");
    const pixels = context.createImageData(256, 1);
    for (let k = 0; k < 256; ++k) pixels.data.set([...mapColor(k / 255), 255], 4 * k);
    context.putImageData(pixels, 0, 0);
    const [left, right] = [this.area.left, this.area.right];
    const f = log ? Math.log : (v) => v;
    const [low, high] = range.map(f);
    const at = (value) => left + ((f(value) - low) / (high - low || 1)) * (right - left);
    const { ticks: marks, offset } = constant(...range)
      ? { ticks: [{ value: range[0], label: format(range[0]) }], offset: 0 }
      : ticks(range, log, 6);
    const grey = this.cells.some(({ color }) => color === failedColor);
    const empty = this.cells.some(({ color }) => color === notRun);
    const meaning = [
      this.contours.length > 0 ? `lines at ${this.contours.map((v) => format(v)).join(", ")}` : null,
      this.measure.unit ? `in ${this.measure.unit}` : null,
      offset === 0 ? null : `colours: ${axisTitle(isolated(this.measure.name), "", offset)}`,
      grey ? "grey: the run failed (×), or the measure has no value there" : null,
      empty ? "empty: not run" : null,
    ].filter(Boolean);
    this.bar.replaceChildren(
      svg(
        "svg",
        {
          class: "chart",
          viewBox: `0 0 ${width} 34`,
          width,
          height: 34,
          role: "img",
          "aria-label": `colours: ${this.measure.name} from ${format(range[0])} to ${format(range[1])}`,
        },
        svg("image", {
          href: canvas.toDataURL(),
          x: left,
          y: 2,
          width: right - left,
          height: 12,
          preserveAspectRatio: "none",
        }),
        svg(
          "g",
          { class: "labels x" },
          marks.map((tick) => svg("text", { x: at(tick.value), y: 29 }, tick.label)),
        ),
      ),
      el("p", { class: "hint", hidden: meaning.length === 0 }, meaning.join("; ")),
    );
  }

  /// Marks point k where it is on the map.
  choose(k) {
    this.chosen = k;
    const at = k === null ? null : places(this.data.axes, k);
    const here =
      at !== null && at.every((n, a) => a === this.across || a === this.up || n === this.at[a]);
    this.cursor.setAttribute("visibility", here ? "visible" : "hidden");
    if (!here) return;
    const { values: xs } = this.data.axes[this.across];
    const { values: ys } = this.data.axes[this.up];
    const wide = (this.area.right - this.area.left) / xs.length;
    const tall = (this.area.bottom - this.area.top) / ys.length;
    this.cursor.setAttribute("x", this.area.left + at[this.across] * wide);
    this.cursor.setAttribute("y", this.area.bottom - (at[this.up] + 1) * tall);
    this.cursor.setAttribute("width", wide);
    this.cursor.setAttribute("height", tall);
  }

  point(event) {
    const box = this.frame.getBoundingClientRect();
    const { left, right, top, bottom } = this.area;
    const x = event.clientX - box.left;
    const y = event.clientY - box.top;
    if (x < left || x > right || y < top || y > bottom) return;
    const { values: xs } = this.data.axes[this.across];
    const { values: ys } = this.data.axes[this.up];
    const i = Math.min(xs.length - 1, Math.floor(((x - left) / (right - left)) * xs.length));
    const j = Math.min(ys.length - 1, Math.floor(((bottom - y) / (bottom - top)) * ys.length));
    this.page.choose(this.index(i, j));
  }

  key(event) {
    const move = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[
      event.key
    ];
    if (!move) return;
    event.preventDefault();
    const at = this.chosen === null ? this.at : places(this.data.axes, this.chosen);
    const step = (axis, n) =>
      Math.min(this.data.axes[axis].values.length - 1, Math.max(0, at[axis] + n));
    this.page.choose(this.index(step(this.across, move[0]), step(this.up, move[1])));
  }
}
