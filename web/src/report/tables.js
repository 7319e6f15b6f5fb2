// SPDX-License-Identifier: BSD-3-Clause
// What else is known of the run, as tables and text.
import { digitsFor, format } from "../common/data.js";
import { atMostOncePerFrame, el, name, table } from "../common/dom.js";

const section = (title, content, open = false) =>
  el("details", { class: "section card", open }, el("summary", {}, title), content);

// built when first opened
function later(title, make) {
  const details = section(title, el("div", {}));
  details.addEventListener(
    "toggle",
    () =>
      details.open && details.lastChild.childNodes.length === 0 && details.lastChild.append(make()),
    { once: true },
  );
  return details;
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

function endState({ q, v, lambda }) {
  const parts = [
    ["coordinate", q],
    ["velocity", v],
    ["multiplier", lambda],
  ].filter(([, values]) => isObject(values) && Object.keys(values).length > 0);
  if (parts.length === 0) return null;
  return later("State at the end", () =>
    el(
      "div",
      { class: "side-by-side" },
      parts.map(([kind, values]) =>
        table(
          [kind, "value"],
          Object.entries(values).map(([text, value]) => [name(text), format(value, 10)]),
          { numeric: [1] },
        ),
      ),
    ),
  );
}

function loadTable(loads, { axis, first, last }) {
  if (loads.length === 0) return null;
  const digits = Math.max(5, digitsFor(first, last));
  const noted = loads.some(({ note }) => note);
  const head = ["constraint", "largest |load|", `at ${axis.name}`, ...(noted ? ["note"] : [])];
  const rows = () =>
    loads.map(({ name: text, largest, at, note }) => [
      name(text),
      format(largest),
      format(at, digits),
      ...(noted ? [note ?? ""] : []),
    ]);
  return later("Loads, largest first", () => table(head, rows(), { numeric: [1, 2] }));
}

function frequencyTable(frequencies) {
  if (!frequencies?.length) return null;
  const peak = ({ name: text, hertz, amplitude }) =>
    `${text}: ${format(hertz, 7)} Hz, ${format(amplitude, 4)}`;
  return later("Frequencies", () =>
    table(
      ["", "rms", "passes zero", "largest vibrations: frequency, amplitude"],
      frequencies.map(({ name: text, rms, passages, peaks, coarse }) => [
        name(text),
        format(rms, 6),
        String(passages),
        coarse ? "rows are too far apart: taut spectrum" : peaks.map(peak).join("; "),
      ]),
      { numeric: [1, 2] },
    ),
  );
}

function costTable(summary) {
  const scalar = (value) =>
    typeof value === "number" || typeof value === "string" || typeof value === "boolean";
  const rows = Object.entries(summary).filter(([, value]) => scalar(value) && value !== "");
  return later("Numbers of the run", () =>
    table(
      ["", ""],
      rows.map(([key, value]) => [
        key.replaceAll("_", " "),
        typeof value === "number" ? format(value, 8) : String(value),
      ]),
    ),
  );
}

/// Values of all columns in the row nearest to the time shown.
function valuesTable(motion, player) {
  const body = el("tbody");
  const filter = el("input", {
    type: "search",
    placeholder: "filter names",
    "aria-label": "Filter the columns",
    oninput: () => fill(),
  });
  const row = el("caption", {});
  const note = el("p", { class: "hint" });
  const details = section(
    "Values at the time shown",
    el(
      "div",
      {},
      filter,
      el(
        "div",
        { class: "table" },
        el(
          "table",
          {},
          row,
          el(
            "thead",
            {},
            el(
              "tr",
              {},
              el("th", { scope: "col" }, "column"),
              el("th", { scope: "col", class: "number" }, "value"),
            ),
          ),
          body,
        ),
      ),
      note,
    ),
  );
  let cells = [];
  function fill() {
    const wanted = filter.value.trim().toLowerCase();
    const found = [...motion.columns.keys()].filter((k) =>
      motion.name(k).toLowerCase().includes(wanted),
    );
    cells = found.slice(0, 100).map((k) => [k, el("td", { class: "number" })]);
    body.replaceChildren(
      ...cells.map(([k, cell]) => el("tr", {}, el("td", {}, name(motion.name(k))), cell)),
    );
    note.textContent = found.length > 100 ? `${found.length - 100} more: narrow the filter` : "";
    show();
  }
  function show() {
    if (!details.open) return;
    const at = motion.row(player.time);
    row.textContent = `row ${at + 1} of ${motion.rows}`;
    for (const [k, cell] of cells) cell.textContent = format(motion.column(k)[at], 10);
  }
  details.addEventListener("toggle", () => details.open && fill());
  player.on(atMostOncePerFrame(show));
  return details;
}

export function tables(data, motion, player) {
  const notes = Array.isArray(data.summary.notes)
    ? data.summary.notes.filter((note) => typeof note === "string")
    : [];
  const link = (file) => el("a", { href: `./${file}` }, file);
  return el(
    "section",
    { class: "tables", "aria-label": "Tables" },
    el("h2", {}, "Numbers"),
    valuesTable(motion, player),
    endState(data.summary),
    loadTable(data.loads, motion),
    frequencyTable(data.frequencies),
    costTable(data.summary),
    notes.length > 0
      ? section(
          "Notes",
          el(
            "ul",
            {},
            notes.map((note) => el("li", { dir: "auto" }, note)),
          ),
        )
      : null,
    section("Model file", el("pre", { tabindex: 0 }, data.model)),
    el(
      "p",
      { class: "hint files" },
      "Beside this page: ",
      link("motion.csv"),
      ", ",
      link("summary.json"),
    ),
  );
}
