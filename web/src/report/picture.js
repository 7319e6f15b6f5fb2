// SPDX-License-Identifier: BSD-3-Clause
import { chooser } from "../common/chooser.js";
import { format } from "../common/data.js";
import { atMostOncePerFrame, el, icon, isolated, onTheme } from "../common/dom.js";
import { fileName, picture as pictureOf, saveMenu } from "../common/save.js";
import { CanvasStage } from "./canvas_stage.js";
import { playerControls } from "./controls.js";
import { Figure } from "./figure.js";
import { film, filmKind } from "./film.js";
import { loadGradient } from "./load_colors.js";
import { Portrait } from "./portrait.js";
import { Trails, mostTrails } from "./trails.js";
import { unitsOf } from "./units.js";

/// The moving picture: the mechanism where the model has one, and the motion as a path.
///
/// `createStage(figure, events)` gives the stage of the mechanism, or null where it cannot be had.
export class Picture {
  constructor(data, motion, player, createStage) {
    this.motion = motion;
    this.player = player;
    this.redraw = atMostOncePerFrame(() => this.draw());
    this.events = {
      redraw: () => this.redraw(),
      hover: (part, x, y) => this.point(part, x, y),
      tap: (part) => this.chooseTrail(part),
      lost: () => this.fallBack(),
    };
    this.chosen = null;
    this.stage = null;
    this.note = el("p", { class: "hint stage-note", hidden: true });
    this.tip = el("output", { class: "tip", hidden: true, "aria-live": "off" });
    this.big = el(
      "button",
      {
        type: "button",
        class: "big-play primary",
        "aria-label": "Play the motion",
        onclick: () => player.play(),
      },
      icon("play"),
    );
    this.host = el(
      "div",
      {
        class: "stage",
        id: "stage",
        tabindex: 0,
        role: "group",
        "aria-label": `Moving picture of ${isolated(data.title)}`,
      },
      this.tip,
      this.big,
    );
    if (data.scene) this.makeMechanism(data, createStage);
    this.portrait = null; // made when it is first looked at
    this.portraitColumns = data.portrait ?? this.usualColumns(data);
    this.portraitHost = el("div", {});
    this.still = el("canvas", { class: "still" });
    this.element = this.build(data);
    this.show(data.scene ? "mechanism" : "portrait");
    new ResizeObserver(() => this.resize()).observe(this.host);
    onTheme(() => this.redraw());
    addEventListener("beforeprint", () => this.makeStill());
    let played = false;
    player.on(() => {
      played ||= player.playing;
      const within = player.time > motion.first && player.time < motion.last;
      this.big.hidden = played || within;
      this.redraw();
    });
  }

  makeMechanism(data, createStage) {
    this.figure = new Figure(data.scene, this.motion, unitsOf(data));
    this.trails = new Trails(this.figure);
    this.marked = this.mostLoaded(data);
    this.stage = createStage(this.figure, this.events);
    if (this.stage) return;
    this.stage = new CanvasStage(this.figure, this.events);
    this.note.textContent =
      "WebGL is not available here: the picture is drawn without light and shade.";
    this.note.hidden = data.scene.dimension === 2;
  }

  // the graphics processor was taken away: draw without it
  fallBack() {
    const lost = this.stage.element;
    this.stage = new CanvasStage(this.figure, this.events);
    lost.replaceWith(this.stage.element);
    this.note.textContent = "WebGL was lost: the picture is drawn without light and shade.";
    this.note.hidden = false;
    this.resize();
  }

  // of the rods that are drawn; -1 where none carries a load
  mostLoaded({ loads, scene }) {
    const drawn = new Map();
    scene.lines.forEach(({ kind, column }, k) => kind === "rod" && drawn.set(column, k));
    const most = loads.find(({ column, largest }) => largest && drawn.has(column));
    return most ? drawn.get(most.column) : -1;
  }

  usualColumns({ groups }) {
    const columns = (id) => groups.find((group) => group.id === id)?.columns ?? [];
    const [q, v] = [columns("coordinates"), columns("velocities")];
    return { x: q[0] ?? 0, y: v[0] ?? q[1] ?? q[0] ?? 0, z: null };
  }

  makePortrait() {
    return new Portrait(this.motion, this.portraitColumns, this.events);
  }

  build(data) {
    const tools = el(
      "div",
      { class: "row tools controls" },
      el(
        "button",
        {
          type: "button",
          title: "Farther (-)",
          "aria-label": "Farther",
          onclick: () => this.zoom(0.8),
        },
        "−",
      ),
      el(
        "button",
        {
          type: "button",
          title: "Closer (+)",
          "aria-label": "Closer",
          onclick: () => this.zoom(1.25),
        },
        "+",
      ),
      el(
        "button",
        {
          type: "button",
          title: "Fit the whole motion (f)",
          "aria-label": "Fit the whole motion",
          onclick: () => this.fit(),
        },
        icon("fit"),
      ),
    );
    this.mechanismTools = this.trails ? this.trailTools(data) : null;
    const controls = playerControls(this.player, this.motion);
    controls.lastChild.append(this.saving());
    this.tabs = data.scene ? this.makeTabs() : el("h2", {}, "The motion as a path");
    return el(
      "section",
      { class: "picture card", "aria-label": "Motion" },
      el("div", { class: "row picture-head" }, this.tabs, tools),
      this.host,
      this.note,
      this.still,
      this.legend(),
      this.portraitHost,
      controls,
      this.mechanismTools,
    );
  }

