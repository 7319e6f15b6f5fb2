// SPDX-License-Identifier: BSD-3-Clause
// Saving what is seen: files that the page makes itself; nothing is sent.
//
//   saveMenu(label, files)   a small menu; files: [{ kind, title, name, make }], `make` gives a Blob
//                            or the promise of one, `name()` that of the file, without its ending
//   fileName(...words)       words as a name that every system takes
//   csvText(columns)         [{ name, values }] as CSV; what is no number is left out
//   picture(canvases, head)  a Blob (PNG) of canvases that lie on each other, on the colour of the
//                            page; `head`: { title, entries: [{ name, color }] } to be written above
import "./save.css";
import { color, el } from "./dom.js";

export function fileName(...words) {
  const text = words.join("-").normalize("NFKD");
  return text.replace(/[^\w.+-]+/g, "_").replace(/^[_.]+|_+$/g, "").slice(0, 80) || "taut";
}

const quoted = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export function csvText(columns) {
  const lines = [columns.map(({ name }) => quoted(name)).join(",")];
  const rows = Math.max(0, ...columns.map(({ values }) => values.length));
  for (let row = 0; row < rows; ++row)
    lines.push(
      columns.map(({ values }) => (Number.isFinite(values[row]) ? values[row] : "")).join(","),
    );
  return `${lines.join("\n")}\n`;
}

function save(name, blob) {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function saveMenu(label, files) {
  const menu = el("details", { class: "save" });
  const buttons = files.map(({ kind, title, name, make }) =>
    el(
      "button",
      {
        type: "button",
        title,
        "aria-label": title,
        onclick: async () => {
          save(`${name()}.${kind}`, await make());
          menu.open = false;
        },
      },
      kind.toUpperCase(),
    ),
  );
  menu.append(
    el("summary", { "aria-label": label, title: label }, "Save"),
    el("div", { class: "row save-kinds" }, buttons),
  );
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.firstChild.focus();
  });
  return menu;
}

export function picture(canvases, head = null) {
  const [{ width, height }] = canvases;
  const pixel = devicePixelRatio;
  const size = 13 * pixel;
  const line = 1.5 * size;
  const sheet = el("canvas");
  const ctx = sheet.getContext("2d");
  const font = `${size}px ${color("--font")}`;
  // entries one after the other, in as many lines as it takes
  ctx.font = font;
  const places = [];
  let [left, lines] = [size, 0];
  for (const entry of head?.entries ?? []) {
    const wide = ctx.measureText(entry.name).width + 3 * size;
    if (left > size && left + wide > width) [left, lines] = [size, lines + 1];
    places.push({ ...entry, left, line: lines });
    left += wide;
  }
  const top = head ? line * (lines + 2.5) : 0;
  sheet.width = width;
  sheet.height = height + top;
  ctx.fillStyle = color("--card");
  ctx.fillRect(0, 0, sheet.width, sheet.height);
  for (const canvas of canvases) ctx.drawImage(canvas, 0, top, width, height);
  if (head) {
    ctx.textBaseline = "middle";
    ctx.fillStyle = color("--text");
    ctx.font = `bold ${font}`;
    ctx.fillText(head.title, size, line);
    ctx.font = font;
    for (const entry of places) {
      const y = line * (2 + entry.line);
      ctx.fillStyle = entry.color;
      ctx.fillRect(entry.left, y - size / 3, size, size / 1.5);
      ctx.fillStyle = color("--text");
      ctx.fillText(entry.name, entry.left + 1.4 * size, y);
    }
  }
  return new Promise((done) => sheet.toBlob(done, "image/png"));
}
