// SPDX-License-Identifier: BSD-3-Clause
// Columns that both runs have, over all of their rows: A, B, or B less A.
import { chooser } from "../common/chooser.js";
import { el, lazily } from "../common/dom.js";
import { Plot } from "../common/plot.js";
import { Sync } from "../common/sync.js";
import { unitsOf } from "../report/units.js";

const mostPairs = 6;

/// The axis of both: all rows, each once.
export function joined(motions) {
  const all = motions.flatMap((motion) => Array.from(motion.xs));
  const xs = Float64Array.from(new Set(all)).sort();
  const nearest = (x) => {
    let k = 0;
    while (k + 1 < xs.length && xs[k + 1] <= x) ++k;
    return k;
  };
  return {
    axis: motions[0].axis,
    xs,
    rows: xs.length,
    first: xs[0],
    last: xs[xs.length - 1],
    row: nearest,
  };
}

// where a run has been; elsewhere there is nothing
function over(xs, motion, column) {
  return Float64Array.from(xs, (x) =>
    x < motion.first || x > motion.last ? NaN : motion.value(column, motion.place(x)),
  );
}

export class JoinedPlots {
  constructor(runs, motions, both, player) {
    this.motions = motions;
    this.both = both;
    this.made = [];
    this.units = unitsOf(runs[0]);
    this.difference = false;
    this.redraws = [];
    this.sync = new Sync({
      xs: both.xs,
      onhover: (x) => !player.playing && player.seek(x),
      onzoom: (range) => player.setRange(range),
    });
    player.on(() => this.sync.show(player.time));
    const grid = el("div", { class: "plots" });
    for (const group of runs[0].groups) {
      const other = runs[1].groups.find(({ id }) => id === group.id);
      const pairs = group.columns
        .map((a) => [a, other?.columns.find((b) => motions[1].name(b) === motions[0].name(a))])
        .filter(([, b]) => b !== undefined);
      if (pairs.length > 0) this.place(grid, group, pairs);
    }
    this.element = el("section", { "aria-label": "Plots" }, this.head(), grid);
  }

  head() {
    const toggle = el(
      "button",
      {
        type: "button",
        class: "toggle",
        "aria-pressed": "false",
        title: "Draw what B has more than A",
        onclick: () => {
          this.difference = !this.difference;
          toggle.setAttribute("aria-pressed", String(this.difference));
          for (const redraw of this.redraws) redraw();
        },
      },
      "B − A",
    );
    const all = el("button", { type: "button", onclick: () => this.sync.reset() }, "All");
    return el("div", { class: "row plots-head" }, el("h2", {}, "Plots"), el("div", { class: "row controls" }, toggle, all));
  }

  place(grid, group, pairs) {
    const host = el("div", { class: "plot-host" });
    grid.append(host);
    lazily(host, () => {
      const plot = this.make(group, pairs);
      host.replaceWith(plot.figure);
      this.made.push(plot);
    });
  }

  make({ id, title, unit, scale, shown }, pairs) {
    const [A, B] = this.motions;
    const wanted = (shown ?? []).map((k) => pairs.findIndex(([a]) => a === k)).filter((k) => k >= 0);
    const first = wanted.length > 0 ? wanted : [...pairs.keys()];
    const chosen = new Set(first.slice(0, mostPairs / 2));
    const { xs } = this.both;
    const series = () =>
      [...chosen]
        .sort((a, b) => a - b)
        .flatMap((k, place) => {
          const [a, b] = pairs[k].map((column, run) => over(xs, this.motions[run], column));
          const name = A.name(pairs[k][0]);
          const more = { low: null, high: null };
          if (this.difference)
            return [{ name: `${name}: B − A`, values: b.map((y, i) => y - a[i]), color: place, ...more }];
          return [
            { name: `A ${name}`, values: a, color: 2 * place, ...more },
            { name: `B ${B.name(pairs[k][1])}`, values: b, color: 2 * place + 1, ...more },
          ];
        });
    const plot = new Plot(el("div"), {
      id,
      title,
      x: { ...this.both.axis, values: xs },
      y: { unit: this.units.shown(unit), scale },
      series: series(),
      sync: this.sync,
    });
    const redraw = () => plot.setSeries(series());
    this.redraws.push(redraw);
    if (pairs.length > 1)
      plot.head.append(
        chooser({
          label: "Curves",
          names: pairs.map(([a]) => A.name(a)),
          chosen,
          most: mostPairs,
          onchange: redraw,
        }),
      );
    return plot;
  }
}
