// SPDX-License-Identifier: BSD-3-Clause
// Solids with edges 1 about the origin, and those of bodies.

export const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [
  (k & 1) - 0.5,
  ((k >> 1) & 1) - 0.5,
  ((k >> 2) & 1) - 0.5,
]);
export const edges = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((k) =>
  [1, 2, 4].filter((bit) => !(k & bit)).map((bit) => [k, k | bit]),
);
export const faces = [
  [0, 1, 3, 2],
  [4, 6, 7, 5],
  [0, 4, 5, 1],
  [2, 3, 7, 6],
  [0, 2, 6, 4],
  [1, 5, 7, 3],
];

const around = 24;
const ring = (z, radius) =>
  Array.from({ length: around }, (_, k) => {
    const angle = (2 * Math.PI * k) / around;
    return [radius * Math.cos(angle), radius * Math.sin(angle), z];
  });
// faces between ring n and the one above it
const belt = (n) =>
  Array.from({ length: around }, (_, k) => {
    const next = (k + 1) % around;
    return [n * around + k, (n + 1) * around + k, (n + 1) * around + next, n * around + next];
  });
const circle = (n) =>
  Array.from({ length: around }, (_, k) => [n * around + k, n * around + ((k + 1) % around)]);
const caps = (top) => [
  Array.from({ length: around }, (_, k) => k),
  Array.from({ length: around }, (_, k) => top * around + around - 1 - k),
];

function cylinder() {
  return {
    corners: [...ring(-0.5, 0.5), ...ring(0.5, 0.5)],
    edges: [...circle(0), ...circle(1)],
    faces: [...belt(0), ...caps(1)],
    round: 4,
  };
}

function sphere() {
  const rings = 11;
  const angles = Array.from({ length: rings }, (_, n) => (Math.PI * (n + 0.5)) / rings);
  return {
    corners: angles.flatMap((angle) => ring(-0.5 * Math.cos(angle), 0.5 * Math.sin(angle))),
    edges: circle(Math.floor(rings / 2)),
    faces: [...angles.slice(1).flatMap((_, n) => belt(n)), ...caps(rings - 1)],
    round: around,
  };
}

/// Corners, edges, faces (clockwise as seen from outside); faces with no more than `round`
/// corners are parts of a smooth surface, without lines between them.
const solids = { box: { corners, edges, faces, round: 0 }, cylinder: cylinder(), sphere: sphere() };

/// A surface of triangles, made once: edges are those where it bends, or ends.
const meshes = new WeakMap();
function solidOfMesh(mesh) {
  if (meshes.has(mesh)) return meshes.get(mesh);
  const threes = (list) =>
    Array.from({ length: list.length / 3 }, (_, k) => list.slice(3 * k, 3 * k + 3));
  const places = threes(mesh.corners);
  // stated counter-clockwise
  const triangles = threes(mesh.triangles).map(([a, b, c]) => [a, c, b]);
  const normal = (triangle) => {
    const [a, b, c] = triangle.map((k) => places[k]);
    const u = [0, 1, 2].map((i) => b[i] - a[i]);
    const v = [0, 1, 2].map((i) => c[i] - a[i]);
    const n = [0, 1, 2].map(
      (i) => u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3],
    );
    const size = Math.hypot(...n) || 1;
    return n.map((x) => x / size);
  };
  const beside = new Map();
  triangles.forEach((triangle) => {
    const n = normal(triangle);
    triangle.forEach((a, i) => {
      const b = triangle[(i + 1) % 3];
      const key = a < b ? `${a} ${b}` : `${b} ${a}`;
      if (!beside.has(key)) beside.set(key, { ends: [a, b], normals: [] });
      beside.get(key).normals.push(n);
    });
  });
  const bends = Math.cos(Math.PI / 6);
  const isEdge = ({ normals: [n, m] }) =>
    m === undefined || n[0] * m[0] + n[1] * m[1] + n[2] * m[2] < bends;
  const solid = {
    corners: places,
    edges: [...beside.values()].filter(isEdge).map(({ ends }) => ends),
    faces: triangles,
    round: 3,
    deep: true,
  };
  meshes.set(mesh, solid);
  return solid;
}

export const solidOf = (body) =>
  body.mesh ? solidOfMesh(body.mesh) : (solids[body.shape] ?? solids.box);

/// Corners of a body, 3 numbers each.
export function bodyCorners(body, { centres, rotations }, b) {
  const { box, axes } = body;
  return solidOf(body).corners.flatMap((corner) => {
    const inAxes = corner.map((c, k) => c * box[k]);
    const inBody = [0, 1, 2].map(
      (i) => axes[3 * i] * inAxes[0] + axes[3 * i + 1] * inAxes[1] + axes[3 * i + 2] * inAxes[2],
    );
    return [0, 1, 2].map(
      (i) =>
        centres[3 * b + i] +
        [0, 1, 2].reduce((sum, k) => sum + rotations[9 * b + 3 * i + k] * inBody[k], 0),
    );
  });
}
