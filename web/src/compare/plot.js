// SPDX-License-Identifier: BSD-3-Clause
// Error against cost, both logarithmic: a line with markers for each method. What lies below the
// reference's uncertainty is shaded: there errors say nothing.
import { chart, marker, padded, svg } from "../common/chart.js";
import { extent, format } from "../common/data.js";
import { el } from "../common/dom.js";
import { costs, count, duration, errorText, failed, setting } from "./methods.js";

// an error far above the size of the motion is one of a run that went astray
const astray = 100;

export class CostPlot {
  /// `page` is told what the reader points at: page.highlight(name or null).
  constructor(data, looks, field, page) {
    Object.assign(this, { data, looks, field, page, series: [], at: null });
    this.frame = el("div", { class: "drawing", tabindex: "0", role: "group" });
    this.readout = el("div", { class: "readout", role: "status", hidden: true });
    this.element = el("figure", { class: "cost card" }, this.frame, this.readout);
    this.frame.addEventListener("pointermove", (event) => this.point(event));
    this.frame.addEventListener("pointerdown", (event) => this.point(event));
    this.frame.addEventListener("pointerleave", () => this.read(null));
    this.frame.addEventListener("click", () => this.at && page.highlight(this.at.name, true));
    this.frame.addEventListener("keydown", (event) => this.key(event));
    this.frame.addEventListener("blur", () => this.read(null));
    let width = 0;
    new ResizeObserver(() => {
      if (Math.abs(this.frame.clientWidth - width) < 1) return;
      width = this.frame.clientWidth;
      this.draw();
    }).observe(this.frame);
  }

  /// The points of a method that can be drawn, in their order.
  points(method) {
    return method.points.filter((p) => !failed(p) && p.error !== null && p[this.field] > 0);
  }

  draw() {
    const width = Math.max(260, this.frame.clientWidth || 560);
    const height = Math.round(Math.min(440, Math.max(300, 0.72 * width)));
    const all = this.data.methods.flatMap((method) => this.points(method));
    const { uncertainty } = this.data.reference;
    const positive = (numbers) => numbers.filter((n) => n > 0);
    const errors = extent(
      positive(all.map((p) => Math.min(p.error, astray))),
      positive([uncertainty]),
    ) ?? [1e-12, 1];
    const spent = extent(positive(all.map((p) => p[this.field]))) ?? [1, 10];
    const title = costs.find(({ field }) => field === this.field).title;
    const yRange = padded(errors, true, 0.06);
    if (uncertainty > 0) yRange[0] = Math.min(yRange[0], uncertainty / 4);
    const { root, plot, front, px, py, area } = chart({
      width,
      height,
      x: {
        title,
        log: true,
        range: padded(spent[0] < spent[1] ? spent : [spent[0] / 2, spent[1] * 2], true),
      },
      y: { title: "error", log: true, range: yRange },
      label: `error against ${title}`,
    });
    this.frame.setAttribute("aria-label", `error against ${title}; arrow keys go from run to run`);

    if (uncertainty > 0) {
      const y = py(uncertainty);
      plot.append(
        svg("rect", {
          class: "uncertain",
          x: area.left,
          y,
          width: area.right - area.left,
          height: Math.max(0, area.bottom - y),
        }),
        svg("path", { class: "uncertainty", d: `M${area.left},${y}H${area.right}` }),
      );
      front.append(
        svg(
          "text",
          { class: "note", x: area.left + 6, y: area.bottom - 6 },
          `below the ${width < 420 ? "" : "reference's "}uncertainty, ${format(uncertainty, 2)}`,
        ),
      );
    }

    this.series = this.looks.map(({ method, style, mark }) => {
      const points = this.points(method).map((run) => ({
        run,
        name: method.name,
        x: px(run[this.field]),
        // an error of zero or of a run astray stands at the edge
        y: Math.min(
          area.bottom - 2,
          Math.max(area.top + 2, run.error > 0 ? py(run.error) : area.bottom),
        ),
      }));
      const group = svg("g", { class: `series ${style}`, "data-method": method.name });
      if (points.length > 1)
        group.append(
          svg("path", { class: "line", d: `M${points.map(({ x, y }) => `${x},${y}`).join("L")}` }),
        );
      group.append(
        ...points.map(({ run, x, y }) =>
          svg("path", {
            class: run.below_uncertainty ? "mark hollow" : "mark",
            d: marker(mark, x, y),
          }),
        ),
      );
      plot.append(group);
      return { name: method.name, points, style };
    });
    this.label(front, area);
    this.ring = svg("circle", { class: "ring", r: 9, visibility: "hidden" });
    front.append(this.ring);
    this.frame.replaceChildren(root);
    this.emphasize(this.page.highlighted);
  }

