// SPDX-License-Identifier: BSD-3-Clause
// Ranges and ticks of axes, and what of numbers a scale can show.
import { format } from "./data.js";

/// What is drawn of y: on a log scale its size; null is a gap.
export function drawable(scale) {
  return scale === "log"
    ? (y) => (Number.isFinite(y) && y !== 0 ? Math.abs(y) : null)
    : (y) => (Number.isFinite(y) ? y : null);
}

/// The band of |y|, [lows, highs], given that of y. A band across 0 has no lower edge on a log
/// scale: it ends at the value itself.
export function absoluteBand(low, high, values) {
  const lows = [];
  const highs = [];
  for (let k = 0; k < low.length; ++k) {
    const [a, b] = [Math.abs(low[k]), Math.abs(high[k])];
    highs.push(Math.max(a, b));
    lows.push(low[k] * high[k] > 0 ? Math.min(a, b) : Math.abs(values[k]));
  }
  return [lows, highs];
}

/// Do numbers from `least` to `largest` differ by no more than rounding, or by too little to show?
export function constant(least, largest) {
  return largest - least <= 1e-9 * Math.max(Math.abs(least), Math.abs(largest));
}

/// The range of an axis that shows numbers from `least` to `largest`; `whole`: they are counts.
export function paddedRange(scale, least, largest, whole = false) {
  if (!Number.isFinite(least) || !Number.isFinite(largest))
    return scale === "log" ? [0.1, 10] : [-1, 1];
  if (scale === "log") {
    const [low, high] = [Math.log10(least), Math.log10(largest)];
    const margin = Math.max(0.06 * (high - low), 0.15);
    return [10 ** (low - margin), 10 ** (high + margin)];
  }
  if (whole) return paddedRange(scale, Math.min(0, least), Math.max(1, largest));
  // a constant is a line in the middle
  if (constant(least, largest)) {
    const margin = 0.1 * Math.abs(least) || 1;
    return [least - margin, least + margin];
  }
  const margin = 0.08 * (largest - least);
  return [least - margin, largest + margin];
}

/// Decades, every n-th where there are many; 1, 2, 5 within few, equal steps within very few.
export function logTicks(least, largest, most) {
  const ticks = [];
  const low = Math.floor(Math.log10(least));
  const high = Math.ceil(Math.log10(largest));
  const every = Math.max(1, Math.ceil((high - low) / Math.max(2, most)));
  const factors = largest / least <= 100 ? [1, 2, 5] : [1];
  for (let k = Math.ceil(low / every) * every; k <= high; k += every)
    for (const factor of factors) {
      const tick = factor * Number(`1e${k}`);
      if (tick >= least && tick <= largest) ticks.push(tick);
    }
  return ticks.length > 1 ? ticks : linearTicks(least, largest, most);
}

/// Labels of equally spaced ticks: { labels, offset }. Where ticks differ by less than a label can
/// show, labels are differences to `offset`, the tick with the fewest digits (else 0).
export function linearLabels(ticks) {
  // a difference of large numbers has their rounding
  const step = ticks.length > 1 ? Math.abs(Number((ticks[1] - ticks[0]).toPrecision(3))) : 0;
  const size = Math.max(...ticks.map(Math.abs));
  const offset = step > 0 && step < 2e-5 * size ? roundest(ticks, step) : 0;
  const shown = ticks.map((tick) =>
    offset === 0 ? tick : Math.round((tick - offset) / step) * step,
  );
  const exact = shown.map((x) => (Math.abs(x) < 1e-9 * step ? 0 : x));
  return { labels: alike(exact, step), offset };
}

function roundest(ticks, step) {
  const size = Math.max(...ticks.map(Math.abs));
  const digits = Math.min(15, Math.ceil(Math.log10(size / step)) + 2);
  const rounded = ticks.map((tick) => Number(tick.toPrecision(digits)));
  return rounded.reduce((a, b) => (String(b).length < String(a).length ? b : a));
}

/// "t", or "t \u2212 100000" where labels are differences to that; unit in brackets.
export function axisTitle(name, unit, offset) {
  const less = offset === 0 ? "" : offset > 0 ? ` \u2212 ${offset}` : ` + ${-offset}`;
  return `${name}${less}${unit ? ` [${unit}]` : ""}`;
}

// all with the same decimals and, where they are large or small, the same power of ten
function alike(numbers, step) {
  const size = Math.max(...numbers.map(Math.abs));
  if (!(size > 0) || !(step > 0)) return numbers.map((x) => format(x, 4));
  const power = size < 1e-3 || size >= 1e5 ? Math.floor(Math.log10(size) + 1e-9) : 0;
  const unit = step / 10 ** power;
  let decimals = Math.max(0, -Math.floor(Math.log10(unit) + 1e-9));
  // 0.25 needs one more than 0.2
  const scaled = unit * 10 ** decimals;
  if (Math.abs(scaled - Math.round(scaled)) > 1e-6) ++decimals;
  const text = (x) => (x / 10 ** power).toFixed(Math.min(decimals, 8));
  return numbers.map((x) => (x === 0 ? "0" : `${text(x)}${power === 0 ? "" : `e${power}`}`));
}

/// Ticks 1, 2 or 5 times a power of ten, at most `most` of them but at least two; `whole`: no
/// fractions.
export function linearTicks(least, largest, most, whole = false) {
  const rough = (largest - least) / Math.max(1, most);
  if (!(rough > 0) || !Number.isFinite(rough)) return [least];
  const power = Math.floor(Math.log10(rough));
  const steps = [power - 1, power].flatMap((p) => [1, 2, 5].map((f) => Number(`${f}e${p}`)));
  steps.push(Number(`1e${power + 1}`));
  let n = steps.findIndex((step) => step >= rough * (1 - 1e-9));
  let ticks = multiples(steps[n], least, largest);
  while (ticks.length < 2 && n > 0) ticks = multiples(steps[--n], least, largest);
  return whole && steps[n] < 1 ? multiples(1, least, largest) : ticks;
}

function multiples(step, least, largest) {
  const ticks = [];
  const first = Math.ceil(least / step - 1e-9);
  for (let k = first; k * step <= largest + 1e-9 * step && ticks.length < 50; ++k)
    ticks.push(k === 0 ? 0 : k * step);
  return ticks;
}
