// SPDX-License-Identifier: BSD-3-Clause
// What the parts of the page say of methods and runs.
import { colors, markers } from "../common/chart.js";
import { format } from "../common/data.js";

/// What a run may have cost.
export const costs = [
  { field: "force_evaluations", title: "force evaluations" },
  { field: "seconds", title: "time [s]" },
  { field: "steps", title: "steps" },
  { field: "jacobian_evaluations", title: "Jacobian evaluations" },
  { field: "factorisations", title: "factorisations" },
];

/// Methods with the look that is theirs on the whole page. Where colours begin anew, lines are dashed;
/// those that are the fastest somewhere have thick ones.
export function looks({ methods, fastest = [] }) {
  const best = new Set(fastest.map(({ method }) => method));
  return methods.map((method, k) => ({
    method,
    mark: k % markers,
    style: [
      `color${k % colors}`,
      Math.floor(k / colors) % 2 ? "dashed" : "",
      best.has(method.name) ? "best" : "",
    ]
      .filter(Boolean)
      .join(" "),
  }));
}

export const failed = (point) => point.status !== "done";

export function setting(point) {
  return point.tol !== undefined
    ? `tol ${format(point.tol, 3)}`
    : `step ${format(point.step, 3)} s`;
}

export function duration(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  if (seconds < 1e-3) return `${format(seconds * 1e6, 3)} µs`;
  if (seconds < 1) return `${format(seconds * 1e3, 3)} ms`;
  return `${format(seconds, 3)} s`;
}

export function count(number) {
  if (number === null || number === undefined) return "–";
  // what is read between two runs is no whole number
  return Math.round(number).toLocaleString("en").replaceAll(",", "\u202f");
}

export function errorText(point) {
  return `${point.below_uncertainty ? "≤ " : ""}${format(point.error, 3)}`;
}
