// SPDX-License-Identifier: BSD-3-Clause
// sweep.html of drawn runs: distributions of their measures, how the means converge, Sobol indices,
// and measures over the numbers that were drawn. Its data: docs/manual/sweep.md.
//
// For tests: window.taut = { data, pictures(), choose(k) }.
import "./common/style.css";
import "./samples/samples.css";
import { CommandBox, oneRun } from "./common/command.js";
import { extent, format, pageData } from "./common/data.js";
import { el, name, table, themeToggle } from "./common/dom.js";
import { failureGroups } from "./common/failures.js";
import { mapColor } from "./sweep/colors.js";

const data = pageData();
const { design, measures, pictured } = data;
const width = 420;
const height = 220;
const margin = { left: 58, right: 12, top: 10, bottom: 34 };

function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// numbers to pixels; a range of no length has some
function scale([a, b], from, to) {
  const [low, high] = a === b ? [a - 1, b + 1] : [a, b];
  return (x) => from + ((x - low) / (high - low)) * (to - from);
}

function frame(xs, ys, label, titles = xs) {
  const x = scale(xs, margin.left, width - margin.right);
  const y = scale(ys, height - margin.bottom, margin.top);
  const at = (px, py, text, anchor) =>
    svg("text", { x: px, y: py, "text-anchor": anchor, class: "tick" }, text);
  const box = svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    svg("path", {
      class: "axis",
      d: `M${margin.left} ${margin.top}V${height - margin.bottom}H${width - margin.right}`,
    }),
    at(margin.left, height - margin.bottom + 14, format(titles[0], 4), "start"),
    at(width - margin.right, height - margin.bottom + 14, format(titles[1], 4), "end"),
    at(margin.left - 4, height - margin.bottom, format(ys[0], 4), "end"),
    at(margin.left - 4, margin.top + 8, format(ys[1], 4), "end"),
    at((margin.left + width) / 2, height - 4, label, "middle"),
  );
  return { box, x, y };
}

function distribution({ name: label, bins }) {
  const most = Math.max(1, ...bins.counts);
  const { box, x, y } = frame([bins.from ?? 0, bins.to ?? 1], [0, most], label);
  const step = (bins.to - bins.from || 2) / bins.counts.length;
  const first = bins.to > bins.from ? bins.from : bins.from - 1;
  bins.counts.forEach((count, k) => {
    const left = x(first + k * step);
    box.append(
      svg("rect", {
        class: "bar",
        x: left,
        width: Math.max(0.5, x(first + (k + 1) * step) - left - 0.5),
        y: y(count),
        height: Math.max(0, y(0) - y(count)),
      }),
    );
  });
  return box;
}

function convergence({ name: label, convergence: all }) {
  const known = all.filter(({ low }) => low !== null);
  if (known.length < 2) return null;
  const runs = known.map((one) => Math.log2(one.runs));
  const { box, x, y } = frame(
    [runs[0], runs.at(-1)],
    extent(known.map((one) => one.low), known.map((one) => one.high)),
    `mean of ${label} after so many runs`,
    [known[0].runs, known.at(-1).runs],
  );
  const line = (of) => known.map((one, k) => `${x(runs[k])} ${y(of(one))}`).join("L");
  const back = [...known].reverse();
  box.append(
    svg("path", {
      class: "band",
      d: `M${line((one) => one.high)}L${back
        .map((one, k) => `${x(runs[known.length - 1 - k])} ${y(one.low)}`)
        .join("L")}Z`,
    }),
    svg("path", { class: "line", d: `M${line((one) => one.value)}` }),
  );
  return box;
}

const readout = el("p", { class: "selected", role: "status" }, "Point at a run to read its numbers.");
const command = new CommandBox();
const showCommand = (values) =>
  command.show(
    data.run ? oneRun(data.run, design.distributions.map(({ name: of }, j) => [of, values[j]])) : null,
  );
function choose(k) {
  showCommand(pictured.values[k]);
  const values = design.distributions.map(
    ({ name: of }, j) => `${of} = ${format(pictured.values[k][j], 8)}`,
  );
  const found = measures.map((m, j) => `${m.name} = ${format(pictured.measures[k][j], 8)}`);
  readout.textContent = `run ${pictured.runs[k]}: ${[...values, ...found].join(", ")}`;
}

function scatter(measure, m, parameter, j) {
  const xs = pictured.values.map((row) => row[j]);
  const ys = pictured.measures.map((row) => row[m]);
  const over = extent(ys);
  if (!over) return null;
  const { box, x, y } = frame(extent(xs), over, `${measure.name} over ${parameter.name}`);
  ys.forEach((value, k) => {
    if (value === null) return;
    const dot = svg("circle", { class: "dot", cx: x(xs[k]), cy: y(value), r: 1.6 });
    dot.addEventListener("pointerenter", () => choose(k));
    box.append(dot);
  });
  return box;
}

