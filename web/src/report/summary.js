// SPDX-License-Identifier: BSD-3-Clause
// The top of the page: what was run, how it went, in marks and in words.
import { el, themeToggle } from "../common/dom.js";

const signs = { good: "✓", fair: "!", bad: "✗", none: "–" };
const meanings = { good: "good", fair: "to be looked at", bad: "bad", none: "does not apply" };

export function heading(data) {
  const { summary, version, file } = data;
  const method = [summary.method, summary.reading]
    .filter((text) => typeof text === "string")
    .join(", ");
  return el(
    "header",
    {},
    el(
      "div",
      { class: "top" },
      el(
        "div",
        {},
        el("h1", { dir: "auto", title: data.title }, data.title),
        el(
          "p",
          { class: "subtitle" },
          el("bdi", {}, file ?? ""),
          method ? ` · ${method}` : "",
          ` · taut ${version}`,
        ),
      ),
      themeToggle(),
    ),
    el(
      "ul",
      { class: "marks", "aria-label": "Verdicts" },
      data.verdicts.map(({ name, state, text }) =>
        el(
          "li",
          { class: signs[state] ? state : "none" },
          el(
            "span",
            { class: "state", role: "img", "aria-label": meanings[state] ?? "" },
            signs[state] ?? signs.none,
          ),
          el("span", {}, el("b", {}, name), " ", el("bdi", { dir: "ltr" }, text)),
        ),
      ),
    ),
  );
}

const sentence = (text) =>
  text.replace(/^\p{Ll}(?=\p{L})/u, (letter) => letter.toUpperCase()).replace(/[^.!?]$/u, "$&.");

/// Why a run ended before its time and what to try; null where it did not.
export function failure({ summary }) {
  if (!summary.status || summary.status === "done") return null;
  const reason = summary.message || summary.status;
  return el(
    "div",
    { class: "failure card", role: "alert" },
    el("h2", {}, "The run stopped early"),
    el("p", { dir: "ltr" }, sentence(reason)),
    summary.hint ? el("p", { dir: "ltr" }, sentence(summary.hint)) : null,
  );
}

function part(title, sentences, kind) {
  if (!sentences?.length) return [];
  const list = sentences.map((sentence) => el("li", { dir: "ltr" }, sentence));
  return [el("h2", {}, title), el("ul", { class: kind }, list)];
}

/// What one wants to know at once.
export function brief(data) {
  const { what, well, doubt } = data.words;
  return el(
    "section",
    { class: "words brief card", "aria-label": "Summary" },
    part("What", what),
    part("How well", well),
    part("What to doubt", doubt, "doubt"),
  );
}

/// What comes after it; `loads` is a list or null.
export function details(data, loads) {
  const note = data.thinned?.note;
  if (!loads && !data.words.how?.length && !note) return null;
  return el(
    "section",
    { class: "words details card", "aria-label": "Details" },
    loads,
    part("How", data.words.how),
    note ? el("p", { class: "hint" }, note) : null,
  );
}
