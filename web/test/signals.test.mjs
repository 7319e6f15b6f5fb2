// SPDX-License-Identifier: BSD-3-Clause
// spectrum.html and section.html in a browser: what is drawn is what was computed.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import {
  assertFits,
  assertNamesAreText,
  assertNear,
  axes,
  csv,
  maliciousModel,
  open,
  phone,
  screenshot,
  taut,
} from "./support.mjs";

const sweep = ["--until", "300", "--after", "100", "--of", "x,v(x)", "--csv", "--html"];

test("spectra with their peaks, over time, and by orders", async () => {
  const out = taut("spectrum", "duffing", [...sweep, "--spectrogram", "--angle", "w*t"]);
  await open(join(out, "spectrum.html"), async (browser) => {
    const [x, v] = await browser.evaluate(() => window.taut.signals());
    const { signals } = await browser.evaluate(() => window.taut.data);
    assert.deepEqual([x.name, v.name], ["x", "v(x)"]);
    assert.equal(x.peaks.length, signals[0].peaks.length);
    // against the scales that the axes say
    const [px, py] = await axes(browser, ".signal:nth-of-type(1) figure:nth-of-type(1) .chart");
    const log = await browser.evaluate(() => {
      const { hertz, peaks } = window.taut.data.signals[0];
      return Math.max(...peaks.map((p) => 1.5 * p.hertz)) > 50 * hertz[1];
    });
    signals[0].peaks.forEach((peak, k) => {
      assertNear(x.peaks[k][0], px(log)(peak.hertz), 1, `frequency of peak ${k}`);
      assertNear(x.peaks[k][1], py(true)(peak.amplitude), 0.5, `amplitude of peak ${k}`);
    });
    assert.equal(await browser.locator(".signal .peak").count(), x.peaks.length + v.peaks.length);
    assert.equal(x.map[0], signals[0].over_time.t.length);
    assert.equal(await browser.locator(".signal image").count(), 2);
    assert.equal(x.orders.length, 3);
    assert.match(await browser.locator(".signal").first().innerText(), /3 f1/);
    await screenshot(browser, "spectrum", { fullPage: true });
  });
});

test("a section, of any two numbers", async () => {
  const model = `name = "Lorenz"
[states]
x = { at = 1, rate = "10*(y - x)" }
y = { at = 1, rate = "x*(28 - z) - y" }
z = { at = 20, rate = "x*y - 8/3*z" }
[run]
until = 200
`;
  const out = taut("run", model, ["--section", "z - 27"]);
  const { names, rows } = csv(join(out, "section.csv"));
  await open(join(out, "section.html"), async (browser) => {
    const drawn = await browser.evaluate(() => window.taut.section());
    assert.equal(drawn.points.length, rows.length);
    const [px, py] = await axes(browser, ".signal .chart");
    const [i, j] = drawn.titles.map((title) => names.indexOf(title));
    for (const k of [0, 10, rows.length - 1]) {
      assertNear(drawn.points[k][0], px(false)(Number(rows[k][i])), 0.5, "across");
      assertNear(drawn.points[k][1], py(false)(Number(rows[k][j])), 0.5, "up");
    }
    await browser.locator("select").nth(1).selectOption({ label: "z" });
    assert.equal((await browser.evaluate(() => window.taut.section())).titles[1], "z");
    await browser.locator("select").nth(1).selectOption({ label: "y" });
    await screenshot(browser, "section", { fullPage: true });
  });
});

test("a response that is not small", async () => {
  const out = taut("response", "duffing", [
    ...["--set", "F=0", "--input", "x", "--amplitude", "0.3", "--range", "0.9:2", "--html", "--csv"],
  ]);
  const { names, rows } = csv(join(out, "response.csv"));
  await open(join(out, "response.html"), async (browser) => {
    const branch = await browser.evaluate(() => window.taut.branch());
    assert.equal(branch.title, "x with the input's frequency");
    const [x, y] = await axes(browser, ".branch .chart");
    for (const k of [0, 5, rows.length - 1]) {
      assertNear(branch.points[k][0], x(false)(Number(rows[k][0])), 0.1, "frequency");
      assertNear(branch.points[k][1], y(false)(Number(rows[k][names.indexOf("amplitude x")])), 0.1, "amplitude");
    }
    await screenshot(browser, "response-nonlinear", { fullPage: true });
  });
});

test("the report of evenly spread rows has a table of them", async () => {
  const out = taut("run", "duffing", ["--every", "0.05"]);
  await open(join(out, "report.html"), async (browser) => {
    await browser.locator("summary", { hasText: "Frequencies" }).click();
    const row = browser.locator("details", { hasText: "Frequencies" }).locator("tbody tr").first();
    assert.match(await row.innerText(), /^x\s+0\.2\d+\s+\d+\s+f1: 0\.22\d+ Hz/);
  });
});

test("names of a model are text, and the page fits a phone", async () => {
  const out = taut("spectrum", maliciousModel, ["--until", "20", "--html"]);
  await assertNamesAreText(join(out, "spectrum.html"));
  const page = taut("spectrum", "duffing", [...sweep, "--spectrogram", "--angle", "w*t"]);
  await open(join(page, "spectrum.html"), async (browser) => assertFits(browser), phone);
});
