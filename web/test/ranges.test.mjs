// SPDX-License-Identifier: BSD-3-Clause
// What numbers that are alike, late, large or without units, and names that write from right to left,
// do to the pages.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { linearLabels, linearTicks, paddedRange } from "../src/common/plot_scales.js";
import { Sync } from "../src/common/sync.js";
import { Motion } from "../src/report/motion.js";
import { assertNear, drawn, open, phone, screenshot, taut } from "./support.mjs";

test("ticks are at least two, differ, and say what they stand for", () => {
  const ranges = [
    [9.81 - 1e-8, 9.81 + 1e-8],
    [1e5, 1e5 + 1],
    [-1e5 - 1e-3, -1e5],
    [0, 1.2],
    [3e-20, 4.1e-20],
    [-2e30, 7e30],
    [0.15, 0.95],
  ];
  for (const range of ranges)
    for (const most of [1, 2, 2.1, 3, 5, 7.3]) {
      const [least, largest] = paddedRange("linear", ...range);
      const ticks = linearTicks(least, largest, most);
      const what = `${range}, ${most}: ${ticks}`;
      assert.ok(ticks.length >= 2 && ticks.length <= Math.max(6, most + 1), what);
      const little = 1e-9 * (largest - least);
      assert.ok(ticks[0] >= least - little && ticks.at(-1) <= largest + little, what);
      const { labels, offset } = linearLabels(ticks);
      const step = ticks[1] - ticks[0];
      ticks.forEach((tick, k) => assertNear(offset + Number(labels[k]), tick, 1e-3 * step, what));
      assert.ok(Math.max(...labels.map(({ length }) => length)) <= 10, `${labels}`);
      assert.ok(String(offset).length <= 16, `${offset}`);
    }
  assert.deepEqual(linearTicks(-0.08, 1.08, 5, true), [0, 1], "counts have no fractions");
});

test("a constant has a range that doubles can divide", () => {
  for (const value of [1, 2, 0.3, -7, 1e5, 1e-30, 0]) {
    const [least, largest] = paddedRange("linear", value, value * (1 + 4e-16));
    assert.ok(largest - least >= 0.1 * Math.abs(value) && largest > least, `${least}, ${largest}`);
    assertNear((least + largest) / 2, value, 0.01 * (largest - least), "it lies in the middle");
  }
});

test("a zoom ends where rows do", () => {
  const sync = new Sync({ xs: [0, 1, 2, 3, 4, 5] });
  const zoomed = (...range) => (sync.zoom(...range), sync.range);
  assert.deepEqual(zoomed(1.5, 4.5), [1.5, 4.5]);
  assert.deepEqual(zoomed(2.4, 2.5), [2, 4]);
  assert.deepEqual(zoomed(4.8, 4.9), [3, 5]);
  assert.equal(zoomed(0, 0), null);
  const close = new Sync({ xs: Array.from({ length: 100 }, (_, k) => 1e6 + 1e-9 * k) });
  close.zoom(1e6, 1e6 + 1e-8);
  assert.ok(close.range[1] - close.range[0] >= 1e-4);
});

/// A motion of a coordinate and its velocity over times 0, 1, ...
function motion(q, v) {
  const data = (numbers) => Buffer.from(Float64Array.from(numbers).buffer).toString("base64");
  const columns = [q.map((_, k) => k), q, v].map((numbers) => ({ data: data(numbers) }));
  const groups = [
    { id: "coordinates", columns: [1] },
    { id: "velocities", columns: [2] },
  ];
  return new Motion({ columns, groups, rows: q.length, axis: { name: "t", unit: "s", column: 0 } });
}

test("between rows a motion is smooth, but does not leave where it is in them", () => {
  const times = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
  const smooth = motion(
    times.map(Math.cos),
    times.map((t) => -Math.sin(t)),
  );
  for (let t = 0; t < 12; t += 0.05)
    assertNear(smooth.value(1, smooth.place(t)), Math.cos(t), 0.01, `cos ${t}`);
  // velocities that do not lead from one row to the next
  const astray = motion([0, 1, 2, 3, 4, 5, 6, 7, 8, 7, 9], [1, 1, 1, 1, 1, 1, 1, 1, 900, 1, 1]);
  for (let t = 0; t < 10; t += 0.05) {
    const value = astray.value(1, astray.place(t));
    assert.ok(value > -1 && value < 10, `${value} at ${t}`);
  }
});