  // the picture as it is now, and the film of what the player goes through
  saving() {
    const canvases = () => {
      this.draw();
      return [...this.host.querySelectorAll("canvas")];
    };
    const name = () => fileName(document.title, this.kind);
    const files = [
      { kind: "png", title: "Save the picture", name, make: () => pictureOf(canvases()) },
    ];
    const moving = filmKind();
    if (moving)
      files.push({
        kind: moving.kind,
        title: "Save a film: it is taken while the motion plays once",
        name,
        make: () => film(this.player, canvases, moving),
      });
    return saveMenu("Save the picture, or a film", files);
  }

  makeTabs() {
    const tab = (kind, label) =>
      el(
        "button",
        {
          type: "button",
          role: "tab",
          "aria-controls": "stage",
          "data-kind": kind,
          onclick: () => this.show(kind),
        },
        label,
      );
    const tabs = el(
      "div",
      { role: "tablist", class: "row" },
      tab("mechanism", "Mechanism"),
      tab("portrait", "Phase portrait"),
    );
    tabs.addEventListener("keydown", ({ key }) => {
      if (key !== "ArrowLeft" && key !== "ArrowRight") return;
      this.show(this.kind === "mechanism" ? "portrait" : "mechanism");
      tabs.querySelector("[aria-selected=true]").focus();
    });
    return tabs;
  }

  trailTools({ scene }) {
    const { trails } = this;
    this.trailToggle = el(
      "button",
      {
        type: "button",
        class: "toggle",
        title: "Trails on, off (t)",
        "aria-pressed": "true",
        onclick: () => this.toggleTrails(),
      },
      "Trails",
    );
    const length = el("input", {
      type: "range",
      min: 0.01,
      max: 1,
      step: 0.01,
      value: trails.share,
      "aria-label": "Length of trails",
      oninput: () => {
        trails.share = Number(length.value);
        this.redraw();
      },
    });
    this.trailChooser = el("div", {});
    this.makeTrailChooser = () =>
      this.trailChooser.replaceChildren(
        chooser({
          label: "Points",
          names: scene.points.slice(0, this.figure.shown).map(({ name }) => name),
          chosen: trails.chosen,
          most: mostTrails,
          onchange: () => this.redraw(),
        }),
      );
    this.makeTrailChooser();
    return el(
      "div",
      { class: "row controls" },
      this.trailToggle,
      el("label", { class: "row" }, "Length", length),
      this.trailChooser,
      this.figure.canWrap ? this.wrapToggle() : null,
    );
  }

  wrapToggle() {
    const toggle = el(
      "button",
      {
        type: "button",
        class: "toggle",
        title: "Draw what has left the periodic box where it comes in again",
        "aria-pressed": "false",
        onclick: () => {
          this.figure.wrapped = !this.figure.wrapped;
          toggle.setAttribute("aria-pressed", String(this.figure.wrapped));
          this.redraw();
        },
      },
      "Into the box",
    );
    return toggle;
  }

  // colours of loads, with numbers
  legend() {
    const { loadScale = 0, loadLargest = 0, units } = this.figure ?? {};
    this.loadLegend = el("div", { class: "load-legend", hidden: !(loadScale > 0) });
    if (loadScale > 0) {
      const ramp = el("span", { class: "ramp", role: "img", "aria-label": "colours of loads" });
      const paint = () => (ramp.style.background = loadGradient());
      onTheme(paint);
      paint();
      const end = `${loadLargest > loadScale ? "≥ " : ""}${format(loadScale, 3)}${units.force}`;
      this.loadLegend.append(
        el("span", {}, `pushed ${end}`),
        ramp,
        el("span", {}, `pulled ${end}`),
      );
    }
    return this.loadLegend;
  }

  show(kind) {
    this.kind = kind;
    this.host.dataset.kind = kind;
    for (const tab of this.tabs.querySelectorAll("[role=tab]")) {
      tab.setAttribute("aria-selected", String(tab.dataset.kind === kind));
      tab.tabIndex = tab.dataset.kind === kind ? 0 : -1;
    }
    const mechanism = kind === "mechanism";
    if (!mechanism && !this.portrait) {
      this.portrait = this.makePortrait();
      this.portraitHost.append(this.portrait.controls);
    }
    this.stage?.element.remove();
    this.portrait?.canvas.remove();
    this.host.prepend(mechanism ? this.stage.element : this.portrait.canvas);
    this.portraitHost.hidden = mechanism;
    this.loadLegend.hidden = !mechanism || !(this.figure.loadScale > 0);
    if (this.mechanismTools) this.mechanismTools.hidden = !mechanism;
    this.point(null);
    this.resize();
  }

