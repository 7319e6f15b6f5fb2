// SPDX-License-Identifier: BSD-3-Clause
// The report of a run in the plane, or of one without a picture.
import { report } from "./report/app.js";
import { CanvasStage } from "./report/canvas_stage.js";

report((figure, events) => new CanvasStage(figure, events));
