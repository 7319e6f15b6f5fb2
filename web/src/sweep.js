// SPDX-License-Identifier: BSD-3-Clause
// sweep.html: measures of many runs over one parameter (curves) or several (a map). Its data:
// docs/manual/sweep.md.
//
// For tests: window.taut = { data, curves(), map(), show(measure), hold(axis, n), chosen() };
// curves() and map() give what is drawn, with pixels of the plot; those that are not there are null.
import "./common/style.css";
import "./sweep/sweep.css";
import { digitsFor, format, pageData } from "./common/data.js";
import { el, name, themeToggle } from "./common/dom.js";
import { records } from "./common/records.js";
import { Curve } from "./sweep/curves.js";
import { places } from "./sweep/grid.js";
import { SweepMap } from "./sweep/map.js";

const data = pageData();
const { axes, measures, statuses } = data;
const reasons = new Map((data.failures ?? []).map(({ index, reason }) => [index, reason]));
const readout = el(
  "div",
  { class: "selected", role: "status" },
  "Point at a run to read its numbers.",
);
let chosen = null;

const page = {
  choose(k) {
    if (k === chosen) return;
    chosen = k;
    for (const part of drawn) part.choose(k);
    const at = places(axes, k);
    readout.replaceChildren(
      ...axes.map((axis, a) =>
        el("span", {}, name(axis.name), ` = ${written(axis, axis.values[at[a]])}`),
      ),
      ...measures.map((measure) =>
        el("span", {}, name(measure.name), ` = ${format(measure.values[k])}`),
      ),
      el("span", {}, [words(statuses[k]), reasons.get(k)].filter(Boolean).join(": ")),
    );
  },
};

// of a parameter, with enough digits for its range
const written = ({ values }, x) => format(x, Math.max(5, digitsFor(values[0], values.at(-1))));
const words = (status) => (status === null ? "not run" : status.replaceAll("_", " "));
const map = axes.length > 1 && measures.length > 0 ? new SweepMap(data, page) : null;
const curves = axes.length === 1 ? measures.map((measure) => new Curve(data, measure, page)) : null;
const drawn = map ? [map] : (curves ?? []);

function header() {
  const { runs, finished, failed, seconds, threads, model, file, version, reading, method } = data;
  const counts = [
    `${finished} of ${runs} ${data.measure === "stable" ? "values" : "runs"}`,
    failed > 0 ? `${failed} failed` : null,
    method ? `by ${method}` : null,
    reading,
    seconds === null || seconds === undefined
      ? null
      : `${format(seconds, 3)} s on ${threads} ${threads === 1 ? "thread" : "threads"}`,
  ];
  return el(
    "header",
    {},
    el(
      "div",
      { class: "top" },
      el(
        "div",
        {},
        el("h1", {}, "Sweep of ", el("bdi", {}, model)),
        el("p", { class: "subtitle" }, el("bdi", {}, file), ` · taut ${version}`),
      ),
      themeToggle(),
    ),
    el("p", { class: "over" }, ...over(), `${counts.filter(Boolean).join(", ")}.`),
    data.status !== "done"
      ? el(
          "p",
          { class: "failure", role: "alert" },
          [words(data.status), data.reason, data.hint].filter(Boolean).join(". "),
        )
      : null,
    ...(data.notes ?? []).map((note) => el("p", { class: "note" }, note)),
  );
}

// "g from 1 to 20 in 1000 values (logarithmic), ..."
function over() {
  return axes.flatMap((axis) => [
    name(axis.name),
    ` from ${written(axis, axis.values[0])} to ${written(axis, axis.values.at(-1))} in ${axis.values.length} ${axis.values.length === 1 ? "value" : "values"}${axis.log ? " (logarithmic)" : ""}; `,
  ]);
}

function borders() {
  const found = data.border ?? [];
  if (found.length === 0 || axes.length > 1) return null;
  return el(
    "ul",
    { class: "borders" },
    found.map((border) =>
      el(
        "li",
        {},
        "stability changes at ",
        name(axes[0].name),
        ` = ${format(border[axes[0].name], 8)} ± ${format(border.uncertainty, 2)}, stable ${border.stable}`,
      ),
    ),
  );
}

function everyRun() {
  const rows = statuses.map((status, k) => ({ k, status, at: places(axes, k) }));
  return records({
    caption: "Every run",
    folded: true,
    rows,
    columns: [
      ...axes.map((axis, a) => ({
        title: axis.name,
        numeric: true,
        value: ({ at }) => axis.values[at[a]],
        text: ({ at }) => written(axis, axis.values[at[a]]),
      })),
      ...measures.map((measure) => ({
        title: measure.name,
        numeric: true,
        value: ({ k }) => measure.values[k] ?? null,
        text: ({ k }) => format(measure.values[k], 6),
      })),
      { title: "ended", value: ({ status }) => words(status), text: ({ status }) => words(status) },
      ...(reasons.size > 0
        ? [
            {
              title: "why",
              value: ({ k }) => reasons.get(k) ?? null,
              text: ({ k }) => reasons.get(k) ?? "",
            },
          ]
        : []),
    ],
    onpick: ({ k }) => page.choose(k),
  });
}

const parts = [
  header(),
  drawn.length > 0
    ? el(
        "section",
        { class: curves ? "curves" : "maps", "aria-label": "Measures" },
        drawn.map(({ element }) => element),
      )
    : null,
  drawn.length > 0 ? readout : null,
  borders(),
  data.command
    ? el(
        "section",
        {},
        el("h2", {}, "To repeat it"),
        el("pre", { class: "command" }, el("code", {}, data.command)),
      )
    : null,
  everyRun(),
];
document.getElementById("page").append(...parts.filter(Boolean));
document.title = `${data.model}: sweep`;

window.taut = Object.freeze({
  data,
  curves: () =>
    curves?.map(({ measure, log, points, failed }) => ({
      measure: measure.name,
      log,
      points,
      failed,
    })) ?? null,
  map: () =>
    map && {
      measure: map.measure.name,
      across: axes[map.across].name,
      up: axes[map.up].name,
      cells: map.cells,
    },
  show: (measure) => map?.show(measures.findIndex((m) => m.name === measure)),
  hold: (axis, n) => map?.hold(axis, n),
  chosen: () => chosen,
});
