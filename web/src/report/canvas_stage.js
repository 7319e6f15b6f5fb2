// SPDX-License-Identifier: BSD-3-Clause
import { el } from "../common/dom.js";
import { seriesColor } from "../common/plot.js";
import { gestures } from "./gestures.js";
import { Painter } from "./painter.js";
import { View } from "./view.js";

/// The mechanism on a 2D canvas: motions in the plane, and in space where WebGL is missing.
///
/// A stage has: element; draw(scene) with scene = { time, trails, marked, chosen }; resize(), fit(),
/// zoom(factor), turn(da, de), hit(x, y), screen() (places of the points on it, 3 numbers each).
/// It calls events.redraw() when its view has changed, events.hover(part or null, x, y) and
/// events.tap(part).
export class CanvasStage {
  constructor(figure, events) {
    this.figure = figure;
    this.view = new View(figure.scene.dimension, figure.box);
    this.painter = new Painter(figure, this.view);
    this.canvas = el("canvas", {});
    this.element = this.canvas;
    this.ctx = this.canvas.getContext("2d");
    gestures(this.canvas, {
      drag: (dx, dy, turning) => {
        if (turning && this.view.dimension === 3) this.view.turn(-0.008 * dx, 0.008 * dy);
        else this.view.pan(dx, dy);
        events.redraw();
      },
      zoom: (factor, x, y) => {
        this.view.zoom(factor, x, y);
        events.redraw();
      },
      hover: (x, y) => events.hover(this.hit(x, y), x, y),
      leave: () => events.hover(null, 0, 0),
      tap: (x, y) => events.tap(this.hit(x, y)),
      reset: () => {
        this.fit();
        events.redraw();
      },
    });
  }

  resize(width, height) {
    this.canvas.width = Math.round(width * devicePixelRatio);
    this.canvas.height = Math.round(height * devicePixelRatio);
    this.view.resize(width, height);
  }

  fit() {
    this.view.fit();
  }

  zoom(factor) {
    this.view.zoom(factor);
  }

  turn(azimuth, elevation) {
    if (this.view.dimension === 3) this.view.turn(azimuth, elevation);
    else this.view.pan(200 * azimuth, 200 * elevation);
  }

  hit(x, y) {
    return this.painter.hit(x, y);
  }

  screen() {
    return this.painter.screen;
  }

  /// `ghosts`: further times, painted faintly.
  draw({ time, trails, marked, chosen, ghosts = [] }) {
    const { ctx, view } = this;
    ctx.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    ctx.clearRect(0, 0, view.width, view.height);
    for (const ghost of ghosts) {
      ctx.globalAlpha = 0.22;
      this.painter.paint(ctx, this.figure.place(ghost), { ghost: true });
      ctx.globalAlpha = 1;
    }
    const ways = trails.map(({ hue, points }) => ({ points, color: seriesColor(hue) }));
    this.painter.paint(ctx, this.figure.place(time), { trails: ways, marked, chosen });
  }
}
