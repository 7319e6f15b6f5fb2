// SPDX-License-Identifier: BSD-3-Clause
import { CanvasStage } from "../report/canvas_stage.js";
import { Figure } from "../report/figure.js";
import { Painter } from "../report/painter.js";
import { unitsOf } from "../report/units.js";
import { View } from "../report/view.js";

/// Two mechanisms on one canvas: the other one faintly, behind the first.
export class PairStage extends CanvasStage {
  constructor(figure, events, other, motion) {
    super(figure, events);
    if (!other.scene || other.scene.dimension !== figure.scene.dimension) return;
    this.other = new Figure(other.scene, motion, unitsOf(other));
    const box = {
      low: figure.box.low.map((x, c) => Math.min(x, this.other.box.low[c])),
      high: figure.box.high.map((x, c) => Math.max(x, this.other.box.high[c])),
    };
    this.view = new View(figure.scene.dimension, box);
    this.painter = new Painter(figure, this.view);
    this.behind = new Painter(this.other, this.view);
  }

  draw(what) {
    super.draw(what);
    if (!this.other) return;
    const { ctx } = this;
    ctx.save();
    ctx.globalCompositeOperation = "destination-over";
    ctx.globalAlpha = 0.4;
    this.behind.paint(ctx, this.other.place(what.time), { ghost: true });
    ctx.restore();
  }
}
