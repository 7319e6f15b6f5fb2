// SPDX-License-Identifier: BSD-3-Clause
// A plot (uPlot) with its title, legend and read-out.
//
//   new Plot(host, options)   appends <figure class="plot"> to host. Options:
//     id, title, height (220)
//     x        { name, unit, values }, values ascending
//     y        { unit, scale: "linear" | "log", whole }; on a log scale |y| is drawn, zeros are gaps;
//              `whole`: counts, which have no fractions between them
//     series   [{ name, values, low, high, color }]: `low`, `high` (or null) the extremes since the
//              value before, drawn as a band; `color` its place in the palette
//     marks    [{ name, at }]: upright lines
//     sync     a Sync (sync.js): plots that zoom and read out together; one of its own if absent
//   plot.head                 its heading, for further controls
//   plot.setSeries(series)    draws others
//   plot.cursor(x)            moves the upright line; values there stand in the legend
//   plot.handed               { id, xs, series: [{ name, values }], scales }: what uPlot was given
/*! @license uPlot: Copyright Leon Sorokin, MIT licensed */
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import "./plot.css";
import { digitsFor, extent, format, nearest } from "./data.js";
import { color, el, isolated, name, onTheme, paper } from "./dom.js";
import {
  absoluteBand,
  axisTitle,
  drawable,
  linearLabels,
  linearTicks,
  logTicks,
  paddedRange,
} from "./plot_scales.js";
import { plotSvg } from "./plot_svg.js";
import { csvText, fileName, picture, saveMenu } from "./save.js";
import { Sync } from "./sync.js";

// twelve hues, of which neighbours stay apart for colour-blind readers, too
const palettes = {
  light: [
    "#0060b9",
    "#c24f00",
    "#00795c",
    "#a3327f",
    "#7a6200",
    "#5546c4",
    "#b3203a",
    "#007893",
    "#5a7d00",
    "#8a4b2a",
    "#5f6b7a",
    "#c0398f",
  ],
  dark: [
    "#5fb0ff",
    "#ff9d52",
    "#3fd0a6",
    "#f08fce",
    "#dcc044",
    "#a99bff",
    "#ff8a94",
    "#4fd0ea",
    "#a9d14a",
    "#d9a184",
    "#aab7c6",
    "#ff9ee0",
  ],
};

export function seriesColor(k) {
  const hues = palettes[document.documentElement.dataset.theme] ?? palettes.light;
  return hues[k % hues.length];
}

// values between gaps: no line goes through them, they are drawn as dots
function lonely(values) {
  const gap = (k) => (values[k] ?? null) === null;
  return [...values.keys()].filter((k) => !gap(k) && gap(k - 1) && gap(k + 1));
}

// only plots in sight follow the cursor
const inSight = new WeakSet();
const plotOf = new WeakMap();
const sight = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries)
    if (isIntersecting) {
      inSight.add(target);
      plotOf.get(target).showCursor();
    } else inSight.delete(target);
});
const sizes = new ResizeObserver((entries) => {
  for (const { target } of entries) plotOf.get(target.parentElement).fit();
});

// on paper all are drawn in one size, which the style sheet fits to the column
const paperWidth = 420;

export class Plot {
  constructor(host, options) {
    this.options = { height: 220, marks: [], ...options };
    this.sync =
      options.sync ?? new Sync({ xs: options.x.values, onhover: (x) => this.sync.show(x) });
    this.hidden = new Set();
    this.at = this.sync.at;
    this.sync.plots.add(this);
    const { title, y, id } = this.options;
    const unit = y.unit ? el("span", { class: "unit" }, ` [${y.unit}]`) : null;
    this.head = el("figcaption", {}, el("h3", {}, title, unit));
    this.head.append(this.saving());
    this.area = el("div", { class: "plot-area", role: "img" });
    this.legend = el("ul", { class: "legend" });
    this.figure = el(
      "figure",
      { class: "plot", id: `plot-${id}` },
      this.head,
      this.area,
      this.legend,
    );
    host.append(this.figure);
    plotOf.set(this.figure, this);
    sight.observe(this.figure);
    sizes.observe(this.area);
    onTheme(() => this.build());
    this.build();
  }

