// SPDX-License-Identifier: BSD-3-Clause
// A branch of periodic motions: amplitude, extremes, period or energy over the parameter; whole lines
// where it is stable, broken ones where it is not, marks where it turns or changes. A click chooses
// the motion that is nearest.
import { chart, marker, padded, svg } from "../common/chart.js";
import { extent, format } from "../common/data.js";
import { el, name } from "../common/dom.js";

// marker and colour of each
const kinds = { fold: [3, 6], flip: [1, 1], torus: [5, 3], branch: [7, 4] };

export class Branch {
  constructor(data, choose) {
    Object.assign(this, { data, choose, drawn: null });
    const coordinates = Object.keys(data.points[0].lowest);
    // of a response to a vibration, what has its frequency
    const first = Object.keys(data.points[0].first ?? {});
    const phase = ([re, im]) => (180 / Math.PI) * Math.atan2(im, re);
    this.measures = [
      ...first.map((c) => [`${c} with the input's frequency`, (p) => Math.hypot(...p.first[c])]),
      ...first.map((c) => [`phase of ${c} [°]`, (p) => phase(p.first[c])]),
      ...coordinates.map((c) => [
        `amplitude of ${c}`,
        (p) => (p.highest[c] - p.lowest[c]) / 2,
      ]),
      ...coordinates.map((c) => [`largest ${c}`, (p) => p.highest[c]]),
      ...coordinates.map((c) => [`least ${c}`, (p) => p.lowest[c]]),
      ["period [s]", (p) => p.period],
      ["frequency [rad/s]", (p) => (2 * Math.PI) / p.period],
      ["energy [J]", (p) => p.energy],
      ["largest multiplier", (p) => Math.max(0, ...p.multipliers.slice(p.trivial).map(([re, im]) => Math.hypot(re, im)))],
    ];
    const pick = el(
      "select",
      { "aria-label": "what is drawn over the parameter", onchange: () => this.draw(Number(pick.value)) },
      ...this.measures.map(([title], k) => el("option", { value: String(k) }, title)),
    );
    this.frame = el("div", { class: "drawing" });
    this.frame.addEventListener("click", (event) => this.pick(event));
    this.element = el(
      "section",
      { class: "branch" },
      el("h2", {}, "Over ", name(data.vary)),
      el(
        "figure",
        { class: "card" },
        el("figcaption", {}, pick),
        this.frame,
        el(
          "p",
          { class: "legend" },
          svg("svg", { width: 40, height: 8, "aria-hidden": "true" }, svg("path", { class: "part", d: "M0,4H36" })),
          "stable ",
          svg("svg", { width: 40, height: 8, "aria-hidden": "true" }, svg("path", { class: "part unstable", d: "M0,4H36" })),
          "unstable",
          ...Object.entries(kinds)
            .filter(([kind]) => data.points.some((p) => p.kind === kind))
            .map(([kind, [shape, own]]) =>
              el(
                "span",
                {},
                svg("svg", { width: 18, height: 12, "aria-hidden": "true" }, svg("path", { class: `mark ${kind} color${own}`, d: marker(shape, 9, 6, 4) })),
                kind,
              ),
            ),
        ),
      ),
    );
    this.draw(0);
  }

  draw(measure) {
    this.measure = measure;
    const [title, value] = this.measures[measure];
    const { points, vary } = this.data;
    const xs = points.map((p) => p.value);
    const ys = points.map(value);
    const { root, plot, front, px, py } = chart({
      width: 900,
      height: 420,
      x: { title: vary, log: false, range: padded(extent(xs), false, 0.03) },
      y: { title, log: false, range: padded(extent(ys), false) },
      label: `${title} over ${vary}`,
    });
    const at = points.map((p, k) => [px(xs[k]), py(ys[k])]);
    // a marked point ends one part and begins the next
    const parts = [];
    for (let k = 0; k + 1 < at.length; ++k) {
      const stable = points[k].kind === "plain" ? points[k].stable : points[k + 1].stable;
      const last = parts.at(-1);
      if (last && last.stable === stable) last.to = k + 1;
      else parts.push({ stable, from: k, to: k + 1 });
    }
    for (const { stable, from, to } of parts)
      plot.append(
        svg("path", {
          class: stable ? "part" : "part unstable",
          d: `M${at.slice(from, to + 1).map(([x, y]) => `${x},${y}`).join("L")}`,
        }),
      );
    points.forEach(({ kind, value: v }, k) => {
      if (kinds[kind] === undefined) return;
      const [shape, own] = kinds[kind];
      front.append(
        svg(
          "path",
          { class: `mark ${kind} color${own}`, d: marker(shape, ...at[k], 6) },
          svg("title", {}, `${kind} at ${vary} = ${format(v, 9)}`),
        ),
      );
    });
    this.here = svg("circle", { class: "here", r: 7, cx: 0, cy: 0 });
    front.append(this.here);
    this.frame.replaceChildren(root);
    this.drawn = { points: at, parts, title };
    if (this.chosen !== undefined) this.point(this.chosen);
  }

  point(k) {
    this.chosen = k;
    const [x, y] = this.drawn.points[k];
    this.here.setAttribute("cx", x);
    this.here.setAttribute("cy", y);
  }

  pick(event) {
    const root = this.frame.querySelector("svg");
    const box = root.getBoundingClientRect();
    const scale = root.viewBox.baseVal.width / box.width;
    const [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    const distance = ([a, b]) => Math.hypot(a - x, b - y);
    let best = 0;
    this.drawn.points.forEach((p, k) => {
      if (distance(p) < distance(this.drawn.points[best])) best = k;
    });
    this.choose(best);
  }
}
