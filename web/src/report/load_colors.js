// SPDX-License-Identifier: BSD-3-Clause
import { color } from "../common/dom.js";

/// Colours of loads: pushed, unloaded, pulled, in `2 shades + 1` steps so that lines of one colour
/// can be drawn together.
export const shades = 20;

/// Small loads are coloured more strongly than their share, so that they can be told from none.
export function loadColors() {
  const parse = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));
  const [pushed, middle, pulled] = ["--pushed", "--unloaded", "--pulled"].map((v) =>
    parse(color(v)),
  );
  return Array.from({ length: 2 * shades + 1 }, (_, k) => {
    const share = Math.abs(k - shades) / shades;
    const end = k < shades ? pushed : pulled;
    return `rgb(${middle.map((m, c) => Math.round(m + share ** 0.6 * (end[c] - m))).join(",")})`;
  });
}

/// The colours as a CSS gradient.
export function loadGradient() {
  return `linear-gradient(to right, ${loadColors().join(", ")})`;
}

/// Step of a load, given the load at which colours end; -1 where there is none.
export function shade(load, scale) {
  if (!Number.isFinite(load)) return -1;
  if (!(scale > 0)) return shades;
  return Math.round(shades * (1 + Math.min(1, Math.max(-1, load / scale))));
}
