// SPDX-License-Identifier: BSD-3-Clause
// compare.html: error against cost of several methods on one model. Its data: docs/manual/compare.md.
//
// For tests: window.taut = { data, plots(), highlight(name) }; plots() gives what is drawn as
// [{ cost, series: [{ name, points: [{ cost, error, x, y }] }] }], x and y in pixels of the plot.
import "./common/style.css";
import "./compare/compare.css";
import { format, pageData } from "./common/data.js";
import { el, table, themeToggle } from "./common/dom.js";
import { marker, svg } from "./common/chart.js";
import { records } from "./common/records.js";
import { costs, count, duration, errorText, failed, looks, setting } from "./compare/methods.js";
import { CostPlot } from "./compare/plot.js";

const data = pageData();
const look = looks(data);

// the method that is brought out: `kept` after a click, else the one pointed at
const page = {
  kept: null,
  highlighted: null,
  highlight(wanted, toggle = false) {
    this.kept = toggle && this.kept === wanted ? null : wanted;
    this.hover(null);
  },
  hover(wanted) {
    this.highlighted = this.kept ?? wanted;
    for (const plot of plots) plot.emphasize(this.highlighted);
    for (const [key, button] of legend)
      button.setAttribute("aria-pressed", String(key === this.kept));
  },
};

const plots = [
  new CostPlot(data, look, "force_evaluations", page),
  new CostPlot(data, look, "seconds", page),
];

const legend = new Map(
  look.map(({ method, style, mark }) => [
    method.name,
    el(
      "button",
      {
        type: "button",
        class: method.points.every(failed) ? "empty" : null,
        title: method.about ?? "",
        "aria-pressed": "false",
        onclick: () => page.highlight(method.name, true),
        onpointerenter: () => page.hover(method.name),
        onpointerleave: () => page.hover(null),
      },
      svg(
        "svg",
        { class: "chart", viewBox: "0 0 28 14", width: 28, height: 14, "aria-hidden": "true" },
        svg(
          "g",
          { class: style },
          svg("path", { class: "line", d: "M0,7H28" }),
          svg("path", { class: "mark", d: marker(mark, 14, 7) }),
        ),
      ),
      method.name,
    ),
  ]),
);

function costChoice() {
  const known = costs.filter(({ field }) =>
    data.methods.some(({ points }) => points.some((p) => p[field] > 0)),
  );
  const select = el(
    "select",
    { onchange: () => ((plots[0].field = select.value), plots[0].draw()) },
    known.map(({ field, title }) => el("option", { value: field }, title)),
  );
  return el("label", { class: "cost-choice" }, "Cost in the first plot: ", select);
}

function header() {
  const { model, reading, from, until, file, version } = data;
  return el(
    "header",
    {},
    el(
      "div",
      { class: "top" },
      el(
        "div",
        {},
        el("h1", {}, "Methods on ", el("bdi", {}, model)),
        el(
          "p",
          { class: "subtitle" },
          el("bdi", {}, file),
          ` · ${reading} · t = ${format(from)} to ${format(until)} s · taut ${version}`,
        ),
      ),
      themeToggle(),
    ),
    data.status !== "done"
      ? el(
          "p",
          { class: "failure", role: "alert" },
          [data.status.replaceAll("_", " "), data.reason, data.hint].filter(Boolean).join(". "),
        )
      : null,
    ...(data.advice ?? []).map((sentence) => el("p", { class: "advice" }, `Fastest ${sentence}`)),
  );
}

function fastest() {
  const levels = data.fastest ?? [];
  if (levels.length === 0) return null;
  return table(
    ["error", "fastest", "time", "evaluations", "next", "its time"],
    levels.map((l) => [
      format(l.error, 2),
      l.method ?? l.reason ?? "none",
      duration(l.seconds),
      count(l.force_evaluations),
      l.next ?? "–",
      duration(l.next_seconds),
    ]),
    { numeric: [0, 2, 3, 5], caption: "Which method reaches an error first" },
  );
}

function reference() {
  const { methods = [], tols = [], uncertainty, converged, note } = data.reference ?? {};
  if (methods.length === 0) return null;
  const by = methods.map((method, k) => `${method} at tol ${format(tols[k], 2)}`).join(" and ");
  return el(
    "section",
    {},
    el("h2", {}, "Reference"),
    el(
      "p",
      {},
      `${by} differ by ${format(uncertainty, 2)}: errors below that mean nothing, and markers are hollow there.`,
    ),
    converged === false
      ? el(
          "p",
          { class: "failure" },
          "The reference has not converged: no error can be trusted beyond its uncertainty.",
        )
      : null,
    note ? el("p", {}, note) : null,
    data.error?.about ? el("p", {}, `Error: ${data.error.about}`) : null,
    data.start ? el("p", {}, `Start: ${data.start}`) : null,
  );
}

