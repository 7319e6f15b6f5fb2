// SPDX-License-Identifier: BSD-3-Clause
// The moving picture as a film, taken while it plays from the begin of what is shown to its end.
import { color } from "../common/dom.js";

const kinds = [
  { kind: "mp4", type: "video/mp4" },
  { kind: "webm", type: "video/webm" },
];

/// The ending and the type of films that this browser can make; undefined where it makes none.
export const filmKind = () =>
  kinds.find(({ type }) => globalThis.MediaRecorder?.isTypeSupported(type));

/// A Blob. `canvases()`: those that lie on each other, as they are drawn now.
export function film(player, canvases, { type }) {
  const [{ width, height }] = canvases();
  const sheet = document.createElement("canvas");
  // encoders want even sizes
  sheet.width = width + (width % 2);
  sheet.height = height + (height % 2);
  const ctx = sheet.getContext("2d");
  const expose = () => {
    ctx.fillStyle = color("--card");
    ctx.fillRect(0, 0, sheet.width, sheet.height);
    for (const canvas of canvases()) ctx.drawImage(canvas, 0, 0);
  };
  const { loop } = player;
  player.pause();
  player.seek(player.range[0]);
  player.set({ loop: false });
  expose();
  const recorder = new MediaRecorder(sheet.captureStream(30), {
    mimeType: type,
    videoBitsPerSecond: 8e6,
  });
  const parts = [];
  recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
  const done = new Promise((resolve) =>
    recorder.addEventListener("stop", () => resolve(new Blob(parts, { type }))),
  );
  recorder.start();
  player.play();
  const frame = () => {
    expose();
    if (player.playing) return requestAnimationFrame(frame);
    player.set({ loop });
    // the last picture stays for a moment
    setTimeout(() => recorder.stop(), 200);
  };
  requestAnimationFrame(frame);
  return done;
}
