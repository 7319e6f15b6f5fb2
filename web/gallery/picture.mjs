// SPDX-License-Identifier: BSD-3-Clause
// A still picture of a motion, as SVG, from the data of its report (../README.md): the mechanism at
// the end of a stretch of the motion, paler where it was before, and the paths of a few points.
// Numbers are rounded to a tenth of a pixel, so that the same motion gives the same file.
import { doubles } from "../src/common/data.js";
import { Frames } from "./frames.mjs";
import { faceOrder, viewOf } from "./views.mjs";

const width = 480;
const margin = 26;
const ghosts = 5;
const colours = {
  card: "#fbfaf7",
  edge: "#dedbd2",
  ink: "#33383f",
  pale: "#8a9099",
  body: [205, 214, 224],
  paths: ["#0072b2", "#d55e00", "#009e73", "#a04a8c", "#b07800", "#3a7fb8", "#555b63", "#7a5c3a"],
};

const round = (x) => String(Math.round(x * 10) / 10);
const place = ([x, y]) => `${round(x)},${round(y)}`;

/// From blue (pushed) through grey to orange (pulled): share is in [-1, 1].
function loadColour(share) {
  const ends = share < 0 ? [33, 102, 172] : [200, 70, 20];
  const s = Math.min(1, Math.abs(share)) ** 0.5;
  return `rgb(${[86, 92, 100].map((c, k) => Math.round(c + s * (ends[k] - c))).join(",")})`;
}

/// What is between consecutive points is left out where it bends less than a third of a pixel.
function simplified(points) {
  if (points.length < 3) return points;
  const kept = [points[0]];
  const stack = [[0, points.length - 1]];
  const inner = [];
  while (stack.length > 0) {
    const [a, b] = stack.pop();
    const [ax, ay] = points[a];
    const [dx, dy] = [points[b][0] - ax, points[b][1] - ay];
    const length = Math.hypot(dx, dy);
    let worst = 0;
    let at = -1;
    for (let k = a + 1; k < b; ++k) {
      const [x, y] = [points[k][0] - ax, points[k][1] - ay];
      const bend = length > 0 ? Math.abs(x * dy - y * dx) / length : Math.hypot(x, y);
      if (bend > worst) [worst, at] = [bend, k];
    }
    if (worst <= 0.3) continue;
    inner.push(at);
    stack.push([a, at], [at, b]);
  }
  for (const k of inner.sort((a, b) => a - b)) kept.push(points[k]);
  return [...kept, points.at(-1)];
}

const path = (points) => `M${points.map(place).join("L")}`;

/// A path that fades towards its beginning: a few pieces of growing opacity.
function fading(points, colour, lineWidth = 1.6) {
  const pieces = Math.min(6, points.length - 1);
  let text = "";
  for (let k = 0; k < pieces; ++k) {
    const from = Math.floor((k * (points.length - 1)) / pieces);
    const to = Math.floor(((k + 1) * (points.length - 1)) / pieces);
    const opacity = round((0.25 + 0.65 * (k / Math.max(1, pieces - 1))) * 10) / 10;
    text +=
      `<path d="${path(simplified(points.slice(from, to + 1)))}" stroke="${colour}" ` +
      `stroke-width="${lineWidth}" stroke-opacity="${opacity}"/>`;
  }
  return text;
}

/// A coil from a to b, `turns` of them whatever the length.
function coil([ax, ay], [bx, by], turns = 9, half = 5) {
  const [dx, dy] = [bx - ax, by - ay];
  const length = Math.hypot(dx, dy);
  if (length < 8)
    return [
      [ax, ay],
      [bx, by],
    ];
  const [nx, ny] = [(-dy / length) * half, (dx / length) * half];
  const points = [[ax, ay]];
  for (let k = 0; k < 2 * turns; ++k) {
    const s = 0.12 + (0.76 * (k + 0.5)) / (2 * turns);
    const side = k % 2 ? -1 : 1;
    points.push([ax + s * dx + side * nx, ay + s * dy + side * ny]);
  }
  return [...points, [bx, by]];
}

function ground([x, y]) {
  return (
    `<path d="M${place([x, y])}l-7,11h14z" fill="${colours.card}" stroke="${colours.ink}" stroke-width="1.4"/>` +
    `<path d="M${place([x - 11, y + 11])}h22m-19,0l-4,5m9,-5l-4,5m9,-5l-4,5m9,-5l-4,5" ` +
    `stroke="${colours.ink}" stroke-width="1.2"/>`
  );
}

