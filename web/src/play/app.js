// SPDX-License-Identifier: BSD-3-Clause
import { format } from "../common/data.js";
import { el } from "../common/dom.js";
import { help, listenToKeys, playerControls } from "../report/controls.js";
import { loadList } from "../report/loads.js";
import { Motion } from "../report/motion.js";
import { Player } from "../report/player.js";
import { failure, heading } from "../report/summary.js";
import { Editor } from "./editor.js";
import { HandStage } from "./hand_stage.js";
import { latest } from "./latest.js";
import { write } from "./link.js";
import { LiveMotion } from "./live_motion.js";
import { LivePlots } from "./live_plots.js";
import { modesTable } from "./modes_table.js";
import { Settings } from "./settings.js";
import { startFields } from "./start_fields.js";

const patience = 3; // seconds of computing for one motion

/// Builds the page. `ask` is the engine; `state` what a link holds, or null.
export async function play(page, data, ask, state, createStage) {
  const app = new App(page, data, ask, createStage);
  await app.begin(state);
}

class App {
  constructor(page, data, ask, createStage) {
    this.ask = ask;
    this.values = { set: {}, ...data.values };
    this.file = data.file;
    this.start = null; // by names, where it was dragged
    this.live = null;
    this.moving = false; // asked for, also before its first instant is there
    this.top = el("div", {});
    this.trouble = el("div", { class: "trouble", role: "alert", hidden: true });
    this.stage = new HandStage(createStage, {
      take: (k, place) => this.take(k, place),
      hold: (k, place) => this.hold(k, place),
      leave: () => this.leave(),
    });
    this.plots = new LivePlots((x) => !this.player.playing && this.player.seek(x));
    this.panel = el("div", {});
    this.transport = el("div", {});
    this.loads = el("div", {});
    this.startPanel = el(
      "details",
      { class: "start" },
      el("summary", {}, "Start"),
      (this.startBody = el("div")),
    );
    this.modes = el("details", { class: "card" }, el("summary", {}, "Modes"), (this.modesBody = el("div")));
    this.modes.addEventListener("toggle", () => this.modes.open && this.askModes());
    this.editor = new Editor(data.text, "Model file", (text) => this.open(text));
    this.askRun = latest((why) => this.run(why));
    this.askModes = latest(() => this.showModes());
    this.askDrag = latest(({ k, place }) => this.drag(k, place));
    this.dialog = help();
    page.append(this.top, this.trouble, this.layout(data), this.dialog);
    // what tests look at
    const app = this;
    window.taut = Object.freeze({
      get data() {
        return app.data;
      },
      get start() {
        return app.start;
      },
      get live() {
        return app.live?.t ?? null;
      },
      time: () => app.player.time,
      seek: (x) => app.player.seek(x),
      latency: () => app.latency,
      view: () => app.places(),
      ask,
    });
    this.latency = [];
  }

  layout(data) {
    const button = (text, title, onclick, more = {}) =>
      el("button", { type: "button", title, onclick, ...more }, text);
    this.liveButton = button(
      "Live",
      "Move in real time; drag a point to pull at it",
      () => (this.live ? this.stop() : this.go()),
      { class: "toggle", "aria-pressed": "false", id: "live" },
    );
    this.backButton = button("Start of the model", "Forget where points were dragged", () => this.back(), {
      disabled: true,
      id: "back",
    });
    this.linkButton = button("Copy link", "A link that holds the model as it is now", () => this.link(), {
      id: "link",
    });
    const models = el(
      "select",
      { id: "models", "aria-label": "Model", onchange: () => this.change(data.models[models.value]) },
      (data.models ?? []).map(({ title, file }, k) =>
        el("option", { value: k, selected: file === data.file ? true : false }, title || file),
      ),
    );
    return el(
      "div",
      { class: "play" },
      el(
        "section",
        { class: "card picture", "aria-label": "Mechanism" },
        el(
          "div",
          { class: "row tools controls" },
          data.models && models,
          this.liveButton,
          this.backButton,
          button("Fit", "Fit the whole motion", () => this.stage.fit()),
          this.linkButton,
          data.server &&
            button("Save", "Write the model as it stands in the editor to its file", () => this.save(), {
              id: "save",
            }),
        ),
        this.stage.element,
        this.transport,
        (this.hint = el("p", { class: "hint" }, "Drag a point: the motion begins from there.")),
      ),
      el("section", { class: "card panel", "aria-label": "Settings" }, this.panel, this.loads),
      this.plots.element,
      el(
        "details",
        { class: "card editor", open: true },
        el("summary", {}, "Model"),
        this.editor.element,
      ),
      this.modes,
    );
  }

