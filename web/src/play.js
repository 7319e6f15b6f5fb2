// SPDX-License-Identifier: BSD-3-Clause
// The page of `taut play`: a model in the hand.
import "./common/style.css";
import "./report/report.css";
import "./play/play.css";
import { pageData } from "./common/data.js";
import { el } from "./common/dom.js";
import { play } from "./play/app.js";
import { engine } from "./play/engine.js";
import { read } from "./play/link.js";

const data = pageData();
const page = document.getElementById("page");
const waiting = el("p", { class: "hint", role: "status" }, "The engine is being unpacked …");
page.append(waiting);
engine(data)
  .then(async (ask) => {
    const state = await read(location.hash);
    waiting.remove();
    await play(page, data, ask, state);
  })
  .catch((error) => {
    waiting.className = "failure";
    waiting.textContent = `The engine cannot start here: ${error.message}`;
    if (!waiting.isConnected) page.prepend(waiting);
    window.taut ??= Object.freeze({ failure: error.message }); // what tests look at
  });
