// SPDX-License-Identifier: BSD-3-Clause
// play.html in a browser: what is moved, dragged, typed and pulled is what the program computes.
// The engine is a build of its own (./taut play): without it there is nothing to test.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assertFits, assertNear, open, phone, root, screenshot, taut } from "./support.mjs";

const engine = process.env.TAUT_ENGINE;
const given = { skip: existsSync(engine) ? false : "the engine of pages is not built: ./taut test -L web builds it" };

const page = (model, options = []) =>
  join(taut("play", model, ["--engine", engine, ...options]), "play.html");
const started = (browser) => browser.waitForFunction(() => window.taut?.data, null, { timeout: 60000 });
const settled = (browser, condition, argument) =>
  browser.waitForFunction(condition, argument, { timeout: 20000 });
const final = (model, options) =>
  JSON.parse(readFileSync(join(taut("run", model, ["--no-report", ...options]), "summary.json")));

test("a slider moves the motion to what the program computes", given, async () => {
  await open(page("double_pendulum"), async (browser) => {
    await started(browser);
    const slider = browser.locator('input[data-parameter="g"]');
    const before = await browser.evaluate(() => window.taut.data.summary.q["bob2.x"]);
    await slider.evaluate((input) => {
      input.value = "4.5";
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });
    const set = Number(await slider.inputValue());
    await settled(browser, (x) => window.taut.data.summary.q["bob2.x"] !== x, before);
    const shown = await browser.evaluate(() => window.taut.data.summary);
    const truth = final("double_pendulum", ["--set", `g=${set}`]);
    for (const name of ["bob1.x", "bob2.x", "bob2.y"])
      assertNear(shown.q[name], truth.q[name], 1e-9, name);
    assert.equal(shown.steps, truth.steps);
    await screenshot(browser, "play", { fullPage: true });
  });
});

test("a point is dragged: the rods keep their lengths, the motion begins there", given, async () => {
  await open(page("double_pendulum"), async (browser) => {
    await started(browser);
    const at = async (name) =>
      (await browser.evaluate(() => window.taut.view())).find((one) => one.name === name);
    const stage = await browser.locator("#stage").boundingBox();
    const bob = await at("bob2");
    await browser.mouse.move(stage.x + bob.px, stage.y + bob.py);
    await browser.mouse.down();
    await browser.mouse.move(stage.x + bob.px - 60, stage.y + bob.py + 40, { steps: 8 });
    await settled(browser, () => window.taut.start !== null);
    await browser.mouse.up();
    await browser.waitForTimeout(500);
    const start = await browser.evaluate(() => window.taut.start);
    assertNear(Math.hypot(start["bob1.x"], start["bob1.y"]), 1, 1e-9, "rod 1");
    assertNear(
      Math.hypot(start["bob2.x"] - start["bob1.x"], start["bob2.y"] - start["bob1.y"]),
      1,
      1e-9,
      "rod 2",
    );
    const moved = await at("bob2");
    assert.ok(Math.hypot(moved.px - bob.px + 60, moved.py - bob.py - 40) < 25, "under the pointer");
    await browser.locator("#back").click();
    await settled(browser, () => window.taut.start === null);
  });
});

test("what is typed is read: mistakes with their line, then the new model", given, async () => {
  await open(page("pendulum"), async (browser) => {
    await started(browser);
    await browser.evaluate(() => document.querySelector(".cm-content").focus());
    await browser.keyboard.press("Control+Home");
    await browser.keyboard.type("nme = 3\n");
    await settled(browser, () => !document.querySelector(".trouble").hidden);
    assert.match(await browser.locator(".trouble").innerText(), /line 1/);
    await browser.keyboard.press("Control+Home");
    for (let k = 0; k < 7; ++k) await browser.keyboard.press("Delete");
    await settled(browser, () => document.querySelector(".trouble").hidden);
    assert.equal(await browser.evaluate(() => window.taut.data.summary.status), "done");
  });
});

test("live: the motion goes on in time, a pull moves it, and it stops", given, async () => {
  await open(page("pendulum"), async (browser) => {
    await started(browser);
    await browser.locator("#live").click();
    await settled(browser, () => window.taut.live > 0.3);
    const stage = await browser.locator("#stage").boundingBox();
    const point = (await browser.evaluate(() => window.taut.view())).find(
      ({ name }) => name !== "origin",
    );
    await browser.mouse.move(stage.x + point.px, stage.y + point.py);
    await browser.mouse.down();
    await browser.mouse.move(stage.x + stage.width / 2, stage.y + 20, { steps: 5 });
    const then = await browser.evaluate(() => window.taut.live);
    await settled(browser, (t) => window.taut.live > t + 0.3, then);
    await browser.mouse.up();
    await browser.locator("#live").click();
    await settled(browser, () => window.taut.live === null);
  });
});

test("from a moved slider to the moved mechanism", given, async (context) => {
  for (const model of ["double_pendulum", "four_bar", "stiff_double_pendulum"])
    await open(page(model), async (browser) => {
      await started(browser);
      for (let k = 0; k < 25; ++k) {
        const count = await browser.evaluate(() => window.taut.latency().length);
        await browser.locator("input[data-parameter]").first().evaluate((input, share) => {
          input.value = String(Number(input.value) * (1 + 0.01 * share));
          input.dispatchEvent(new Event("input", { bubbles: true }));
        }, k % 2 ? -1 : 1);
        await settled(browser, (n) => window.taut.latency().length > n, count);
      }
      const all = (await browser.evaluate(() => window.taut.latency())).slice(-15).sort((a, b) => a - b);
      context.diagnostic(`${model}: median ${all[7].toFixed(1)} ms`); // a measure, not a bound
    });
});