  async begin(state) {
    this.editor.sections = (await this.ask({ ask: "words" })).sections;
    if (state?.values) this.values = { set: {}, ...state.values };
    if (typeof state?.text === "string") this.editor.text = state.text;
    if (typeof state?.file === "string") this.file = state.file;
    await this.open(this.editor.text, state?.start ?? null);
  }

  async open(text, start = null) {
    const opened = await this.ask({ ask: "open", text, file: this.file });
    this.editor.mark(opened.ok ? [] : opened.problems);
    this.say(opened.ok ? null : opened);
    if (!opened.ok) return;
    // what moves goes on as the model that was typed
    const { moving } = this;
    this.stop();
    this.opened = opened;
    this.start = null;
    if (start) await this.place(start);
    const settings = new Settings(opened, this.values, () => this.changed());
    this.values = settings.values;
    this.showStart();
    this.panel.replaceChildren(settings.element, this.startPanel);
    await this.askRun("open");
    if (moving) this.go();
  }

  /// To another model of the page.
  change({ file, text }) {
    this.file = file;
    this.values = { set: {} };
    this.editor.text = text; // which is then opened as if it had been typed
  }

  async place(start) {
    const placed = await this.ask({ ask: "start", values: start, ...this.values });
    this.say(placed.ok ? null : placed);
    if (placed.ok) this.start = placed.start;
    this.showStart();
    return placed.ok;
  }

  /// Where the motion begins, in fields.
  showStart() {
    this.backButton.disabled = !this.start;
    const fields = startFields(this.start ?? this.opened.start, async (name, value) => {
      if (await this.place({ [name]: value })) await this.askRun("start");
      if (this.live) this.go();
    });
    this.startPanel.hidden = !fields;
    this.startBody.replaceChildren(fields ?? "");
  }

  changed() {
    this.askRun("changed");
    if (this.modes.open) this.askModes();
    if (this.live) this.go();
  }

  /// Mistakes, or nothing.
  say(answer) {
    this.trouble.hidden = !answer;
    if (!answer) return;
    this.trouble.replaceChildren(
      ...answer.problems.map(({ line, where, what, remedy }) =>
        el(
          "p",
          {},
          el("b", {}, line > 0 ? `line ${line}, ${where}` : where),
          `: ${what}. `,
          el("span", { class: "hint" }, remedy),
        ),
      ),
    );
  }

  async run() {
    const asked = performance.now();
    const answer = await this.ask({ ask: "run", seconds: patience, ...this.values });
    if (!answer.ok) return this.say(answer);
    this.say(null);
    this.show(answer.data);
    this.latency.push(performance.now() - asked);
  }

  show(data) {
    this.data = data;
    const motion = data.rows > 0 ? new Motion(data) : null;
    this.top.replaceChildren(heading(data), failure(data) ?? "");
    if (!motion) return;
    this.motion = motion;
    this.carryOn(motion);
    this.stage.element.hidden = !data.scene;
    if (data.scene) {
      this.stage.show(data, motion);
      if (this.live) this.stage.figure.motion = this.live;
    }
    this.plots.show(data, motion);
    this.plots.sync.show(this.player.time);
    this.loads.replaceChildren(loadList(data, motion, this.player) ?? "");
  }

  // the player goes on where it is
  carryOn(motion) {
    if (this.player && this.player.motion.axis.name === motion.axis.name) {
      const { player } = this;
      const before = player.motion;
      player.motion = motion;
      if (before.first !== motion.first || before.last !== motion.last)
        player.setRange([motion.first, motion.last]);
      if (this.stage.held !== null) player.seek(motion.first);
      else if (player.time > motion.last) player.seek(motion.last);
      return;
    }
    this.player?.pause();
    this.player = new Player(motion);
    this.player.on(() => {
      this.stage.redraw();
      this.plots.sync.show(this.player.time);
    });
    this.stage.time = () => this.player.time;
    this.transport.replaceChildren(playerControls(this.player, motion));
    if (!this.keys) {
      this.keys = true;
      const app = this;
      listenToKeys(
        {
          toggle: () => app.player.toggle(),
          step: (rows) => app.player.step(rows),
          seek: (x) => app.player.seek(x),
          get range() {
            return app.player.range;
          },
          get motion() {
            return app.player.motion;
          },
        },
        { zoom() {}, turn() {}, fit: () => app.stage.fit(), toggleTrails() {} },
        this.dialog,
      );
    }
  }

