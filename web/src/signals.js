// SPDX-License-Identifier: BSD-3-Clause
// spectrum.html: signals of a run with their spectra, peaks, spectrograms and orders; section.html: where
// a motion passes a surface. Their data: docs/manual/signals.md.
//
// For tests: window.taut = { data, signals(), section() }; what is drawn, in pixels of each drawing.
import "./common/style.css";
import "./modes/modes.css";
import "./signals/signals.css";
import { format, pageData } from "./common/data.js";
import { el, themeToggle } from "./common/dom.js";
import { Section } from "./signals/section.js";
import { SignalView } from "./signals/signal.js";

const data = pageData();
const most = 16; // signals that are drawn
const views = (data.signals ?? []).slice(0, most).map((signal) => new SignalView(signal, data.window));
const left = (data.signals ?? []).length - views.length;
const section = data.section ? new Section(data) : null;
const what = section ? "Section of " : "Spectrum of ";

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
              data.reading,
              data.method,
              data.rows ? `${data.rows} rows from ${format(data.from, 6)} to ${format(data.until, 6)} s` : null,
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
      data.too_coarse
        ? el(
            "p",
            { class: "failure", role: "alert" },
            "There is power in the upper half of what these rows show: what vibrates faster stands here as if it were slower. Give a shorter --every.",
          )
        : null,
    ),
    ...views.map(({ element }) => element),
    section?.element ?? null,
    left > 0 ? el("p", { class: "note" }, `${left} more signals are in spectrum.csv (--csv)`) : null,
  ].filter(Boolean),
);
document.title = `${what}${data.model}`;

window.taut = Object.freeze({
  data,
  signals: () => views.map(({ drawn }) => drawn),
  section: () => section?.drawn ?? null,
});
