// SPDX-License-Identifier: BSD-3-Clause
// A table of many records: sorted by any column, filtered by any text in them, shown a few at a time.
//
//   records({ columns, rows, caption, folded, filter, limit, onpick }) -> element
//
// Where it is folded, the reader opens it; paper shows it as it is on the screen.
// columns: [{ title, numeric, value: (row) => number or text or null, text: (row) => text }];
// onpick(row) is called when a row is clicked.
import { el } from "./dom.js";

export function records({
  columns,
  rows,
  caption,
  folded = false,
  filter = rows.length > 20,
  limit = 200,
  onpick = null,
}) {
  const sorted = [...rows];
  let by = -1;
  let down = false;
  let shown = limit;

  // written when they are looked at: there may be a hundred thousand rows
  const written = new Map();
  function texts(row) {
    if (!written.has(row))
      written.set(
        row,
        columns.map((column) => column.text(row)),
      );
    return written.get(row);
  }
  const body = el("tbody");
  const more = el("button", {
    type: "button",
    class: "more",
    onclick: () => ((shown += limit), fill()),
  });
  const wanted = el("input", {
    type: "search",
    placeholder: `filter ${rows.length} rows`,
    "aria-label": `${caption}: filter`,
    oninput: () => fill(),
  });

  function fill() {
    const words = wanted.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = (row) => {
      const all = texts(row).join(" ").toLowerCase();
      return words.every((word) => all.includes(word));
    };
    const found = words.length > 0 ? sorted.filter(matches) : sorted;
    body.replaceChildren(
      ...found.slice(0, shown).map((row) =>
        el(
          "tr",
          onpick ? { class: "pick", onclick: () => onpick(row) } : {},
          texts(row).map((text, k) =>
            el("td", { class: columns[k].numeric ? "number" : null }, text),
          ),
        ),
      ),
    );
    more.hidden = found.length <= shown;
    more.textContent = `${found.length - shown} more`;
  }

  function sort(k) {
    down = by === k && !down;
    by = k;
    const { value, numeric } = columns[k];
    const order = (a, b) => {
      const [u, v] = [value(a), value(b)];
      // what is not known comes last, whichever way
      if (u === null || v === null) return (u === null) - (v === null);
      return (down ? -1 : 1) * (numeric ? u - v : u.localeCompare(v));
    };
    sorted.sort(order);
    heads.forEach((head, l) => {
      if (l === k) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    fill();
  }

  const heads = columns.map(({ title, numeric }, k) =>
    el(
      "th",
      { scope: "col", class: numeric ? "number" : null },
      el("button", { type: "button", class: "sort", onclick: () => sort(k) }, title),
    ),
  );
  fill();
  const head = el("thead", {}, el("tr", {}, heads));
  const table = el("table", {}, folded ? null : el("caption", {}, caption), head, body);
  const parts = [filter ? wanted : null, el("div", { class: "table" }, table), more];
  if (!folded) return el("div", { class: "records" }, ...parts);
  const summary = el("summary", {}, `${caption} (${rows.length})`);
  return el("details", { class: "records section" }, summary, ...parts);
}