/// All that is written on canvases while plots and picture are drawn anew.
async function written(page) {
  await page.evaluate(() => window.taut.draw());
  await page.evaluate(() => {
    window.written = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
      window.written.push(text);
      fillText.call(this, text, ...place);
    };
  });
  await page.getByRole("button", { name: "Light or dark" }).click();
  await drawn(page);
  return page.evaluate(() => window.written);
}
const plain = (text) => text.replace(/[\u2066-\u2069]/g, "");

test("constant curves", async () => {
  const out = taut(
    "run",
    `name = "constant"
[coordinates]
one = { mass = 1, at = 0, velocity = 1 }
two = { mass = 1, at = 2 }
[run]
until = 3
`,
  );
  await open(join(out, "report.html"), async (page) => {
    const texts = await written(page);
    assert.ok(texts.includes("2.00"), `a constant place has ticks: ${texts}`);
    const plots = await page.evaluate(() =>
      window.taut.plots.map(({ id, scales: { y } }) => ({ id, ...y })),
    );
    // kinetic and potential energy, 0.5 and 0 all the time, are both inside
    const energy = plots.find(({ id }) => id === "energy");
    assert.ok(energy.min <= 0 && energy.max >= 0.5, `${energy.min} to ${energy.max}`);
    assert.ok(energy.max < 1);
  });
});

const late = `name = "late"
[points]
bob = { mass = 1, at = [1, 0] }
[[rod]]
name = "rod \\u202Eback"
between = ["origin", "bob"]
length = 1
[[gravity]]
acceleration = [0, -9.81]
[run]
from = 100000
until = 100001
`;
const lateRun = taut("run", late);

test("late times, and a name that turns the direction of writing", async () => {
  await open(join(lateRun, "report.html"), async (page) => {
    const texts = (await written(page)).map(plain);
    assert.ok(texts.includes("t − 100000 [s]"), `${texts}`);
    assert.ok(texts.includes("0.2") && texts.includes("0.8"), `${texts}`);
    assert.ok(texts.includes("rod back: most loaded"), `${texts}`);
    await page.evaluate(() => window.taut.seek(100000.25));
    assert.equal(await page.locator(".clock").innerText(), "t = 100000.25 s");
    await page.evaluate(() => window.taut.zoom(100000.5, 100000.5000001));
    assert.match(
      await page.locator(".plots-head .hint").innerText(),
      /t from 100000\.\d+ to 100000\.\d+/,
    );

    // in a cube, too, both ends can be told apart
    await page.getByRole("tab", { name: "Phase portrait" }).click();
    await page.evaluate(() => (window.written = []));
    await page.locator(".portrait-columns select").nth(2).selectOption({ label: "t" });
    await drawn(page);
    const cube = (await page.evaluate(() => window.written)).map(plain);
    assert.ok(cube.includes("t: 100000 … 100001"), `${cube}`);
  });
});

/// The page once more, with other data.
function withData(file, change) {
  const html = readFileSync(file, "utf8");
  const start = html.indexOf('id="data">') + 'id="data">'.length;
  const end = html.indexOf("</script>", start);
  const data = JSON.parse(html.slice(start, end));
  change(data);
  const changed = file.replace(/report\.html$/, "changed.html");
  const text = JSON.stringify(data).replaceAll("<", "\\u003c");
  writeFileSync(changed, html.slice(0, start) + text + html.slice(end));
  return changed;
}

test("a model in units of its own has none; loads have notes", async () => {
  const changed = withData(join(lateRun, "report.html"), (data) => {
    data.units = { length: "", time: "", force: "", energy: "" };
    data.loads[0].note = "mean over the vibration";
  });
  await open(changed, async (page) => {
    const texts = (await written(page)).map(plain);
    assert.ok(texts.includes("t − 100000"), `${texts}`);
    assert.ok(!texts.some((text) => /\d (m|N|J|s)$/.test(text)), `${texts}`);
    assert.equal(await page.locator(".clock").innerText(), "t = 100000");
    for (const part of [".load-legend", ".load-list", ".pace"])
      assert.doesNotMatch(await page.locator(part).innerText(), /\d (m|N|J|s)\b/);
    assert.deepEqual(await page.locator(".plot h3 .unit").allInnerTexts().then(forces), []);
    assert.match(await page.locator(".load-list").innerText(), /mean over the vibration/);
  });
});
const forces = (units) => units.filter((unit) => /[NJ]/.test(unit));

