// SPDX-License-Identifier: BSD-3-Clause
// modes.html and response.html in a browser: what is drawn is what was computed.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import {
  assertFits,
  assertNear,
  assertNamesAreText,
  corners,
  csv,
  maliciousModel,
  open,
  phone,
  screenshot,
  taut,
} from "./support.mjs";

const two = `name = "two"
[parameters]
k = 10
[points]
a = { mass = 1, at = [0, -1] }
b = { mass = 1, at = [0, -2] }
[[rod]]
between = ["origin", "a"]
[[rod]]
between = ["a", "b"]
[[spring]]
name = "between"
between = ["origin", "b"]
stiffness = "k"
length = 2
[[gravity]]
acceleration = [0, -9.81]
`;

test("the list, and a shape that moves", async () => {
  const out = taut("modes", two, ["--at", "start", "--html", "--csv"]);
  const { names, rows } = csv(join(out, "modes.csv"));
  await open(join(out, "modes.html"), async (browser) => {
    const text = await browser.locator("table").innerText();
    for (const row of rows)
      assert.ok(text.includes(String(Number(Number(row[names.indexOf("hertz")]).toPrecision(6)))));
    // at phase 0 and pi the shape is on both sides of where it rests, and farther out at b
    const at = async (phase) => {
      await browser.evaluate((phi) => window.taut.seek(phi), phase);
      return browser.evaluate(() => window.taut.stage());
    };
    const [zero, half, rest] = [await at(0), await at(Math.PI), await at(Math.PI / 2)];
    const names2 = await browser.evaluate(() => window.taut.data.scene.masses);
    const moved = names2.map((k) => zero[k][0] - rest[k][0]);
    for (const [n, k] of names2.entries())
      assertNear(half[k][0] - rest[k][0], -moved[n], 1e-6, `mass ${n}`);
    const [mode] = await browser.evaluate(() => window.taut.data.modes);
    assertNear(moved[0] / moved[1], mode.shape["a.x"][0] / mode.shape["b.x"][0], 1e-6, "shape");
    // another mode of the list
    await browser.locator("tbody tr").nth(1).click();
    assert.equal(await browser.evaluate(() => window.taut.chosen()), 1);
    assert.match(await browser.locator(".chosen").innerText(), /Mode 2: vibration/);
    await screenshot(browser, "modes");
  });
});

test("roots over a parameter", async () => {
  const out = taut("modes", two, ["--at", "start", "--vary", "k=1:100:12", "--html", "--csv"]);
  const { rows } = csv(join(out, "modes.csv"));
  await open(join(out, "modes.html"), async (browser) => {
    const drawn = await browser.evaluate(() => window.taut.locus());
    assert.equal(drawn.length, 2);
    assert.equal(rows.length, 12);
    const ways = await browser.locator(".locus .way").count();
    assert.ok(ways >= 4);
    await screenshot(browser, "modes-locus");
  });
});

test("amplitude and phase", async () => {
  const out = taut("response", two, [
    "--at",
    "start",
    "--input",
    "a.x",
    "--output",
    "b.x",
    "--html",
    "--csv",
  ]);
  const { rows } = csv(join(out, "response.csv"));
  await open(join(out, "response.html"), async (browser) => {
    const [{ amplitude }] = await browser.evaluate(() => window.taut.bode());
    assert.equal(amplitude.length, rows.length);
    const line = corners(
      await browser.$eval(".bode .curve-line", (path) => path.getAttribute("d")),
    );
    assert.equal(line.length, rows.length);
    // the largest amplitude is drawn highest
    const sizes = rows.map((row) => Number(row[1]));
    const top = sizes.indexOf(Math.max(...sizes));
    assertNear(line[top][1], Math.min(...line.map(([, y]) => y)), 1e-6, "largest amplitude");
    await screenshot(browser, "response");
  });
});

test("names of a model are text, and the page fits a phone", async () => {
  const out = taut("modes", maliciousModel, ["--html"]);
  await assertNamesAreText(join(out, "modes.html"));
  const plain = taut("modes", two, ["--at", "start", "--html"]);
  await open(join(plain, "modes.html"), async (browser) => assertFits(browser), phone);
});
