// SPDX-License-Identifier: BSD-3-Clause
// Buttons of the player, and the keys of the page.
import { digitsFor, format } from "../common/data.js";
import { el, icon } from "../common/dom.js";

const button = (kind, label, onclick) =>
  el("button", { type: "button", title: label, "aria-label": label, onclick }, icon(kind));

export function playerControls(player, motion) {
  const { axis } = motion;
  const unit = axis.unit ? ` ${axis.unit}` : "";
  const play = button("play", "Play (Space)", () => player.toggle());
  play.classList.add("primary");
  const scrub = el("input", {
    type: "range",
    class: "scrub",
    min: 0,
    max: 1,
    step: "any",
    "aria-label": `${axis.name} shown`,
    oninput: () => {
      const [start, end] = player.range;
      player.pause();
      player.seek(start + Number(scrub.value) * (end - start));
    },
  });
  const clock = el("output", { class: "clock", "aria-live": "off" });
  const speed = el("input", {
    type: "range",
    min: -1,
    max: 1,
    step: 0.05,
    value: 0,
    "aria-label": "Speed",
    oninput: () => player.set({ speed: 10 ** Number(speed.value) }),
  });
  const realTime = el(
    "button",
    {
      type: "button",
      class: "toggle",
      hidden: axis.unit !== "s",
      title: "As fast as it happens: a second in a second",
      onclick: () => player.set({ speed: player.speed / player.rate }),
    },
    "Real time",
  );
  const pace = el("output", { class: "pace" });
  const loop = button("loop", "Begin again at the end", () => player.set({ loop: !player.loop }));
  loop.classList.add("toggle");

  function show(change) {
    const [start, end] = player.range;
    scrub.value = end > start ? (player.time - start) / (end - start) : 0;
    clock.textContent = `${axis.name} = ${format(player.time, digitsFor(start, end))}${unit}`;
    scrub.setAttribute("aria-valuetext", clock.textContent);
    if (change === "time") return;
    play.replaceChildren(icon(player.playing ? "pause" : "play"));
    play.setAttribute("aria-label", player.playing ? "Pause (Space)" : "Play (Space)");
    loop.setAttribute("aria-pressed", String(player.loop));
    realTime.setAttribute("aria-pressed", String(Math.abs(player.rate - 1) < 1e-9));
    speed.value = Math.log10(player.speed);
    pace.textContent = `${format(player.speed, 2)}×: ${axis.name} runs ${format(player.rate, 2)}${unit} per second`;
  }
  player.on(show);
  show("state");

  return el(
    "div",
    { class: "player controls" },
    el(
      "div",
      { class: "row transport" },
      play,
      button("back", "A row back (←)", () => player.step(-1)),
      button("forward", "A row on (→)", () => player.step(1)),
      scrub,
      clock,
    ),
    el("div", { class: "row" }, el("label", { class: "row" }, "Speed", speed), realTime, pace, loop),
  );
}

/// What each key does: [keys, meaning], for the reader.
const keyNames = [
  ["Space", "play, pause"],
  ["← →", "a row back, a row on (with Shift: ten)"],
  ["Home End", "start, end"],
  ["+ -", "closer, farther"],
  ["a d w s", "turn the view (in the plane: move it)"],
  ["f", "fit the whole motion"],
  ["t", "trails on, off"],
  ["?", "these keys"],
];

export function help() {
  const dialog = el(
    "dialog",
    { "aria-label": "Keys" },
    el("h2", {}, "Keys"),
    el(
      "dl",
      {},
      keyNames.flatMap(([keys, meaning]) => [el("dt", {}, keys), el("dd", {}, meaning)]),
    ),
    el(
      "p",
      { class: "hint" },
      "Drag in a plot to zoom into a time, double click to see all again. The picture plays the time the plots show.",
    ),
    el("form", { method: "dialog" }, el("button", {}, "Close")),
  );
  return dialog;
}

/// `picture` has zoom, turn, fit and toggleTrails.
export function listenToKeys(player, picture, dialog) {
  const act = {
    " ": () => player.toggle(),
    ArrowLeft: (event) => player.step(event.shiftKey ? -10 : -1),
    ArrowRight: (event) => player.step(event.shiftKey ? 10 : 1),
    Home: () => player.seek(player.range[0]),
    End: () => player.seek(player.range[1]),
    "+": () => picture.zoom(1.25),
    "=": () => picture.zoom(1.25),
    "-": () => picture.zoom(0.8),
    a: () => picture.turn(-0.15, 0),
    d: () => picture.turn(0.15, 0),
    w: () => picture.turn(0, 0.15),
    s: () => picture.turn(0, -0.15),
    f: () => picture.fit(),
    t: () => picture.toggleTrails(),
    "?": () => dialog.showModal(),
  };
  addEventListener("keydown", (event) => {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.open || !Object.hasOwn(act, key))
      return;
    // what has keys of its own keeps them
    if (target.closest("input:not(.scrub), select, textarea, [contenteditable], [role=tablist]")) return;
    if (key === " " && target.closest("button, summary, a")) return;
    event.preventDefault();
    act[key](event);
  });
}
