// SPDX-License-Identifier: BSD-3-Clause
import "../common/style.css";
import "../report/report.css";
import "./play.css";
import { pageData } from "../common/data.js";
import { el } from "../common/dom.js";
import { play } from "./app.js";
import { engine } from "./engine.js";
import { read } from "./link.js";

/// The page of `taut play`: a model in the hand. `createStage(figure, events)` gives what the
/// mechanism is drawn on, a stage as CanvasStage is.
export function begin(createStage) {
  const data = pageData();
  const page = document.getElementById("page");
  const waiting = el("p", { class: "hint", role: "status" }, "The engine begins …");
  page.append(waiting);
  engine(data)
    .then(async (ask) => {
      const state = await read(location.hash);
      waiting.remove();
      await play(page, data, ask, state, createStage);
    })
    .catch((error) => {
      waiting.className = "failure";
      waiting.textContent = `The engine cannot start here: ${error.message}`;
      if (!waiting.isConnected) page.prepend(waiting);
      window.taut ??= Object.freeze({ failure: error.message }); // what tests look at
    });
}
