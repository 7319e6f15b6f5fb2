// SPDX-License-Identifier: BSD-3-Clause
// play.html with an engine that cannot be loaded, stops or is silent: the page says so and goes on.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { folder, open, root, taut } from "./support.mjs";

// An engine of a few lines that fails as engines do: these tests need none that was built.
const zipped = (text) => gzipSync(text).toString("base64");
function pageWithEngine(script) {
  const file = join(folder, "engine.json");
  writeFileSync(file, JSON.stringify({ script: zipped(script), wasm: zipped("none") }));
  return join(taut("play", "pendulum", ["--engine", file]), "play.html");
}

test("the page is opened where there is a terminal and a display, unless it is to stay closed", async () => {
  const place = mkdtempSync(join(folder, "open-"));
  writeFileSync(join(place, "xdg-open"), `#!/bin/sh\necho "$1" > ${place}/opened\n`, { mode: 0o755 });
  const engine = join(place, "engine.json");
  writeFileSync(engine, JSON.stringify({ script: zipped(""), wasm: zipped("") }));
  const model = join(root, "models/pendulum.toml");
  const words = (more) => ["play", model, "--engine", engine, "--out", place, ...more];
  const env = { ...process.env, PATH: `${place}:${process.env.PATH}`, DISPLAY: ":9" };
  const opened = async () => {
    // the one who opens is not waited for
    for (let k = 0; k < 40 && !existsSync(join(place, "opened")); ++k)
      await new Promise((done) => setTimeout(done, 25));
    return existsSync(join(place, "opened"));
  };
  const inTerminal = (more, display = ":9") =>
    spawnSync(
      "script",
      ["-qec", [process.env.TAUT_PROGRAM, ...words(more)].join(" "), "/dev/null"],
      { env: { ...env, DISPLAY: display }, stdio: ["ignore", "pipe", "pipe"] },
    );
  assert.equal(spawnSync(process.env.TAUT_PROGRAM, words([]), { env }).status, 0);
  assert.equal(inTerminal(["--no-open"]).status, 0);
  assert.equal(inTerminal([], "").status, 0);
  assert.equal(await opened(), false);
  assert.equal(inTerminal([]).status, 0);
  assert.equal(await opened(), true);
  assert.equal(readFileSync(join(place, "opened"), "utf8").trim(), join(place, "play.html"));
});

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