test("what has left a periodic box can be drawn in it", async () => {
  const changed = withData(join(lateRun, "report.html"), ({ scene }) => {
    scene.lines = [];
    scene.box = [0.4, 0.4, 0];
  });
  await open(changed, async (page) => {
    const bob = () =>
      page.evaluate(() => window.taut.view().find(({ name }) => name === "bob").world);
    const [x, y] = await bob();
    assertNear(x, 1, 1e-12, "x");
    await page.getByRole("button", { name: "Into the box" }).click();
    const within = await bob();
    assertNear(within[0], 0.2, 1e-12, "x in the box");
    assertNear(within[1], y, 1e-12, "y in the box");
    await page.evaluate(() => window.taut.seek(100000.5));
    for (const c of (await bob()).slice(0, 2)) assert.ok(c >= 0 && c < 0.4, `${c}`);
  });
});

test("on a phone the picture comes first, on paper it shows the middle and the loads", async () => {
  const file = join(lateRun, "report.html");
  await open(
    file,
    async (page) => {
      const [picture, words] = [".stage", ".brief"].map((part) => page.locator(part));
      assert.ok((await picture.boundingBox()).y < (await words.boundingBox()).y);
      await screenshot(page, "late-phone");
    },
    phone,
  );
  await open(file, async (page) => {
    const still = () =>
      page.evaluate(() => {
        dispatchEvent(new Event("beforeprint"));
        const picture = document.querySelector("canvas.still").toDataURL();
        dispatchEvent(new Event("afterprint"));
        return picture;
      });
    const untouched = await still();
    await page.evaluate(() => window.taut.seek(100000.5));
    assert.equal(await still(), untouched);
    await page.evaluate(() => window.taut.seek(100000.9));
    assert.notEqual(await still(), untouched);
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.match(await page.locator(".load-list li").first().innerText(), /29/);
  });
});

test("a motion in space is drawn by WebGL where there is one, and bodies say what they are", async () => {
  const out = taut("run", "free_body");
  await open(join(out, "report.html"), async (page) => {
    assert.ok(await page.locator(".stage .webgl canvas").first().isVisible());
    assert.ok(!(await page.locator(".stage-note").isVisible()));
    const { bodies } = await page.evaluate(() => window.taut.data.scene);
    const box = await page.locator(".stage").boundingBox();
    const said = new Set();
    for (let x = 0.3; x < 0.75; x += 0.1)
      for (let y = 0.2; y < 0.85; y += 0.1) {
        await page.mouse.move(box.x + x * box.width, box.y + y * box.height);
        const tip = await page.locator(".tip").textContent();
        if (tip) said.add(plain(tip).split(/[,\n]/)[0]);
      }
    assert.ok(said.has(bodies[0].name), `${[...said]}`);
  });
});

const sweep = join(
  taut("sweep", "double_pendulum", [
    ..."--vary g=9.81:9.8100001:4 --until 1 --measure end(bob1.x)".split(" "),
  ]),
  "sweep.html",
);

test("a sweep over a narrow range", async () => {
  await open(sweep, async (page) => {
    for (const group of await page.locator(".chart .labels").all()) {
      const ticks = await group
        .locator("text[data-value]")
        .evaluateAll((all) => all.map((tick) => [tick.textContent, Number(tick.dataset.value)]));
      const title = plain(await group.locator(".title").textContent());
      const [, sign, less] = title.match(/ ([−+]) ([\d.e-]+)$/) ?? [];
      assert.ok(less !== undefined && ticks.length > 1, title);
      const offset = (sign === "−" ? 1 : -1) * Number(less);
      const step = ticks[1][1] - ticks[0][1];
      for (const [label, value] of ticks)
        assertNear(offset + Number(label.replaceAll("−", "-")), value, 1e-3 * step, title);
    }
    await screenshot(page, "sweep-narrow");
  });
});

test("names of curves can be read in both themes", async () => {
  for (const colorScheme of ["light", "dark"])
    await open(
      sweep,
      async (page) => {
        const [card, ...hues] = await page.evaluate(() =>
          ["card", ...[0, 1, 2, 3, 4, 5, 6].map((k) => `series${k}`)].map((name) =>
            getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim(),
          ),
        );
        for (const hue of hues) {
          const [high, low] = [card, hue].map(relativeLuminance).sort((a, b) => b - a);
          const contrast = (high + 0.05) / (low + 0.05);
          assert.ok(contrast >= 4.5, `${hue} on ${card}: ${contrast}`);
        }
      },
      { colorScheme },
    );
});

/// As WCAG 2 defines it.
function relativeLuminance(hex) {
  const [r, g, b] = [1, 3, 5].map((k) => {
    const c = parseInt(hex.slice(k, k + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
