// SPDX-License-Identifier: BSD-3-Clause
// Numbers of a page: reading them, searching them, writing them as text.
//
//   pageData()              what stands in #data
//   doubles(base64)         Float64Array
//   format(x, digits = 5)   text of a number; "–" where there is none
//   digitsFor(a, b, steps)  how many digits tell numbers from a to b apart in steps of a thousandth of
//                           that (or of 1 / steps), at least 4
//   extent(...arrays)       [least, largest] of the finite numbers, null where there are none
//   nearest(xs, x)          index of the number of an ascending array that is nearest to x
//   before(xs, x)           index of the last number <= x, at least 0

export function pageData() {
  return JSON.parse(document.getElementById("data").textContent);
}

const littleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

export function doubles(base64) {
  const text = atob(base64);
  const count = text.length >> 3;
  const bytes = new Uint8Array(8 * count);
  for (let k = 0; k < bytes.length; ++k) bytes[k] = text.charCodeAt(k);
  if (littleEndian) return new Float64Array(bytes.buffer);
  const view = new DataView(bytes.buffer);
  return Float64Array.from({ length: count }, (_, k) => view.getFloat64(8 * k, true));
}

export function format(x, digits = 5) {
  if (typeof x !== "number" || !Number.isFinite(x)) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e-3 && size < 10 ** Math.max(digits, 5))
    return String(Number(x.toPrecision(digits)));
  return x
    .toExponential(digits - 1)
    .replace(/\.?0+e/, "e")
    .replace("e+", "e");
}

export function digitsFor(a, b, steps = 1000) {
  const size = Math.max(Math.abs(a), Math.abs(b));
  const apart = Math.abs(b - a) / steps;
  if (!(size > 0) || !(apart > 0) || !Number.isFinite(size / apart)) return 4;
  return Math.min(15, Math.max(4, Math.ceil(Math.log10(size / apart) + 0.5)));
}

export function extent(...arrays) {
  let least = Infinity;
  let largest = -Infinity;
  for (const array of arrays)
    for (const x of array)
      if (Number.isFinite(x)) {
        if (x < least) least = x;
        if (x > largest) largest = x;
      }
  return least <= largest ? [least, largest] : null;
}

export function before(xs, x) {
  let low = 0;
  let high = xs.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (xs[middle] <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function nearest(xs, x) {
  const k = before(xs, x);
  return k + 1 < xs.length && xs[k + 1] - x < x - xs[k] ? k + 1 : k;
}
