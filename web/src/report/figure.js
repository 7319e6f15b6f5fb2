// SPDX-License-Identifier: BSD-3-Clause
import { extent } from "../common/data.js";
import { bodyCorners } from "./solids.js";

/// Places and loads of the parts of a scene.
///
///   place(x)    -> Frame between rows;  placeRow(row) -> Frame of a row
///   Frame       { points: 3 numbers each, centres: 3 of each body, rotations: 9 of each body,
///                 loads: one of each line, NaN where it has none }
///   canWrap     whether there is a periodic box; `wrapped` (may be set): what has left it is drawn where
///               it comes in again. Frames of rows say where things are in the motion
///   units       behind numbers (units.js)
///   box         { low, high }: all that is ever drawn lies in it
///   shown       number of points that are shown as such: all but corners of outlines
///   spacing     usual length of a line at the start (Infinity: there are none)
///   loadScale   load at which colours end, loadLargest the largest there is (0: no line has one)
export class Figure {
  constructor(scene, motion, units) {
    this.scene = scene;
    this.units = units;
    this.motion = motion;
    const { points, bodies, lines } = scene;
    const source = (component) =>
      typeof component === "object" && component !== null ? component.column : -1;
    const number = (component) => (typeof component === "number" ? component : NaN);
    const compile = (components) => ({
      columns: components.map(source),
      numbers: components.map(number),
    });
    this.pointSource = compile(points.flatMap(({ at }) => at));
    this.centreSource = compile(bodies.flatMap(({ position }) => position));
    this.turnSource = compile(bodies.flatMap(({ rotation }) => rotation));
    this.markers = points
      .map(({ kind, body }, k) => ({ k, kind, body }))
      .filter(({ kind, body }) => kind === "marker" && body >= 0);
    this.shown = points.filter(({ radius }) => !(radius < 0)).length;
    this.loaded = lines.map(
      (line) => line.kind === "spring" || (line.kind === "rod" && line.column !== null),
    );
    this.wrapped = false;
    this.canWrap = Boolean(scene.box) && bodies.length === 0;
    this.leaders = this.canWrap ? leadersOf(scene) : [];
    this.frame = this.emptyFrame();
    this.rowFrame = this.emptyFrame();
    this.box = this.findBox();
    this.findLoads();
    this.spacing = this.findSpacing();
  }

  emptyFrame() {
    const { points, bodies, lines } = this.scene;
    return {
      points: new Float64Array(3 * points.length),
      centres: new Float64Array(3 * bodies.length),
      rotations: new Float64Array(9 * bodies.length),
      loads: new Float64Array(lines.length),
    };
  }

  place(x) {
    const place = this.motion.place(x);
    const frame = this.fill(this.frame, place);
    for (let k = 0; this.wrapped && k < this.leaders.length; ++k)
      this.shift(k, place).forEach((step, c) => (frame.points[3 * k + c] += step));
    return frame;
  }

  /// What takes a point into the box, with all that hangs together with it.
  shift(k, place) {
    return this.scene.box.map((edge, c) => {
      const x = this.component(this.pointSource, 3 * this.leaders[k] + c, place);
      return edge > 0 && Number.isFinite(x) ? -edge * Math.floor(x / edge) : 0;
    });
  }

  placeRow(row) {
    return this.fill(this.rowFrame, { row, share: 0, length: 0 });
  }

  /// Place of one point, for trails.
  point(k, place, into) {
    for (let c = 0; c < 3; ++c) into[c] = this.component(this.pointSource, 3 * k + c, place);
    const { kind, body } = this.scene.points[k];
    if (kind !== "marker" || body < 0) return into;
    const centre = [0, 1, 2].map((c) => this.component(this.centreSource, 3 * body + c, place));
    const turn = Array.from({ length: 9 }, (_, c) =>
      this.component(this.turnSource, 9 * body + c, place),
    );
    orthonormalise(turn, 0);
    attach(into, 0, centre, 0, turn, 0);
    return into;
  }

  component(source, k, place) {
    return source.columns[k] < 0 ? source.numbers[k] : this.motion.value(source.columns[k], place);
  }

  fill(frame, place) {
    const all = (into, source) => {
      for (let k = 0; k < into.length; ++k) into[k] = this.component(source, k, place);
    };
    all(frame.points, this.pointSource);
    all(frame.centres, this.centreSource);
    all(frame.rotations, this.turnSource);
    if (place.share > 0)
      for (let b = 0; b < frame.rotations.length; b += 9) orthonormalise(frame.rotations, b);
    for (const { k, body } of this.markers)
      attach(frame.points, 3 * k, frame.centres, 3 * body, frame.rotations, 9 * body);
    this.scene.lines.forEach((line, k) => (frame.loads[k] = this.load(line, k, frame, place)));
    return frame;
  }

