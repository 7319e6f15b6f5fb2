// SPDX-License-Identifier: BSD-3-Clause

/// Plots with a common abscissa: they show the same part of it and the same place on it.
///
///   onhover(x)      a pointer moves over a plot
///   onzoom(range)   the part shown is [x0, x1], or all (null)
export class Sync {
  constructor({ onhover = () => {}, onzoom = () => {} } = {}) {
    this.plots = new Set();
    this.range = null;
    this.at = NaN;
    this.onhover = onhover;
    this.onzoom = onzoom;
  }

  zoom(x0, x1) {
    this.range = x1 > x0 ? [x0, x1] : null;
    for (const plot of this.plots) plot.applyRange();
    this.onzoom(this.range);
  }

  reset() {
    this.zoom(0, 0);
  }

  show(x) {
    this.at = x;
    for (const plot of this.plots) plot.cursor(x);
  }
}
