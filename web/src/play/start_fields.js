// SPDX-License-Identifier: BSD-3-Clause
import { el, name } from "../common/dom.js";

const most = 60; // of a large model dragging says more

/// Fields for coordinates and velocities of a start { name: number }; put(name, number) when one is
/// changed. null where there is none.
export function startFields(start, put) {
  const all = Object.entries(start ?? {}).filter(([, value]) => typeof value === "number");
  if (all.length === 0) return null;
  const field = ([key, value]) => {
    const input = el("input", {
      type: "text",
      inputmode: "decimal",
      value: Number(value.toPrecision(8)),
      "aria-label": `${key} at the start`,
      "data-coordinate": key,
      onchange: () => {
        const typed = Number(input.value);
        if (input.value.trim() !== "" && Number.isFinite(typed)) put(key, typed);
        else input.value = value;
      },
    });
    return el("label", {}, name(key), input);
  };
  return el(
    "div",
    {},
    el("div", { class: "runs" }, all.slice(0, most).map(field)),
    el(
      "p",
      { class: "hint" },
      "What constraints do not allow becomes the nearest that they do.",
      all.length > most ? ` ${all.length - most} more are not shown.` : "",
    ),
  );
}
