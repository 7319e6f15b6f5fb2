// SPDX-License-Identifier: BSD-3-Clause
// taut play --serve: who may ask, what is written, when it ends, and the page in a browser.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { request as ask } from "node:http";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { folder, root, screenshot, visit } from "./support.mjs";

/// A served copy of a model of the gallery; `use` is given what can be done to it.
async function served(model, options, use) {
  const place = mkdtempSync(join(folder, "serve-"));
  const file = join(place, `${model}.toml`);
  copyFileSync(join(root, "models", `${model}.toml`), file);
  const running = spawn(process.env.TAUT_PROGRAM, ["play", file, "--serve", "--no-open", ...options]);
  const ended = new Promise((done) => running.on("exit", (code, signal) => done({ code, signal })));
  const address = await new Promise((done, failed) => {
    running.stdout.on("data", (data) => done(String(data).trim()));
    ended.then(() => failed(new Error("it ended at once")));
  });
  const url = new URL(address);
  const token = url.searchParams.get("token");
  const send = ({ method = "POST", path = "/ask", headers = {}, body = "" } = {}) =>
    new Promise((done, failed) => {
      const sent = ask({ host: "127.0.0.1", port: url.port, method, path, headers, agent: false });
      sent.on("response", (answer) => {
        let text = "";
        answer.on("data", (piece) => (text += piece));
        answer.on("end", () => done({ status: answer.statusCode, text, headers: answer.headers }));
      });
      sent.on("error", failed);
      sent.end(body);
    });
  const question = async (asked) =>
    JSON.parse((await send({ headers: { "X-Taut-Token": token }, body: JSON.stringify(asked) })).text);
  try {
    await use({ running, ended, url, token, send, question, file });
  } finally {
    running.kill("SIGKILL");
    await ended;
  }
}

test("other hosts, other origins, missing and wrong tokens are refused", async () => {
  await served("pendulum", [], async ({ url, token, send }) => {
    const body = JSON.stringify({ ask: "words" });
    const own = { "X-Taut-Token": token };
    const refused = async (what, asked) => {
      const { status, text } = await send(asked);
      assert.equal(status, 403, what);
      assert.equal(text, "", `${what}: nothing is told`);
    };
    assert.equal((await send({ headers: own, body })).status, 200);
    assert.equal((await send({ headers: { ...own, Origin: url.origin }, body })).status, 200);
    await refused("no token", { body });
    await refused("a wrong one", { headers: { "X-Taut-Token": token.replace(/./, "g") }, body });
    await refused("a part of it", { headers: { "X-Taut-Token": token.slice(1) }, body });
    await refused("an empty one", { headers: { "X-Taut-Token": "" }, body });
    await refused("one in the address of a question", { path: `/ask?token=${token}`, body });
    for (const Host of ["evil.example", `localhost:${url.port}`, "127.0.0.1", `127.0.0.1:${url.port}.evil.example`])
      await refused(`host ${Host}`, { headers: { ...own, Host }, body });
    for (const Origin of ["http://evil.example", "null", "http://127.0.0.1", `https://${url.host}`])
      await refused(`origin ${Origin}`, { headers: { ...own, Origin }, body });
    for (const site of ["cross-site", "same-site"])
      await refused(site, { headers: { ...own, "Sec-Fetch-Site": site }, body });
    await refused("the page without a token", { method: "GET", path: "/" });
    await refused("the page from elsewhere", {
      method: "GET",
      path: `/?token=${token}`,
      headers: { Origin: "http://evil.example" },
    });
    const page = await send({ method: "GET", path: `/?token=${token}` });
    assert.equal(page.status, 200);
    assert.match(page.headers["cache-control"], /no-store/);
    assert.equal(page.headers["access-control-allow-origin"], undefined);
    // nothing else is there, and no file
    for (const path of ["/model.toml", "/../pendulum.toml", "/%2e%2e/etc/passwd", "//etc/passwd"])
      assert.equal((await send({ method: "GET", path: `${path}?token=${token}` })).status, 404, path);
    for (const method of ["PUT", "DELETE", "OPTIONS"])
      assert.ok((await send({ method, headers: own })).status >= 400, method);
  });
});

test("it listens on 127.0.0.1 alone", async () => {
  await served("pendulum", [], async ({ url }) => {
    assert.equal(url.hostname, "127.0.0.1");
    const reached = (host) =>
      new Promise((done) => {
        const socket = connect({ host, port: Number(url.port) });
        socket.on("connect", () => socket.destroy(done(true)));
        socket.on("error", () => done(false));
      });
    assert.equal(await reached("127.0.0.1"), true);
    for (const host of ["127.0.0.2", "::1"]) assert.equal(await reached(host), false, host);
  });
});

