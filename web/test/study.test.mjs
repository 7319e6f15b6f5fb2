// SPDX-License-Identifier: BSD-3-Clause
// fit.html and optimize.html in a browser: what is drawn is what was found.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assertNear, axes, csv, open, screenshot, taut } from "./support.mjs";

test("a design: its table, and the course of its searches", async () => {
  const out = taut("optimize", "double_pendulum", [
    ...["--minimize", "end(bob2.y)", "--vary", "g=5:15", "--until", "0.5", "--starts", "3"],
  ]);
  await open(join(out, "optimize.html"), async (browser) => {
    const { data, charts } = await browser.evaluate(() => ({
      data: window.taut.data,
      charts: window.taut.charts(),
    }));
    assert.equal(charts[0].drawn.length, 3);
    const [, y] = await axes(browser, ".study .chart");
    const line = data.charts[0].lines[0];
    charts[0].drawn[0].points.forEach(([, at], k) => assertNear(at, y(false)(line.y[k]), 0.1, `${k}`));
    assert.match(await browser.locator("table").first().innerText(), /g/);
    await screenshot(browser, "optimize", { fullPage: true });
  });
});

test("a fit: data, the motion before and after", async () => {
  const out = taut("run", "double_pendulum", ["--until", "1", "--every", "0.1", "--set", "g=9.5"]);
  const { names, rows } = csv(join(out, "motion.csv"));
  const file = join(out, "data.csv");
  const at = ["t", "bob1.x", "bob2.y"].map((one) => names.indexOf(one));
  writeFileSync(file, `t,bob1.x,bob2.y\n${rows.map((row) => at.map((k) => row[k]).join(",")).join("\n")}\n`);
  const fit = taut("fit", "double_pendulum", [file, "--vary", "g=1:20"]);
  await open(join(fit, "fit.html"), async (browser) => {
    const charts = await browser.evaluate(() => window.taut.charts());
    assert.deepEqual(
      charts.map(({ title }) => title),
      ["bob1.x", "bob1.x: residuals", "bob2.y", "bob2.y: residuals"],
    );
    assert.deepEqual(
      charts[0].drawn.map(({ label }) => label),
      ["data", "before", "after"],
    );
    assert.equal(charts[0].drawn[0].points.length, rows.length);
    await screenshot(browser, "fit", { fullPage: true });
  });
});
