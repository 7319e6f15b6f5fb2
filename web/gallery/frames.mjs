// SPDX-License-Identifier: BSD-3-Clause
// Places of a scene, row after row, from the data of a report.
import { doubles } from "../src/common/data.js";

export class Frames {
  constructor(data) {
    this.scene = data.scene;
    this.count = data.rows;
    this.columns = data.columns.map((column) => ({ text: column.data, values: null }));
    this.times = this.column(data.axis.column);
  }

  column(c) {
    const column = this.columns[c];
    column.values ??= doubles(column.text);
    return column.values;
  }

  time(k) {
    return this.times[k];
  }

  /// The row up to `last` whose time is nearest.
  nearest(t, last) {
    let best = 0;
    for (let k = 1; k <= last; ++k)
      if (Math.abs(this.times[k] - t) < Math.abs(this.times[best] - t)) best = k;
    return best;
  }

  component(c, k) {
    return typeof c === "number" ? c : this.column(c.column)[k];
  }

  /// The place of point i in row k, in space.
  point(i, k) {
    const { at, kind, body } = this.scene.points[i];
    const own = at.map((c) => this.component(c, k));
    if (kind === "marker") return this.ofBody(body, own, k);
    // in a periodic box what leaves on one side comes in on the other
    return this.scene.box
      ? own.map((x, d) => x - this.scene.box[d] * Math.floor(x / this.scene.box[d]))
      : own;
  }

  position(i, k) {
    return this.scene.bodies[i].position.map((c) => this.component(c, k));
  }

  /// position + R X
  ofBody(i, X, k) {
    const R = this.scene.bodies[i].rotation.map((c) => this.component(c, k));
    return this.position(i, k).map(
      (x, row) => x + R[3 * row] * X[0] + R[3 * row + 1] * X[1] + R[3 * row + 2] * X[2],
    );
  }

  /// The eight corners of body i, counted in binary; none where it has no extent.
  corners(i, k) {
    const { box, axes } = this.scene.bodies[i];
    if (!(Math.max(...box) > 0)) return [];
    return Array.from({ length: 8 }, (_, n) => {
      const s = box.map((edge, d) => (((n >> d) & 1) - 0.5) * edge);
      const X = [0, 1, 2].map(
        (row) => axes[3 * row] * s[0] + axes[3 * row + 1] * s[1] + axes[3 * row + 2] * s[2],
      );
      return this.ofBody(i, X, k);
    });
  }

  /// Where the axis of body i that stands out leaves its box: the longest edge or, of a top, the one
  /// that is not like the other two.
  tip(i, k) {
    const { box, axes } = this.scene.bodies[i];
    const order = [0, 1, 2].sort((a, b) => box[a] - box[b]);
    const alike = box[order[2]] - box[order[1]] < 1e-3 * box[order[2]];
    const d = alike ? order[0] : order[2];
    return this.ofBody(
      i,
      [0, 1, 2].map((row) => (axes[3 * row + d] * box[d]) / 2),
      k,
    );
  }

  /// What a line carries in row k, pulled when positive; null where that is not known.
  load(line, k) {
    if (line.kind === "rod") return line.column === null ? null : this.column(line.column)[k];
    if (line.kind !== "spring") return null;
    const [a, b] = line.ends.map((i) => this.point(i, k));
    return line.stiffness * (Math.hypot(...a.map((x, d) => x - b[d])) - line.length);
  }

  moves(i) {
    return this.scene.points[i].kind !== "anchor" && this.way(i, this.count - 1) > 0;
  }

  /// How far point i goes until row `last`.
  way(i, last) {
    let length = 0;
    for (let k = 1; k <= last; ++k) length += this.distance(i, k - 1, k);
    return length;
  }

  distance(i, k, l) {
    const [a, b] = [this.point(i, k), this.point(i, l)];
    return Math.hypot(...a.map((x, d) => x - b[d]));
  }

  /// How far the point or tip of a body that moves most goes from row k to row l.
  largestMove(k, l) {
    let largest = 0;
    for (const i of this.scene.points.keys()) largest = Math.max(largest, this.distance(i, k, l));
    for (const i of this.scene.bodies.keys()) {
      const [a, b] = [this.tip(i, k), this.tip(i, l)];
      largest = Math.max(largest, Math.hypot(...a.map((x, d) => x - b[d])));
    }
    return largest;
  }

  /// All places of row k.
  places(k) {
    return [
      ...this.scene.points.map((_, i) => this.point(i, k)),
      ...this.scene.bodies.flatMap((_, i) => [this.position(i, k), ...this.corners(i, k)]),
    ];
  }

  /// The diagonal of what the first and every tenth row take up.
  size() {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let k = 0; k < this.count; k += Math.max(1, Math.floor(this.count / 100)))
      for (const place of this.places(k))
        place.forEach((x, d) => {
          low[d] = Math.min(low[d], x);
          high[d] = Math.max(high[d], x);
        });
    return Math.hypot(...low.map((x, d) => Math.max(0, high[d] - x)));
  }
}
