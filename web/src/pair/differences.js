// SPDX-License-Identifier: BSD-3-Clause
// What differs between two runs, as tables: what went in, and what came out.
import { format } from "../common/data.js";
import { el, name, table } from "../common/dom.js";

const cell = (value) =>
  typeof value === "number" ? format(value, 8) : value === undefined || value === null ? "–" : name(String(value));
const differ = ([, a, b]) => !(a === b || (Number.isNaN(a) && Number.isNaN(b)));

// lines of a text that the other has not, as often as it has not
function linesBeside(text, other) {
  const count = new Map();
  for (const line of other.split("\n")) count.set(line, (count.get(line) ?? 0) + 1);
  return text.split("\n").filter((line) => {
    const left = count.get(line) ?? 0;
    count.set(line, left - 1);
    return left <= 0 && line.trim() !== "";
  });
}

export function differences(runs, motions) {
  const [a, b] = runs;
  const values = runs.map((run) => new Map(run.parameters ?? []));
  const names = [...new Set(values.flatMap((one) => [...one.keys()]))];
  const into = [
    ...names.map((parameter) => [parameter, values[0].get(parameter), values[1].get(parameter)]),
    ["method", a.summary.method, b.summary.method],
    ["reading", a.summary.reading, b.summary.reading],
    ["tolerance", a.tolerance, b.tolerance],
    ["step", a.summary.step, b.summary.step],
    ["taut", a.version, b.version],
  ].filter(differ);
  const largest = (k) => new Map((runs[k].loads ?? []).map((load) => [load.name, load.largest]));
  const loads = [largest(0), largest(1)];
  const out = [
    ["ended as", a.summary.status, b.summary.status],
    ["end", motions[0]?.last, motions[1]?.last],
    ...[...loads[0].keys()]
      .filter((load) => loads[1].has(load))
      .map((load) => [`largest load of ${load}`, loads[0].get(load), loads[1].get(load)]),
    ["steps", a.summary.steps, b.summary.steps],
    ["force evaluations", a.summary.force_evaluations, b.summary.force_evaluations],
  ].filter(differ);
  const rows = (list) => list.map((row) => row.map(cell));
  const lines = [linesBeside(a.model ?? "", b.model ?? ""), linesBeside(b.model ?? "", a.model ?? "")];
  const most = 60;
  const source = (k) =>
    lines[k].slice(0, most).map((line) => el("div", {}, el("b", { class: `run${k}` }, k === 0 ? "A " : "B "), line));
  return el(
    "section",
    { class: "card differences", "aria-label": "What differs" },
    into.length + out.length + lines[0].length + lines[1].length === 0
      ? el("p", {}, "Nothing differs.")
      : null,
    into.length > 0 ? table(["what went in", "A", "B"], rows(into), { numeric: [1, 2] }) : null,
    out.length > 0 ? table(["what came out", "A", "B"], rows(out), { numeric: [1, 2] }) : null,
    lines[0].length + lines[1].length > 0
      ? el(
          "details",
          {},
          el("summary", {}, `Lines of the models that differ (${lines[0].length} and ${lines[1].length})`),
          el("pre", { class: "source" }, ...source(0), ...source(1)),
        )
      : null,
  );
}
