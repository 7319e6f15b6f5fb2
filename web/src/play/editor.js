// SPDX-License-Identifier: BSD-3-Clause
// The model file in an editor: colours, completion of its words, mistakes where they stand.
import { autocompletion, closeBrackets, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { StreamLanguage, defaultHighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";

/// `changed(text)` is called when nothing has been typed for a moment.
export class Editor {
  constructor(text, label, changed) {
    this.sections = [];
    let waiting = 0;
    this.view = new EditorView({
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          lintGutter(),
          history(),
          closeBrackets(),
          StreamLanguage.define(toml),
          syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
          autocompletion({ override: [(context) => this.complete(context)] }),
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
          EditorView.contentAttributes.of({ "aria-label": label }),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            clearTimeout(waiting);
            waiting = setTimeout(() => changed(this.text), 250);
          }),
        ],
      }),
    });
    this.element = this.view.dom;
    // its lines are measured anew when the page has its type
    new ResizeObserver(() => this.view.requestMeasure()).observe(this.element);
    document.fonts?.ready.then(() => this.view.requestMeasure());
  }

  get text() {
    return this.view.state.doc.toString();
  }

  set text(text) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  /// Mistakes as the engine found them.
  mark(problems) {
    const { doc } = this.view.state;
    const all = problems.map(({ line, column, where, what, remedy }) => {
      const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
      const from = Math.min(at.from + Math.max(0, column - 1), at.to);
      return { from, to: at.to, severity: "error", message: `${where}: ${what}\n→ ${remedy}` };
    });
    this.view.dispatch(setDiagnostics(this.view.state, all));
  }

  // headings after [, keys of the section above elsewhere
  complete(context) {
    const line = context.state.doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    const heading = /^\s*\[{1,2}[\w-]*$/.exec(before);
    if (heading)
      return {
        from: line.from + heading[0].search(/\[/),
        options: this.sections.map((section) => ({
          label: section.heading,
          info: section.meaning,
          type: "class",
        })),
      };
    const section = this.sectionAbove(line.number);
    if (!section) return null;
    const quoted = section.keys.find((key) => new RegExp(`\\b${key.name}\\s*=\\s*"[^"]*$`).test(before));
    const word = context.matchBefore(/[\w-]+$/);
    if (quoted?.choices.length > 0)
      return {
        from: word?.from ?? context.pos,
        options: quoted.choices.map((label) => ({ label, type: "constant" })),
      };
    const inside = section.named ? /[{,]\s*[\w-]*$/.test(before) : /^\s*[\w-]*$/.test(before);
    if (!inside || (!word && !context.explicit)) return null;
    return {
      from: word?.from ?? context.pos,
      options: section.keys.map((key) => ({
        label: key.name,
        detail: key.required ? "needed" : "",
        info: key.meaning,
        type: "property",
        apply: `${key.name} = `,
      })),
    };
  }

  sectionAbove(number) {
    for (let k = number; k > 0; --k) {
      const found = /^\s*(\[{1,2}[\w-]+\]{1,2})/.exec(this.view.state.doc.line(k).text);
      if (found) return this.sections.find(({ heading }) => heading === found[1]);
    }
    return null;
  }
}
