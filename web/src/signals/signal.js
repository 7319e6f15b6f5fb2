// SPDX-License-Identifier: BSD-3-Clause
// One signal: its spectrum with the peaks that were found, a spectrogram, amplitudes of orders.
import { chart, colors, padded, svg } from "../common/chart.js";
import { extent, format } from "../common/data.js";
import { el, name, table } from "../common/dom.js";
import { mapColor } from "../sweep/colors.js";

const line = (points) => (points.length > 0 ? `M${points.map(([x, y]) => `${x},${y}`).join("L")}` : "");

/// Amplitudes over the frequency; what is below a millionth of the largest is not drawn.
function spectrum({ name: title, hertz, amplitude, peaks }) {
  const shown = hertz.map((f, k) => [f, amplitude[k]]).filter(([f, a]) => f > 0 && a > 0);
  const top = Math.max(...shown.map(([, a]) => a), ...peaks.map((p) => p.amplitude));
  if (!(top > 0)) return null;
  const floor = Math.max(1e-7 * top, 0.5 * Math.min(...shown.map(([, a]) => a)));
  // as far as there is anything to see
  const last = shown.findLastIndex(([, a]) => a > 10 * floor);
  const high = Math.max(...peaks.map((p) => 1.5 * p.hertz), shown[Math.max(last, 1)][0]);
  const low = shown[0][0];
  const drawing = chart({
    width: 900,
    height: 340,
    x: { title: "frequency [Hz]", log: high > 50 * low, range: [low, high] },
    y: { title: "amplitude", log: true, range: padded([floor, top], true) },
    label: `spectrum of ${title}`,
  });
  const points = shown
    .filter(([f]) => f <= high)
    .map(([f, a]) => [drawing.px(f), drawing.py(Math.max(a, floor))]);
  drawing.plot.append(svg("path", { class: "curve-line", d: line(points) }));
  const marks = peaks.map((p) => [drawing.px(p.hertz), drawing.py(p.amplitude)]);
  let free = -Infinity;
  const ordered = peaks.map((p, k) => [p, marks[k]]).sort((a, b) => a[1][0] - b[1][0]);
  for (const [p, [x, y]] of ordered) {
    drawing.front.append(
      svg("circle", { class: "peak", cx: x, cy: y, r: 4 }, svg("title", {}, `${p.name}: ${format(p.hertz, 9)} Hz`)),
    );
    // names that would lie over one another are left to the table
    if (x < free) continue;
    free = x + 8 * p.name.length + 8;
    drawing.front.append(svg("text", { class: "peak-name", x: x + 6, y: y - 6 }, p.name));
  }
  return { root: drawing.root, points, peaks: marks };
}

/// Amplitudes over time and frequency as colours, on the scale of their logarithm.
function overTime({ t, hertz, amplitude }, title) {
  const top = Math.max(...amplitude.map((row) => Math.max(...row)));
  if (!(top > 0) || t.length < 2) return null;
  const decades = 4;
  // as far as there is anything to see
  const seen = hertz.findLastIndex((f, k) => amplitude.some((row) => row[k] > 10 ** -decades * top));
  const lines = Math.min(hertz.length, Math.max(8, Math.ceil(1.1 * (seen + 1))));
  const canvas = el("canvas", { width: t.length, height: lines });
  const context = canvas.getContext("2d");
  const image = context.createImageData(t.length, lines);
  amplitude.forEach((row, c) =>
    row.slice(0, lines).forEach((a, k) => {
      const share = a > 0 ? 1 + Math.log10(a / top) / decades : 0;
      const [r, g, b] = mapColor(Math.max(0, share));
      image.data.set([r, g, b, 255], 4 * ((lines - 1 - k) * t.length + c));
    }),
  );
  context.putImageData(image, 0, 0);
  const drawing = chart({
    width: 900,
    height: 340,
    x: { title: "t [s]", log: false, range: extent(t) },
    y: { title: "frequency [Hz]", log: false, range: [0, lines * hertz[1]] },
    label: `spectrogram of ${title}`,
  });
  const { left, top: up, right, bottom } = drawing.area;
  drawing.plot.append(
    svg("image", {
      href: canvas.toDataURL(),
      x: left,
      y: up,
      width: right - left,
      height: bottom - up,
      preserveAspectRatio: "none",
    }),
  );
  return { root: drawing.root, size: [t.length, lines] };
}