/// The frames that are shown: from the start until the point that moves most has gone twice and a
/// half through the picture (where there are only bodies, which mostly turn, five times), or all.
function stretch(frames) {
  const size = (frames.scene.points.some(({ kind }) => kind === "mass") ? 2.5 : 5) * frames.size();
  let gone = 0;
  for (let k = 1; k < frames.count; ++k) {
    gone += frames.largestMove(k - 1, k);
    if (gone > size) return k;
  }
  return frames.count - 1;
}

function mechanism(frames, view, loadScale) {
  const { scene } = frames;
  const many = scene.points.length > 60;
  const crowded = scene.points.length > 20;
  const largestMass = Math.max(0, ...scene.points.map((p) => p.mass ?? 0));
  const radius = (p) =>
    p.radius > 0
      ? p.radius * view.scale
      : many
        ? 5
        : crowded
          ? 3
          : largestMass > 0 && p.mass > 0
            ? 3 + 3.5 * Math.sqrt(p.mass / largestMass)
            : 2.2;

  return (k, main) => {
    const at = scene.points.map((_, i) => view(frames.point(i, k)));
    let text = "";
    for (const [i, body] of scene.bodies.entries()) {
      const corners = frames.corners(i, k);
      for (const { corners: face, shade } of faceOrder(corners, view.depth)) {
        const fill = `rgb(${colours.body.map((c) => Math.round(c * shade)).join(",")})`;
        text +=
          `<path d="${path(face.map(view))}z" fill="${main ? fill : "none"}" ` +
          `stroke="${colours.ink}" stroke-width="${main ? 1.1 : 0.7}" stroke-linejoin="round"/>`;
      }
      if (corners.length === 0) text += dot(view(frames.position(i, k)), 4, colours.ink);
    }
    for (const line of scene.lines) {
      const [a, b] = line.ends.map((i) => at[i]);
      const load = frames.load(line, k);
      const colour =
        main && load !== null && loadScale > 0 ? loadColour(load / loadScale) : colours.ink;
      const thick = line.kind === "rod" ? (crowded ? 2.2 : 3) : 1.5;
      // bonds of molecules are springs, too: in space they are drawn as lines
      const way = line.kind === "spring" && scene.dimension === 2 ? coil(a, b) : [a, b];
      const dashes = line.kind === "damper" ? ' stroke-dasharray="5,3"' : "";
      text += `<path d="${path(way)}" stroke="${colour}" stroke-width="${thick}"${dashes} stroke-linecap="round"/>`;
    }
    const depths = scene.points.map((_, i) => view.depth(frames.point(i, k)));
    const [far, near] = [Math.min(...depths), Math.max(...depths)];
    const byDepth = scene.points
      .map((p, i) => ({ p, i }))
      .sort((a, b) => depths[a.i] - depths[b.i]);
    for (const { p, i } of byDepth) {
      if (p.kind === "anchor") text += main ? ground(at[i]) : "";
      else if (p.kind === "mass") {
        const mist = many && near > far ? (near - depths[i]) / (near - far) : 0;
        text += dot(at[i], radius(p), misty(mist), !main);
      }
    }
    return text;
  };
}

/// The colour of a mass: paler the farther away it is, 0 to 1.
const misty = (share) =>
  `rgb(${[51, 80, 115].map((c) => Math.round(c + 0.6 * share * (215 - c))).join(",")})`;

const dot = ([x, y], r, colour, plain = false) =>
  `<circle cx="${round(x)}" cy="${round(y)}" r="${round(r)}" fill="${colour}"` +
  `${plain ? "" : ` stroke="${colours.card}"`}/>`;

/// Paths that are drawn, functions of the frame: of all points that move where nothing joins them,
/// else of free ends; where there are only bodies, of their tips.
function pathsOf(frames, last) {
  const { scene } = frames;
  if (scene.bodies.length > 0)
    return scene.bodies.slice(-3).map(
      (_, n, { length }) =>
        (k) =>
          frames.tip(scene.bodies.length - length + n, k),
    );
  const masses = scene.points.flatMap((p, i) => (p.kind === "mass" ? [i] : []));
  const moving =
    masses.length > 0 ? masses : scene.points.flatMap((p, i) => (frames.moves(i) ? [i] : []));
  if (moving.length > 60) return [];
  const lines = (i) => scene.lines.filter(({ ends }) => ends.includes(i)).length;
  const ends = moving.filter((i) => lines(i) <= 1);
  const way = (i) => frames.way(i, last);
  const chosen = ends.length > 0 && ends.length <= 8 ? ends : moving;
  return chosen
    .sort((a, b) => way(b) - way(a))
    .slice(0, scene.lines.length > 0 ? 3 : 8)
    .map((i) => (k) => frames.point(i, k));
}

