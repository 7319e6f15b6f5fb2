// SPDX-License-Identifier: BSD-3-Clause
// modes.html: roots of a model with their shapes, which move; response.html: Bode and Nyquist plots;
// with `vary`: roots over a parameter. Its data: docs/manual/modes.md.
//
// For tests: window.taut = { data, chosen(), choose(k), phase(), seek(phase), stage(), bode(),
// locus() }; stage() gives the points that are drawn, in pixels of the drawing.
import "./common/style.css";
import "./modes/modes.css";
import { format, pageData } from "./common/data.js";
import { el, name, themeToggle } from "./common/dom.js";
import { records } from "./common/records.js";
import { Bode } from "./modes/bode.js";
import { Locus } from "./modes/locus.js";
import { Stage } from "./modes/stage.js";

const data = pageData();
const modes = data.modes ?? [];
const page = { chosen: 0 };
const stage = data.scene && modes.length > 0 ? new Stage(data.scene) : null;
const bode = (data.responses ?? []).map((response) => new Bode(response));
const locus = data.vary ? new Locus(data) : null;
const chosen = el("div", { class: "chosen card", role: "status" });

const percent = (x) => `${Math.round(100 * x)} %`;
const root = ({ s: [re, im] }) =>
  im === 0 ? format(re, 8) : `${format(re, 8)} ± ${format(im, 8)}i`;

function shares(title, list) {
  const entries = Object.entries(list ?? {}).slice(0, 8);
  if (entries.length === 0) return null;
  return el(
    "div",
    { class: "shares" },
    el("h3", {}, title),
    ...entries.map(([part, share]) =>
      el(
        "div",
        { class: "share" },
        el("span", { class: "bar", style: { "--share": String(Math.min(1, Math.abs(share))) } }),
        name(part),
        el("span", { class: "number" }, percent(share)),
      ),
    ),
  );
}

function choose(k) {
  page.chosen = k;
  const mode = modes[k];
  stage?.show(data.scene.moves[k], mode);
  chosen.replaceChildren(
    ...[
      el("h2", {}, `Mode ${k + 1}: ${mode.kind}`),
      el("p", {}, `s = ${root(mode)} 1/s`),
      mode.s[1] !== 0
        ? el(
            "p",
            {},
            `${format(mode.hertz, 6)} Hz, ${format(mode.omega, 6)} rad/s, damping ratio ${format(mode.damping_ratio, 4)}`,
          )
        : null,
      shares("Elastic energy", mode.elements),
      shares("Dissipation", mode.dissipation),
      shares("Motion", mode.parts),
      shares("Participation of inputs", null),
    ].filter(Boolean),
  );
  for (const row of document.querySelectorAll("tr[aria-selected]"))
    row.removeAttribute("aria-selected");
}

function list() {
  const column = (title, value, text) => ({ title, numeric: true, value, text });
  return records({
    caption: "Modes",
    rows: modes.map((mode, k) => ({ mode, k })),
    columns: [
      column("", ({ k }) => k + 1, ({ k }) => String(k + 1)),
      { title: "kind", value: ({ mode }) => mode.kind, text: ({ mode }) => mode.kind },
      column("root [1/s]", ({ mode }) => mode.s[1], ({ mode }) => root(mode)),
      column("Hz", ({ mode }) => mode.hertz, ({ mode }) => format(mode.hertz, 6)),
      column("rad/s", ({ mode }) => mode.omega, ({ mode }) => format(mode.omega, 6)),
      column("damping", ({ mode }) => mode.damping_ratio, ({ mode }) =>
        format(mode.damping_ratio, 4),
      ),
      { title: "where", value: ({ mode }) => mode.label, text: ({ mode }) => mode.label },
    ],
    onpick: ({ k }) => choose(k),
  });
}

const what = data.responses ? "Response of " : data.vary ? "Roots of " : "Modes of ";
const about = {
  rest: "about a rest",
  steady: "about a steady motion",
  moving: "at an instant of a motion: the coefficients are those of this instant",
};

const header = el(
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
        [about[data.point?.kind], data.reading, `taut ${data.version}`].filter(Boolean).join(" · "),
      ),
    ),
    themeToggle(),
  ),
  data.stable === false
    ? el("p", { class: "failure", role: "alert" }, "Unstable: small changes grow.")
    : null,
  ...(data.notes ?? []).map((note) => el("p", { class: "note" }, note)),
);

document.getElementById("page").append(
  ...[
    header,
    ...bode.map(({ element }) => element),
    locus?.element ?? null,
    modes.length > 0
      ? el("section", { class: "shapes" }, stage?.element ?? null, chosen)
      : null,
    modes.length > 0 ? list() : null,
  ].filter(Boolean),
);
if (modes.length > 0) choose(0);
document.title = `${what}${data.model}`;

window.taut = Object.freeze({
  data,
  chosen: () => page.chosen,
  choose,
  phase: () => stage?.phase ?? null,
  seek: (phase) => stage?.seek(phase),
  stage: () => stage?.drawn ?? null,
  bode: () => bode.map(({ drawn }) => drawn),
  locus: () => locus?.drawn ?? null,
});
