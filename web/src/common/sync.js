// SPDX-License-Identifier: BSD-3-Clause

import { before } from "./data.js";

/// Plots with a common abscissa: they show the same part of it and the same place on it.
///
///   xs              its values, ascending. No part is shown that has less than a few of them
///   onhover(x)      a pointer moves over a plot
///   onzoom(range)   the part shown is [x0, x1], or all (null)
export class Sync {
  constructor({ xs, onhover = () => {}, onzoom = () => {} }) {
    this.xs = xs;
    this.plots = new Set();
    this.range = null;
    this.at = NaN;
    this.onhover = onhover;
    this.onzoom = onzoom;
  }

  zoom(x0, x1) {
    this.range = x1 > x0 ? this.widened(x0, x1) : null;
    for (const plot of this.plots) plot.applyRange();
    this.onzoom(this.range);
  }

  // to three rows where there are less than two in it, and to what numbers of this size can show
  widened(x0, x1) {
    const { xs } = this;
    const last = xs.length - 1;
    const row = Math.min(before(xs, x0), Math.max(0, last - 2));
    const inside = before(xs, x1) - before(xs, x0) + (xs[row] === x0 ? 1 : 0);
    const few = inside < 2;
    const low = few ? Math.min(x0, xs[row]) : x0;
    const high = few ? Math.max(x1, xs[Math.min(last, row + 2)]) : x1;
    const least = 1e-9 * Math.max(xs[last] - xs[0], Math.abs(low), Math.abs(high));
    if (high - low >= least) return [low, high];
    const middle = (low + high) / 2;
    return [middle - least / 2, middle + least / 2];
  }

  reset() {
    this.zoom(0, 0);
  }

  show(x) {
    this.at = x;
    for (const plot of this.plots) plot.cursor(x);
  }
}
