// SPDX-License-Identifier: BSD-3-Clause
// Floquet multipliers in the complex plane with the unit circle: what lies outside of it grows.
import { chart, marker, svg } from "../common/chart.js";
import { format } from "../common/data.js";
import { el, table } from "../common/dom.js";

// so that one unit is as long across as up, between the labels
const [width, height] = [400, 380];

export class Multipliers {
  constructor() {
    this.root = el("div", { class: "plane" });
    this.drawn = [];
  }

  show({ multipliers, trivial }) {
    const reach = 1.15 * Math.max(1.1, ...multipliers.flat().map((x) => Math.abs(x ?? 0)));
    const { root, plot, px, py } = chart({
      width,
      height,
      x: { title: "Re μ", log: false, range: [-reach, reach] },
      y: { title: "Im μ", log: false, range: [-reach, reach] },
      label: "Floquet multipliers in the complex plane",
    });
    plot.append(
      svg("path", { class: "axis", d: `M${px(0)},${py(-reach)}V${py(reach)}M${px(-reach)},${py(0)}H${px(reach)}` }),
      svg("ellipse", {
        class: "circle",
        cx: px(0),
        cy: py(0),
        rx: px(1) - px(0),
        ry: py(0) - py(1),
      }),
    );
    this.drawn = multipliers.map(([re, im], k) => {
      const at = [px(re), py(im)];
      const own = k < trivial ? "trivial" : Math.hypot(re, im) > 1 + 1e-6 ? "grows" : "fades";
      plot.append(
        svg("path", { class: `multiplier ${own}`, d: marker(k < trivial ? 3 : 0, ...at, 5) }),
      );
      return { at, kind: own };
    });
    this.root.replaceChildren(root);
  }

  list({ multipliers, trivial, period }) {
    return table(
      ["multiplier", "size", "exponent [1/s]"],
      multipliers.map(([re, im], k) => {
        const size = Math.hypot(re, im);
        const sign = im < 0 ? "−" : "+";
        const text = im === 0 ? format(re, 8) : `${format(re, 7)} ${sign} ${format(Math.abs(im), 7)}i`;
        return [
          k < trivial ? `${text} (trivial)` : text,
          format(size, 8),
          format(Math.log(size) / period, 6),
        ];
      }),
      { numeric: [0, 1, 2], limit: 20 },
    );
  }
}
