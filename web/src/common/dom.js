// SPDX-License-Identifier: BSD-3-Clause
// Elements of a page. Whatever a model says comes in as text: nothing here reads HTML.
//
//   el(tag, attributes, ...children)   an element. Attributes named on... are listeners, style is an
//                                      object, true and false set and leave out; children are
//                                      elements or text, null is left out
//   name(text)                         a name of the model: cut short where it is long, whole as title
//   isolated(text, most)               a name for use within other text: it cannot turn the direction
//                                      of what stands around it. Cut to `most` characters
//   icon(kind)                         a small picture: play, pause, ...
//   table(head, rows, options)         rows of texts or elements; options: { numeric: [columns],
//                                      caption, limit }. Beyond `limit` rows follow on demand
//   lazily(element, draw)              calls draw() once, when the element comes near the window or
//                                      the page is printed
//   drawAll()                          calls all that still wait
//   atMostOncePerFrame(act)            a function that acts before the next frame, however often
//                                      it has been called
//   themeToggle()                      a button: light or dark
//   onTheme(listener)                  calls it when colours have changed, printing included
//   paper.printing                     whether the page is being printed
//   color(variable)                    value of a CSS variable, "--text"

export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "style")
      for (const property of Object.keys(value))
        element.style.setProperty(property, value[property]);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export function name(text) {
  return el("bdi", { class: "name", title: text }, text);
}

const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export function isolated(text, most = Infinity) {
  const characters = [...text.replace(directions, "")];
  const short =
    characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : characters.join("");
  return `\u2068${short}\u2069`;
}

const shapes = {
  play: "M5 3l12 7-12 7z",
  pause: "M5 3h3.5v14H5zM11.500 3H15v14h-3.500z",
  back: "M14 4v12l-8-6zM4 4h2v12H4z",
  forward: "M6 4v12l8-6zM14 4h2v12h-2z",
  loop: "M5 6h8V3l5 4.500-5 4.500V9H7v2H5zM15 14H7v3l-5-4.500L7 8v3h6V9h2z",
  fit: "M3 3h5v2H5v3H3zM12 3h5v5h-2V5h-3zM3 12h2v3h3v2H3zM15 12h2v5h-5v-2h3z",
  theme: "M10 2a8 8 0 100 16 8 8 0 000-16zm0 2v12a6 6 0 010-12z",
  help: "M10 2a8 8 0 100 16 8 8 0 000-16zm-1 11h2v2H9zm0-1.500c0-2 2-2.200 2-3.700a1 1 0 00-2 0H7a3 3 0 016 0c0 2-2 2.400-2 3.700z",
};

export function icon(kind) {
  const space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg");
  const path = document.createElementNS(space, "path");
  picture.setAttribute("viewBox", "0 0 20 20");
  picture.setAttribute("class", "icon");
  picture.setAttribute("aria-hidden", "true");
  path.setAttribute("d", shapes[kind]);
  path.setAttribute("fill-rule", "evenodd");
  picture.append(path);
  return picture;
}

export function table(head, rows, { numeric = [], caption = null, limit = 200 } = {}) {
  const body = el("tbody");
  const cells = (tag, row) =>
    row.map((cell, k) =>
      el(
        tag,
        { class: numeric.includes(k) ? "number" : null, scope: tag === "th" ? "col" : null },
        cell,
      ),
    );
  let given = 0;
  const more = el("button", { type: "button", class: "more", onclick: () => give() }, "");
  const give = () => {
    body.append(...rows.slice(given, given + limit).map((row) => el("tr", {}, cells("td", row))));
    given = Math.min(rows.length, given + limit);
    more.hidden = given === rows.length;
    more.textContent = `${rows.length - given} more`;
  };
  give();
  return el(
    "div",
    { class: "table" },
    el(
      "table",
      {},
      caption && el("caption", {}, caption),
      el("thead", {}, el("tr", {}, cells("th", head))),
      body,
    ),
    more,
  );
}

const waiting = new Map();
const watcher = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) drawNow(target);
  },
  { rootMargin: "400px" },
);

function drawNow(element) {
  const draw = waiting.get(element);
  waiting.delete(element);
  watcher.unobserve(element);
  draw?.();
}

export function lazily(element, draw) {
  waiting.set(element, draw);
  watcher.observe(element);
}

export function drawAll() {
  for (const element of [...waiting.keys()]) drawNow(element);
}

export function atMostOncePerFrame(act) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      act();
    });
  };
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set();
export const paper = { printing: false };
let chosen = null; // "light" or "dark" where the reader has chosen

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}

const theme = () => chosen ?? (dark.matches ? "dark" : "light");

try {
  chosen = localStorage.getItem("taut-theme");
} catch {
  // a page opened from disk may have no storage: the system's choice is taken
}
setTheme(theme());
dark.addEventListener("change", () => setTheme(theme()));
// paper is white, and nothing on it can wait until it comes into sight
addEventListener("beforeprint", () => {
  paper.printing = true;
  setTheme("light");
  drawAll();
});
addEventListener("afterprint", () => {
  paper.printing = false;
  setTheme(theme());
});

export function themeToggle() {
  const toggle = () => {
    chosen = theme() === "dark" ? "light" : "dark";
    try {
      localStorage.setItem("taut-theme", chosen);
    } catch {
      // holds for this page only
    }
    setTheme(chosen);
  };
  return el(
    "button",
    {
      type: "button",
      class: "quiet",
      title: "Light or dark",
      "aria-label": "Light or dark",
      onclick: toggle,
    },
    icon("theme"),
  );
}

export function onTheme(listener) {
  listeners.add(listener);
}

export function color(variable) {
  return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}
