// SPDX-License-Identifier: BSD-3-Clause
import { color, isolated, onTheme } from "../common/dom.js";
import { format } from "../common/data.js";
import { loadColors, shade } from "./load_colors.js";
import { coil, damper, ground, roundLength } from "./shapes.js";
import { bodyCorners, corners, edges, solidOf } from "./solids.js";

/// Paints a scene on a canvas through a view, in the plane or in space.
export class Painter {
  constructor(figure, view) {
    this.figure = figure;
    this.view = view;
    const { points, lines } = figure.scene;
    this.screen = new Float64Array(3 * points.length);
    this.heaviest = Math.max(0, ...points.map(({ mass }) => mass ?? 0).filter(Number.isFinite));
    this.lineWidth = lines.length > 1500 ? 1.2 : lines.length > 250 ? 2 : 4;
    this.plain = lines.filter(({ kind }) => kind === "spring").length > 150;
    onTheme(() => this.takeColors());
    this.takeColors();
  }

  takeColors() {
    this.loads = loadColors();
    this.look = Object.fromEntries(
      ["text", "muted", "card", "line", "shape", "body", "accent", "unloaded"].map((key) => [
        key,
        color(`--${key}`),
      ]),
    );
    this.look.font = `12px ${color("--font")}`;
  }

  /// Radius of a point on the canvas: its area goes with its mass. Neighbours do not overlap. A
  /// sphere is as large as it is.
  radius(point) {
    if (point.radius < 0) return 0; // a corner
    if (point.radius > 0) return Math.max(point.radius * this.view.scale, 1);
    const { shown } = this.figure;
    const usual = shown > 2000 ? 2 : shown > 300 ? 3.5 : shown > 60 ? 6 : 11;
    const largest = Math.min(usual, Math.max(1.5, 0.3 * this.figure.spacing * this.view.scale));
    if (point.kind !== "mass") return Math.min(3, largest);
    const share = this.heaviest > 0 && point.mass > 0 ? Math.sqrt(point.mass / this.heaviest) : 0.5;
    return Math.max(largest * share, Math.min(3, largest));
  }

  /// Places on the canvas of the points of a frame.
  project(frame) {
    const place = [0, 0, 0];
    for (let k = 0; k < this.screen.length; k += 3)
      this.screen.set(this.view.project(frame.points, k, place), k);
    return this.screen;
  }

  /// All of a frame: { trails: [{ points: 3 numbers each }], marked: line or -1, chosen: part or null }.
  paint(ctx, frame, { trails = [], marked = -1, chosen = null, ghost = false } = {}) {
    this.project(frame);
    if (!ghost) {
      this.paintBox(ctx);
      for (const trail of trails) this.paintTrail(ctx, trail);
      this.paintMark(ctx, marked);
    }
    this.paintBodies(ctx, frame);
    this.paintLines(ctx, frame);
    this.paintPoints(ctx);
    if (!ghost) this.paintNotes(ctx, { marked, chosen });
  }

  /// What is written over the picture, wherever that was drawn; needs project().
  paintNotes(ctx, { marked, chosen }) {
    if (marked >= 0) this.paintLabel(ctx, marked);
    if (chosen) this.paintChosen(ctx, chosen);
    if (this.view.dimension === 3) this.paintTriad(ctx);
    this.paintRuler(ctx);
  }

  end(k) {
    return [this.screen[3 * k], this.screen[3 * k + 1]];
  }

  paintBox(ctx) {
    const { box, dimension } = this.figure.scene;
    if (!box) return;
    const edge = [box[0] ?? 0, box[1] ?? 0, dimension === 3 ? (box[2] ?? 0) : 0];
    const place = (k) =>
      this.view.project(
        edge.map((length, c) => length * (corners[k][c] + 0.5)),
        0,
        [0, 0, 0],
      );
    ctx.strokeStyle = this.look.line;
    ctx.lineWidth = 1;
    ctx.beginPath();
    for (const [a, b] of edges) {
      ctx.moveTo(...place(a).slice(0, 2));
      ctx.lineTo(...place(b).slice(0, 2));
    }
    ctx.stroke();
  }