  /// Names at the ends of lines, as far as they do not cover each other or a marker.
  label(front, area) {
    const taken = this.series.flatMap(({ points }) =>
      points.map(({ x, y }) => [x - 4, y - 4, x + 4, y + 4]),
    );
    for (const { name, points, style } of this.series) {
      if (points.length === 0) continue;
      const wide = 6.4 * name.length;
      for (const end of [points.at(-1), points[0]]) {
        const spots = [
          [end.x + 8, end.y + 4],
          [end.x - 8 - wide, end.y + 4],
          [end.x - wide / 2, end.y + 18],
          [end.x - wide / 2, end.y - 9],
        ];
        const spot = spots.find(([x, y]) => {
          const box = [x, y - 10, x + wide, y + 3];
          const inside =
            box[0] > area.left &&
            box[2] < area.right &&
            box[1] > area.top &&
            box[3] < area.bottom - 16;
          return (
            inside &&
            taken.every((t) => box[2] < t[0] || box[0] > t[2] || box[3] < t[1] || box[1] > t[3])
          );
        });
        if (!spot) continue;
        taken.push([spot[0], spot[1] - 10, spot[0] + wide, spot[1] + 3]);
        front.append(
          svg("text", { class: `tag ${style}`, x: spot[0], y: spot[1], "data-method": name }, name),
        );
        break;
      }
    }
  }

  emphasize(name) {
    this.frame.classList.toggle("chosen", name !== null);
    for (const part of this.frame.querySelectorAll("[data-method]"))
      part.classList.toggle("is", part.dataset.method === name);
  }

  point(event) {
    const box = this.frame.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    let best = null;
    let distance = 22;
    for (const { points } of this.series)
      for (const point of points) {
        const d = Math.hypot(point.x - x, point.y - y);
        if (d < distance) [best, distance] = [point, d];
      }
    this.read(best);
  }

  key(event) {
    const along = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const across = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter" && this.at) this.page.highlight(this.at.name, true);
    else if (!along && !across) return;
    event.preventDefault();
    const drawn = this.series.filter(({ points }) => points.length > 0);
    if (drawn.length === 0) return;
    let s = drawn.findIndex(({ name }) => name === this.at?.name);
    let k = s < 0 ? 0 : drawn[s].points.indexOf(this.at);
    if (s < 0) s = 0;
    else if (along) k += along;
    else if (across) s = (s + across + drawn.length) % drawn.length;
    const { points } = drawn[s];
    this.read(points[Math.min(points.length - 1, Math.max(0, k))]);
  }

  /// Shows what is known of a point; null: nothing.
  read(point) {
    this.at = point;
    this.readout.hidden = point === null;
    this.ring?.setAttribute("visibility", point ? "visible" : "hidden");
    this.page.hover(point?.name ?? null);
    if (!point) return;
    const { run, name, x, y } = point;
    this.ring.setAttribute("cx", x);
    this.ring.setAttribute("cy", y);
    this.readout.replaceChildren(
      el("strong", {}, name),
      el("span", {}, setting(run)),
      el("span", {}, `error ${errorText(run)}`),
      el("span", {}, `${count(run.force_evaluations)} evaluations`),
      el("span", {}, duration(run.seconds)),
      el(
        "span",
        {},
        `${count(run.steps)} steps${run.rejected ? ` (${count(run.rejected)} rejected)` : ""}`,
      ),
    );
    const left =
      x + 14 + this.readout.offsetWidth > this.frame.clientWidth
        ? x - 14 - this.readout.offsetWidth
        : x + 14;
    this.readout.style.left = `${Math.max(0, left)}px`;
    this.readout.style.top = `${Math.max(0, y - 20)}px`;
  }
}