test("the model is saved on request, where nobody else has changed it; no other file", async () => {
  await served("pendulum", [], async ({ question, file }) => {
    const before = readFileSync(file, "utf8");
    const changed = `# by hand\n${before}`;
    const inode = statSync(file).ino;
    assert.equal((await question({ ask: "save", text: changed })).ok, true);
    assert.equal(readFileSync(file, "utf8"), changed);
    assert.notEqual(statSync(file).ino, inode, "another file in its place, whole");
    assert.equal((await question({ ask: "save", text: before })).ok, true);
    // by another program meanwhile
    writeFileSync(file, "# theirs\n");
    const refused = await question({ ask: "save", text: changed });
    assert.equal(refused.ok, false);
    assert.match(refused.problems[0].what, /changed since/);
    assert.equal(readFileSync(file, "utf8"), "# theirs\n");
    assert.equal((await question({ ask: "save" })).ok, false);
    assert.equal((await question({ ask: "save", text: 7 })).ok, false);
    // a model that reads files of other folders, by its name or by that of a link
    const elsewhere = mkdtempSync(join(folder, "elsewhere-"));
    writeFileSync(join(elsewhere, "secret.csv"), "0,1\n1,2\n");
    writeFileSync(join(elsewhere, "theirs.toml"), before);
    symlinkSync(join(elsewhere, "theirs.toml"), join(dirname(file), "link.toml"));
    const reads = `[tables]\nf = { file = "secret.csv" }\n${before}`;
    for (const name of [undefined, "link.toml", "..", "../theirs.toml"]) {
      const answer = await question({ ask: "open", text: reads, file: name });
      assert.equal(answer.ok, false, name);
      assert.match(JSON.stringify(answer.problems), /no file secret.csv beside/);
    }
    for (const name of ["/etc/passwd", "../secret.csv"]) {
      const text = `[tables]\nf = { file = "${name}" }\n${before}`;
      const answer = await question({ ask: "open", text });
      assert.equal(answer.ok, false, name);
      assert.match(JSON.stringify(answer.problems), /plain name/);
    }
  });
});

test("it ends with Ctrl-C and SIGTERM, and when its page has been closed", async () => {
  for (const signal of ["SIGINT", "SIGTERM"])
    await served("pendulum", [], async ({ running, ended }) => {
      running.kill(signal);
      assert.deepEqual(await ended, { code: 0, signal: null });
    });
  await served("pendulum", ["--close-after", "1"], async ({ ended }) => {
    assert.deepEqual(await ended, { code: 0, signal: null });
  });
});

test("the page asks the program, and saves", async () => {
  await served("double_pendulum", ["--set", "g=3"], async ({ url, file }) => {
    await visit(url.href, async (browser) => {
      await browser.waitForFunction(() => window.taut?.data, null, { timeout: 60000 });
      assert.equal(await browser.locator('input[data-parameter="g"]').inputValue(), "3");
      await browser.evaluate(() => document.querySelector(".cm-content").focus());
      await browser.keyboard.press("Control+Home");
      await browser.keyboard.type("# played with\n");
      await browser.locator("#save").click();
      await browser.waitForFunction(() => /Saved/.test(document.body.innerText));
      assert.ok(readFileSync(file, "utf8").startsWith("# played with\n"));
      await browser.locator("#live").click();
      await browser.waitForFunction(() => window.taut.live > 0.3);
      await screenshot(browser, "play-served");
    });
  });
});

test("a thousand links in real time, and dragged", async (context) => {
  await served("chain", ["--set", "links=1000"], async ({ url }) => {
    await visit(url.href, async (browser) => {
      await browser.waitForFunction(() => window.taut?.data, null, { timeout: 60000 });
      const found = await browser.evaluate(async () => {
        const median = (all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)];
        const { ask, data } = window.taut;
        const settings = { set: { links: 1000 } };
        const names = data.columns.map(({ name }) => name);
        const held = await ask({ ask: "hold", ...settings, point: -1, names });
        const frames = [];
        for (let k = 0; k < 40; ++k) {
          const begin = performance.now();
          await ask({ ask: "advance", by: 1 / 30, seconds: 10 });
          frames.push(performance.now() - begin);
        }
        const last = data.scene.points.findLastIndex(({ kind }) => kind === "mass");
        const drags = [];
        for (let k = 0; k < 5; ++k) {
          const begin = performance.now();
          const moved = await ask({ ask: "drag", ...settings, point: last, to: [5, -5 - k] });
          drags.push({ ms: performance.now() - begin, ok: moved.ok, at: moved.at });
        }
        return { ok: held.ok, frame: median(frames), drags };
      });
      assert.ok(found.ok);
      context.diagnostic(`a frame of 1/30 s: ${found.frame.toFixed(1)} ms; a drag: ${JSON.stringify(found.drags)}`);
      assert.ok(found.drags.every(({ ok }) => ok));
      // real time on the page
      await browser.locator("#live").click();
      await browser.waitForFunction(() => window.taut.live > 0);
      const frames = await browser.evaluate(
        () =>
          new Promise((done) => {
            const seen = new Set();
            const begin = performance.now();
            const look = () => {
              seen.add(window.taut.live);
              if (performance.now() - begin < 3000) requestAnimationFrame(look);
              else done(seen.size / 3);
            };
            look();
          }),
      );
      context.diagnostic(`${frames.toFixed(1)} instants a second on the page`);
      await screenshot(browser, "play-chain");
    });
  });
});
