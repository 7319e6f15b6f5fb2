// SPDX-License-Identifier: BSD-3-Clause
import { atMostOncePerFrame, el, onTheme } from "../common/dom.js";
import { CanvasStage } from "../report/canvas_stage.js";
import { Figure } from "../report/figure.js";
import { unitsOf } from "../report/units.js";
import { color } from "../common/dom.js";

const reach = { mouse: 18, pen: 22, touch: 34 }; // pixels from a point that still take hold of it

/// The mechanism, which can be taken in the hand: a pointer that goes down on a point calls
///
///   take(point), hold(point, place), leave(point)
///
/// and anywhere else moves the view. `marked` is where the hand is, while it pulls.
export class HandStage {
  constructor(createStage, { take, hold, leave }) {
    this.createStage = createStage;
    this.calls = { take, hold, leave };
    this.redraw = atMostOncePerFrame(() => this.draw());
    this.element = el("div", {
      class: "stage",
      id: "stage",
      tabindex: 0,
      role: "group",
      "aria-label": "The mechanism: drag its points, or focus one with Tab and move it with the arrows",
    });
    this.time = () => 0;
    this.held = null;
    this.hand = null;
    for (const kind of ["pointerdown", "pointermove", "pointerup", "pointercancel"])
      this.element.addEventListener(kind, (event) => this.pointer(kind, event), true);
    this.element.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.resize()).observe(this.element);
    onTheme(() => this.redraw());
  }

  show(data, motion) {
    const before = this.figure?.scene;
    const { scene } = data;
    this.figure = new Figure(scene, motion, unitsOf(data));
    const same =
      before &&
      before.dimension === scene.dimension &&
      before.points.length === scene.points.length &&
      before.lines.length === scene.lines.length &&
      before.bodies.length === scene.bodies.length;
    if (same && this.stage) {
      this.stage.figure = this.figure;
      this.stage.painter.figure = this.figure;
      return this.redraw();
    }
    this.drawOn(this.createStage);
  }

  drawOn(createStage) {
    // a browser has few drawings in space at a time
    const before = this.stage?.renderer;
    const stage = createStage(this.figure, {
      redraw: () => this.redraw(),
      hover: () => {},
      tap: () => {},
      // the graphics processor was taken away: without it
      lost: () => this.stage === stage && this.drawOn((figure, events) => new CanvasStage(figure, events)),
    });
    this.stage = stage;
    this.element.replaceChildren(stage.element);
    before?.dispose();
    before?.forceContextLoss();
    this.resize();
  }

  resize() {
    const { clientWidth, clientHeight } = this.element;
    if (!this.stage || clientWidth < 10 || clientHeight < 10) return;
    this.stage.resize(clientWidth, clientHeight);
    this.draw();
  }

  fit() {
    this.stage?.fit();
    this.redraw();
  }

  draw() {
    if (!this.stage || this.element.clientWidth < 10) return;
    this.stage.draw({ time: this.time(), trails: [], marked: -1, chosen: null });
    if (this.held === null || !this.hand) return;
    const { view } = this.stage;
    const ctx = (this.stage.notes ?? this.stage.canvas).getContext("2d");
    const [x0, y0] = this.stage.painter.end(this.held);
    const [x1, y1] = view.project(this.hand, 0, [0, 0, 0]);
    ctx.strokeStyle = ctx.fillStyle = color("--accent");
    ctx.lineWidth = 1.5;
    ctx.setLineDash([5, 4]);
    ctx.beginPath();
    ctx.moveTo(x0, y0);
    ctx.lineTo(x1, y1);
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.beginPath();
    ctx.arc(x1, y1, 5, 0, 2 * Math.PI);
    ctx.fill();
  }

  /// Points that can be taken: those that move.
  takable(k) {
    const { kind, radius } = this.figure.scene.points[k];
    return kind !== "anchor" && !(radius < 0);
  }

  nearest(x, y, within) {
    let best = null;
    let least = within;
    for (let k = 0; k < this.figure.scene.points.length; ++k) {
      if (!this.takable(k)) continue;
      const [px, py] = this.stage.painter.end(k);
      const distance = Math.hypot(px - x, py - y);
      if (distance < least) [best, least] = [k, distance];
    }
    return best;
  }

  pointer(kind, event) {
    if (!this.stage) return;
    const { left, top } = this.element.getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top];
    if (kind === "pointerdown") {
      const k = event.button === 0 ? this.nearest(x, y, reach[event.pointerType] ?? 18) : null;
      if (k === null) return;
      this.element.setPointerCapture(event.pointerId);
      this.element.focus({ preventScroll: true });
      this.grip = { x, y, place: this.place(k) };
      this.take(k);
    } else if (this.held === null || !this.grip) return;
    else if (kind === "pointermove") this.move(x - this.grip.x, y - this.grip.y, this.grip.place);
    else this.release();
    event.stopPropagation();
    event.preventDefault();
  }

  place(k) {
    const { points } = this.figure.place(this.time());
    return Array.from(points.subarray(3 * k, 3 * k + 3));
  }

  take(k) {
    this.held = k;
    this.hand = this.place(k);
    this.element.dataset.held = this.figure.scene.points[k].name;
    this.calls.take(k, this.hand);
  }

  // by so many pixels from a place, in the plane of the picture
  move(dx, dy, from) {
    const { right, up, scale } = this.stage.view;
    this.hand = from.map((x, c) => x + (dx * right[c] - dy * up[c]) / scale);
    this.calls.hold(this.held, this.hand);
    this.redraw();
  }

  release() {
    const k = this.held;
    this.held = this.hand = this.grip = null;
    delete this.element.dataset.held;
    this.calls.leave(k);
    this.redraw();
  }

  // Enter takes the next point, arrows move it, Escape lets go
  key(event) {
    const count = this.figure?.scene.points.length ?? 0;
    const steps = { ArrowLeft: [-8, 0], ArrowRight: [8, 0], ArrowUp: [0, -8], ArrowDown: [0, 8] };
    if (event.key === "Enter" && count > 0) {
      let k = this.held ?? -1;
      if (this.held !== null) this.release();
      for (let tries = 0; tries < count; ++tries) {
        k = (k + 1) % count;
        if (this.takable(k)) return this.take(k);
      }
    } else if (event.key === "Escape" && this.held !== null) this.release();
    else if (steps[event.key] && this.held !== null) this.move(...steps[event.key], this.hand);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
