// SPDX-License-Identifier: BSD-3-Clause
// Lines of equal value over a grid, by marching squares: where a line passes between two points is
// linear in their values. Squares with an unknown corner have none.

/// Path data of one level. value(i, j) of the points 0 .. wide - 1 and 0 .. high - 1, which stand at
/// x[i], y[j].
export function contour(value, x, y, level) {
  let path = "";
  for (let j = 0; j + 1 < y.length; ++j)
    for (let i = 0; i + 1 < x.length; ++i) {
      const corners = [
        [i, j],
        [i + 1, j],
        [i + 1, j + 1],
        [i, j + 1],
      ];
      const values = corners.map(([a, b]) => value(a, b));
      if (!values.every((v) => typeof v === "number" && Number.isFinite(v))) continue;
      const cuts = [];
      for (let k = 0; k < 4; ++k) {
        const [u, v] = [values[k], values[(k + 1) % 4]];
        if (u >= level === v >= level) continue;
        const [[a, b], [c, d]] = [corners[k], corners[(k + 1) % 4]];
        const s = (level - u) / (v - u);
        cuts.push([x[a] + s * (x[c] - x[a]), y[b] + s * (y[d] - y[b])]);
      }
      // a saddle has two lines: its mean says which corners are joined
      if (cuts.length === 4 && values.reduce((a, b) => a + b) / 4 >= level === values[0] >= level)
        cuts.push(cuts.shift());
      for (let k = 0; k + 1 < cuts.length; k += 2)
        path += `M${cuts[k].map((n) => n.toFixed(1))}L${cuts[k + 1].map((n) => n.toFixed(1))}`;
    }
  return path;
}

/// How rough a grid is: the mean difference of neighbours, as a share of the whole range.
export function roughness(value, wide, high, [low, top]) {
  let [sum, count] = [0, 0];
  for (let j = 0; j < high; ++j)
    for (let i = 0; i + 1 < wide; ++i) {
      const [a, b] = [value(i, j), value(i + 1, j)];
      if (typeof a !== "number" || typeof b !== "number") continue;
      sum += Math.abs(b - a);
      ++count;
    }
  return count > 0 && top > low ? sum / count / (top - low) : 0;
}