function sceneSvg(data) {
  const frames = new Frames(data);
  const last = stretch(frames);
  const view = viewOf(frames, last, { width, margin });
  const loadScale = Math.max(
    0,
    ...frames.scene.lines.flatMap((line) =>
      Array.from({ length: last + 1 }, (_, k) => Math.abs(frames.load(line, k) ?? 0)),
    ),
  );
  const draw = mechanism(frames, view, loadScale);

  const paths = pathsOf(frames, last)
    .map((at, n) => {
      const way = Array.from({ length: last + 1 }, (_, k) => view(at(k)));
      return fading(way, colours.paths[n % colours.paths.length]);
    })
    .join("");
  // a body would hide the path of its own tip
  const solid = frames.scene.bodies.length > 0;
  let text = view.box(frames.scene.box, colours.pale) + (solid ? "" : paths);
  if (frames.scene.points.length <= 60)
    for (let n = 0; n < ghosts; ++n) {
      const k = frames.nearest(
        frames.time(last) * (n / ghosts) + frames.time(0) * (1 - n / ghosts),
        last,
      );
      text += `<g opacity="${round(10 * (0.1 + 0.05 * n)) / 10}">${draw(k, false)}</g>`;
    }
  text += draw(last, true) + (solid ? paths : "");
  return { height: view.height, text, from: frames.time(0), to: frames.time(last) };
}

/// Without a scene: the curve in the columns of the portrait, or in others that are named, with the
/// names at its axes; named ones have equal scales.
function portraitSvg(data, names) {
  const [x, y, z] = names
    ? names.map((wanted) => data.columns.findIndex(({ name: own }) => own === wanted))
    : [data.portrait.x, data.portrait.y, data.portrait.z];
  const columns = [x, y, z ?? null].map((c) => (c === null ? null : doubles(data.columns[c].data)));
  const height = 320;
  const at = [...columns[0].keys()].filter((k) =>
    columns.every((c) => c === null || Number.isFinite(c[k])),
  );
  const flat = columns[2]
    ? (k) => [
        0.82 * columns[0][k] + 0.57 * columns[1][k],
        0.94 * columns[2][k] - 0.2 * columns[0][k] + 0.28 * columns[1][k],
      ]
    : (k) => [columns[0][k], columns[1][k]];
  const world = at.map(flat);
  const range = [0, 1].map((c) => {
    const values = world.map((w) => w[c]);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return high > low ? [low, high] : [low - 1, high + 1];
  });
  let scales = [
    (width - 2 * margin) / (range[0][1] - range[0][0]),
    (height - 2 * margin) / (range[1][1] - range[1][0]),
  ];
  if (names) scales = [Math.min(...scales), Math.min(...scales)];
  const middle = range.map(([low, high]) => (low + high) / 2);
  const points = world.map(([a, b]) => [
    width / 2 + (a - middle[0]) * scales[0],
    height / 2 - (b - middle[1]) * scales[1],
  ]);
  const name = (c) => escaped(data.columns[c].name);
  const label = (px, py, text, anchor) =>
    `<text x="${px}" y="${py}" text-anchor="${anchor}" font-family="sans-serif" font-size="12" fill="${colours.pale}">${text}</text>`;
  const labels = columns[2]
    ? label(12, height - 12, `${name(x)}, ${name(y)}, ${name(z)}`, "start")
    : label(width - 12, height - 10, name(x), "end") + label(12, 20, name(y), "start");
  const axes = columns[2]
    ? ""
    : `<path d="M14,26V${height - 22}H${width - 12}" stroke="${colours.edge}"/>`;
  return {
    height,
    text:
      axes +
      labels +
      `<path d="${path(simplified(points))}" stroke="${colours.paths[0]}" stroke-width="2" stroke-linejoin="round"/>` +
      dot(points[0], 3.5, colours.pale) +
      dot(points.at(-1), 5, colours.paths[1]),
    from: doubles(data.columns[data.axis.column].data)[0],
    to: doubles(data.columns[data.axis.column].data).at(-1),
  };
}

const escaped = (text) =>
  text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

/// The picture and the stretch of the axis that it shows: { svg, from, to }. `names`: columns in which
/// a motion without a scene is drawn.
export function picture(data, names = null) {
  const { height, text, from, to } = data.scene ? sceneSvg(data) : portraitSvg(data, names);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${round(height)}" width="${width}" height="${round(height)}" fill="none">` +
    `<title>${escaped(data.title)}</title>` +
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${round(height - 1)}" rx="10" fill="${colours.card}" stroke="${colours.edge}"/>` +
    `${text}</svg>\n`;
  return { svg: svg.replaceAll("><path", ">\n<path").replaceAll("><g", ">\n<g"), from, to };
}
