// SPDX-License-Identifier: BSD-3-Clause
// A plot as a drawing for a paper: black on white, its text is text.
//
//   plotSvg({ title, x, y, series, marks, range, heights })
//     x        { name, unit, values }
//     y        { unit, scale: "linear" | "log" }
//     series   [{ name, values, low, high, color }] with `color` a CSS colour, `low` and `high` or null
//     marks    [{ name, at }]
//     range    [x0, x1]; heights [y0, y1]
import { format } from "./data.js";
import { axisTitle, drawable, linearLabels, linearTicks, logTicks } from "./plot_scales.js";

const width = 640;
const height = 360;
const box = { left: 78, right: 16, top: 40, bottom: 52 };
const named = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
// directions of text and characters that XML has not
const unwanted = /[\u0000-\u0008\u000b-\u001f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g;
const escaped = (text) => String(text).replace(unwanted, "").replace(/[&<>"]/g, (c) => named[c]);

export function plotSvg({ title, x, y, series, marks, range, heights }) {
  const log = y.scale === "log";
  const up = log ? Math.log10 : (value) => value;
  const [x0, x1] = range;
  const [y0, y1] = heights.map(up);
  const across = (value) => box.left + ((value - x0) / (x1 - x0)) * (width - box.left - box.right);
  const above = (value) =>
    height - box.bottom - ((up(value) - y0) / (y1 - y0)) * (height - box.top - box.bottom);
  const at = (a, b) => `${across(a).toFixed(2)},${above(b).toFixed(2)}`;
  const parts = [];
  const text = (left, top, words, more = "") =>
    parts.push(`<text x="${left.toFixed(1)}" y="${top.toFixed(1)}"${more}>${escaped(words)}</text>`);

  const xTicks = linearTicks(x0, x1, 8);
  const bottom = linearLabels(xTicks);
  const yTicks = log ? logTicks(...heights, 6) : linearTicks(...heights, 6);
  const side = log ? { labels: yTicks.map((tick) => format(tick, 4)), offset: 0 } : linearLabels(yTicks);
  const end = height - box.bottom;
  for (const [k, tick] of xTicks.entries()) {
    const left = across(tick);
    parts.push(`<path class="grid" d="M${left.toFixed(2)},${box.top}V${end}"/>`);
    text(left, end + 16, bottom.labels[k], ' text-anchor="middle"');
  }
  for (const [k, tick] of yTicks.entries()) {
    const top = above(tick);
    parts.push(`<path class="grid" d="M${box.left},${top.toFixed(2)}H${width - box.right}"/>`);
    text(box.left - 6, top + 4, side.labels[k], ' text-anchor="end"');
  }
  text((box.left + width - box.right) / 2, height - 14, axisTitle(x.name, x.unit, bottom.offset), ' text-anchor="middle"');
  if (side.offset !== 0) text(4, box.top - 6, `${side.offset} +`);
  text(box.left, 18, `${title}${y.unit ? ` [${y.unit}]` : ""}`, ' class="title"');

  const within = [...x.values.keys()].filter((k) => x.values[k] >= x0 && x.values[k] <= x1);
  // one beyond either end, so that lines go on to the border
  const [first, last] = [(within[0] ?? 0) - 1, (within.at(-1) ?? -1) + 1];
  const rows = [first, ...within, last].filter((k) => k >= 0 && k < x.values.length);
  const shown = drawable(y.scale);
  parts.push(`<g clip-path="url(#box)">`);
  for (const { at: mark } of marks) parts.push(`<path class="mark" d="M${across(mark).toFixed(2)},${box.top}V${end}"/>`);
  for (const one of series) {
    if (one.low && one.high && !log) {
      // from one row to the next stands what was between them
      const edge = (ends, from) =>
        rows.slice(1).flatMap((k, i) => [at(x.values[rows[i]], ends[k] ?? from[k]), at(x.values[k], ends[k] ?? from[k])]);
      const outline = [...edge(one.high, one.values), ...edge(one.low, one.values).reverse()];
      parts.push(`<path d="M${outline.join("L")}Z" fill="${one.color}" fill-opacity="0.2"/>`);
    }
    let path = "";
    let pen = "M";
    for (const k of rows) {
      const value = shown(one.values[k]);
      if (value === null) pen = "M";
      else {
        path += `${pen}${at(x.values[k], value)}`;
        pen = "L";
      }
    }
    parts.push(`<path d="${path}" fill="none" stroke="${one.color}" stroke-width="1.4" stroke-linecap="round"/>`);
  }
  parts.push("</g>");
  let left = width - box.right;
  for (const one of [...series].reverse()) {
    left -= 7 * [...one.name].length + 26;
    if (left < box.left + 8 * [...title].length + 30) break;
    parts.push(`<path d="M${left},14h14" stroke="${one.color}" stroke-width="2"/>`);
    text(left + 18, 18, one.name);
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Helvetica, Arial, sans-serif" font-size="12">
<style>.grid { stroke: #ddd; fill: none } .mark { stroke: #888; stroke-dasharray: 3 3 } .title { font-weight: bold }</style>
<rect width="100%" height="100%" fill="#fff"/>
<clipPath id="box"><rect x="${box.left}" y="${box.top}" width="${width - box.left - box.right}" height="${height - box.top - box.bottom}"/></clipPath>
${parts.join("\n")}
<rect x="${box.left}" y="${box.top}" width="${width - box.left - box.right}" height="${height - box.top - box.bottom}" fill="none" stroke="#444"/>
</svg>
`;
}
