// SPDX-License-Identifier: BSD-3-Clause
// play.html in a browser: what is moved, dragged, typed and pulled is what the program computes.
// The engine is a build of its own (./taut play): without it there is nothing to test.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { assertNear, folder, open, phone, root, screenshot, taut } from "./support.mjs";

const engine = process.env.TAUT_ENGINE;
const given = { skip: existsSync(engine) ? false : "the engine of pages is not built: ./taut play builds it" };

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

// An engine of a few lines that fails as engines do: these tests need none that was built.
const zipped = (text) => gzipSync(text).toString("base64");
function pageWithEngine(script) {
  const file = join(folder, "engine.json");
  writeFileSync(file, JSON.stringify({ script: zipped(script), wasm: zipped("none") }));
  return join(taut("play", "pendulum", ["--engine", file]), "play.html");
}
const failing = `
  let opened = [], started = [], out = new Uint8Array();
  const HEAPU8 = new Uint8Array(1 << 20), text = new TextEncoder();
  function made(question) {
    if (question.ask === "open") opened.push(question.text);
    if (question.ask === "start") started.push(question.values);
    if (question.ask === "trap") throw new WebAssembly.RuntimeError("unreachable");
    if (question.ask === "loop") for (;;);
    if (question.ask === "run") return { ok: false, problems: [] };
    return { ok: true, sections: [], parameters: [], methods: [], readings: [], until: 1, tol: 1e-9,
             start: question.values, opened, started };
  }
  async function tautEngine() {
    return {
      HEAPU8, FS: { mkdir() {}, writeFile() {} }, _malloc: () => 8, _free() {}, _taut_begin() {},
      _taut_answer(at, length) {
        const asked = JSON.parse(new TextDecoder().decode(HEAPU8.slice(at, at + length)));
        out = text.encode(JSON.stringify(made(asked)));
        HEAPU8.set(out, 1024);
        return 1024;
      },
      _taut_length: () => out.length,
    };
  }`;

test("an engine that cannot be loaded says so, and nothing waits", async () => {
  for (const [script, why] of [
    ["async function tautEngine() { throw new Error('no memory left') }", /no memory left/],
    ["throw new Error('not for this browser')", /not for this browser/],
    ["async function tautEngine() { return {} }", /undefined/],
  ])
    await open(pageWithEngine(script), async (browser) => {
      await browser.waitForSelector("p.failure");
      const said = await browser.locator("p.failure").innerText();
      assert.match(said, /The engine cannot start here/);
      assert.match(said, why);
    });
});

test("an engine that stops is an answer; a new one stands where it stood", async () => {
  await open(pageWithEngine(failing), async (browser) => {
    await browser.waitForSelector(".settings");
    const ask = (question) => browser.evaluate((asked) => window.taut.ask(asked), question);
    await ask({ ask: "start", values: { "bob.x": 2 } });
    const model = (await ask({ ask: "state" })).opened;
    assert.equal(model.length, 1);
    const [trapped, next] = await Promise.all([ask({ ask: "trap" }), ask({ ask: "state" })]);
    assert.equal(trapped.ok, false);
    assert.match(trapped.problems[0].what, /unreachable.*a new one/);
    assert.deepEqual(next.opened, model, "the model of before, opened once");
    assert.deepEqual(next.started, [{ "bob.x": 2 }]);
    // back: nothing is to be started from
    await ask({ ask: "back" });
    await ask({ ask: "trap" });
    assert.deepEqual((await ask({ ask: "state" })).started, []);
  });
});

test("an engine that never answers is replaced, and the page says so", async () => {
  await open(pageWithEngine(failing), async (browser) => {
    await browser.waitForSelector(".settings");
    await browser.clock.install();
    const asked = browser.evaluate(() => window.taut.ask({ ask: "loop" }));
    const after = browser.evaluate(() => window.taut.ask({ ask: "state" }));
    await browser.clock.runFor(31000);
    assert.match((await asked).problems[0].what, /no answer in 30 s/);
    assert.equal((await after).opened.length, 1);
  });
});
