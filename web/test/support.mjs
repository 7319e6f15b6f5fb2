// SPDX-License-Identifier: BSD-3-Clause
// What the browser tests share: the program that writes pages, a browser that opens them from disk,
// and a watch over everything a page must not do.
//
//   TAUT_PROGRAM        the program
//   TAUT_NODE_MODULES   where playwright-core is
//   TAUT_ARTEFACTS      where screenshots go
//   CHROMIUM            the browser; /usr/bin/chromium unless it says otherwise
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

function setting(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: ./taut test -L browser runs these tests`);
  return resolve(value);
}

const program = setting("TAUT_PROGRAM");
const { chromium } = createRequire(join(setting("TAUT_NODE_MODULES"), "anchor.js"))(
  "playwright-core",
);
const artefacts = setting("TAUT_ARTEFACTS");
mkdirSync(artefacts, { recursive: true });

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const folder = mkdtempSync(join(tmpdir(), "taut-browser-"));

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  // no graphics card: WebGL by the processor; root has no sandbox
  args: [
    "--disable-gpu",
    "--enable-unsafe-swiftshader",
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  ],
});
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

/// Runs `taut COMMAND MODEL --out FOLDER ...` and gives the folder. A model is a name of models/ or
/// the text of a file.
export function taut(command, model, options = [], { exit = 0 } = {}) {
  const out = mkdtempSync(join(folder, `${command}-`));
  let file = join(root, "models", `${model}.toml`);
  if (model.includes("\n")) {
    file = join(out, "model.toml");
    writeFileSync(file, model);
  }
  const { status, stderr } = spawnSync(program, [command, file, "--out", out, ...options], {
    encoding: "utf8",
  });
  assert.equal(status, exit, `taut ${command} ${model} ${options.join(" ")}\n${stderr}`);
  return out;
}

// what the software renderer of the browser says of itself
const ofDriver = /GL Driver Message|software WebGL|swiftshader/i;

/// Opens a page from disk, gives it to `use` and then asserts that it said nothing on the console,
/// threw nothing and asked for nothing but its own file. Context options are those of playwright.
export function open(file, use, context = {}) {
  return visit(pathToFileURL(file).href, use, context);
}

/// The same for a page at an address, which may ask where it came from.
export async function visit(url, use, context = {}) {
  const page = await (
    await browser.newContext({ viewport: { width: 1280, height: 900 }, ...context })
  ).newPage();
  const own = url.startsWith("http:") ? new URL(url).origin : url;
  const wrong = [];
  page.on("console", (message) => {
    if (["error", "warning", "assert"].includes(message.type()) && !ofDriver.test(message.text()))
      wrong.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const asked = request.url();
    const at = url.startsWith("http:") ? new URL(asked).origin : asked;
    if (at !== own && !/^(data|blob):/.test(asked))
      wrong.push(`request: ${request.url()}`);
  });
  await page.addInitScript(() =>
    addEventListener("securitypolicyviolation", (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
    ),
  );
  try {
    await page.goto(url, { waitUntil: "load" });
    await page.waitForFunction(() => window.taut !== undefined);
    await drawn(page);
    await use(page);
    assert.deepEqual(wrong, []);
  } finally {
    await page.context().close();
  }
}

/// Waits until what was asked for has been laid out and drawn.
export function drawn(page) {
  return page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
}

export const phone = {
  viewport: { width: 360, height: 780 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
};

/// On a narrow screen nothing stands beyond the right edge.
export async function assertFits(page) {
  // a phone zooms out where a page is too wide: innerWidth would say so, and hide it
  const width = await page.evaluate(() => document.scrollingElement.scrollWidth);
  const room = page.viewportSize().width;
  assert.ok(width <= room, `the page is ${width} px wide on a screen of ${room} px`);
}

export async function screenshot(page, name, options = {}) {
  return page.screenshot({ path: join(artefacts, `${name}.png`), ...options });
}

/// Red, green and blue of a screenshot at places in its pixels.
export async function colors(png, places) {
  reader ??= await (await browser.newContext()).newPage();
  return reader.evaluate(
    async ([source, at]) => {
      const picture = await createImageBitmap(await (await fetch(source)).blob());
      const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
      context.drawImage(picture, 0, 0);
      const { data, width } = context.getImageData(0, 0, picture.width, picture.height);
      return at.map(([x, y]) => {
        const k = 4 * (Math.round(y) * width + Math.round(x));
        return [data[k], data[k + 1], data[k + 2]];
      });
    },
    [`data:image/png;base64,${png.toString("base64")}`, places],
  );
}
let reader = null; // an empty page that decodes pictures

export const luminance = ([r, g, b]) =>
  0.2126 * (r / 255) ** 2.2 + 0.7152 * (g / 255) ** 2.2 + 0.0722 * (b / 255) ** 2.2;

/// A CSV file as { names, rows }: rows of text, quotes taken off.
export function csv(file) {
  const records = readFileSync(file, "utf8")
    .trimEnd()
    .split(/\r?\n/)
    .map((line) =>
      [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
        .slice(0, -1)
        .map(([, field]) => unquoted(field)),
    );
  return { names: records[0], rows: records.slice(1) };
}
const unquoted = (field) =>
  field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field;

export const json = (file) => JSON.parse(readFileSync(file, "utf8"));

/// Equal to a share of `scale`: what is drawn is rounded to pixels.
export function assertNear(actual, expected, within, what) {
  assert.ok(
    Math.abs(actual - expected) <= within,
    `${what}: ${actual} instead of ${expected} (within ${within})`,
  );
}

/// From what stands at the axes of a chart of common/chart.js to its scales: pixels of a value, by the
/// first and the last tick.
export async function axes(page, selector) {
  const ticks = await page.$$eval(`${selector} .labels`, (groups) =>
    groups.map((group) =>
      [...group.querySelectorAll("text[data-value]")].map((tick) => ({
        value: Number(tick.dataset.value),
        label: tick.textContent,
        at:
          Number(tick.getAttribute(group.classList.contains("x") ? "x" : "y")) -
          (group.classList.contains("x") ? 0 : 4),
      })),
    ),
  );
  return ticks.map((axis) => {
    for (const { value, label } of axis)
      assertNear(said(label), value, 1e-9 * Math.abs(value), `tick ${label}`);
    return (log) => {
      const f = log ? Math.log10 : (v) => v;
      const [a, b] = [axis[0], axis.at(-1)];
      return (value) =>
        a.at + ((f(value) - f(a.value)) / (f(b.value) - f(a.value))) * (b.at - a.at);
    };
  });
}

/// The number that a label of an axis says: "10⁻⁶", "−0.5".
function said(label) {
  const power = label.match(/^10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)$/);
  if (!power) return Number(label.replace("−", "-"));
  return 10 ** Number([...power[1]].map((c) => "-0123456789"["⁻⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(c)]).join(""));
}

/// Corners of a path of straight lines.
export const corners = (d) =>
  [...d.matchAll(/(-?[\d.e+-]+),(-?[\d.e+-]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);

/// Everything a name could do to a page.
export const malicious = `</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1> "'&amp; \u202eleft\u202c 🌀 ${"long ".repeat(12)}`;
export const maliciousModel = `name = ${JSON.stringify(malicious)}
# </script><script>window.hacked=1</script>
[parameters]
g = 9.81
[points]
bob = { mass = 1, at = [1, 0] }
[[rod]]
name = "</script><b onclick=1>rod"
between = ["origin", "bob"]
length = 1
[[gravity]]
acceleration = [0, "-g"]
[run]
until = 1
`;

export async function assertNotHacked(page) {
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(
    await page.locator("script").count(),
    2,
    "scripts of the page itself: its data and its program",
  );
  assert.equal(await page.locator("img, b[onclick]").count(), 0);
}

/// A page of `maliciousModel` on a phone: its name is text, all of it, and fits.
export async function assertNamesAreText(file) {
  await open(
    file,
    async (page) => {
      await assertNotHacked(page);
      assert.ok((await page.locator("h1").textContent()).includes(malicious));
      await assertFits(page);
    },
    phone,
  );
}
