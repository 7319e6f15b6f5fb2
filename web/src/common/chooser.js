// SPDX-License-Identifier: BSD-3-Clause
// A list to choose from, with a filter; of thousands of names only those that match and fit are
// made into elements.
//
//   chooser({ label, names, chosen, most, onchange }) -> element
//
// `chosen` is a Set of indices into names and is changed in place; `most` bounds its size.
import "./chooser.css";
import { el, name } from "./dom.js";

const listed = 60;

export function chooser({ label, names, chosen, most = Infinity, onchange }) {
  const summary = el("summary", {});
  const list = el("ul", { class: "choices" });
  const filter = el("input", {
    type: "search",
    placeholder: `filter ${names.length} names`,
    "aria-label": `${label}: filter`,
    oninput: () => fill(),
  });
  const count = () => (summary.textContent = `${label} (${chosen.size} of ${names.length})`);

  function choice(k) {
    const box = el("input", {
      type: "checkbox",
      onchange: () => {
        if (box.checked && chosen.size >= most) {
          box.checked = false;
          return;
        }
        if (box.checked) chosen.add(k);
        else chosen.delete(k);
        count();
        onchange();
      },
    });
    box.checked = chosen.has(k);
    return el("li", {}, el("label", {}, box, name(names[k])));
  }

  function fill() {
    const wanted = filter.value.trim().toLowerCase();
    const found = [];
    let left = 0;
    // those chosen come first: they can be taken away without being looked for
    const order = [...[...chosen].sort((a, b) => a - b), ...names.keys()];
    const seen = new Set();
    for (const k of order) {
      if (seen.has(k) || !names[k].toLowerCase().includes(wanted)) continue;
      seen.add(k);
      if (found.length < listed) found.push(k);
      else ++left;
    }
    list.replaceChildren(
      ...found.map(choice),
      ...(left > 0 ? [el("li", { class: "hint" }, `${left} more: narrow the filter`)] : []),
    );
  }

  const clear = el(
    "button",
    { type: "button", onclick: () => (chosen.clear(), count(), fill(), onchange()) },
    "none",
  );
  const panel = el("div", { class: "panel" }, el("div", { class: "row" }, filter, clear), list);
  const details = el(
    "details",
    { class: "chooser", ontoggle: () => details.open && fill() },
    summary,
    panel,
  );
  document.addEventListener("pointerdown", ({ target }) => {
    if (!details.contains(target)) details.open = false;
  });
  details.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && details.open) {
      details.open = false;
      summary.focus();
    }
  });
  count();
  return details;
}
