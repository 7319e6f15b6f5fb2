// SPDX-License-Identifier: BSD-3-Clause
import { digitsFor, extent, format } from "../common/data.js";
import { color, el, isolated } from "../common/dom.js";
import {
  axisTitle,
  constant,
  linearLabels,
  linearTicks,
  paddedRange,
} from "../common/plot_scales.js";
import { gestures } from "./gestures.js";
import { View } from "./view.js";

const margin = { left: 66, right: 16, top: 26, bottom: 42 };
const listed = 300; // columns, in a menu
const finest = 600; // pieces of the path, where rows are fewer

/// The motion as a path in two or three of its columns, with a dot where it is now.
///
/// Each column is scaled to the interval [-1, 1]: they need not be of one kind. With three, the
/// cube of them is looked at from the side and turned by dragging.
export class Portrait {
  constructor(motion, start, events) {
    this.motion = motion;
    this.canvas = el("canvas", {});
    this.events = events;
    this.columns = { x: start.x, y: start.y, z: start.z ?? null };
    this.controls = this.makeControls();
    this.choose({});
    this.listen();
  }

  // of many columns one writes the name
  makeControls() {
    const names = this.motion.columns.map(({ name }) => name);
    const many = names.length > listed;
    const options = (key) =>
      names.map((text, k) =>
        el("option", { value: many ? text : k, selected: this.columns[key] === k }, text),
      );
    const take = (key, k) => {
      if (k === null ? key === "z" : names[k] !== undefined) this.choose({ [key]: k });
    };
    const menu = (key) =>
      el(
        "select",
        { onchange: ({ target }) => take(key, target.value === "" ? null : Number(target.value)) },
        key === "z" ? el("option", { value: "" }, "none") : null,
        options(key),
      );
    const field = (key) =>
      el("input", {
        type: "search",
        list: "columns",
        placeholder: key === "z" ? "none" : "",
        value: names[this.columns[key]] ?? "",
        onchange: ({ target }) =>
          take(key, target.value === "" ? null : names.indexOf(target.value)),
      });
    const choice = (label, key) => el("label", {}, `${label} `, many ? field(key) : menu(key));
    const list = many ? el("datalist", { id: "columns" }, options("")) : null;
    return el(
      "div",
      { class: "row portrait-columns" },
      choice("across", "x"),
      choice("up", "y"),
      choice("depth", "z"),
      list,
    );
  }

  choose(columns) {
    Object.assign(this.columns, columns);
    const { x, y, z } = this.columns;
    const used = z === null ? [x, y] : [x, y, z];
    this.parts = used.map((k) => {
      const values = this.motion.column(k);
      const [low, high] = extent(values) ?? [-1, 1];
      const [from, to] = constant(low, high) ? paddedRange("linear", low, high) : [low, high];
      return { k, low: from, high: to };
    });
    const box = {
      low: [-1, -1, used.length === 3 ? -1 : 0],
      high: [1, 1, used.length === 3 ? 1 : 0],
    };
    const size = this.view;
    this.view = new View(used.length, box);
    if (size) this.view.resize(size.width, size.height);
    this.shift = [0, 0];
    this.closer = 1;
    this.events.redraw();
  }

  listen() {
    gestures(this.canvas, {
      drag: (dx, dy, turning) => {
        if (turning && this.parts.length === 3) this.view.turn(-0.008 * dx, 0.008 * dy);
        else this.shift = [this.shift[0] + dx, this.shift[1] + dy];
        this.events.redraw();
      },
      zoom: (factor, x, y) => this.zoom(factor, x, y),
      hover: () => {},
      leave: () => {},
      tap: () => {},
      reset: () => {
        this.fit();
        this.events.redraw();
      },
    });
  }

  fit() {
    this.choose({});
  }

  zoom(factor, x = this.view.width / 2, y = this.view.height / 2) {
    const [left, top] = [x - this.view.width / 2, y - this.view.height / 2];
    this.shift = [left + (this.shift[0] - left) * factor, top + (this.shift[1] - top) * factor];
    this.closer *= factor;
    this.events.redraw();
  }

  turn(azimuth, elevation) {
    if (this.parts.length === 3) this.view.turn(azimuth, elevation);
    else this.shift = [this.shift[0] + 200 * azimuth, this.shift[1] + 200 * elevation];
  }

  resize(width, height) {
    this.canvas.width = Math.round(width * devicePixelRatio);
    this.canvas.height = Math.round(height * devicePixelRatio);
    this.view.resize(width, height);
  }

  // from columns to the canvas
  spot(values) {
    const [u, v, w] = this.parts.map(
      ({ low, high }, c) => (2 * (values[c] - low)) / (high - low) - 1,
    );
    const { width, height } = this.view;
    if (this.parts.length === 3) {
      const [x, y] = this.view.project([u, v, w], 0, [0, 0, 0]);
      return [
        width / 2 + this.closer * (x - width / 2) + this.shift[0],
        height / 2 + this.closer * (y - height / 2) + this.shift[1],
      ];
    }
    const half = [
      (width - margin.left - margin.right) / 2,
      (height - margin.top - margin.bottom) / 2,
    ];
    return [
      margin.left + half[0] * (1 + 0.94 * this.closer * u) + this.shift[0],
      margin.top + half[1] * (1 - 0.94 * this.closer * v) + this.shift[1],
    ];
  }

