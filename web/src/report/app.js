// SPDX-License-Identifier: BSD-3-Clause
import "../common/style.css";
import "./report.css";
import { pageData } from "../common/data.js";
import { drawAll, el, icon } from "../common/dom.js";
import { help, listenToKeys } from "./controls.js";
import { loadList } from "./loads.js";
import { Motion } from "./motion.js";
import { Picture } from "./picture.js";
import { Player } from "./player.js";
import { Plots } from "./plots.js";
import { brief, details, failure, heading } from "./summary.js";
import { tables } from "./tables.js";

/// Builds the report page. `createStage(figure, events)`: what draws the mechanism (Picture).
export function report(createStage) {
  const data = pageData();
  const page = document.getElementById("page");
  const top = heading(data);
  page.append(top, failure(data) ?? "");
  if (data.rows === 0) {
    page.append(
      brief(data),
      details(data, null) ?? "",
      el("p", { class: "hint" }, "The run has no rows: there is no motion to show."),
    );
    return;
  }
  const motion = new Motion(data);
  const player = new Player(motion);
  const picture = new Picture(data, motion, player, createStage);
  const plots = new Plots(data, motion, player);
  const dialog = help();
  top.querySelector(".top").append(
    el(
      "button",
      {
        type: "button",
        class: "quiet",
        title: "Keys (?)",
        "aria-label": "Keys",
        onclick: () => dialog.showModal(),
      },
      icon("help"),
    ),
  );
  page.append(
    el(
      "div",
      { class: "first" },
      brief(data),
      picture.element,
      details(data, loadList(data, motion, player)),
    ),
    plots.element,
    tables(data, motion, player),
    dialog,
  );
  listenToKeys(player, picture, dialog);
  plots.sync.show(player.time);

  if (data.watched) followFile(player);

  // what tests look at (README.md)
  window.taut = Object.freeze({
    data,
    time: () => player.time,
    seek: (x) => player.seek(x),
    play: () => player.play(),
    pause: () => player.pause(),
    playing: () => player.playing,
    zoom: (x0, x1) => plots.sync.zoom(x0, x1),
    view: () => picture.places(),
    // all plots, also those out of sight; done when the promise is
    draw: () => (drawAll(), new Promise((done) => requestAnimationFrame(() => done()))),
    get plots() {
      return plots.made.map((plot) => plot.handed);
    },
  });
}

// `taut run --watch` may have written it again: it is read when it is looked at, and shows the same time
function followFile(player) {
  const at = Number(new URLSearchParams(location.hash.slice(1)).get("t") ?? NaN);
  if (Number.isFinite(at)) player.seek(at);
  let away = false;
  const look = () => {
    if (!away) return;
    history.replaceState(null, "", `#t=${player.time}`);
    location.reload();
  };
  addEventListener("blur", () => (away = true));
  addEventListener("focus", look);
  document.addEventListener("visibilitychange", () => {
    away ||= document.hidden;
    if (!document.hidden) look();
  });
}