  setSeries(series) {
    this.options.series = series;
    this.hidden.clear();
    this.build();
  }

  get handed() {
    const [xs, ...all] = this.uplot.data;
    const { x, y } = this.uplot.scales;
    return {
      id: this.options.id,
      xs,
      series: this.options.series.map((one, k) => ({
        name: one.name,
        values: all[this.places[k]],
      })),
      scales: { x: { min: x.min, max: x.max }, y: { min: y.min, max: y.max } },
    };
  }

  // what is seen: curves that are not hidden, over the time that is shown
  saving() {
    const { id, title } = this.options;
    const visible = () => this.options.series.filter((one, k) => !this.hidden.has(k));
    const file = (kind, what, make) => ({
      kind,
      title: `${title}: ${what}`,
      name: () => fileName(document.title, id),
      make,
    });
    const csv = () => {
      const { x } = this.options;
      const [x0, x1] = this.xRange();
      const inside = (values) => Array.from(values).filter((y, k) => x.values[k] >= x0 && x.values[k] <= x1);
      const columns = visible().map(({ name: of, values }) => ({ name: of, values: inside(values) }));
      const all = [{ name: x.name, values: inside(x.values) }, ...columns];
      return new Blob([csvText(all)], { type: "text/csv" });
    };
    const svg = () => {
      const { x, y, marks } = this.options;
      const { min, max } = this.uplot.scales.y;
      const series = visible().map((one) => ({ ...one, color: palettes.light[one.color % palettes.light.length] }));
      const text = plotSvg({ title, x, y, marks, series, range: this.xRange(), heights: [min, max] });
      return new Blob([text], { type: "image/svg+xml" });
    };
    const png = () =>
      picture([this.uplot.ctx.canvas], {
        title: `${title}${this.options.y.unit ? ` [${this.options.y.unit}]` : ""}`,
        entries: visible().map((one) => ({ name: isolated(one.name, 40), color: seriesColor(one.color) })),
      });
    return saveMenu(`Save the plot ${title}`, [
      file("png", "as a picture", png),
      file("svg", "as a drawing for a paper", svg),
      file("csv", "its numbers, as shown", csv),
    ]);
  }

  // what uPlot is given: a column for each line and for each edge of a band
  columns() {
    const { x, y, series } = this.options;
    const shown = drawable(y.scale);
    const columns = [];
    const described = [];
    const bands = [];
    this.places = [];
    for (const [k, one] of series.entries()) {
      const show = !this.hidden.has(k);
      const stroke = seriesColor(one.color);
      const values = Array.from(one.values, shown);
      this.places.push(columns.length);
      columns.push(values);
      const alone = lonely(values);
      const points = { show: alone.length > 0, filter: () => alone, size: 4, fill: stroke };
      described.push({ show, stroke, width: 1.5, points });
      if (!one.low || !one.high) continue;
      const [low, high] =
        y.scale === "log" ? absoluteBand(one.low, one.high, one.values) : [one.low, one.high];
      // extremes since the row before: they hold for the whole interval that ends at the row
      // and have an edge of their own: a peak may be narrower than a pixel
      const edge = {
        show,
        stroke: `${stroke}90`,
        width: 1,
        points: { show: false },
        paths: uPlot.paths.stepped({ align: -1 }),
      };
      for (const ends of [high, low]) {
        columns.push(Array.from(ends, (value, row) => shown(value) ?? values[row]));
        described.push({ ...edge });
      }
      bands.push({ series: [columns.length - 1, columns.length], fill: `${stroke}38` });
    }
    return { data: [Array.from(x.values), ...columns], described, bands };
  }

