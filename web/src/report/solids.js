// SPDX-License-Identifier: BSD-3-Clause
// A box with edges 1 about the origin, and boxes of bodies.

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

/// Corners of a body, 3 numbers each.
export function bodyCorners({ box, axes }, { centres, rotations }, b) {
  return corners.flatMap((corner) => {
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
