// SPDX-License-Identifier: BSD-3-Clause
// The plots of the page: one of each group of columns over a common axis, and those of statistics.
import { chooser } from "../common/chooser.js";
import { digitsFor, doubles, format } from "../common/data.js";
import { el, lazily } from "../common/dom.js";
import { Plot } from "../common/plot.js";
import { Sync } from "../common/sync.js";
import { unitsOf } from "./units.js";

const mostSeries = 24;
const atFirst = 12;

export class Plots {
  constructor(data, motion, player) {
    this.motion = motion;
    this.player = player;
    this.made = [];
    this.units = unitsOf(data);
    this.sync = new Sync({
      xs: motion.xs,
      onhover: (x) => !player.playing && player.seek(x),
      onzoom: (range) => this.zoomed(range),
    });
    player.on(() => this.sync.show(player.time));
    this.marks = data.events.filter(({ at }) => Number.isFinite(at));
    const grid = el("div", { class: "plots" });
    for (const group of data.groups)
      if (group.columns.length > 0 && motion.rows > 0)
        this.place(grid, () => this.makeGroup(group));
    const none = grid.childElementCount === 0 && !data.statistics?.length;
    this.element = el(
      "section",
      { "aria-label": "Plots", hidden: none },
      this.head(),
      grid,
      this.statistics(data.statistics),
    );
  }

  place(grid, make) {
    const host = el("div", { class: "plot-host" });
    grid.append(host);
    lazily(host, () => {
      const plot = make();
      host.replaceWith(plot.figure);
      this.made.push(plot);
    });
  }

  head() {
    const button = (text, label, onclick) =>
      el("button", { type: "button", "aria-label": label, title: label, onclick }, text);
    this.range = el("span", { class: "hint" }, "drag to zoom, double click for all");
    this.all = button("All", "Show all of the motion", () => this.sync.reset());
    this.all.disabled = true;
    return el(
      "div",
      { class: "row plots-head" },
      el("h2", {}, "Plots"),
      el(
        "div",
        { class: "row controls" },
        button("−", "Show more time", () => this.scale(2)),
        button("+", "Show less time, about the time shown", () => this.scale(0.5)),
        this.all,
        this.range,
      ),
    );
  }

  // zoom about the time shown
  scale(factor) {
    const { first, last } = this.motion;
    const [x0, x1] = this.sync.range ?? [first, last];
    const at = Math.min(Math.max(this.player.time, x0), x1);
    const [y0, y1] = [
      Math.max(first, at - (at - x0) * factor),
      Math.min(last, at + (x1 - at) * factor),
    ];
    if (y0 <= first && y1 >= last) this.sync.reset();
    else this.sync.zoom(y0, y1);
  }

  zoomed(range) {
    const { name } = this.motion.axis;
    this.player.setRange(range);
    this.all.disabled = range === null;
    const digits = range ? digitsFor(...range) : 0;
    this.range.textContent = range
      ? `${name} from ${format(range[0], digits)} to ${format(range[1], digits)}`
      : "drag to zoom, double click for all";
  }

  makeGroup({ id, title, unit, scale, columns, shown }) {
    const { motion } = this;
    const chosen = new Set(
      (shown?.length > 0 ? shown : columns)
        .slice(0, atFirst)
        .map((k) => columns.indexOf(k))
        .filter((place) => place >= 0),
    );
    const hues = new Map();
    const series = () => {
      giveHues(hues, chosen);
      return [...chosen]
        .sort((a, b) => a - b)
        .map((place) => ({
          name: motion.name(columns[place]),
          values: motion.column(columns[place]),
          low: motion.low(columns[place]),
          high: motion.high(columns[place]),
          color: hues.get(place),
        }));
    };
    const x = { ...motion.axis, values: motion.xs };
    const plot = new Plot(el("div"), {
      id,
      title,
      x,
      y: { unit: this.units.shown(unit), scale, whole: id === "rejections" },
      series: series(),
      marks: this.marks,
      sync: this.sync,
    });
    if (columns.length > 1)
      plot.head.append(
        chooser({
          label: "Curves",
          names: columns.map((k) => motion.name(k)),
          chosen,
          most: mostSeries,
          onchange: () => plot.setSeries(series()),
        }),
      );
    return plot;
  }

  statistics(all) {
    if (!all || all.length === 0) return null;
    const grid = el("div", { class: "plots" });
    all.forEach(({ name, kind, numbers, columns }, k) => {
      const facts = (numbers ?? []).map(([text, value]) => `${text} ${format(value)}`).join(", ");
      const [xs, ...rest] = (columns ?? []).map((column) => ({
        name: column.name,
        values: doubles(column.data),
      }));
      if (rest.length === 0) {
        grid.append(
          el(
            "div",
            { class: "plot" },
            el("h3", {}, name),
            el("p", { class: "hint" }, `${kind}: ${facts}`),
          ),
        );
        return;
      }
      this.place(grid, () => {
        const series = rest
          .slice(0, mostSeries)
          .map((one, place) => ({ ...one, low: null, high: null, color: place }));
        const plot = new Plot(el("div"), {
          id: `statistics-${k}`,
          title: name,
          x: { name: xs.name, unit: "", values: xs.values },
          y: { unit: "", scale: "linear" },
          series,
        });
        plot.figure.append(el("p", { class: "hint" }, [kind, facts].filter(Boolean).join(": ")));
        return plot;
      });
    });
    return el("div", {}, el("h2", {}, "Statistics"), grid);
  }
}

// each curve keeps its hue as long as it is drawn; a new one gets one that no other has
function giveHues(hues, chosen) {
  for (const place of hues.keys()) if (!chosen.has(place)) hues.delete(place);
  const taken = new Set(hues.values());
  let hue = 0;
  for (const place of [...chosen].sort((a, b) => a - b)) {
    if (hues.has(place)) continue;
    while (taken.has(hue)) ++hue;
    taken.add(hue);
    hues.set(place, hue);
  }
}