  get shown() {
    return this.kind === "mechanism" ? this.stage : this.portrait;
  }

  resize() {
    const { clientWidth, clientHeight } = this.host;
    if (clientWidth < 10 || clientHeight < 10) return;
    this.shown.resize(clientWidth, clientHeight);
    this.draw();
  }

  draw() {
    if (this.host.clientWidth < 10) return;
    const { time } = this.player;
    this.shown.draw({
      time,
      trails: this.trails?.at(time) ?? [],
      marked: this.marked,
      chosen: this.chosen,
    });
    if (this.chosen) this.tip.textContent = this.describe(this.chosen);
  }

  zoom(factor) {
    this.shown.zoom(factor);
    this.redraw();
  }

  turn(azimuth, elevation) {
    this.shown.turn(azimuth, elevation);
    this.redraw();
  }

  fit() {
    this.shown.fit();
    this.redraw();
  }

  toggleTrails() {
    if (!this.trails) return;
    this.trails.on = !this.trails.on;
    this.trailToggle.setAttribute("aria-pressed", String(this.trails.on));
    this.redraw();
  }

  chooseTrail(part) {
    if (part?.kind !== "point" || this.figure.scene.points[part.index].kind === "anchor") return;
    const { chosen } = this.trails;
    if (!chosen.delete(part.index) && chosen.size < mostTrails) chosen.add(part.index);
    this.makeTrailChooser();
    this.redraw();
  }

  point(part, x = 0, y = 0) {
    this.chosen = part;
    this.tip.hidden = !part;
    if (part) {
      const right = x > this.host.clientWidth / 2;
      this.tip.style.left = right ? "auto" : `${x + 14}px`;
      this.tip.style.right = right ? `${this.host.clientWidth - x + 14}px` : "auto";
      this.tip.style.top = `${Math.max(0, y - 10)}px`;
    }
    this.redraw();
  }

  /// Name and numbers of a part at the row nearest to the time shown.
  describe({ kind, index }) {
    const frame = this.figure.placeRow(this.motion.row(this.player.time));
    const { units, scene } = this.figure;
    const weight = (mass) => (mass > 0 ? `, ${format(mass, 4)}${units.mass}` : "");
    const place = (numbers) =>
      `(${Array.from(numbers, (x) => format(x, 4)).join(", ")})${units.length}`;
    if (kind === "point") {
      const { name, mass } = scene.points[index];
      const at = frame.points.subarray(3 * index, 3 * index + scene.dimension);
      return `${isolated(name)}${weight(mass)}\n${place(at)}`;
    }
    if (kind === "body") {
      const { name, mass } = scene.bodies[index];
      const at = frame.centres.subarray(3 * index, 3 * index + scene.dimension);
      return `${isolated(name)}${weight(mass)}\n${place(at)}`;
    }
    const load = frame.loads[index];
    const { name, kind: what } = scene.lines[index];
    if (!Number.isFinite(load)) return `${isolated(name)}${what === "drawn" ? "" : `\n${what}`}`;
    const size = `${format(Math.abs(load), 4)}${units.force}`;
    return `${isolated(name)}\n${size} ${load < 0 ? "pushed" : "pulled"}`;
  }

  /// Names and places of the points at the time shown, in the model and on the stage.
  places() {
    if (this.kind !== "mechanism") {
      const [px, py] = this.portrait.screen(this.player.time);
      return [{ name: "motion", world: null, px, py }];
    }
    this.draw();
    const { points } = this.figure.place(this.player.time);
    const screen = this.stage.screen();
    return this.figure.scene.points.map(({ name }, k) => ({
      name,
      world: Array.from(points.subarray(3 * k, 3 * k + 3)),
      px: screen[3 * k],
      py: screen[3 * k + 1],
    }));
  }

  // paper shows the mechanism where it is now (in the middle of the motion where nothing was played)
  // and, faintly, where else it is; or the path
  makeStill() {
    const { first, last } = this.motion;
    const time = this.player.time > first ? this.player.time : (first + last) / 2;
    const still = this.figure ? new CanvasStage(this.figure, this.events) : this.makePortrait();
    still.resize(660, 380);
    const ghosts = [0, 1, 2, 3, 4].map((k) => first + ((k + 0.5) / 5) * (last - first));
    const trails = this.trails?.at(time) ?? [];
    still.draw({ time, trails, marked: this.marked, chosen: null, ghosts });
    still.canvas.className = "still";
    this.still.replaceWith(still.canvas);
    this.still = still.canvas;
  }
}
