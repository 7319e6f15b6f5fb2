// SPDX-License-Identifier: BSD-3-Clause
// The command line of one run, to be copied: a page opens no program, but says what does.
//
//   oneRun(base, values)   `base` with --set NAME=VALUE for each of [name, value]
//   CommandBox             element; show(text) puts a command line there, or nothing
import { el } from "./dom.js";

/// A word as a shell has to be given it.
export const shellWord = (word) =>
  /^[A-Za-z0-9_\-./=:,+]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

// numbers come from JSON with all their digits, and go out with them
export const oneRun = (base, values) =>
  [base, ...values.map(([name, value]) => `--set ${shellWord(`${name}=${value}`)}`)].join(" ");

export class CommandBox {
  constructor() {
    this.code = el("code");
    this.button = el("button", { type: "button", onclick: () => this.copy() }, "Copy");
    this.element = el(
      "div",
      { class: "onerun", hidden: true },
      el("p", {}, "This run alone, with its motion and its report: ", this.button),
      el("pre", { class: "command" }, this.code),
    );
  }

  show(text) {
    this.element.hidden = !text;
    this.code.textContent = text ?? "";
    this.button.textContent = "Copy";
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.code.textContent);
      this.button.textContent = "Copied";
    } catch {
      // where a page may not write there: marked, to be copied by hand
      const range = document.createRange();
      range.selectNodeContents(this.code);
      const selection = getSelection();
      selection.removeAllRanges();
      selection.addRange(range);
      this.button.textContent = "Marked";
    }
  }
}
