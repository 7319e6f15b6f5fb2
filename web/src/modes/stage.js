// SPDX-License-Identifier: BSD-3-Clause
// The shape of a mode, which moves: places + size Re(moves exp(i phase)), in the plane, or in space
// seen from a direction that the pointer turns. The shape at rest stays behind it.
import { svg } from "../common/chart.js";
import { el, icon } from "../common/dom.js";

const width = 560;
const height = 420;
const rest = matchMedia("(prefers-reduced-motion: reduce)");

export class Stage {
  constructor(scene) {
    this.scene = scene;
    this.phase = 0;
    this.turn = scene.dimension === 3 ? [-0.6, 0.35] : [0, 0];
    this.scale = 1;
    this.playing = !rest.matches;
    this.root = svg("svg", {
      class: "stage",
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": "shape of the mode",
    });
    this.behind = svg("path", { class: "behind" });
    this.lines = Object.fromEntries(
      ["rod", "spring", "damper", "drawn", "body"].map((kind) => [
        kind,
        svg("path", { class: `line ${kind}` }),
      ]),
    );
    this.dots = scene.masses.map(() => svg("circle", { class: "mass", r: 5 }));
    this.root.append(this.behind, ...Object.values(this.lines), ...this.dots);
    this.button = el(
      "button",
      { type: "button", "aria-label": "play or pause", onclick: () => this.toggle() },
      icon(this.playing ? "pause" : "play"),
    );
    const size = el("input", {
      type: "range",
      min: "-1",
      max: "1",
      step: "0.05",
      value: "0",
      "aria-label": "size of the motion",
      oninput: () => {
        this.scale = 10 ** Number(size.value);
        this.draw();
      },
    });
    this.element = el(
      "figure",
      { class: "card stage-card" },
      this.root,
      el("div", { class: "row" }, this.button, el("label", {}, "size ", size)),
    );
    if (scene.dimension === 3) this.root.addEventListener("pointermove", (event) => {
      if (event.buttons !== 1) return;
      this.turn[0] += event.movementX / 150;
      this.turn[1] = Math.max(-1.5, Math.min(1.5, this.turn[1] + event.movementY / 150));
      this.fit();
      this.draw();
    });
    let before = null;
    const tick = (now) => {
      if (this.playing && before !== null) {
        this.phase = (this.phase + ((now - before) / 1000) * Math.PI) % (2 * Math.PI);
        this.draw();
      }
      before = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  toggle() {
    this.playing = !this.playing;
    this.button.replaceChildren(icon(this.playing ? "pause" : "play"));
  }

  seek(phase) {
    this.playing = false;
    this.button.replaceChildren(icon("play"));
    this.phase = phase;
    this.draw();
  }

  show(moves, mode) {
    this.moves = moves;
    // what neither vibrates nor grows is shown going to and fro, too
    this.mode = mode;
    let largest = 0;
    for (let k = 0; k < moves.length; k += 2)
      largest = Math.max(largest, Math.hypot(moves[k], moves[k + 1]));
    const reach = this.extent(this.scene.places);
    this.unit = largest > 0 ? (0.12 * reach) / largest : 0;
    this.fit();
    this.draw();
  }

  extent(places) {
    let size = 0;
    for (let k = 0; k < 3; ++k) {
      const values = places.map((place) => place[k]);
      size = Math.max(size, Math.max(...values) - Math.min(...values));
    }
    return size > 0 ? size : 1;
  }

  project([x, y, z]) {
    if (this.scene.dimension !== 3) return [x, y];
    const [a, b] = this.turn;
    const across = Math.cos(a) * x - Math.sin(a) * y;
    const deep = Math.sin(a) * x + Math.cos(a) * y;
    return [across, Math.cos(b) * z + Math.sin(b) * deep];
  }

  fit() {
    const flat = this.scene.places.map((place) => this.project(place));
    const [xs, ys] = [flat.map(([x]) => x), flat.map(([, y]) => y)];
    const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const room = 0.2 * this.extent(this.scene.places);
    const scale = Math.min(
      (width - 20) / (x1 - x0 + 2 * room || 1),
      (height - 20) / (y1 - y0 + 2 * room || 1),
    );
    this.pixel = ([x, y]) => [
      width / 2 + scale * (x - (x0 + x1) / 2),
      height / 2 - scale * (y - (y0 + y1) / 2),
    ];
  }

  draw() {
    if (!this.moves) return;
    const [c, s] = [Math.cos(this.phase), Math.sin(this.phase)];
    const size = this.unit * this.scale;
    const still = this.scene.places.map((place) => this.pixel(this.project(place)));
    const drawn = this.scene.places.map((place, k) =>
      this.pixel(
        this.project(
          place.map(
            (x, i) => x + size * (c * this.moves[6 * k + 2 * i] - s * this.moves[6 * k + 2 * i + 1]),
          ),
        ),
      ),
    );
    const paths = {};
    let behind = "";
    for (const { ends, kind } of this.scene.lines) {
      const [a, b] = ends;
      paths[kind] = `${paths[kind] ?? ""}M${drawn[a]}L${drawn[b]}`;
      behind += `M${still[a]}L${still[b]}`;
    }
    for (const [kind, path] of Object.entries(this.lines)) path.setAttribute("d", paths[kind] ?? "");
    this.behind.setAttribute("d", behind);
    for (const [n, k] of this.scene.masses.entries()) {
      this.dots[n].setAttribute("cx", drawn[k][0]);
      this.dots[n].setAttribute("cy", drawn[k][1]);
    }
    this.drawn = drawn;
  }
}
