// SPDX-License-Identifier: BSD-3-Clause
// Two runs in one page: what differs, both motions in one picture, their columns over one axis.
// Data: web/README.md.
import "./common/style.css";
import "./report/report.css";
import "./pair/pair.css";
import { pageData } from "./common/data.js";
import { drawAll, el, themeToggle } from "./common/dom.js";
import { help, listenToKeys } from "./report/controls.js";
import { Motion } from "./report/motion.js";
import { Picture } from "./report/picture.js";
import { Player } from "./report/player.js";
import { differences } from "./pair/differences.js";
import { JoinedPlots, joined } from "./pair/joined_plots.js";
import { PairStage } from "./pair/pair_stage.js";

const data = pageData();
const page = document.getElementById("page");
const motions = data.runs.map((run) => (run.rows > 0 ? new Motion(run) : null));
const head = el(
  "header",
  {},
  el(
    "div",
    { class: "top" },
    el(
      "div",
      {},
      el("h1", {}, "Two runs"),
      ...data.runs.map((run, k) =>
        el(
          "p",
          { class: "subtitle" },
          el("b", { class: `run${k}` }, k === 0 ? "A " : "B "),
          el("bdi", {}, run.title),
          ` · ${run.summary.method ?? ""} · `,
          el("bdi", {}, run.file ?? ""),
          run.summary.status === "done" ? "" : ` · ${run.summary.status}`,
        ),
      ),
    ),
    themeToggle(),
  ),
);
page.append(head, differences(data.runs, motions));

let plots = null;
let player = null;
let picture = null;
if (motions.every(Boolean)) {
  const both = joined(motions);
  player = new Player(both);
  // a scene of one of them alone is drawn alone
  const first = data.runs.find(({ scene }) => scene) ?? data.runs[0];
  const own = data.runs.indexOf(first);
  const stage = (figure, events) => new PairStage(figure, events, data.runs[1 - own], motions[1 - own]);
  picture = new Picture(first, motions[own], player, stage);
  plots = new JoinedPlots(data.runs, motions, both, player);
  const dialog = help();
  page.append(el("div", { class: "pair" }, picture.element, el("p", { class: "hint" }, `${own === 0 ? "A" : "B"} is drawn in full, the other faintly.`)), plots.element, dialog);
  listenToKeys(player, picture, dialog);
  plots.sync.show(player.time);
} else page.append(el("p", { class: "hint" }, "One of the runs has no rows: there is nothing to lay over."));

window.taut = Object.freeze({
  data,
  time: () => player?.time,
  seek: (x) => player.seek(x),
  view: () => picture.places(),
  draw: () => (drawAll(), new Promise((done) => requestAnimationFrame(() => done()))),
  get plots() {
    return plots.made.map((plot) => plot.handed);
  },
});
