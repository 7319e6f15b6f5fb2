// SPDX-License-Identifier: BSD-3-Clause
// periodic.html: one period of a motion with its Floquet multipliers; or a branch of such motions over
// a parameter. Its data: docs/manual/modes.md.
//
// For tests: window.taut = { data, orbits(), multipliers(), branch(), chosen(), choose(k) }; what is
// drawn, in pixels of each drawing.
import "./common/style.css";
import "./modes/modes.css";
import "./periodic/periodic.css";
import { format, pageData } from "./common/data.js";
import { el, themeToggle } from "./common/dom.js";
import { Branch } from "./periodic/branch.js";
import { Multipliers } from "./periodic/multipliers.js";
import { Orbit } from "./periodic/orbit.js";

const data = pageData();
const most = 12; // coordinates that are drawn
const points = data.points ?? null;
const verdicts = {
  stable: "Stable: small changes die away.",
  neutral: "Neutral: small changes neither grow nor die away.",
  divergence: "Unstable: a multiplier beyond 1, small changes leave without coming back.",
  flip: "Unstable: a multiplier below −1, small changes double the period.",
  torus: "Unstable: a pair of multipliers outside of the unit circle, vibrations about the motion grow.",
};

const card = el("div", { class: "chosen card", role: "status" });
const plane = new Multipliers();
const page = { chosen: 0 };

/// Says what a motion is, and draws its multipliers.
function show(motion, head) {
  plane.show(motion);
  card.replaceChildren(
    el("h2", {}, head),
    el(
      "p",
      {},
      `period ${format(motion.period, 10)} s, ${format(1 / motion.period, 7)} Hz; closed to ${format(motion.closing, 2)}`,
    ),
    el("p", { class: motion.stable ? "verdict" : "verdict failure" }, verdicts[motion.verdict]),
    plane.list(motion),
  );
}

const branch = points?.length > 0 ? new Branch(data, (k) => choose(k)) : null;

function choose(k) {
  page.chosen = k;
  const point = points[k];
  const kind = point.kind === "plain" ? "" : ` (${point.kind})`;
  show(point, `${data.vary} = ${format(point.value, 9)}${kind}`);
  branch.point(k);
}

const orbits = data.orbit
  ? Object.keys(data.orbit.q)
      .slice(0, most)
      .map((coordinate) => new Orbit(data.orbit, coordinate))
  : [];
const left = data.orbit ? Object.keys(data.orbit.q).length - orbits.length : 0;

const what = data.input ? "Response of " : points ? "Periodic motions of " : "Periodic motion of ";
document.getElementById("page").append(
  ...[
    el(
      "header",
      {},
      el(
        "div",
        { class: "top" },
        el(
          "div",
          {},
          el("h1", {}, what, el("bdi", {}, data.model)),
          el(
            "p",
            { class: "subtitle" },
            [
              data.input ? `${data.input} vibrates by ${format(data.amplitude, 6)}` : null,
              data.driven ? "driven" : "free",
              data.reading,
              `taut ${data.version}`,
            ]
              .filter(Boolean)
              .join(" · "),
          ),
        ),
        themeToggle(),
      ),
      data.reason
        ? el("p", { class: "failure", role: "alert" }, `${data.reason}${data.hint ? `: ${data.hint}` : ""}`)
        : null,
    ),
    branch?.element ?? null,
    el("section", { class: "shapes" }, el("figure", { class: "card" }, plane.root), card),
    orbits.length > 0
      ? el("section", { class: "orbits" }, el("h2", {}, "One period"), ...orbits.map((o) => o.element))
      : null,
    left > 0 ? el("p", { class: "note" }, `${left} more coordinates are in periodic.csv (--csv)`) : null,
  ].filter(Boolean),
);
if (branch) choose(0);
else show(data, data.driven ? "Driven motion" : "Free motion");
document.title = `${what}${data.model}`;

window.taut = Object.freeze({
  data,
  orbits: () => orbits.map(({ drawn }) => drawn),
  multipliers: () => plane.drawn,
  branch: () => branch?.drawn ?? null,
  chosen: () => page.chosen,
  choose,
});
