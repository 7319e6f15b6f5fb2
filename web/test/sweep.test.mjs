// SPDX-License-Identifier: BSD-3-Clause
// sweep.html in a browser: its curves and maps are those of sweep.csv.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import {
  assertFits,
  assertNear,
  assertNamesAreText,
  axes,
  colors,
  corners,
  csv,
  luminance,
  maliciousModel,
  open,
  phone,
  screenshot,
  taut,
} from "./support.mjs";

const column = ({ names, rows }, name) => rows.map((row) => Number(row[names.indexOf(name)]));

test("one parameter: the curve of each measure", async () => {
  const out = taut("sweep", "double_pendulum", [
    "--vary",
    "g=1:100:9:log",
    "--until",
    "1",
    "--measure",
    "max(bob2.x)",
    "--measure",
    "steps",
  ]);
  const table = csv(join(out, "sweep.csv"));
  const g = column(table, "g");
  await open(join(out, "sweep.html"), async (browser) => {
    for (const [k, measure] of ["max(bob2.x)", "steps"].entries()) {
      const figure = `.curve:nth-of-type(${k + 1})`;
      const { log } = (await browser.evaluate(() => window.taut.curves()))[k];
      const [x, y] = await axes(browser, figure);
      const values = column(table, measure);
      const line = corners(
        await browser.$eval(`${figure} .line`, (path) => path.getAttribute("d")),
      );
      assert.equal(line.length, g.length);
      for (const [n, [px, py]] of line.entries()) {
        assertNear(px, x(true)(g[n]), 0.5, `g of run ${n}`);
        assertNear(py, y(log)(values[n]), 0.5, `${measure} of run ${n}`);
      }
    }
    // the run that is pointed at
    const box = await browser.locator(".curve .drawing").first().boundingBox();
    const [curve] = await browser.evaluate(() => window.taut.curves());
    await browser.mouse.move(box.x + curve.points[3].x + 2, box.y + 40);
    const text = await browser.locator(".selected").innerText();
    assert.equal(
      Number(text.match(/max\(bob2\.x\) = (\S+)/)[1]),
      Number(column(table, "max(bob2.x)")[3].toPrecision(5)),
    );
    await screenshot(browser, "sweep-curves", { fullPage: true });
  });
});

const pendulum = `name = "pendulum"
[parameters]
g = 9.81
l = 1
speed = 0
[points]
bob = { mass = 1, at = ["l", 0], velocity = [0, "speed"] }
[[rod]]
between = ["origin", "bob"]
length = "l"
[[gravity]]
acceleration = [0, "-g"]
[run]
until = 0.4
`;

test("two parameters: a map whose colours are lighter where the measure is greater", async () => {
  // a rod of length 0 cannot be made: four runs fail
  const out = taut("sweep", pendulum, [
    "--vary",
    "l=0:2:6",
    "--vary",
    "g=1:100:4:log",
    "--measure",
    "end(bob.y)",
    "--measure",
    "steps",
  ]);
  const table = csv(join(out, "sweep.csv"));
  const [l, g] = [column(table, "l"), column(table, "g")];
  await open(join(out, "sweep.html"), async (browser) => {
    for (const measure of ["end(bob.y)", "steps"]) {
      await browser.getByLabel("Measure:").selectOption({ label: measure });
      const [x, y] = await axes(browser, ".drawing");
      const values = column(table, measure);
      const { cells } = await browser.evaluate(() => window.taut.map());
      assert.equal(cells.length, values.length);
      const png = await screenshot(browser, "sweep-map", { fullPage: true });
      const box = await browser.locator(".drawing").boundingBox();
      for (const { index, value, x: px, y: py } of cells) {
        if (l[index] === 0) assert.equal(value, null);
        else
          assertNear(
            value,
            values[index],
            1e-12 * Math.abs(values[index]),
            `${measure} of run ${index}`,
          );
        assertNear(px, x(false)(l[index]), 0.5, `l of run ${index}`);
        assertNear(py, y(true)(g[index]), 0.5, `g of run ${index}`);
      }
      const shown = cells.filter(({ value }) => value !== null).sort((a, b) => a.value - b.value);
      const seen = (
        await colors(
          png,
          shown.map(({ x: px, y: py }) => [box.x + px, box.y + py]),
        )
      ).map(luminance);
      for (let k = 1; k < seen.length; ++k)
        assert.ok(
          seen[k] >= seen[k - 1] - 0.004,
          `${measure}: ${shown[k].value} is darker than ${shown[k - 1].value}`,
        );
      assert.ok(seen.at(-1) > 3 * seen[0], `from ${seen[0]} to ${seen.at(-1)}`);
    }
    // the failed run says why, and keys go on from it
    const { cells } = await browser.evaluate(() => window.taut.map());
    const box = await browser.locator(".drawing").boundingBox();
    const failed = cells.find(({ value }) => value === null);
    await browser.mouse.move(box.x + failed.x, box.y + failed.y);
    assert.match(await browser.locator(".selected").innerText(), /l = 0.*bad input/s);
    await browser.locator(".drawing").focus();
    await browser.keyboard.press("ArrowRight");
    assert.equal(await browser.evaluate(() => window.taut.chosen()), failed.index + 1);
  });
});

