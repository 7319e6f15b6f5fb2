// SPDX-License-Identifier: BSD-3-Clause
// Where a motion passes a surface: any two of its numbers there.
import { chart, padded, svg } from "../common/chart.js";
import { extent } from "../common/data.js";
import { el } from "../common/dom.js";

export class Section {
  constructor({ section }) {
    this.columns = Object.entries(section.columns);
    this.drawn = null;
    const options = () => this.columns.map(([title], k) => el("option", { value: String(k) }, title));
    const pick = (label, first) => {
      const select = el("select", { "aria-label": label, onchange: () => this.draw() }, ...options());
      select.value = String(Math.min(first, this.columns.length - 1));
      return select;
    };
    [this.x, this.y] = [pick("across", 0), pick("up", Math.ceil(this.columns.length / 2))];
    this.frame = el("div", { class: "drawing" });
    const count = this.columns[0]?.[1].length ?? 0;
    this.element = el(
      "section",
      { class: "signal" },
      el("p", {}, `${count} points where `, el("bdi", {}, section.zero), " passes zero upwards"),
      el("figure", { class: "card" }, el("figcaption", {}, "across ", this.x, " up ", this.y), this.frame),
    );
    if (count > 0) this.draw();
  }

  draw() {
    const [across, up] = [this.x, this.y].map((select) => this.columns[Number(select.value)]);
    const { root, plot, px, py } = chart({
      width: 760,
      height: 560,
      x: { title: across[0], log: false, range: padded(extent(across[1]), false) },
      y: { title: up[0], log: false, range: padded(extent(up[1]), false) },
      label: `${up[0]} over ${across[0]}`,
    });
    const points = across[1].map((value, k) => [px(value), py(up[1][k])]);
    const size = points.length > 2000 ? 0.8 : points.length > 200 ? 1.3 : 2.5;
    // one path: a circle of SVG each would be many elements
    plot.append(
      svg("path", {
        class: "dots",
        "stroke-width": 2 * size,
        d: points.map(([a, b]) => `M${a},${b}h0`).join(""),
      }),
    );
    this.frame.replaceChildren(root);
    this.drawn = { points, titles: [across[0], up[0]] };
  }
}
