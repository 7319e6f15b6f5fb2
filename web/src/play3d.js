// SPDX-License-Identifier: BSD-3-Clause
// A model in the hand, in space.
import { begin } from "./play/begin.js";
import { CanvasStage } from "./report/canvas_stage.js";
import { WebglStage } from "./report/webgl_stage.js";

begin((figure, events) => {
  const inSpace = figure.scene.dimension === 3 && WebglStage.create(figure, events);
  return inSpace || new CanvasStage(figure, events);
});