function everyRun() {
  const rows = data.methods.flatMap((method) => method.points.map((point) => ({ method, point })));
  const number = (title, field, text = count) => ({
    title,
    numeric: true,
    value: ({ point }) => point[field] ?? null,
    text: ({ point }) => text(point[field]),
  });
  const relative = (title, field) => number(title, field, (x) => format(x, 3));
  return records({
    caption: "Every run",
    folded: true,
    rows,
    columns: [
      { title: "method", value: ({ method }) => method.name, text: ({ method }) => method.name },
      {
        title: "tol or step",
        numeric: true,
        value: ({ point }) => point.tol ?? point.step,
        text: ({ point }) => setting(point),
      },
      {
        title: "error",
        numeric: true,
        value: ({ point }) => point.error,
        text: ({ point }) => (failed(point) ? "failed" : errorText(point)),
      },
      relative("of velocities", "velocity_error"),
      relative("of multipliers", "multiplier_error"),
      number("evaluations", "force_evaluations"),
      number("Jacobians", "jacobian_evaluations"),
      number("factorisations", "factorisations"),
      number("steps", "steps"),
      number("rejected", "rejected"),
      number("time", "seconds", duration),
    ],
    onpick: ({ method }) => page.highlight(method.name),
  });
}

function methodTable() {
  return records({
    caption: "Methods",
    filter: false,
    rows: data.methods,
    columns: [
      { title: "method", value: (m) => m.name, text: (m) => m.name },
      {
        title: "order",
        numeric: true,
        value: (m) => m.order ?? null,
        text: (m) => String(m.order ?? "–"),
      },
      {
        title: "order seen",
        numeric: true,
        value: (m) => m.order_seen ?? null,
        text: (m) => format(m.order_seen, 2),
      },
      {
        title: "least error",
        numeric: true,
        value: (m) => m.best_error ?? null,
        text: (m) => format(m.best_error, 2),
      },
      ...(data.fastest ?? []).map(({ error }, k) => ({
        title: `time to ${format(error, 2)}`,
        numeric: true,
        value: (m) => m.reaches?.[k]?.seconds ?? null,
        text: (m) => duration(m.reaches?.[k]?.seconds ?? null),
      })),
      { title: "note", value: (m) => m.note ?? "", text: (m) => m.note ?? "" },
    ],
    onpick: (method) => page.highlight(method.name),
  });
}

function failures() {
  const rows = data.methods.flatMap((method) =>
    method.points.filter(failed).map((point) => ({ method, point })),
  );
  if (rows.length === 0) return null;
  const column = (title, text) => ({ title, value: text, text });
  return records({
    caption: "Runs that failed",
    folded: true,
    rows,
    columns: [
      column("method", ({ method }) => method.name),
      column("tol or step", ({ point }) => setting(point)),
      column("ended", ({ point }) => point.status.replaceAll("_", " ")),
      column("why", ({ point }) => point.message ?? ""),
    ],
    onpick: ({ method }) => page.highlight(method.name),
  });
}

function leftOut() {
  const rows = (data.left_out ?? []).map(({ name: method, reason }) => [method, reason]);
  return rows.length === 0
    ? null
    : table(["method", "why"], rows, { caption: "Methods that do not fit this model" });
}

document.getElementById("page").append(
  header(),
  data.methods.length > 0
    ? el(
        "section",
        { class: "costs", "aria-label": "Error against cost" },
        el(
          "div",
          { class: "pair" },
          plots.map((plot) => plot.element),
        ),
        el(
          "div",
          { class: "methods", role: "group", "aria-label": "Methods: choose one to bring it out" },
          [...legend.values()],
        ),
        costChoice(),
      )
    : "",
  ...[
    fastest(),
    data.methods.length > 0 ? methodTable() : null,
    reference(),
    ...(data.notes ?? []).map((note) => el("p", {}, note)),
    failures(),
    data.methods.length > 0 ? everyRun() : null,
    leftOut(),
  ].filter(Boolean),
);
document.title = `${data.model}: methods compared`;
addEventListener("keydown", (event) => event.key === "Escape" && page.highlight(null));

window.taut = Object.freeze({
  data,
  plots: () =>
    plots.map(({ field, series }) => ({
      cost: field,
      series: series.map(({ name: method, points }) => ({
        name: method,
        points: points.map(({ run, x, y }) => ({ cost: run[field], error: run.error, x, y })),
      })),
    })),
  highlight: (method) => page.highlight(method),
});
