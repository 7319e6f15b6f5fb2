// SPDX-License-Identifier: BSD-3-Clause
// periodic.html in a browser: what is drawn is what was computed.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import {
  assertFits,
  assertNamesAreText,
  assertNear,
  axes,
  corners,
  csv,
  maliciousModel,
  open,
  phone,
  screenshot,
  taut,
} from "./support.mjs";

test("a motion over its period, and its multipliers", async () => {
  const out = taut("periodic", "duffing", ["--csv", "--html"]);
  const { names, rows } = csv(join(out, "periodic.csv"));
  await open(join(out, "periodic.html"), async (browser) => {
    const [orbit] = await browser.evaluate(() => window.taut.orbits());
    assert.equal(orbit.points.length, rows.length);
    // against the scales that the axes say
    const [x, y] = await axes(browser, ".orbit .chart");
    const [t0, x0] = [names.indexOf("t"), names.indexOf("x")];
    for (const k of [0, 50, 128, rows.length - 1]) {
      assertNear(orbit.points[k][0], x(false)(Number(rows[k][t0])), 0.1, `t of row ${k}`);
      assertNear(orbit.points[k][1], y(false)(Number(rows[k][x0])), 0.1, `x of row ${k}`);
    }
    const line = corners(
      await browser.$eval(".orbit .curve-line", (path) => path.getAttribute("d")),
    );
    assert.equal(line.length, rows.length);
    // the orbit in the plane is closed
    assertNear(orbit.phase[0][0], orbit.phase.at(-1)[0], 1e-3, "closed");
    assertNear(orbit.phase[0][1], orbit.phase.at(-1)[1], 1e-3, "closed");
    // multipliers lie inside of the circle, where their numbers say
    const drawn = await browser.evaluate(() => window.taut.multipliers());
    const { multipliers } = await browser.evaluate(() => window.taut.data);
    const circle = await browser.$eval(".circle", (e) =>
      ["cx", "cy", "rx", "ry"].map((name) => Number(e.getAttribute(name))),
    );
    multipliers.forEach(([re, im], k) => {
      assertNear((drawn[k].at[0] - circle[0]) / circle[2], re, 1e-9, "Re");
      assertNear((circle[1] - drawn[k].at[1]) / circle[3], im, 1e-9, "Im");
      assert.equal(drawn[k].kind, "fades");
    });
    assertNear(circle[2], circle[3], 0.05 * circle[2], "a circle, but for the room of labels");
    assert.match(await browser.locator(".verdict").innerText(), /^Stable/);
    await screenshot(browser, "periodic", { fullPage: true });
  });
});

test("a branch with folds: stable and unstable parts, marks, a motion that is chosen", async () => {
  const out = taut("periodic", "duffing", ["--vary", "w=0.9:2", "--csv", "--html"]);
  const { names, rows } = csv(join(out, "periodic.csv"));
  const kind = names.indexOf("kind");
  await open(join(out, "periodic.html"), async (browser) => {
    const branch = await browser.evaluate(() => window.taut.branch());
    assert.equal(branch.points.length, rows.length);
    assert.deepEqual(
      branch.parts.map(({ stable }) => stable),
      [true, false, true],
    );
    const folds = rows.flatMap((row, k) => (row[kind] === "fold" ? [k] : []));
    assert.deepEqual(
      branch.parts.slice(1).map(({ from }) => from),
      folds,
    );
    assert.equal(await browser.locator(".branch .chart .mark.fold").count(), 2);
    assert.equal(await browser.locator(".branch .chart .part.unstable").count(), 1);
    const [x, y] = await axes(browser, ".branch .chart");
    const [low, high] = [names.indexOf("min x"), names.indexOf("max x")];
    for (const k of [0, folds[0], rows.length - 1]) {
      assertNear(branch.points[k][0], x(false)(Number(rows[k][0])), 0.1, "parameter");
      const swing = (Number(rows[k][high]) - Number(rows[k][low])) / 2;
      assertNear(branch.points[k][1], y(false)(swing), 0.1, "amplitude");
    }
    // a click on the upper fold chooses it: a multiplier is 1 there
    const mark = browser.locator(".branch .chart .mark.fold").first();
    await mark.click();
    assert.equal(await browser.evaluate(() => window.taut.chosen()), folds[0]);
    assert.match(await browser.locator(".chosen").innerText(), /fold/);
    await screenshot(browser, "periodic-branch", { fullPage: true });
    // another measure
    await browser.locator(".branch select").selectOption({ label: "period [s]" });
    assert.equal((await browser.evaluate(() => window.taut.branch())).title, "period [s]");
  });
});

test("names of a model are text, and the page fits a phone", async () => {
  const out = taut("periodic", maliciousModel, ["--html"]);
  await assertNamesAreText(join(out, "periodic.html"));
  for (const options of [[], ["--vary", "w=0.9:2"]]) {
    const page = taut("periodic", "duffing", ["--html", ...options]);
    await open(join(page, "periodic.html"), async (browser) => assertFits(browser), phone);
  }
});
