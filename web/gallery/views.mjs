// SPDX-License-Identifier: BSD-3-Clause
// From places in the plane or in space to places in a picture, and faces in the order in which they
// are painted.

// seen in space: the third axis is up, the eye is at this azimuth and elevation
const azimuth = (-60 * Math.PI) / 180;
const elevation = (20 * Math.PI) / 180;
const right = [-Math.sin(azimuth), Math.cos(azimuth), 0];
const towards = [
  Math.cos(elevation) * Math.cos(azimuth),
  Math.cos(elevation) * Math.sin(azimuth),
  Math.sin(elevation),
];
const up = [
  -Math.sin(elevation) * Math.cos(azimuth),
  -Math.sin(elevation) * Math.sin(azimuth),
  Math.cos(elevation),
];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/// A function from places to pixels, with `height`, `depth(place)` (greater is nearer) and
/// `box(edges, colour)`: it shows all that rows 0 to `last` take up, at equal scales.
export function viewOf(frames, last, { width, margin }) {
  const flat = frames.scene.dimension === 2;
  const turned = flat ? ([x, y]) => [x, y] : (p) => [dot(p, right), dot(p, up)];
  const low = [Infinity, Infinity];
  const high = [-Infinity, -Infinity];
  const include = (p) =>
    turned(p).forEach((x, d) => {
      low[d] = Math.min(low[d], x);
      high[d] = Math.max(high[d], x);
    });
  for (let k = 0; k <= last; ++k) frames.places(k).forEach(include);
  const box = boxCorners(frames.scene.box);
  box.forEach(include);

  // a motion along a line keeps some room across it
  const extent = Math.max(high[0] - low[0], high[1] - low[1]) || 1;
  const across = [0, 1].map((d) => Math.max(high[d] - low[d], 0.3 * extent));
  const room = width - 2 * margin;
  const scale = Math.min(room / across[0], (400 - 2 * margin) / across[1]);
  const height = Math.max(200, scale * across[1] + 2 * margin);
  const middle = low.map((x, d) => (x + high[d]) / 2);

  const view = (p) => {
    const [x, y] = turned(p);
    return [width / 2 + scale * (x - middle[0]), height / 2 - scale * (y - middle[1])];
  };
  view.height = height;
  view.scale = scale;
  view.depth = flat ? () => 0 : (p) => dot(p, towards);
  view.box = (edges, colour) => {
    if (!edges) return "";
    const at = box.map(view);
    let path = "";
    for (let n = 0; n < at.length; ++n)
      for (let d = 0; 1 << d < at.length; ++d)
        if (!((n >> d) & 1)) {
          const [a, b] = [at[n], at[n | (1 << d)]];
          path += `M${[...a, ...b].map((x) => Math.round(x * 10) / 10)}`;
        }
    return `<path d="${path}" stroke="${colour}" stroke-width="0.8" stroke-dasharray="4,3"/>`;
  };
  return view;
}

function boxCorners(edges) {
  if (!edges) return [];
  return Array.from({ length: 1 << edges.length }, (_, n) =>
    [0, 1, 2].map((d) => (d < edges.length && (n >> d) & 1 ? edges[d] : 0)),
  );
}

// corners of a box counted in binary: its faces, each seen from outside
const faces = [
  [0, 2, 6, 4],
  [1, 3, 7, 5],
  [0, 1, 5, 4],
  [2, 3, 7, 6],
  [0, 1, 3, 2],
  [4, 5, 7, 6],
];

/// The faces of a box, farthest first, with a shade by how much they are turned upwards.
export function faceOrder(corners, depth) {
  if (corners.length === 0) return [];
  const mean = (points) =>
    [0, 1, 2].map((d) => points.reduce((s, p) => s + p[d], 0) / points.length);
  const centre = mean(corners);
  return faces
    .map((face) => {
      const own = face.map((n) => corners[n]);
      const outwards = mean(own).map((x, d) => x - centre[d]);
      const size = Math.hypot(...outwards) || 1;
      return { corners: own, depth: depth(mean(own)), shade: 0.85 + 0.15 * (outwards[2] / size) };
    })
    .sort((a, b) => a.depth - b.depth);
}