  // ---- the start, and pulling ----------------------------------------------------------------------

  take(k) {
    if (this.live) return this.go(k);
    this.player.pause();
    this.player.seek(this.motion.first);
  }

  hold(k, place) {
    if (this.live) this.pull = place;
    else this.askDrag({ k, place });
  }

  leave() {
    this.pull = null;
    if (this.live) this.go();
  }

  async drag(k, place) {
    const asked = performance.now();
    const moved = await this.ask({ ask: "drag", point: k, to: place, ...this.values });
    if (!moved.ok) return this.say(moved);
    this.start = moved.start;
    this.showStart();
    await this.run();
    this.latency.push(performance.now() - asked);
  }

  async back() {
    await this.ask({ ask: "back" });
    this.start = null;
    this.showStart();
    this.askRun("back");
  }

  // ---- real time -----------------------------------------------------------------------------------

  /// Moves on from where it is, or from the start; with a spring at point `k`.
  async go(k = -1) {
    if (!this.motion) return;
    this.moving = true;
    const from = this.live ? { t: this.live.t, q: this.live.q, v: this.live.v } : {};
    const names = this.data.columns.map(({ name }) => name);
    const quick = this.player.rate / this.player.speed;
    const round = (this.round = (this.round ?? 0) + 1);
    const { until, ...settings } = this.values;
    const held = await this.ask({ ask: "hold", ...settings, ...from, point: k, names, quick });
    if (round !== this.round) return;
    if (!held.ok) {
      this.stop();
      return this.say(held);
    }
    this.player.pause();
    if (!this.live) this.live = new LiveMotion(this.motion);
    this.liveButton.setAttribute("aria-pressed", "true");
    this.hint.textContent = "Pull at a point: a spring goes from it to the pointer.";
    this.stage.figure.motion = this.live;
    this.takeInstant(held);
    this.say(null);
    let last = performance.now();
    while (round === this.round && this.live) {
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      const by = Math.min((now - last) / 1000, 0.1) * this.player.rate;
      last = now;
      const next = await this.ask({ ask: "advance", by, ...(this.pull ? { to: this.pull } : {}) });
      if (round !== this.round || !this.live) return;
      if (!next.ok) {
        this.stop();
        return this.say(next);
      }
      this.takeInstant(next);
      if (next.late) this.hint.textContent += ", slower than asked for: this motion takes longer to compute";
      if (next.stopped) {
        this.hint.textContent = `The motion ended: ${next.stopped}`;
        return this.stop();
      }
    }
  }

  takeInstant({ t, q, v, values }) {
    Object.assign(this.live, { q, v });
    this.live.take(t, values);
    this.hint.textContent = `t = ${format(t, 4)}`;
    this.stage.redraw();
  }

  stop() {
    this.round = (this.round ?? 0) + 1;
    this.moving = false;
    if (!this.live) return;
    this.live = null;
    this.liveButton.setAttribute("aria-pressed", "false");
    this.hint.textContent = "Drag a point: the motion begins from there.";
    if (this.stage.figure) this.stage.figure.motion = this.motion;
    this.stage.redraw();
  }

  // ---- the rest ------------------------------------------------------------------------------------

  async showModes() {
    const { until, tol, step, method, ...settings } = this.values;
    const answer = await this.ask({ ask: "modes", ...settings });
    if (answer.broken) this.say(answer);
    this.modesBody.replaceChildren(
      answer.ok
        ? modesTable(answer.data)
        : el("p", { class: "hint" }, answer.problems.map(({ what }) => what).join(" ")),
    );
  }

  /// By the program that serves the page.
  async save() {
    const saved = await this.ask({ ask: "save", text: this.editor.text });
    this.say(saved.ok ? null : saved);
    if (saved.ok) this.hint.textContent = `Saved to ${saved.file}.`;
  }

  async link() {
    const state = { file: this.file, text: this.editor.text, values: this.values, start: this.start };
    const hash = await write(state);
    history.replaceState(null, "", hash);
    try {
      await navigator.clipboard.writeText(location.href);
      this.hint.textContent = "The link is in the clipboard, and in the address of this page.";
    } catch {
      this.hint.textContent = "The link is the address of this page.";
    }
  }

  places() {
    this.stage.draw();
    const { points } = this.stage.figure.place(this.stage.time());
    const screen = this.stage.stage.painter.screen;
    return this.stage.figure.scene.points.map(({ name }, k) => ({
      name,
      world: Array.from(points.subarray(3 * k, 3 * k + 3)),
      px: screen[3 * k],
      py: screen[3 * k + 1],
    }));
  }
}
