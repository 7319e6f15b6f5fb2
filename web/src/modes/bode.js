// SPDX-License-Identifier: BSD-3-Clause
// One frequency response: amplitude and phase over the frequency, and the curve in the plane.
import { chart, padded, svg } from "../common/chart.js";
import { extent, format } from "../common/data.js";
import { el, name, table } from "../common/dom.js";

const path = (points) => (points.length > 0 ? `M${points.map(([x, y]) => `${x},${y}`).join("L")}` : "");

/// Phases without the jumps of 2 pi, in degrees.
function unwrapped(phases) {
  let turns = 0;
  return phases.map((phase, k) => {
    if (k > 0 && phase - phases[k - 1] > Math.PI) turns -= 1;
    if (k > 0 && phase - phases[k - 1] < -Math.PI) turns += 1;
    return ((phase + 2 * Math.PI * turns) * 180) / Math.PI;
  });
}

export class Bode {
  constructor(response) {
    const { omega, real, imag, input, output, peaks } = response;
    const size = real.map((re, k) => Math.hypot(re, imag[k]));
    const phase = unwrapped(real.map((re, k) => Math.atan2(imag[k], re)));
    const x = { title: "ω [rad/s]", log: true, range: extent(omega) };
    const positive = size.filter((value) => value > 0);
    const amplitude = chart({
      width: 560,
      height: 240,
      x,
      y: { title: "amplitude", log: true, range: padded(extent(positive), true) },
      label: `amplitude of ${output} per ${input}`,
    });
    const points = omega.map((w, k) => [amplitude.px(w), amplitude.py(size[k])]);
    amplitude.plot.append(svg("path", { class: "curve-line", d: path(points) }));
    // an undamped resonance has no largest amplitude: it is marked at the top
    const highest = extent(positive)?.[1] ?? 1;
    for (const peak of peaks)
      amplitude.plot.append(
        svg("circle", {
          class: "peak",
          cx: amplitude.px(peak.omega),
          cy: amplitude.py(Number.isFinite(peak.amplitude) ? peak.amplitude : highest),
          r: 4,
        }),
      );
    const angle = chart({
      width: 560,
      height: 200,
      x,
      y: { title: "phase [°]", log: false, range: padded(extent(phase), false) },
      label: `phase of ${output} per ${input}`,
    });
    angle.plot.append(
      svg("path", {
        class: "curve-line",
        d: path(omega.map((w, k) => [angle.px(w), angle.py(phase[k])])),
      }),
    );
    // one unit is as long across as up
    const [left, right] = padded(extent(real), false);
    const [low, high] = padded(extent(imag), false);
    const half = Math.max(right - left, high - low) / 2;
    const nyquist = chart({
      width: 440,
      height: 440,
      x: { title: "Re", log: false, range: [(left + right) / 2 - half, (left + right) / 2 + half] },
      y: { title: "Im", log: false, range: [(low + high) / 2 - half, (low + high) / 2 + half] },
      label: `${output} per ${input} in the complex plane`,
    });
    nyquist.plot.append(
      svg("path", {
        class: "curve-line",
        d: path(real.map((re, k) => [nyquist.px(re), nyquist.py(imag[k])])),
      }),
    );
    this.drawn = { input, output, amplitude: points };
    this.element = el(
      "section",
      { class: "bode" },
      el("h2", {}, name(output), " per ", name(input)),
      el("p", {}, `static gain ${format(response.static_gain, 6)}`),
      el(
        "div",
        { class: "plots" },
        el("figure", { class: "card" }, amplitude.root, angle.root),
        el("figure", { class: "card" }, nyquist.root),
      ),
      peaks.length > 0
        ? table(
            ["ω [rad/s]", "Hz", "amplitude", "phase [°]", "half-power width [rad/s]"],
            peaks.map((peak) => [
              format(peak.omega, 7),
              format(peak.hertz, 6),
              format(peak.amplitude, 6),
              format((peak.phase * 180) / Math.PI, 4),
              format(peak.width, 5),
            ]),
            { numeric: [0, 1, 2, 3, 4] },
          )
        : null,
    );
  }
}