  screen(time) {
    const place = this.motion.place(time);
    return this.spot(this.parts.map(({ k }) => this.motion.value(k, place)));
  }

  draw({ time }) {
    const ctx = this.canvas.getContext("2d");
    const { width, height } = this.view;
    ctx.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    ctx.clearRect(0, 0, width, height);
    ctx.save();
    if (this.parts.length === 3) this.paintCube(ctx);
    else this.paintAxes(ctx);
    const { motion } = this;
    const past = this.path(motion.places(motion.first, time, finest));
    const whole = this.path((this.all ??= motion.places(motion.first, motion.last, finest)));
    const dot = this.screen(time);
    ctx.lineJoin = "round";
    ctx.strokeStyle = color("--unloaded");
    ctx.globalAlpha = 0.45;
    ctx.lineWidth = 1;
    ctx.stroke(whole);
    ctx.globalAlpha = 1;
    ctx.strokeStyle = color("--accent");
    ctx.lineWidth = 1.6;
    ctx.stroke(past);
    if (dot.every(Number.isFinite)) {
      ctx.fillStyle = color("--pulled");
      ctx.beginPath();
      ctx.arc(...dot, 6, 0, 2 * Math.PI);
      ctx.fill();
    }
    ctx.restore();
  }

  // broken where a value is not known
  path(places) {
    const path = new Path2D();
    let broken = true;
    for (const place of places) {
      const [x, y] = this.spot(this.parts.map(({ k }) => this.motion.value(k, place)));
      const known = Number.isFinite(x) && Number.isFinite(y);
      if (known && broken) path.moveTo(x, y);
      else if (known) path.lineTo(x, y);
      broken = !known;
    }
    return path;
  }

  paintAxes(ctx) {
    const { width, height } = this.view;
    const [left, right, top, bottom] = [
      margin.left,
      width - margin.right,
      margin.top,
      height - margin.bottom,
    ];
    ctx.font = `12px ${color("--font")}`;
    ctx.lineWidth = 1;
    for (const [c, { k, low, high }] of this.parts.entries()) {
      // the values at both ends of the axis, from two places on it
      const [s0, s1] = [low, high].map(
        (value) => this.spot(this.parts.map((part, n) => (n === c ? value : part.low)))[c],
      );
      const at = (pixel) => low + ((pixel - s0) / (s1 - s0)) * (high - low);
      const [from, to] = c === 0 ? [at(left), at(right)] : [at(bottom), at(top)];
      const ticks = linearTicks(from, to, (c === 0 ? width / 90 : height / 50) || 2);
      const { labels, offset } = linearLabels(ticks);
      ctx.fillStyle = color("--muted");
      ctx.strokeStyle = color("--grid");
      ctx.textAlign = c === 0 ? "center" : "right";
      ctx.textBaseline = c === 0 ? "top" : "middle";
      ticks.forEach((tick, n) => {
        const pixel = s0 + ((tick - low) / (high - low)) * (s1 - s0);
        ctx.beginPath();
        ctx.moveTo(...(c === 0 ? [pixel, top] : [left, pixel]));
        ctx.lineTo(...(c === 0 ? [pixel, bottom] : [right, pixel]));
        ctx.stroke();
        ctx.fillText(labels[n], ...(c === 0 ? [pixel, bottom + 5] : [left - 6, pixel]));
      });
      const title = axisTitle(isolated(this.motion.name(k), 30), "", offset);
      ctx.fillStyle = color("--text");
      ctx.textAlign = c === 0 ? "right" : "left";
      ctx.textBaseline = c === 0 ? "bottom" : "top";
      ctx.fillText(title, ...(c === 0 ? [right, height - 4] : [8, 6]));
    }
    ctx.strokeStyle = color("--line");
    ctx.strokeRect(left, top, right - left, bottom - top);
    ctx.beginPath();
    ctx.rect(left, top, right - left, bottom - top);
    ctx.clip();
  }

  paintCube(ctx) {
    const [low, high] = [this.parts.map((part) => part.low), this.parts.map((part) => part.high)];
    const corner = (bits) => this.spot(low.map((value, c) => (bits & (1 << c) ? high[c] : value)));
    ctx.strokeStyle = color("--line");
    ctx.lineWidth = 1;
    for (let bits = 0; bits < 8; ++bits)
      for (let c = 0; c < 3; ++c) {
        if (bits & (1 << c)) continue;
        ctx.beginPath();
        ctx.moveTo(...corner(bits));
        ctx.lineTo(...corner(bits | (1 << c)));
        ctx.stroke();
      }
    ctx.font = `12px ${color("--font")}`;
    ctx.fillStyle = color("--muted");
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    this.parts.forEach(({ k, low: from, high: to }, c) => {
      const [a, b] = [corner(0), corner(1 << c)];
      const digits = digitsFor(from, to, 100);
      const ends = `${format(from, digits)} … ${format(to, digits)}`;
      const text = `${isolated(this.motion.name(k), 24)}: ${ends}`;
      const half = ctx.measureText(text).width / 2 + 4;
      const x = Math.min(Math.max((a[0] + b[0]) / 2, half), this.view.width - half);
      ctx.fillText(text, x, (a[1] + b[1]) / 2 + 12);
    });
  }
}
