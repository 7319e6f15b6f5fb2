// SPDX-License-Identifier: BSD-3-Clause
// fit.html and optimize.html: what was found, as tables, and charts of data and motions, or of the course of
// searches. Their data: web/README.md.
//
// For tests: window.taut = { data, charts() }; points as they are drawn, in pixels.
import "./common/style.css";
import "./study/study.css";
import { chart, marker, padded, svg } from "./common/chart.js";
import { extent, format, pageData } from "./common/data.js";
import { el, name, table, themeToggle } from "./common/dom.js";

const data = pageData();
const finite = (x, y) => x.map((value, k) => [value, y[k]]).filter((p) => p.every(Number.isFinite));

/// A chart with its lines and points; null where there is nothing to draw.
function drawing({ title, x, y, log, lines }) {
  const positive = ([, value]) => !log || value > 0;
  const shown = lines.map((line) => ({ ...line, points: finite(line.x, line.y).filter(positive) }));
  const xs = extent(...shown.map(({ points }) => points.map(([value]) => value)));
  const lows = lines.flatMap(({ low }) => low ?? []).filter((value) => positive([0, value]));
  const ys = extent(lows, ...shown.map(({ points }) => points.map(([, value]) => value)));
  if (!xs || !ys) return null;
  const { root, plot, px, py } = chart({
    width: 560,
    height: 260,
    x: { title: x, log: false, range: xs[0] === xs[1] ? padded(xs, false) : xs },
    y: { title: y, log: Boolean(log), range: padded(ys, Boolean(log)) },
    label: title,
  });
  const drawn = shown.map(({ label, kind, color, points, x: of, low }) => {
    const at = points.map(([a, b]) => [px(a), py(b)]);
    if (kind === "band") {
      const back = finite(of, low).map(([a, b]) => [px(a), py(b)]);
      const around = [...at, ...back.reverse()].map(([a, b]) => `${a},${b}`).join("L");
      plot.append(svg("g", { class: `color${color}` }, svg("path", { class: "band", d: `M${around}Z` })));
      return { label, points: at };
    }
    const path =
      kind === "points"
        ? at.map(([a, b]) => marker(0, a, b, 2.5)).join("")
        : at.length > 0
          ? `M${at.map(([a, b]) => `${a},${b}`).join("L")}`
          : "";
    const own = kind === "points" ? "mark" : kind === "dashed" ? "line dashed" : "line";
    plot.append(svg("g", { class: `color${color}` }, svg("path", { class: own, d: path })));
    return { label, points: at };
  });
  const keys = shown.map(({ label, color }) => el("span", { class: `key color${color}` }, label));
  const element = el(
    "figure",
    { class: "card" },
    el("figcaption", {}, name(title)),
    root,
    lines.length > 1 ? el("div", { class: "legend" }, ...keys) : null,
  );
  return { title, element, drawn };
}

/// Numbers as they are read, names whole on demand.
function cell(value) {
  if (typeof value === "number") return format(value, 8);
  return value === null ? "–" : name(value);
}

const charts = data.charts.map(drawing).filter(Boolean);
const page = document.getElementById("page");
page.classList.add("study");
page.append(
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
          el("h1", {}, `${data.title} `, el("bdi", {}, data.model)),
          el("p", { class: "subtitle" }, data.subtitle),
        ),
        themeToggle(),
      ),
      data.message ? el("p", { class: "failure", role: "alert" }, data.message) : null,
    ),
    ...data.notes.map((note) => el("p", { class: "note" }, note)),
    ...data.tables.map(({ caption, head, rows }) =>
      el(
        "section",
        { class: "card" },
        table(
          head,
          rows.map((row) => row.map(cell)),
          {
            caption,
            numeric: head.map((_, k) => k).filter((k) => rows.every((row) => typeof row[k] !== "string")),
          },
        ),
      ),
    ),
    charts.length > 0 ? el("section", { class: "charts" }, ...charts.map(({ element }) => element)) : null,
  ].filter(Boolean),
);
document.title = `${data.title} ${data.model}`;

window.taut = Object.freeze({
  data,
  charts: () => charts.map(({ title, drawn }) => ({ title, drawn })),
});
