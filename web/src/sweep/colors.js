// SPDX-License-Identifier: BSD-3-Clause
// The colours of a map: equal steps of a value are equal steps of lightness in OKLCH, so that the map
// reads the same without colour; the hue turns from violet over green to yellow beside it.

const dark = { lightness: 0.26, hue: 300 };
const light = { lightness: 0.93, hue: 100 };

/// OKLCH to sRGB, components in [0, 1] where they are in its gamut.
function srgb(lightness, chroma, hue) {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((c) => (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055));
}

/// Red, green and blue of 0 to 255 for a share of 0 to 1.
export function mapColor(share) {
  const s = Math.min(1, Math.max(0, share));
  const lightness = dark.lightness + s * (light.lightness - dark.lightness);
  const hue = dark.hue + s * (light.hue - dark.hue);
  // as strong as a screen can show all along this path: weakest for blue-green
  const chroma = 0.094 + 0.12 * (s - 0.4) ** 2;
  return srgb(lightness, chroma, hue).map((c) => Math.round(255 * Math.min(1, Math.max(0, c))));
}
