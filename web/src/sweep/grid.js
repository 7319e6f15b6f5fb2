// SPDX-License-Identifier: BSD-3-Clause
// A grid of points over axes: value k belongs to axes[0].values[k % n0], axes[1].values[(k / n0) % n1]
// and so on.
import { extent } from "../common/data.js";

/// Places of point k on the axes.
export function places(axes, k) {
  const found = [];
  for (const { values } of axes) {
    found.push(k % values.length);
    k = Math.floor(k / values.length);
  }
  return found;
}

/// The point at given places.
export function pointAt(axes, at) {
  let k = 0;
  for (let a = axes.length - 1; a >= 0; --a) k = k * axes[a].values.length + at[a];
  return k;
}

/// Points without any result. A measure alone may be unknown where a run went well.
export const failures = (data) =>
  data.reduced
    ? new Set(data.statuses.flatMap((status, k) => (isFailed(status) ? [k] : [])))
    : new Set((data.failures ?? []).map(({ index }) => index));
const isFailed = (status) => status !== null && !["done", "stopped_by_event"].includes(status);

/// The title of an axis or a measure, with its unit.
export const titled = ({ name, unit }) => (unit ? `${name} [${unit}]` : name);

/// Numbers that are known and finite.
export const known = (values) => values.filter((v) => typeof v === "number" && Number.isFinite(v));

/// Do these numbers want a logarithmic axis? All positive, over more than three decades.
export function wantsLog(values) {
  const range = extent(known(values));
  return range !== null && range[0] > 0 && range[1] > 1e3 * range[0];
}

/// The edge of the cells of an axis: half a cell beyond its ends.
export function cellRange({ values, log }) {
  const [first, last] = [values[0], values.at(-1)];
  if (values.length === 1)
    return log
      ? [first / 2, first * 2]
      : [first - (Math.abs(first) || 1) / 2, first + (Math.abs(first) || 1) / 2];
  if (log) {
    const half = Math.sqrt(values[1] / values[0]);
    return [first / half, last * half];
  }
  const half = (values[1] - values[0]) / 2;
  return [first - half, last + half];
}
