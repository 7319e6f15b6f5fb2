// SPDX-License-Identifier: BSD-3-Clause
import { format } from "../common/data.js";
import { el, name } from "../common/dom.js";

/// What a field says: a number, an expression, or null where it is empty.
const said = (text) => (text.trim() === "" ? null : Number.isFinite(Number(text)) ? Number(text) : text);

/// Parameters as sliders, and how the model is run. `changed()` is called with every change;
/// `values` are the settings of a question. What stands in a field is a number or an expression.
export class Settings {
  constructor(opened, values, changed) {
    this.opened = opened;
    this.changed = changed;
    this.values = { set: {}, ...values };
    // what the model does not have any more
    const known = new Set(opened.parameters.map((one) => one.name));
    for (const key of Object.keys(this.values.set))
      if (!known.has(key) && !key.startsWith("start(")) delete this.values.set[key];
    const starts = Object.keys(this.values.set).filter((key) => key.startsWith("start("));
    this.element = el(
      "div",
      { class: "settings" },
      opened.parameters
        .filter(({ name, number }) => number || name in this.values.set)
        .map((one) => this.slider(one)),
      starts.map((key) => this.stated(key)),
      this.runs(),
    );
  }

  slider({ name: text, value }) {
    const set = this.values.set[text] ?? value;
    const at = typeof set === "number" ? set : value;
    const size = Math.abs(value) || 1;
    const low = Math.min(value < 0 || value === 0 ? -(value === 0 ? 1 : 3 * size) : 0, at);
    const high = Math.max(value < 0 ? 0 : value === 0 ? 1 : 3 * size, at);
    const range = el("input", {
      type: "range",
      min: low,
      max: high,
      step: "any",
      value: at,
      "aria-label": text,
      "data-parameter": text,
      oninput: () => this.put(text, Number(range.value), value, number),
    });
    const number = el("input", {
      type: "text",
      inputmode: "decimal",
      value: set,
      "aria-label": `${text}, as a number or an expression`,
      onchange: () => {
        const typed = said(number.value);
        if (typed === null) return;
        if (typed < Number(range.min)) range.min = typed;
        if (typed > Number(range.max)) range.max = typed;
        if (typeof typed === "number") range.value = typed;
        this.put(text, typed, value, null);
      },
    });
    const back = el(
      "button",
      {
        type: "button",
        class: "quiet",
        title: `Back to ${format(value)}`,
        "aria-label": `${text} back to ${format(value)}`,
        onclick: () => {
          range.value = value;
          number.value = value;
          this.put(text, value, value, null);
        },
      },
      "↺",
    );
    return el("div", { class: "slider" }, name(text), range, number, back);
  }

  /// A start value that the command line has set.
  stated(text) {
    const field = el("input", {
      type: "text",
      value: this.values.set[text],
      "aria-label": text,
      "data-start": text,
      onchange: () => {
        const typed = said(field.value);
        if (typed === null) delete this.values.set[text];
        else this.values.set[text] = typed;
        this.changed();
      },
    });
    return el("label", { class: "slider" }, name(text), field);
  }

  put(text, to, stated, number) {
    if (number) number.value = Number(to.toPrecision(5));
    if (to === stated) delete this.values.set[text];
    else this.values.set[text] = to;
    this.changed();
  }

  runs() {
    const { opened, values } = this;
    const choose = (key, label, choices, first) => {
      const list = el(
        "select",
        {
          "aria-label": label,
          "data-setting": key,
          onchange: () => {
            if (list.value) values[key] = list.value;
            else delete values[key];
            this.changed();
          },
        },
        el("option", { value: "" }, first),
        choices.map((one) =>
          el("option", { value: one, selected: one === values[key] ? true : false }, one),
        ),
      );
      return el("label", {}, label, list);
    };
    const number = (key, label, stated) => {
      const field = el("input", {
        type: "text",
        inputmode: "decimal",
        value: values[key] ?? "",
        placeholder: stated === null ? "" : format(stated),
        "aria-label": label,
        "data-setting": key,
        onchange: () => {
          const typed = said(field.value);
          if (typed === null) delete values[key];
          else values[key] = typed;
          this.changed();
        },
      });
      return el("label", {}, label, field);
    };
    if (opened.curve) return el("div", { class: "runs" }, number("tol", "tolerance", opened.tol));
    return el(
      "div",
      { class: "runs" },
      number("until", "until", opened.until),
      number("tol", "tolerance", opened.tol),
      number("step", "step", null),
      choose(
        "method",
        "method",
        opened.methods.map((one) => one.name),
        opened.method || "found by taut",
      ),
      choose("reading", "reading", opened.readings, opened.reading || "as written"),
      number("omega", "omega", opened.omega),
    );
  }
}