function orders({ t, speed, orders: list, amplitude }, title) {
  if (t.length < 2) return null;
  const all = amplitude.flat().filter((a) => a > 0);
  if (all.length === 0) return null;
  // a speed that does not change is no axis
  const [slow, fast] = extent(speed);
  const along = fast - slow > 0.01 * fast ? speed : t;
  const drawing = chart({
    width: 900,
    height: 300,
    x: { title: along === t ? "t [s]" : "speed [rad/s]", log: false, range: extent(along) },
    y: { title: "amplitude", log: false, range: padded([0, Math.max(...all)], false) },
    label: `orders of ${title}`,
  });
  const curves = list.map((order, k) => {
    const points = along.map((x, r) => [drawing.px(x), drawing.py(amplitude[r][k])]);
    drawing.plot.append(
      svg("path", { class: `way color-${k % colors}`, d: line(points) }, svg("title", {}, `order ${order}`)),
    );
    return points;
  });
  const legend = el(
    "p",
    { class: "legend" },
    ...list.map((order, k) =>
      el(
        "span",
        {},
        svg("svg", { width: 40, height: 8, "aria-hidden": "true" }, svg("path", { class: `way color-${k % colors}`, d: "M0,4H36" })),
        `order ${format(order, 6)} `,
      ),
    ),
  );
  return { root: drawing.root, legend, curves };
}

export class SignalView {
  constructor(signal, window) {
    const lines = signal.hertz.length > 0 ? spectrum(signal) : null;
    const map = signal.over_time ? overTime(signal.over_time, signal.name) : null;
    const track = signal.track ? orders(signal.track, signal.name) : null;
    const averaged = signal.pieces > 1 ? `, mean of ${signal.pieces} pieces` : "";
    const passages = signal.rising.length + signal.falling.length;
    this.drawn = {
      name: signal.name,
      points: lines?.points ?? null,
      peaks: lines?.peaks ?? null,
      map: map?.size ?? null,
      orders: track?.curves ?? null,
    };
    this.element = el(
      "section",
      { class: "signal" },
      el("h2", {}, name(signal.name)),
      el(
        "p",
        {},
        `mean ${format(signal.mean, 7)}, rms ${format(signal.rms, 7)}, from ${format(signal.lowest, 7)} to ${format(signal.highest, 7)}; passes zero ${passages} times`,
      ),
      lines
        ? el(
            "figure",
            { class: "card" },
            lines.root,
            el("figcaption", {}, `window ${window}, lines ${format(signal.resolution, 5)} Hz apart${averaged}`),
          )
        : el("p", { class: "note" }, "There is nothing that vibrates, or a value that is no number."),
      signal.peaks.length > 0
        ? table(
            ["", "Hz", "rad/s", "amplitude", "phase [°]"],
            signal.peaks.map((p) => [
              p.name,
              format(p.hertz, 9),
              format(p.omega, 9),
              format(p.amplitude, 7),
              p.phase === null ? "" : format((p.phase * 180) / Math.PI, 5),
            ]),
            { numeric: [1, 2, 3, 4] },
          )
        : null,
      signal.explained !== null && signal.peaks.length > 0
        ? el("p", { class: "note" }, `These hold ${format(100 * signal.explained, 5)} % of the mean square about the mean.`)
        : null,
      map ? el("figure", { class: "card" }, map.root, el("figcaption", {}, "amplitude over time, four decades")) : null,
      track ? el("figure", { class: "card" }, track.root, track.legend) : null,
    );
  }
}