  paintTrail(ctx, { points, color: hue }) {
    const count = points.length / 3;
    const pieces = Math.min(16, count - 1);
    const place = [0, 0, 0];
    ctx.lineWidth = 1.6;
    ctx.strokeStyle = hue;
    ctx.lineJoin = "round";
    for (let piece = 0; piece < pieces; ++piece) {
      const [from, to] = [piece, piece + 1].map((k) => Math.round((k * (count - 1)) / pieces));
      ctx.globalAlpha = 0.08 + (0.8 * (piece + 1)) / pieces;
      ctx.beginPath();
      for (let k = from; k <= to; ++k)
        ctx.lineTo(...this.view.project(points, 3 * k, place).slice(0, 2));
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
  }

  // far bodies first; of a convex body the faces that look this way
  paintBodies(ctx, frame) {
    const bodies = this.figure.scene.bodies.map((body, b) => {
      const world = bodyCorners(body, frame, b);
      const solid = solidOf(body);
      const screen = solid.corners.map((_, k) => this.view.project(world, 3 * k, [0, 0, 0]));
      const depth = screen.reduce((sum, corner) => sum + corner[2], 0) / screen.length;
      return { screen, solid, depth, color: body.color || this.look.body };
    });
    bodies.sort((a, b) => a.depth - b.depth);
    ctx.lineJoin = "round";
    for (const { screen, solid, color } of bodies) {
      if (solid.deep) {
        this.paintSurface(ctx, screen, solid, color);
        continue;
      }
      for (const face of solid.faces) {
        const spots = face.map((k) => screen[k]);
        if (area(spots) <= 0) continue;
        ctx.beginPath();
        for (const corner of spots) ctx.lineTo(corner[0], corner[1]);
        ctx.closePath();
        ctx.globalAlpha *= 0.55;
        ctx.fillStyle = color;
        ctx.fill();
        ctx.globalAlpha /= 0.55;
        if (face.length <= solid.round) continue;
        ctx.strokeStyle = this.look.shape;
        ctx.lineWidth = 1.3;
        ctx.stroke();
      }
    }
  }

  // of a surface that need not be convex: what looks this way at once, and its edges
  paintSurface(ctx, screen, { faces, edges: lines }, color) {
    const all = faces.map((face) => face.map((k) => screen[k]));
    const front = all.filter((spots) => area(spots) > 0);
    ctx.beginPath();
    for (const spots of front.length > 0 ? front : all) {
      ctx.moveTo(spots[0][0], spots[0][1]);
      for (const corner of spots.slice(1)) ctx.lineTo(corner[0], corner[1]);
      ctx.closePath();
    }
    ctx.globalAlpha *= 0.55;
    ctx.fillStyle = color;
    ctx.fill();
    ctx.globalAlpha /= 0.55;
    ctx.beginPath();
    for (const [a, b] of lines) {
      ctx.moveTo(screen[a][0], screen[a][1]);
      ctx.lineTo(screen[b][0], screen[b][1]);
    }
    ctx.strokeStyle = this.look.shape;
    ctx.lineWidth = 0.8;
    ctx.stroke();
  }

  paintLines(ctx, { loads }) {
    const paths = new Map();
    this.figure.scene.lines.forEach(({ kind, ends: [i, j] }, k) => {
      const key =
        kind === "rod" || kind === "spring"
          ? `${kind} ${shade(loads[k], this.figure.loadScale)}`
          : kind;
      if (!paths.has(key)) paths.set(key, new Path2D());
      const path = paths.get(key);
      const [a, b] = [this.end(i), this.end(j)];
      if (kind === "spring" && !this.plain)
        coil(path, a, b, this.figure.scene.lines[k].length * this.view.scale);
      else if (kind === "damper") damper(path, a, b);
      else {
        path.moveTo(...a);
        path.lineTo(...b);
      }
    });
    ctx.lineCap = "round";
    ctx.lineJoin = "round";
    for (const [key, path] of paths) {
      const [kind, step] = key.split(" ");
      ctx.strokeStyle = step === undefined || step === "-1" ? this.look.shape : this.loads[step];
      ctx.lineWidth = kind === "rod" ? this.lineWidth : Math.min(2.2, this.lineWidth);
      ctx.stroke(path);
    }
  }

  // a halo below the line that carries the largest load
  paintMark(ctx, marked) {
    if (marked < 0) return;
    const [i, j] = this.figure.scene.lines[marked].ends;
    ctx.strokeStyle = this.look.accent;
    ctx.globalAlpha = 0.28;
    ctx.lineWidth = this.lineWidth + 10;
    ctx.lineCap = "round";
    ctx.beginPath();
    ctx.moveTo(...this.end(i));
    ctx.lineTo(...this.end(j));
    ctx.stroke();
    ctx.globalAlpha = 1;
  }

  paintPoints(ctx) {
    const { points } = this.figure.scene;
    const masses = new Path2D();
    const small = new Path2D();
    const grounds = new Path2D();
    points.forEach((point, k) => {
      const [x, y] = this.end(k);
      if (!Number.isFinite(x) || !Number.isFinite(y) || point.radius < 0) return;
      if (point.kind === "anchor") {
        if (this.view.dimension === 2 && points.length <= 300) ground(grounds, x, y);
        else grounds.rect(x - 4, y - 4, 8, 8);
        return;
      }
      const radius = this.radius(point);
      const path = point.kind === "mass" ? masses : small;
      // of thousands of points one sees no roundness
      if (radius <= 2) path.rect(x - radius, y - radius, 2 * radius, 2 * radius);
      else {
        path.moveTo(x + radius, y);
        path.arc(x, y, radius, 0, 2 * Math.PI);
      }
    });
    ctx.strokeStyle = this.look.muted;
    ctx.fillStyle = this.look.muted;
    ctx.lineWidth = 1.5;
    ctx.stroke(grounds);
    ctx.fillStyle = this.look.shape;
    ctx.fill(small);
    ctx.fill(masses);
    if (points.length > 300) return;
    ctx.strokeStyle = this.look.card;
    ctx.lineWidth = 1.2;
    ctx.stroke(masses);
  }

  // in a corner, where it covers nothing, with a piece of the halo that the line has
  paintLabel(ctx, marked) {
    const [x, y] = [18, 20];
    ctx.strokeStyle = this.look.accent;
    ctx.globalAlpha = 0.28;
    ctx.lineWidth = 12;
    ctx.lineCap = "round";
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(x + 16, y);
    ctx.stroke();
    ctx.globalAlpha = 1;
    ctx.textAlign = "left";
    const { name } = this.figure.scene.lines[marked];
    this.text(ctx, `${isolated(name, 28)}: most loaded`, x + 30, y);
  }

  paintChosen(ctx, { kind, index }) {
    ctx.strokeStyle = this.look.accent;
    ctx.lineWidth = 2;
    ctx.beginPath();
    if (kind === "point")
      ctx.arc(...this.end(index), this.radius(this.figure.scene.points[index]) + 4, 0, 2 * Math.PI);
    else if (kind === "body") {
      const spots = this.bodySpots(index);
      for (const [a, b] of solidOf(this.figure.scene.bodies[index]).edges) {
        ctx.moveTo(spots[a][0], spots[a][1]);
        ctx.lineTo(spots[b][0], spots[b][1]);
      }
    } else {
      const [i, j] = this.figure.scene.lines[index].ends;
      ctx.moveTo(...this.end(i));
      ctx.lineTo(...this.end(j));
    }
    ctx.stroke();
  }

  // corners of a body on the canvas, in the frame that was placed last
  bodySpots(index) {
    const body = this.figure.scene.bodies[index];
    const world = bodyCorners(body, this.figure.frame, index);
    return solidOf(body).corners.map((_, k) => this.view.project(world, 3 * k, [0, 0, 0]));
  }

  text(ctx, text, x, y) {
    ctx.font = this.look.font;
    ctx.textBaseline = "middle";
    ctx.lineWidth = 4;
    ctx.strokeStyle = this.look.card;
    ctx.fillStyle = this.look.text;
    ctx.strokeText(text, x, y);
    ctx.fillText(text, x, y);
  }

  // a length that is a round number, and how long that is on the canvas
  paintRuler(ctx) {
    const length = roundLength(90 / this.view.scale);
    const width = length * this.view.scale;
    const [x, y] = [14, this.view.height - 14];
    ctx.strokeStyle = this.look.muted;
    ctx.lineWidth = 1.5;
    ctx.lineCap = "butt";
    ctx.beginPath();
    ctx.moveTo(x, y - 4);
    ctx.lineTo(x, y);
    ctx.lineTo(x + width, y);
    ctx.lineTo(x + width, y - 4);
    ctx.stroke();
    ctx.textAlign = "left";
    this.text(ctx, `${format(length, 3)}${this.figure.units.length}`, x + width + 6, y - 3);
  }

  paintTriad(ctx) {
    const { right, up, width } = this.view;
    ctx.textAlign = "center";
    for (const [c, letter] of ["x", "y", "z"].entries()) {
      const [dx, dy] = [right[c], -up[c]];
      ctx.strokeStyle = this.look.muted;
      ctx.lineWidth = 1.5;
      ctx.beginPath();
      ctx.moveTo(width - 44, 44);
      ctx.lineTo(width - 44 + 26 * dx, 44 + 26 * dy);
      ctx.stroke();
      this.text(ctx, letter, width - 44 + 35 * dx, 44 + 35 * dy);
    }
  }

  /// The part at (x, y): { kind: "point" | "line" | "body", index } or null.
  hit(x, y) {
    let found = null;
    let least = 14;
    this.figure.scene.points.forEach((point, index) => {
      const [px, py] = this.end(index);
      const away =
        point.radius < 0 ? Infinity : Math.hypot(px - x, py - y) - this.radius(point) / 2;
      if (away < least) [least, found] = [away, { kind: "point", index }];
    });
    if (found) return found;
    least = 9;
    this.figure.scene.lines.forEach(({ ends }, index) => {
      const away = distance([x, y], ...ends.map((k) => this.end(k)));
      if (away < least) [least, found] = [away, { kind: "line", index }];
    });
    if (found) return found;
    // of bodies behind each other the front one
    let nearest = -Infinity;
    this.figure.scene.bodies.forEach((body, index) => {
      const spots = this.bodySpots(index);
      const depth = Math.max(...spots.map((spot) => spot[2]));
      if (
        depth > nearest &&
        solidOf(body).faces.some((face) =>
          isWithin(
            x,
            y,
            face.map((k) => spots[k]),
          ),
        )
      )
        [nearest, found] = [depth, { kind: "body", index }];
    });
    return found;
  }
}

// twice the area of a polygon, positive where it looks this way (y points down on a canvas)
function area(spots) {
  return spots.reduce((sum, a, k) => {
    const b = spots[(k + 1) % spots.length];
    return sum + a[0] * b[1] - a[1] * b[0];
  }, 0);
}

// in a convex polygon: on the same side of all its edges
function isWithin(x, y, polygon) {
  const sides = polygon.map(([ax, ay], k) => {
    const [bx, by] = polygon[(k + 1) % polygon.length];
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax);
  });
  return sides.every((side) => side > 0) || sides.every((side) => side < 0);
}

function distance([x, y], [ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const share = Math.min(
    1,
    Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)),
  );
  return Math.hypot(x - ax - share * dx, y - ay - share * dy);
}
