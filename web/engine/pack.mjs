// SPDX-License-Identifier: BSD-3-Clause
// Packs the engine as a page carries it: node pack.mjs taut_engine.js taut_engine.wasm OUTPUT
// OUTPUT is a JSON object, { "script", "wasm" }: both compressed by gzip, in base64.
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const [script, wasm, output] = process.argv.slice(2);
const packed = (file) => gzipSync(readFileSync(file), { level: 9 }).toString("base64");
writeFileSync(output, JSON.stringify({ script: packed(script), wasm: packed(wasm) }));
