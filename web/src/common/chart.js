// SPDX-License-Identifier: BSD-3-Clause
// Small charts as SVG: sharp on paper, coloured by the style sheet in light and dark alike.
//
//   svg(tag, attributes, ...children)   an element of SVG; attributes named on... are listeners
//   chart({ width, height, x, y, label })
//       axes with ticks and grid. x and y: { title, log, range: [low, high] }. Gives { root, plot,
//       front, px, py, area }: plot is a group that is cut at the axes, front one that is not; px
//       and py turn numbers into pixels; area is { left, top, right, bottom }
//   ticks(range, log, most)             { ticks: [{ value, label }], offset } of an axis; of decades
//                                       thinned to `most`. Labels are differences to `offset`
//   marker(kind, x, y, size)            path data of marker number `kind`
//   padded(range, log, share)           the range, wider by a share on both ends
import "./chart.css";
import { isolated } from "./dom.js";
import { axisTitle, constant, linearLabels, linearTicks } from "./plot_scales.js";

const space = "http://www.w3.org/2000/svg";

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(space, tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const raised = (n) => String(n).replace(/./g, (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]);
const power = (n) => (n === 0 ? "1" : n === 1 ? "10" : `10${raised(n)}`);

function labelled(values) {
  const { labels, offset } = linearLabels(values);
  const ticks = values.map((value, k) => ({ value, label: labels[k].replaceAll("-", "−") }));
  return { ticks, offset };
}

export function ticks(range, log, most = 6) {
  if (!log) return labelled(linearTicks(...range, most));
  const [low, high] = range.map(Math.log10);
  const [first, last] = [Math.ceil(low - 1e-9), Math.floor(high + 1e-9)];
  // within a decade or so powers of ten say little
  if (last - first < 1) return labelled(linearTicks(...range, most).filter((value) => value > 0));
  const stride = Math.max(1, Math.ceil((last - first + 1) / most));
  const found = [];
  for (let n = first; n <= last; ++n)
    if ((n - first) % stride === 0) found.push({ value: 10 ** n, label: power(n) });
  return { ticks: found, offset: 0 };
}

export function padded([low, high], log, share = 0.05) {
  if (log) {
    const [a, b] = padded([Math.log10(low), Math.log10(high)], false, share);
    return [10 ** a, 10 ** b];
  }
  if (constant(low, high)) {
    const room = Math.abs(low) * 0.1 || 1;
    return [low - room, high + room];
  }
  return [low - share * (high - low), high + share * (high - low)];
}

function scale({ range, log }, from, to) {
  const f = log ? Math.log : (v) => v;
  const [a, b] = range.map(f);
  return (value) => from + ((f(value) - a) / (b - a)) * (to - from);
}

let charts = 0;

export function chart({ width, height, x, y, label }) {
  const yAxis = ticks(y.range, y.log, Math.max(3, Math.floor(height / 45)));
  const longest = Math.max(...yAxis.ticks.map((tick) => tick.label.length), 1);
  const area = { left: 30 + 7.5 * longest, top: 12, right: width - 14, bottom: height - 42 };
  const xAxis = ticks(x.range, x.log, Math.max(3, Math.floor((area.right - area.left) / 75)));
  const px = scale(x, area.left, area.right);
  const py = scale(y, area.bottom, area.top);

  const cut = `cut${++charts}`;
  const inner = {
    x: area.left,
    y: area.top,
    width: area.right - area.left,
    height: area.bottom - area.top,
  };
  const plot = svg("g", { "clip-path": `url(#${cut})` });
  const front = svg("g");
  const root = svg(
    "svg",
    {
      class: "chart",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "img",
      "aria-label": label,
    },
    svg("clipPath", { id: cut }, svg("rect", inner)),
    svg(
      "g",
      { class: "grid" },
      xAxis.ticks.map(({ value }) =>
        svg("path", { d: `M${px(value)},${area.top}V${area.bottom}` }),
      ),
      yAxis.ticks.map(({ value }) =>
        svg("path", { d: `M${area.left},${py(value)}H${area.right}` }),
      ),
    ),
    plot,
    svg("rect", { class: "border", ...inner }),
    svg(
      "g",
      { class: "labels x" },
      xAxis.ticks.map((tick) =>
        svg(
          "text",
          { x: px(tick.value), y: area.bottom + 17, "data-value": tick.value },
          tick.label,
        ),
      ),
      svg(
        "text",
        { class: "title", x: (area.left + area.right) / 2, y: height - 6 },
        axisTitle(isolated(x.title), "", xAxis.offset),
      ),
    ),
    svg(
      "g",
      { class: "labels y" },
      yAxis.ticks.map((tick) =>
        svg(
          "text",
          { x: area.left - 6, y: py(tick.value) + 4, "data-value": tick.value },
          tick.label,
        ),
      ),
      svg(
        "text",
        { class: "title", transform: `translate(13 ${(area.top + area.bottom) / 2}) rotate(-90)` },
        axisTitle(isolated(y.title), "", yAxis.offset),
      ),
    ),
    front,
  );
  return { root, plot, front, px, py, area };
}

const corners = (x, y, size, angles) =>
  `M${angles.map((a) => `${x + size * Math.sin(a)},${y - size * Math.cos(a)}`).join("L")}Z`;
const turn = (n, start = 0) => Array.from({ length: n }, (_, k) => start + (2 * Math.PI * k) / n);

/// Numbers of markers and of colours: relatively prime, so that the pair is the same only after 56.
export const markers = 8;
export const colors = 7;

export function marker(kind, x, y, size = 4) {
  switch (kind % markers) {
    case 0:
      return `M${x - size},${y}a${size},${size} 0 1,0 ${2 * size},0a${size},${size} 0 1,0 ${-2 * size},0Z`;
    case 1:
      return corners(x, y, 1.25 * size, turn(4, Math.PI / 4));
    case 2:
      return corners(x, y, 1.35 * size, turn(3));
    case 3:
      return corners(x, y, 1.35 * size, turn(4));
    case 4:
      return corners(x, y, 1.35 * size, turn(3, Math.PI));
    case 5:
      return corners(x, y, 1.25 * size, turn(5));
    case 6: {
      const w = size / 2.2;
      const l = 1.25 * size;
      return `M${x - w},${y - l}h${2 * w}v${l - w}h${l - w}v${2 * w}h${w - l}v${l - w}h${-2 * w}v${w - l}h${w - l}v${-2 * w}h${l - w}Z`;
    }
    default:
      return `M${turn(10)
        .map((a, k) => {
          const r = k % 2 ? 0.62 * size : 1.5 * size;
          return `${x + r * Math.sin(a)},${y - r * Math.cos(a)}`;
        })
        .join("L")}Z`;
  }
}
