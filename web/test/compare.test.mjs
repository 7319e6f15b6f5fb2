// SPDX-License-Identifier: BSD-3-Clause
// compare.html in a browser: its curves are those of compare.json.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import {
  assertFits,
  assertNear,
  assertNamesAreText,
  axes,
  corners,
  json,
  maliciousModel,
  open,
  phone,
  screenshot,
  taut,
} from "./support.mjs";

const out = taut("compare", "double_pendulum", [
  "--methods",
  "dop853,radau,rattle",
  "--until",
  "1",
  "--tols",
  "1e-4:1e-9:6",
  "--steps",
  "0.02:0.0005:5",
  "--max-seconds",
  "30",
]);
const page = join(out, "compare.html");
const given = json(join(out, "compare.json"));
const drawn = (method) => method.points.filter((p) => p.status === "done");

test("lines and markers stand where the axes say", async () => {
  await open(page, async (browser) => {
    for (const [k, cost] of ["force_evaluations", "seconds"].entries()) {
      const figure = `.cost:nth-of-type(${k + 1})`;
      const [x, y] = (await axes(browser, figure)).map((axis) => axis(true));
      const lines = await browser.$$eval(`${figure} .series`, (groups) =>
        groups.map((group) => ({
          name: group.dataset.method,
          line: group.querySelector(".line")?.getAttribute("d") ?? "",
          marks: group.querySelectorAll(".mark").length,
        })),
      );
      assert.deepEqual(
        lines.map(({ name }) => name),
        given.methods.map(({ name }) => name),
      );
      for (const [m, method] of given.methods.entries()) {
        const points = drawn(method);
        assert.ok(points.length >= 2, `${method.name} has ${points.length} points`);
        assert.equal(lines[m].marks, points.length);
        for (const [n, [px, py]] of corners(lines[m].line).entries()) {
          assertNear(px, x(points[n][cost]), 0.5, `${method.name} ${n} ${cost}`);
          assertNear(py, y(points[n].error), 0.5, `${method.name} ${n} error`);
        }
      }
      // the shaded region ends at the uncertainty of the reference
      const top = await browser.$eval(`${figure} .uncertain`, (rect) =>
        Number(rect.getAttribute("y")),
      );
      assertNear(top, y(given.reference.uncertainty), 0.5, "uncertainty");
    }
    const plots = await browser.evaluate(() => window.taut.plots());
    assert.deepEqual(
      plots[0].series.map(({ points }) => points.map(({ cost, error }) => [cost, error])),
      given.methods.map((method) => drawn(method).map((p) => [p.force_evaluations, p.error])),
    );
    await screenshot(browser, "compare", { fullPage: true });
  });
});

test("pointing at a run reads its numbers, a click brings its method out", async () => {
  await open(page, async (browser) => {
    const run = drawn(given.methods[0])[1];
    const [at] = (await browser.evaluate(() => window.taut.plots()))[0].series.map(
      ({ points }) => points[1],
    );
    const box = await browser.locator(".cost .drawing").first().boundingBox();
    await browser.mouse.move(box.x + at.x, box.y + at.y);
    const text = await browser.locator(".readout").first().innerText();
    assert.match(text, new RegExp(given.methods[0].name));
    assert.equal(Number(text.match(/error (?:≤ )?(\S+)/)[1]), Number(run.error.toPrecision(3)));
    assert.equal(
      Number(text.match(/([\d\u202f]+) evaluations/)[1].replaceAll("\u202f", "")),
      run.force_evaluations,
    );

    await browser.getByRole("button", { name: given.methods[1].name, exact: true }).click();
    const brought = await browser.$$eval(".series.is", (groups) =>
      groups.map((group) => group.dataset.method),
    );
    assert.deepEqual(brought, [given.methods[1].name, given.methods[1].name]);

    // the first plot shows another cost
    await browser.getByLabel("Cost in the first plot").selectOption("steps");
    const [steps] = await browser.evaluate(() => window.taut.plots());
    assert.deepEqual(
      steps.series[2].points.map(({ cost }) => cost),
      drawn(given.methods[2]).map((p) => p.steps),
    );
  });
});

test("keys go from run to run", async () => {
  await open(page, async (browser) => {
    await browser.locator(".cost .drawing").first().focus();
    await browser.keyboard.press("ArrowRight");
    await browser.keyboard.press("ArrowRight");
    await browser.keyboard.press("ArrowDown");
    const text = await browser.locator(".readout").first().innerText();
    assert.match(text, new RegExp(`^${given.methods[1].name}`));
  });
});

test("the table has every run and sorts them", async () => {
  await open(page, async (browser) => {
    await browser.locator("summary").filter({ hasText: "Every run" }).click();
    const table = browser.locator("details.records table");
    assert.equal(
      await table.locator("tbody tr").count(),
      given.methods.flatMap(({ points }) => points).length,
    );
    await table.getByRole("button", { name: "error", exact: true }).click();
    const errors = (await table.locator("tbody tr td:nth-child(3)").allInnerTexts()).map((text) =>
      Number(text.replace("≤ ", "")),
    );
    const known = errors.filter(Number.isFinite);
    assert.deepEqual(
      known,
      [...known].sort((a, b) => a - b),
    );
  });
});

test("on a phone, in the dark and on paper", async () => {
  await open(
    page,
    async (browser) => {
      await assertFits(browser);
      await screenshot(browser, "compare-phone-dark");
    },
    { ...phone, colorScheme: "dark" },
  );
  await open(page, async (browser) => {
    await browser.emulateMedia({ media: "print" });
    await browser.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.ok(await browser.locator(".cost svg").first().isVisible());
    assert.ok(!(await browser.locator(".cost-choice").isVisible()));
    await screenshot(browser, "compare-print", { fullPage: true });
  });
});

test("names are text", async () => {
  const bad = taut("compare", maliciousModel, [
    "--methods",
    "dop853,radau",
    "--tols",
    "1e-4:1e-6:3",
    "--max-seconds",
    "30",
  ]);
  await assertNamesAreText(join(bad, "compare.html"));
});
