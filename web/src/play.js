// SPDX-License-Identifier: BSD-3-Clause
// A model in the hand, in the plane or without a picture.
import { begin } from "./play/begin.js";
import { CanvasStage } from "./report/canvas_stage.js";

begin((figure, events) => new CanvasStage(figure, events));