  build() {
    this.uplot?.destroy();
    const { x, y, height } = this.options;
    const { data, described, bands } = this.columns();
    this.full = extent(data[0]) ?? [0, 1];
    const log = y.scale === "log";
    const look = {
      stroke: color("--muted"),
      grid: { stroke: color("--grid"), width: 1 },
      ticks: { stroke: color("--grid"), width: 1, size: 5 },
      font: `12px ${color("--font")}`,
    };
    // how many ticks there is room for; axes take some of the width and of the height
    const room = (u) => ({ across: (u.width - 84) / 70, up: (u.height - 60) / 28 });
    const logAxis = {
      splits: (u, side, least, largest) => logTicks(least, largest, room(u).up),
      filter: (u, ticks) => ticks,
      values: (u, ticks) => ticks.map((tick) => format(tick, 4)),
    };
    const linearAxis = {
      // with steps of its own uPlot would leave out the ticks of very small or narrow ranges
      incrs: (u, side, least, largest) => [Math.max(10, largest - least)],
      splits: (u, side, least, largest) =>
        side === 0
          ? linearTicks(least, largest, room(u).across)
          : linearTicks(least, largest, room(u).up, y.whole),
      values: (u, ticks, side) => {
        const { labels, offset } = linearLabels(ticks);
        this.offsets[side] = offset;
        return labels;
      },
    };
    this.offsets = [0, 0]; // what labels of x and y are differences to
    this.uplot = new uPlot(
      {
        width: paper.printing ? paperWidth : Math.max(this.area.clientWidth, 200),
        height,
        legend: { show: false },
        padding: [14, 22, 0, 0],
        cursor: {
          x: false,
          y: false,
          points: { show: false },
          drag: { x: true, y: false, setScale: false },
          bind: { dblclick: () => () => this.sync.reset() },
        },
        scales: {
          x: { time: false, auto: false, range: () => this.xRange() },
          y: {
            distr: log ? 3 : 1,
            range: (u, least, largest) => paddedRange(y.scale, least, largest, y.whole),
          },
        },
        axes: [
          {
            ...look,
            ...linearAxis,
            label: () => axisTitle(isolated(x.name), x.unit, this.offsets[0]),
            labelFont: look.font,
            labelSize: 18,
            size: 28,
            space: 70,
          },
          { ...look, size: 62, space: 28, ...(log ? logAxis : linearAxis) },
        ],
        series: [{}, ...described],
        bands,
        hooks: {
          setSelect: [(u) => this.select(u)],
          drawClear: [(u) => this.paintMarks(u)],
          draw: [(u) => this.paintTexts(u), () => this.showCursor()],
        },
      },
      data,
      this.area,
    );
    const empty = data.slice(1).every((column) => column.every((value) => value === null));
    this.area.dataset.empty = empty ? (log ? "zero throughout" : "no values") : "";
    this.area.setAttribute("aria-label", this.description());
    this.listen();
    this.makeLegend();
  }

  description() {
    const { title, series, y } = this.options;
    const parts = series.slice(0, 6).map((one) => {
      const range = extent(one.values);
      const text = isolated(one.name);
      return range ? `${text} from ${format(range[0], 3)} to ${format(range[1], 3)}` : text;
    });
    return `${title}${y.unit ? ` in ${y.unit}` : ""}: ${parts.join("; ")}`;
  }

  xRange() {
    const [x0, x1] = this.sync.range ?? this.full;
    if (x1 > x0) return [x0, x1];
    const margin = Math.max(Math.abs(x0) * 0.05, 0.5);
    return [x0 - margin, x0 + margin];
  }

  applyRange() {
    const [min, max] = this.xRange();
    this.uplot.setScale("x", { min, max });
  }

  select(u) {
    const { left, width } = u.select;
    if (width < 4) return;
    u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
    this.sync.zoom(u.posToVal(left, "x"), u.posToVal(left + width, "x"));
  }

  fit() {
    const width = this.area.clientWidth;
    if (paper.printing || width < 50 || width === this.uplot.width) return;
    this.uplot.setSize({ width, height: this.options.height });
  }