test("what the command line says reaches the page", given, async () => {
  const options = ["--set", "omega=2*50", "--set", "start(q)=0.2", "--reading", "penalized", "--omega", "77"];
  await open(page("inverted_pendulum", options), async (browser) => {
    await started(browser);
    const field = (name) => browser.locator(name).inputValue();
    assert.equal(await field('[data-setting="omega"]'), "77");
    assert.equal(await field('[data-setting="reading"]'), "penalized");
    assert.equal(await field('[aria-label^="omega, as a number"]'), "2*50");
    assert.equal(await field('[data-start="start(q)"]'), "0.2");
    const shown = await browser.evaluate(() => window.taut.data.summary);
    const truth = final("inverted_pendulum", options);
    assert.equal(shown.reading, truth.reading);
    for (const [name, value] of Object.entries(truth.q))
      assertNear(shown.q[name], value, 1e-6 * (1 + Math.abs(value)), name);
  });
});

test("a page of several models changes from one to the other, in the plane and in space", given, async () => {
  const others = ["pendulum", "top", "four_bar"].map((name) => join(root, "models", `${name}.toml`));
  await open(page("pendulum", ["--with", ...others]), async (browser) => {
    await started(browser);
    for (const k of ["1", "2", "0"]) {
      const before = await browser.evaluate(() => window.taut.data.title);
      await browser.locator("#models").selectOption(k);
      await settled(browser, (old) => window.taut.data.title !== old, before);
      const { file, summary } = await browser.evaluate(() => window.taut.data);
      assert.equal(file, `${["pendulum", "top", "four_bar"][Number(k)]}.toml`);
      assert.equal(summary.status, "done");
      assert.equal(await browser.locator("#stage .webgl").count(), k === "1" ? 1 : 0);
    }
  });
});

test("with the keyboard: Enter takes a point, arrows move it, Escape lets go", given, async () => {
  await open(page("double_pendulum"), async (browser) => {
    await started(browser);
    await browser.locator("#stage").focus();
    await browser.keyboard.press("Enter");
    assert.equal(await browser.locator("#stage").getAttribute("data-held"), "bob1");
    for (let k = 0; k < 6; ++k) await browser.keyboard.press("ArrowDown");
    await settled(browser, () => window.taut.start !== null);
    await browser.keyboard.press("Escape");
    assert.equal(await browser.locator("#stage").getAttribute("data-held"), null);
    await settled(browser, () => window.taut.start["bob1.y"] < -0.05);
    const start = await browser.evaluate(() => window.taut.start);
    assertNear(Math.hypot(start["bob1.x"], start["bob1.y"]), 1, 1e-9, "rod 1");
  });
});

test("a finger drags a point", given, async () => {
  await open(
    page("double_pendulum"),
    async (browser) => {
      await started(browser);
      const bob = (await browser.evaluate(() => window.taut.view())).find(({ name }) => name === "bob2");
      const stage = await browser.locator("#stage").boundingBox();
      const [x, y] = [stage.x + bob.px + 20, stage.y + bob.py]; // beside it: fingers are wide
      const client = await browser.context().newCDPSession(browser);
      const touch = (type, points) =>
        client.send("Input.dispatchTouchEvent", { type, touchPoints: points });
      await touch("touchStart", [{ x, y }]);
      for (let k = 1; k <= 6; ++k) await touch("touchMove", [{ x: x - 8 * k, y: y + 5 * k }]);
      await settled(browser, () => window.taut.start !== null);
      await touch("touchEnd", []);
      const start = await browser.evaluate(() => window.taut.start);
      assertNear(Math.hypot(start["bob1.x"], start["bob1.y"]), 1, 1e-9, "rod 1");
    },
    phone,
  );
});

test("from narrow to wide, light and dark", given, async () => {
  const file = page("top");
  for (const width of [400, 1000, 2500])
    for (const colorScheme of ["light", "dark"])
      await open(
        file,
        async (browser) => {
          await started(browser);
          await assertFits(browser);
          await screenshot(browser, `play-${width}-${colorScheme}`, { fullPage: true });
        },
        { viewport: { width, height: 900 }, colorScheme },
      );
});

test("velocities of the start are set in fields, and kept in links", given, async () => {
  await open(page("double_pendulum"), async (browser) => {
    await started(browser);
    await browser.locator(".start summary").click();
    const before = await browser.evaluate(() => window.taut.data.summary.q["bob2.x"]);
    const field = browser.locator('[data-coordinate="bob2.vy"]');
    await field.fill("1.5");
    await field.press("Enter");
    await settled(browser, (x) => window.taut.data.summary.q["bob2.x"] !== x, before);
    const start = await browser.evaluate(() => window.taut.start);
    const truth = final("double_pendulum", ["--set", "start(bob2.vy)=1.5"]);
    const shown = await browser.evaluate(() => window.taut.data.summary);
    for (const name of ["bob1.x", "bob2.x"]) assertNear(shown.q[name], truth.q[name], 1e-7, name);
    await browser.locator("#link").click();
    await settled(browser, () => location.hash.length > 20);
    await browser.reload();
    await started(browser);
    assert.deepEqual(await browser.evaluate(() => window.taut.start), start);
  });
});

test("a phone, and a link that holds everything", given, async () => {
  const file = page("double_pendulum", ["--set", "g=3"]);
  await open(
    file,
    async (browser) => {
      await started(browser);
      assert.equal(await browser.locator('input[data-parameter="g"]').inputValue(), "3");
      await browser.locator("#link").click();
      await settled(browser, () => location.hash.length > 20);
      await screenshot(browser, "play-phone", { fullPage: true });
    },
    phone,
  );
});
