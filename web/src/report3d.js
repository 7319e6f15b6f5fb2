// SPDX-License-Identifier: BSD-3-Clause
// The report of a run in space.
import { report } from "./report/app.js";
import { WebglStage } from "./report/webgl_stage.js";

report((figure, events) => WebglStage.create(figure, events));