  paintMarks(u) {
    const { ctx, bbox } = u;
    ctx.save();
    ctx.strokeStyle = color("--mark");
    ctx.lineWidth = uPlot.pxRatio;
    ctx.setLineDash([3 * uPlot.pxRatio, 3 * uPlot.pxRatio]);
    for (const { at } of this.options.marks) {
      const left = u.valToPos(at, "x", true);
      if (!(left >= bbox.left && left <= bbox.left + bbox.width)) continue;
      ctx.beginPath();
      ctx.moveTo(left, bbox.top);
      ctx.lineTo(left, bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.restore();
  }

  // names of the marks, and the number that tick labels are differences to
  paintTexts(u) {
    const { ctx, bbox } = u;
    const pixel = uPlot.pxRatio;
    ctx.save();
    ctx.font = `${11 * pixel}px ${color("--font")}`;
    ctx.fillStyle = color("--muted");
    ctx.textBaseline = "top";
    ctx.textAlign = "left";
    let free = bbox.left;
    for (const mark of this.options.marks) {
      const left = u.valToPos(mark.at, "x", true) + 3 * pixel;
      const text = isolated(mark.name, 24);
      const width = ctx.measureText(text).width;
      if (!(left >= free && left + width <= bbox.left + bbox.width)) continue;
      ctx.fillText(text, left, bbox.top + 2 * pixel);
      free = left + width + 6 * pixel;
    }
    if (this.offsets[1] !== 0) ctx.fillText(`${this.offsets[1]} +`, 4 * pixel, pixel);
    ctx.restore();
  }

  listen() {
    const { over } = this.uplot;
    this.line = el("div", { class: "now" });
    over.append(this.line);
    const fingers = new Map();
    let pinched = null; // the values that were under two fingers
    const leftOf = (event) => event.clientX - over.getBoundingClientRect().left;
    const value = (left) => this.uplot.posToVal(left, "x");
    over.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "touch") return;
      fingers.set(event.pointerId, leftOf(event));
      if (fingers.size === 2) pinched = [...fingers.values()].map(value).sort((a, b) => a - b);
      else this.sync.onhover(value(leftOf(event)));
    });
    over.addEventListener("pointermove", (event) => {
      if (fingers.has(event.pointerId)) fingers.set(event.pointerId, leftOf(event));
      if (fingers.size === 2 && pinched) this.pinch(pinched, [...fingers.values()]);
      else if (event.pointerType === "touch" || event.buttons === 0)
        this.sync.onhover(value(leftOf(event)));
    });
    for (const kind of ["pointerup", "pointercancel"])
      over.addEventListener(kind, (event) => {
        fingers.delete(event.pointerId);
        pinched = null;
      });
  }

  // the values that were under the fingers stay under them
  pinch([a, b], lefts) {
    const [l0, l1] = [Math.min(...lefts), Math.max(...lefts)];
    if (!(b > a) || l1 - l0 < 10) return;
    const perPixel = (b - a) / (l1 - l0);
    const x0 = Math.max(a - l0 * perPixel, this.full[0]);
    const x1 = Math.min(a + (this.uplot.over.clientWidth - l0) * perPixel, this.full[1]);
    if (x0 === this.full[0] && x1 === this.full[1]) this.sync.reset();
    else this.sync.zoom(x0, x1);
  }

  makeLegend() {
    const { series } = this.options;
    this.where = el("li", { class: "where" });
    this.readings = series.map(() => el("output", {}));
    const entries = series.map((one, k) => {
      const toggle = () => {
        if (!this.hidden.delete(k)) this.hidden.add(k);
        this.build();
        this.legend.children[k].firstChild.focus();
      };
      const swatch = el("span", {
        class: "swatch",
        style: { "background-color": seriesColor(one.color) },
      });
      const pressed = String(!this.hidden.has(k));
      return el(
        "li",
        {},
        el(
          "button",
          { type: "button", "aria-pressed": pressed, onclick: toggle },
          swatch,
          name(one.name),
          this.readings[k],
        ),
      );
    });
    this.legend.replaceChildren(...entries, this.where);
  }

  cursor(x) {
    this.at = x;
    if (inSight.has(this.figure)) this.showCursor();
  }

  // also called when uPlot has drawn: not before that does it know the scale
  showCursor() {
    const left = this.uplot.valToPos(this.at, "x");
    const visible = left >= -0.5 && left <= this.uplot.bbox.width / uPlot.pxRatio + 0.5;
    this.line.hidden = !visible;
    if (!visible) return;
    this.line.style.transform = `translateX(${left.toFixed(2)}px)`;
    const { x, series } = this.options;
    const row = nearest(x.values, this.at);
    const digits = this.offsets[1] === 0 ? 5 : 12; // where values differ by little only
    for (const [k, one] of series.entries())
      this.readings[k].textContent = format(one.values[row], digits);
    const shown = Math.max(6, digitsFor(...this.xRange(), 1e4));
    this.where.textContent = `${isolated(x.name)} = ${format(x.values[row], shown)}`;
  }
}
