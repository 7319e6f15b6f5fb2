// SPDX-License-Identifier: BSD-3-Clause
// sweep.html: measures of many runs over one parameter (curves) or several (a map). Its data:
// docs/manual/sweep.md.
//
// For tests: window.taut = { data, curves(), map(), show(measure), hold(axis, n), chosen() };
// curves() and map() give what is drawn, with pixels of the plot; those that are not there are null.
import "./common/style.css";
import "./sweep/sweep.css";
import { CommandBox, oneRun } from "./common/command.js";
import { digitsFor, format, pageData } from "./common/data.js";
import { el, name, themeToggle } from "./common/dom.js";
import { failureGroups } from "./common/failures.js";
import { records } from "./common/records.js";
import { Curve } from "./sweep/curves.js";
import { places } from "./sweep/grid.js";
import { SweepMap } from "./sweep/map.js";

const data = pageData();
const { reduced } = data;
// of cells the mean, the least and the greatest are measures of their own
if (reduced?.kind === "cells")
  data.measures = data.measures.flatMap(({ least, greatest, ...mean }) => [
    { ...mean, name: `${mean.name}: mean of each cell` },
    { ...mean, name: `${mean.name}: least of each cell`, values: least },
    { ...mean, name: `${mean.name}: greatest of each cell`, values: greatest },
  ]);
const { axes, measures, statuses } = data;
/// The number of the run at a point.
const numberOf = (k) => reduced?.numbers?.[k] ?? k;
const reasons = new Map(
  reduced?.kind === "cells"
    ? []
    : (data.failures ?? []).map(({ index, reason }) => [index, reason]),
);
const command = new CommandBox();
const showCommand = (values) =>
  command.show(data.run ? oneRun(data.run, axes.map((axis, a) => [axis.name, values[a]])) : null);
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
      el("span", {}, ended(k)),
    );
    showCommand(axes.map((axis, a) => axis.values[at[a]]));
  },
};

// of a parameter, with enough digits for its range
const written = ({ values }, x) => format(x, Math.max(5, digitsFor(values[0], values.at(-1))));
const ended = (k) =>
  reduced?.kind === "cells"
    ? `a cell of about ${perCell()} runs${reduced.failed?.[k] ? `, ${reduced.failed[k]} failed` : ""}`
    : [words(statuses[k]), reasons.get(numberOf(k))].filter(Boolean).join(": ");
const perCell = () => Math.round(data.runs / statuses.length);
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
    reduced ? el("p", { class: "note" }, drawnOf()) : null,
    ...(data.notes ?? []).map((note) => el("p", { class: "note" }, note)),
  );
}

const points = (axis) => axis.points ?? axis.values.length;

// "g from 1 to 20 in 1000 values (logarithmic), ..."
function over() {
  return axes.flatMap((axis) => [
    name(axis.name),
    ` from ${written(axis, axis.first ?? axis.values[0])} to ${written(axis, axis.last ?? axis.values.at(-1))} in ${points(axis)} ${points(axis) === 1 ? "value" : "values"}${axis.log ? " (logarithmic)" : ""}; `,
  ]);
}

// what the page has of a sweep that is larger than a page
function drawnOf() {
  if (reduced.kind === "cells")
    return `Of ${reduced.points.join(" × ")} runs there are ${reduced.cells.join(" × ")} cells: each has the mean, the least and the greatest of its runs. All runs are in sweep.csv.`;
  return `${statuses.length} of ${reduced.points[0]} runs are drawn: of each of ${reduced.pieces} pieces of the axis those with the least and the greatest of each measure, and the first that failed. All are in sweep.csv.`;
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
  if (reduced?.kind === "cells") return null;
  return records({
    caption: reduced ? "Runs that are drawn" : "Every run",
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
              value: ({ k }) => reasons.get(numberOf(k)) ?? null,
              text: ({ k }) => reasons.get(numberOf(k)) ?? "",
            },
          ]
        : []),
    ],
    onpick: ({ k }) => page.choose(k),
  });
}

/// The first run of a group of failures.
function look({ first, values }) {
  const k = reduced?.numbers ? reduced.numbers.indexOf(first) : reduced ? -1 : first;
  if (k >= 0) page.choose(k);
  else showCommand(values);
  readout.scrollIntoView({ block: "nearest" });
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
  command.element,
  borders(),
  failureGroups(data.failure_groups, look),
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
      contours: map.contours,
    },
  show: (measure) => map?.show(measures.findIndex((m) => m.name === measure)),
  hold: (axis, n) => map?.hold(axis, n),
  chosen: () => chosen,
});
