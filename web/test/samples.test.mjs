// SPDX-License-Identifier: BSD-3-Clause
// sweep.html of drawn runs in a browser: what it shows is what sweep.csv has.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { assertFits, assertNear, csv, open, phone, screenshot, taut } from "./support.mjs";

const column = ({ names, rows }, name) => rows.map((row) => Number(row[names.indexOf(name)]));

test("distributions, convergence and scattered runs are those of the table", async () => {
  const out = taut("sweep", "double_pendulum", [
    "--sample",
    "300",
    "--distribution",
    "g=normal(9.81,0.1)",
    "--until",
    "1",
    "--measure",
    "end(bob1.x)",
    "--probability",
    "end(bob1.x) > 0.1",
  ]);
  const table = csv(join(out, "sweep.csv"));
  const [g, x] = [column(table, "g"), column(table, "end(bob1.x)")];
  assert.equal(x.length, 300);
  await open(join(out, "sweep.html"), async (browser) => {
    assert.equal(await browser.evaluate(() => window.taut.pictures()), 3);
    const { mean, bins } = (await browser.evaluate(() => window.taut.data.measures))[0];
    assertNear(mean.value, x.reduce((sum, value) => sum + value, 0) / 300, 1e-12);
    assert.equal(bins.counts.reduce((sum, count) => sum + count, 0), 300);

    // bars are as high as there are runs
    const bars = await browser.$$eval(".samples figure:first-child .bar", (all) =>
      all.map((bar) => Number(bar.getAttribute("height"))),
    );
    const most = Math.max(...bins.counts);
    const highest = Math.max(...bars);
    bins.counts.forEach((count, k) => assertNear(bars[k] / highest, count / most, 1e-6));

    // a run that is pointed at tells its numbers
    assert.equal((await browser.$$(".samples .dot")).length, 300);
    await browser.evaluate(() => window.taut.choose(17));
    const text = await browser.locator(".selected").innerText();
    assert.match(text, /^run 17: /);
    assertNear(Number(text.match(/g = ([^,]+)/)[1]), g[17], 1e-6);
    assertNear(Number(text.match(/end\(bob1\.x\) = ([^,]+)/)[1]), x[17], 1e-8);
    // and the command that does it again, to the last digit
    const line = await browser.locator(".onerun code").innerText();
    assert.match(line, /^taut run \S+ --until 1 --set g=/);
    assert.equal(Number(line.match(/--set g=(\S+)$/)[1]), g[17]);

    // pairs: the counts of the canvas are those of the table
    const { bins: side, counts, low, high } = await browser.evaluate(
      () => window.taut.data.matrix,
    );
    const truth = new Array(side * side).fill(0);
    const place = (value, i) =>
      Math.min(side - 1, Math.floor(((value - low[i]) / (high[i] - low[i])) * side));
    g.forEach((value, k) => ++truth[place(x[k], 1) * side + place(value, 0)]);
    assert.deepEqual(counts, [truth]);
    assert.equal((await browser.$$(".matrix canvas")).length, 1);

    // the probability
    const chance = await browser.evaluate(() => window.taut.data.probabilities[0].value);
    assertNear(chance, x.filter((value) => value > 0.1).length / 300, 1e-12);
    await screenshot(browser, "samples");
  });
});

test("it fits on a phone", async () => {
  const out = taut("sweep", "double_pendulum", [
    "--sample",
    "64",
    "--distribution",
    "g=uniform(9,10)",
    "--until",
    "1",
    "--measure",
    "t",
  ]);
  await open(join(out, "sweep.html"), assertFits, phone);
});