  load(line, k, { points }, place) {
    if (!this.loaded[k]) return NaN;
    if (line.kind === "rod") return this.motion.value(line.column, place);
    return line.stiffness * (distance(points, line.ends) - line.length);
  }

  findSpacing() {
    const { points } = this.placeRow(0);
    const isCorner = (k) => this.scene.points[k].radius < 0;
    const lengths = this.scene.lines
      .filter(({ ends }) => !ends.some(isCorner))
      .map(({ ends }) => distance(points, ends))
      .filter((length) => length > 0);
    lengths.sort((a, b) => a - b);
    return lengths[lengths.length >> 1] ?? Infinity;
  }

  findBox() {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const include = (c, x) => {
      if (!Number.isFinite(x)) return;
      low[c] = Math.min(low[c], x);
      high[c] = Math.max(high[c], x);
    };
    const ranges = new Map();
    const range = (column) => {
      if (!ranges.has(column))
        ranges.set(
          column,
          extent(
            this.motion.column(column),
            this.motion.low(column) ?? [],
            this.motion.high(column) ?? [],
          ) ?? [NaN, NaN],
        );
      return ranges.get(column);
    };
    const component = (source, k) => {
      const ends = source.columns[k] < 0 ? [source.numbers[k]] : range(source.columns[k]);
      for (const end of ends) include(k % 3, end);
    };
    this.scene.points.forEach((point, k) => {
      if (point.kind !== "marker")
        for (let c = 0; c < 3; ++c) component(this.pointSource, 3 * k + c);
    });
    // bodies and their markers, in some hundred rows
    const stride = Math.max(1, Math.floor(this.motion.rows / 300));
    for (let row = 0; this.scene.bodies.length > 0 && row < this.motion.rows; row += stride) {
      const frame = this.placeRow(row);
      this.scene.bodies.forEach((body, b) =>
        bodyCorners(body, frame, b).forEach((x, k) => include(k % 3, x)),
      );
      for (const { k } of this.markers)
        for (let c = 0; c < 3; ++c) include(c, frame.points[3 * k + c]);
    }
    if (this.scene.box) this.scene.box.forEach((edge, c) => (include(c, 0), include(c, edge)));
    for (let c = 0; c < 3; ++c) if (!(low[c] <= high[c])) [low[c], high[c]] = [0, 0];
    return { low, high };
  }

  // colours end at the largest load, unless few moments of a long motion are far above the rest
  findLoads() {
    const sizes = [];
    let largest = 0;
    const count = this.loaded.filter(Boolean).length;
    const stride = Math.max(1, Math.ceil((this.motion.rows * count) / 200000));
    for (let row = 0; count > 0 && row < this.motion.rows; row += stride)
      for (const load of this.placeRow(row).loads) {
        if (!Number.isFinite(load)) continue;
        sizes.push(Math.abs(load));
        largest = Math.max(largest, Math.abs(load));
      }
    sizes.sort((a, b) => a - b);
    const usual = sizes[Math.floor(0.98 * (sizes.length - 1))] ?? 0;
    this.loadLargest = largest;
    this.loadScale = largest > 4 * usual && usual > 0 ? usual : largest;
  }
}

// of each point, the first of those that lines connect it with
function leadersOf({ points, lines }) {
  const leaders = [...points.keys()];
  const find = (k) => {
    while (leaders[k] !== k) k = leaders[k];
    return k;
  };
  for (const { ends } of lines) {
    const [a, b] = ends.map(find);
    leaders[Math.max(a, b)] = Math.min(a, b);
  }
  return leaders.map((_, k) => find(k));
}

function distance(points, [a, b]) {
  const [i, j] = [3 * a, 3 * b];
  return Math.hypot(
    points[i] - points[j],
    points[i + 1] - points[j + 1],
    points[i + 2] - points[j + 2],
  );
}

// into = centre + R into
function attach(into, k, centre, c, R, r) {
  const [x, y, z] = [into[k], into[k + 1], into[k + 2]];
  for (let i = 0; i < 3; ++i)
    into[k + i] = centre[c + i] + R[r + 3 * i] * x + R[r + 3 * i + 1] * y + R[r + 3 * i + 2] * z;
}

// Gram-Schmidt on the rows of a matrix that was interpolated between rotations
function orthonormalise(R, r) {
  const dot = (a, b) =>
    R[r + a] * R[r + b] + R[r + a + 1] * R[r + b + 1] + R[r + a + 2] * R[r + b + 2];
  for (const [a, others] of [
    [0, []],
    [3, [0]],
    [6, [0, 3]],
  ]) {
    for (const b of others) {
      const along = dot(a, b);
      for (let i = 0; i < 3; ++i) R[r + a + i] -= along * R[r + b + i];
    }
    const length = Math.sqrt(dot(a, a));
    if (length > 0) for (let i = 0; i < 3; ++i) R[r + a + i] /= length;
  }
}