test("three parameters: a slider holds the third", async () => {
  const out = taut("sweep", pendulum, [
    "--vary",
    "l=1:2:3",
    "--vary",
    "g=1:10:3",
    "--vary",
    "speed=0:1:3",
    "--measure",
    "end(bob.x)",
  ]);
  const table = csv(join(out, "sweep.csv"));
  await open(
    join(out, "sweep.html"),
    async (browser) => {
      await browser.getByRole("slider").focus();
      await browser.keyboard.press("End");
      const { cells } = await browser.evaluate(() => window.taut.map());
      const values = column(table, "end(bob.x)");
      const speed = column(table, "speed");
      assert.equal(cells.length, 9);
      for (const { index, value } of cells) {
        assert.equal(speed[index], 1);
        assertNear(value, values[index], 1e-12, `run ${index}`);
      }
      await assertFits(browser);
      await screenshot(browser, "sweep-phone-dark");
    },
    { ...phone, colorScheme: "dark" },
  );
});

test("stability: its border is drawn", async () => {
  const out = taut("sweep", "inverted_pendulum", [
    "--set",
    "omega=1e6",
    "--vary",
    "vmax=1:3:5",
    "--measure",
    "stable",
  ]);
  await open(join(out, "sweep.html"), async (browser) => {
    const [x] = await axes(browser, ".curve:nth-of-type(1)");
    const [[at]] = corners(
      await browser.$eval(".curve .stability", (path) =>
        path.getAttribute("d").replace("V", ",0 "),
      ),
    );
    // vmax^2 = 2 g l
    assertNear(at, x(false)(Math.sqrt(2 * 9.8 * 0.2)), 1, "border");
    await browser.emulateMedia({ media: "print" });
    await browser.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.ok(await browser.locator(".curve svg").first().isVisible());
    await screenshot(browser, "sweep-print", { fullPage: true });
  });
});

test("names are text", async () => {
  const out = taut("sweep", maliciousModel, ["--vary", "g=1:2:2", "--measure", "end(bob.x)"]);
  await assertNamesAreText(join(out, "sweep.html"));
});

test("a run has its command line, a smooth map its lines of equal value", async () => {
  // end(x) = a cos 1 + b sin 1: planes, whose lines are straight
  const model = `name = "oscillator"
[parameters]
a = 1
b = 1
[coordinates]
x = { mass = 1, at = "a", velocity = "b" }
[[potential]]
energy = "x^2/2"
[run]
until = 1
`;
  const out = taut("sweep", model, [
    "--vary",
    "a=0:1:11",
    "--vary",
    "start(v(x))=0:1:11",
    "--tol",
    "1e-9",
    "--measure",
    "end(x)",
  ]);
  await open(join(out, "sweep.html"), async (browser) => {
    const { contours, cells } = await browser.evaluate(() => window.taut.map());
    assert.ok(contours.length >= 3);
    // every corner of a line lies where the plane has its level
    const [x0, y0] = [cells[0].x, cells[0].y];
    const [dx, dy] = [(cells[120].x - x0) / 1, (cells[120].y - y0) / 1];
    const lines = await browser.$$eval(".contour", (all) => all.map((p) => p.getAttribute("d")));
    assert.equal(lines.length, contours.length);
    lines.forEach((d, k) => {
      const points = d.slice(1).split(/[ML]/).map((text) => text.split(",").map(Number));
      assert.ok(points.length >= 4);
      for (const [px, py] of points) {
        const value = Math.cos(1) * ((px - x0) / dx) + Math.sin(1) * ((py - y0) / dy);
        assertNear(value, contours[k], 1e-3);
      }
    });

    // the run that is pointed at, as a command that gives the same
    await browser.locator(".maps .drawing").focus();
    await browser.keyboard.press("ArrowRight");
    const line = await browser.locator(".onerun code").innerText();
    assert.match(line, /^taut run \S+ --tol 1e-9 --set a=0\.1 --set 'start\(v\(x\)\)=0'$/);
    await browser.locator(".onerun button").click();
    assert.match(await browser.locator(".onerun button").innerText(), /Copied|Marked/);
    await screenshot(browser, "sweep-contours", { fullPage: true });
  });
});

test("failures are grouped, and lead to their first run", async () => {
  const out = taut("sweep", pendulum, ["--vary", "l=-1:1:8", "--measure", "end(sqrt(l))"]);
  await open(join(out, "sweep.html"), async (browser) => {
    const groups = await browser.evaluate(() => window.taut.data.failure_groups);
    assert.equal(
      groups.reduce((sum, { count }) => sum + count, 0),
      4,
    );
    assert.ok(groups.length < 4, "the same reason with other numbers is one group");
    await browser.locator(".failures button").first().click();
    assert.equal(await browser.evaluate(() => window.taut.chosen()), groups[0].first);
  });
});

test("a sweep that is larger than a page says how it was reduced", async () => {
  const measures = ["end(bob.y)", "end(bob.x)", "end(bob.vx)", "end(bob.vy)", "end(g)", "end(t)"];
  const counts = ["t", "steps", "rejected", "force_evaluations"];
  const out = taut("sweep", pendulum, [
    ...["--vary", "g=1:2:121", "--vary", "speed=0:0.1:123", "--until", "0.001", "--tol", "1e-4"],
    ...[...measures, ...counts].flatMap((measure) => ["--measure", measure]),
  ]);
  await open(join(out, "sweep.html"), async (browser) => {
    assert.match(await browser.locator(".note").innerText(), /Of 121 × 123 runs there are/);
    const { cells, measure } = await browser.evaluate(() => window.taut.map());
    assert.equal(measure, "end(bob.y): mean of each cell");
    assert.ok(cells.length < 5000 && cells.length > 2000);
    assert.ok(cells.every(({ value }) => typeof value === "number"));
    assert.match(await browser.locator(".over").innerText(), /g from 1 to 2 in 121 values/);
    await screenshot(browser, "sweep-cells", { fullPage: true });
  });
});