// How often pairs of numbers and measures lie where, of all runs: those below the diagonal
function matrix() {
  const { names, low, high, bins, counts } = data.matrix;
  if (names.length < 2 || counts.length === 0) return null;
  const pair = (i, j) => counts[(i * (i - 1)) / 2 + j];
  const cell = (i, j) => {
    if (i === j) return el("th", { scope: "row" }, name(names[i]));
    if (j > i) return el("td");
    const canvas = el("canvas", {
      width: bins,
      height: bins,
      role: "img",
      title: `${names[i]} from ${format(low[i])} to ${format(high[i])} (up) over ${names[j]} from ${format(low[j])} to ${format(high[j])}`,
      "aria-label": `${names[i]} over ${names[j]}`,
    });
    const context = canvas.getContext("2d");
    const pixels = context.createImageData(bins, bins);
    const most = Math.max(1, ...pair(i, j));
    pair(i, j).forEach((count, k) => {
      const at = 4 * ((bins - 1 - Math.floor(k / bins)) * bins + (k % bins));
      // an empty place shows the paper; the root lets single runs be seen beside many
      if (count > 0) pixels.data.set([...mapColor(1 - 0.85 * Math.sqrt(count / most)), 255], at);
    });
    context.putImageData(pixels, 0, 0);
    return el("td", {}, canvas);
  };
  return el(
    "section",
    { class: "matrix", "aria-label": "Pairs" },
    el("h2", {}, "Pairs"),
    el("p", {}, `How often each pair lies where, of all ${data.finished} runs, in ${bins} × ${bins} places.`),
    el(
      "table",
      {},
      names.map((_, i) => el("tr", {}, names.map((__, j) => cell(i, j)))),
    ),
  );
}

const between = ({ value, low, high }) =>
  low === null ? format(value, 6) : `${format(value, 6)} (${format(low, 6)} to ${format(high, 6)})`;

function numbers() {
  const asked = measures[0]?.quantiles.map(({ p }) => `${format(100 * p)} %`) ?? [];
  return table(
    ["", "mean (95 %)", "deviation", "least", "greatest", ...asked],
    measures.map((m) => [
      name(m.name),
      between(m.mean),
      format(m.deviation),
      format(m.least, 6),
      format(m.greatest, 6),
      ...m.quantiles.map(between),
    ]),
  );
}

function indices() {
  const rows = measures.flatMap((m) =>
    m.indices.map((one) => [name(m.name), name(one.name), between(one.first), between(one.total)]),
  );
  return rows.length > 0 ? table(["", "", "first", "total"], rows) : null;
}

const chances = data.probabilities.map((p) => [
  name(p.text),
  `${p.count}`,
  between(p),
]);
const head = `${data.finished} of ${data.runs} runs (${design.sampling}, seed ${design.seed})${
  data.failed > 0 ? `, ${data.failed} failed` : ""
}${data.method ? `, by ${data.method}` : ""}, ${data.reading}.`;
const pictures = el(
  "div",
  { class: "samples" },
  ...measures.flatMap((m, k) =>
    [
      distribution(m),
      convergence(m),
      ...design.distributions.slice(0, 8).map((one, j) => scatter(m, k, one, j)),
    ]
      .filter(Boolean)
      .map((picture) => el("figure", {}, picture)),
  ),
);
const header = el(
  "header",
  {},
  el(
    "div",
    { class: "top" },
    el(
      "div",
      {},
      el("h1", {}, "Samples of ", el("bdi", {}, data.model)),
      el("p", { class: "subtitle" }, el("bdi", {}, data.file), ` · taut ${data.version}`),
    ),
    themeToggle(),
  ),
  el("p", { class: "over" }, head),
  data.status !== "done"
    ? el("p", { class: "failure", role: "alert" }, `${data.status}: runs are missing.`)
    : null,
  data.note ? el("p", { class: "note" }, data.note) : null,
);
const parts = [
  header,
  numbers(),
  chances.length > 0 ? table(["", "runs", "probability (95 %)"], chances) : null,
  indices(),
  readout,
  command.element,
  pictures,
  matrix(),
  failureGroups(data.failure_groups, ({ values }) => {
    showCommand(values);
    command.element.scrollIntoView({ block: "nearest" });
  }),
];
document.getElementById("page").append(...parts.filter(Boolean));
document.title = `${data.model}: samples`;

window.taut = Object.freeze({
  data,
  choose,
  pictures: () => pictures.querySelectorAll("svg").length,
});
