// SPDX-License-Identifier: BSD-3-Clause

const finest = 240; // pieces of a trail, where rows are fewer
export const mostTrails = 10;
// places in the palette: hues that loads do not have
const hues = [2, 3, 4, 5, 8, 9, 7, 10, 11, 6];

/// The ways that chosen points have just gone. `share` is their length in terms of the motion's.
export class Trails {
  constructor(figure) {
    this.figure = figure;
    this.on = true;
    this.share = 0.15;
    this.chosen = new Set(freeEnds(figure.scene));
  }

  /// [{ hue: place in the palette, points: 3 numbers each }], oldest place first.
  at(x) {
    const { motion } = this.figure;
    if (!this.on || motion.rows < 2) return [];
    const start = Math.max(motion.first, x - this.share * (motion.last - motion.first));
    const places = motion.places(start, x, finest);
    const spot = [0, 0, 0];
    return [...this.chosen].slice(0, mostTrails).map((index, n) => {
      const points = new Float64Array(3 * places.length);
      places.forEach((place, k) => points.set(this.figure.point(index, place, spot), 3 * k));
      // whole, to where its point is drawn
      if (this.figure.wrapped) {
        const shift = this.figure.shift(index, places.at(-1));
        points.forEach((x, k) => (points[k] = x + (shift[k % 3] ?? 0)));
      }
      return { hue: hues[n], points };
    });
  }
}

// what hangs on one line only; else a few masses
function freeEnds({ points, lines, bodies }) {
  const count = points.map(() => 0);
  for (const { ends } of lines) for (const end of ends) if (end >= 0) ++count[end];
  const moving = [...points.keys()].filter(
    (k) =>
      points[k].kind === "mass" ||
      (points[k].kind === "drawn" && points[k].at.some((c) => typeof c === "object")),
  );
  const ends = moving.filter((k) => count[k] === 1);
  const markers =
    bodies.length > 0 ? [...points.keys()].filter((k) => points[k].kind === "marker" && !(points[k].radius < 0)) : [];
  return (ends.length > 0 ? ends : moving.length > 0 ? moving : markers).slice(0, 4);
}
