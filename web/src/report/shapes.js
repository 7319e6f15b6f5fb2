// SPDX-License-Identifier: BSD-3-Clause
// Symbols of a mechanism, added to a path.

// along the line a b, and across it
function along([ax, ay], [bx, by]) {
  const length = Math.hypot(bx - ax, by - ay);
  const [ux, uy] = length > 0 ? [(bx - ax) / length, (by - ay) / length] : [1, 0];
  const at = (s, w) => [ax + s * ux - w * uy, ay + s * uy + w * ux];
  return { length, at };
}

/// A spring: as many turns whatever its length, so that one sees it stretched. `rest` is its length
/// at rest, on the canvas.
export function coil(path, a, b, rest) {
  const { length, at } = along(a, b);
  path.moveTo(...a);
  const turns = Math.round(Math.min(16, Math.max(4, rest / 9)));
  if (length > 14 && Number.isFinite(length)) {
    const lead = 0.12 * length;
    const pitch = (length - 2 * lead) / turns;
    const wide = Math.min(9, Math.max(4, rest / 12));
    path.lineTo(...at(lead, 0));
    for (let k = 0; k < turns; ++k) {
      path.lineTo(...at(lead + (k + 0.25) * pitch, wide));
      path.lineTo(...at(lead + (k + 0.75) * pitch, -wide));
    }
    path.lineTo(...at(length - lead, 0));
  }
  path.lineTo(...b);
}

/// A dashpot: a cup on the first end, a piston on the second.
export function damper(path, a, b) {
  const { length, at } = along(a, b);
  const middle = length / 2;
  const half = Math.min(12, length / 4);
  const line = (...places) =>
    places.forEach(([s, w], k) => (k === 0 ? path.moveTo(...at(s, w)) : path.lineTo(...at(s, w))));
  line([0, 0], [middle - half, 0]);
  line([middle + half, 7], [middle - half, 7], [middle - half, -7], [middle + half, -7]);
  line([middle, 5], [middle, -5]);
  line([middle, 0], [length, 0]);
}

/// Ground: a triangle below the point, on hatching.
export function ground(path, x, y) {
  path.moveTo(x, y);
  path.lineTo(x - 8, y + 12);
  path.lineTo(x + 8, y + 12);
  path.closePath();
  path.moveTo(x - 13, y + 12);
  path.lineTo(x + 13, y + 12);
  for (let k = -2; k <= 2; ++k) {
    path.moveTo(x + 5 * k + 3, y + 12);
    path.lineTo(x + 5 * k - 2, y + 17);
  }
}

/// The largest 1, 2 or 5 times a power of ten that is not above a length.
export function roundLength(length) {
  const power = 10 ** Math.floor(Math.log10(length));
  const factor = length / power;
  return (factor >= 5 ? 5 : factor >= 2 ? 2 : 1) * power;
}
