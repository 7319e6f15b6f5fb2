// SPDX-License-Identifier: BSD-3-Clause
// The engine of pages computes what the program computes, for every model of the gallery. It runs in
// node: no browser is needed. It is a build of its own (`./taut test -L web` makes it).
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const program = process.env.TAUT_PROGRAM;
const packed = process.env.TAUT_ENGINE;
if (!existsSync(packed)) {
  console.log("skipped: the engine of pages is not built, ./taut test -L web builds it");
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), "taut-engine-"));
after(() => rmSync(folder, { recursive: true, force: true }));

// The engine adds in the same order as the program. Where the functions of its C library (sin, exp,
// pow, ...) differ in the last bit, the motion makes of that what it makes of an error of its start:
// numbers agree to `rounding`, in sizes of their columns, but for
const rounding = 1e-12;
// models whose motion makes much of it, or whose steps turn on it: to the error of the run itself
const sensitive = {
  billiard: 1e-4,
  inverted_pendulum: 1e-6,
  slider_crank: 1e-8,
  vibrated_double_pendulum: 1e-6,
  plug_flow_original: 1e-8,
};

const { script, wasm } = JSON.parse(readFileSync(packed, "utf8"));
const unpacked = (text) => gunzipSync(Buffer.from(text, "base64"));
const module = { exports: {} };
new Function("module", "exports", "require", "__filename", "__dirname", unpacked(script).toString())(
  module,
  module.exports,
  createRequire(import.meta.url),
  join(folder, "engine.js"),
  folder,
);
const compiled = new WebAssembly.Module(unpacked(wasm)); // once for all models
const heard = new TextDecoder();

/// An engine for a model file, with all files beside it.
async function engine(name) {
  const taut = await module.exports({
    instantiateWasm(imports, done) {
      const instance = new WebAssembly.Instance(compiled, imports);
      done(instance, compiled);
      return instance.exports;
    },
    print() {},
    printErr() {},
  });
  taut.FS.mkdir("/model");
  for (const file of readdirSync(join(root, "models")))
    if (!file.endsWith(".md")) taut.FS.writeFile(`/model/${file}`, readFileSync(join(root, "models", file)));
  const give = (text) => {
    const bytes = Buffer.from(`${text}\0`);
    const at = taut._malloc(bytes.length);
    taut.HEAPU8.set(bytes, at);
    return [at, bytes.length - 1];
  };
  taut._taut_begin(give(`/model/${name}.toml`)[0]);
  return (question) => {
    const from = taut._taut_answer(...give(JSON.stringify(question)));
    return JSON.parse(heard.decode(taut.HEAPU8.slice(from, from + taut._taut_length())));
  };
}

/// Data of the report of the program.
function reported(name) {
  const out = join(folder, name);
  const { status, stderr } = spawnSync(
    program,
    ["run", join(root, "models", `${name}.toml`), "--out", out, "--no-error-estimate"],
    { encoding: "utf8" },
  );
  assert.ok(status === 0 || status === 1, stderr);
  const html = readFileSync(join(out, "report.html"), "utf8");
  const start = html.indexOf('id="data">') + 'id="data">'.length;
  return JSON.parse(html.slice(start, html.indexOf("</script>", start)));
}

const doubles = (text) => {
  const bytes = Buffer.from(text, "base64");
  return Float64Array.from({ length: bytes.length / 8 }, (_, k) => bytes.readDoubleLE(8 * k));
};

/// Columns of what moves, and of nothing that is made from it.
const moving = ["coordinates", "velocities", "unknowns"];
const columns = ({ groups, columns: all }, id) =>
  (groups.find((group) => group.id === id)?.columns ?? []).map((k) => all[k]);

/// Largest difference at the end of two motions, in sizes of all places, or of all velocities, over
/// the whole run; and whether all rows have the same bits.
function difference(here, there) {
  let [largest, same, compared] = [0, true, 0];
  for (const id of moving) {
    const [ours, theirs] = [columns(here, id), columns(there, id)];
    assert.deepEqual(ours.map(({ name }) => name), theirs.map(({ name }) => name));
    const all = theirs.map(({ data }) => doubles(data));
    const size = all.flatMap((x) => [...x]).reduce((most, x) => Math.max(most, Math.abs(x)), 1e-300);
    for (const [k, { data }] of theirs.entries()) {
      const share = Math.abs(doubles(ours[k].data).at(-1) - all[k].at(-1)) / size;
      largest = Math.max(largest, Number.isFinite(share) ? share : Infinity);
      same &&= data === ours[k].data;
      ++compared;
    }
  }
  assert.ok(compared > 0);
  return { largest, same };
}

const names = readdirSync(join(root, "models"))
  .filter((file) => file.endsWith(".toml"))
  .map((file) => file.slice(0, -".toml".length))
  .filter((name) => !process.env.TAUT_MODELS || process.env.TAUT_MODELS.split(",").includes(name));

for (const name of names)
  test(name, async (context) => {
    const ask = await engine(name);
    const opened = ask({ ask: "open", text: readFileSync(join(root, "models", `${name}.toml`), "utf8") });
    assert.ok(opened.ok, JSON.stringify(opened.problems));
    const answer = ask({ ask: "run" });
    assert.ok(answer.ok, JSON.stringify(answer.problems));
    const [here, there] = [answer.data, reported(name)];
    assert.equal(here.summary.status, there.summary.status);
    assert.equal(here.summary.method, there.summary.method);
    const { largest, same } = difference(here, there);
    context.diagnostic(
      `${name}: ${here.summary.steps} steps, ${there.summary.steps} of the program; ends differ by ${largest}${same ? ", the same bits" : ""}`,
    );
    assert.ok(largest <= (sensitive[name] ?? rounding), `ends differ by ${largest}`);
  });
