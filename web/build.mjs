// SPDX-License-Identifier: BSD-3-Clause
// Bundles the pages of src/ with the libraries they use and writes them as one C++ source:
//
//   node build.mjs MODULES OUTPUT
//
// MODULES is a node_modules folder with what package.json asks for, OUTPUT the source; OUTPUT.d says
// in the words of make which files it was made from. Each page
// becomes a script and a style sheet that need no other file; the program puts them into the HTML
// it writes (src/report/page.cpp).
import { createRequire } from "node:module";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [modules, output] = process.argv.slice(2).map((path) => resolve(path));
const esbuild = createRequire(join(modules, "anchor.js"))("esbuild");
const source = join(dirname(fileURLToPath(import.meta.url)), "src");
const pages = ["report", "report3d", "compare", "modes", "pair", "periodic", "play", "play3d", "samples", "signals", "study", "sweep"];

const { outputFiles, metafile } = await esbuild.build({
  entryPoints: pages.map((page) => join(source, `${page}.js`)),
  bundle: true,
  minify: true,
  write: false,
  outdir: "pages",
  format: "iife",
  target: "es2020",
  charset: "ascii",
  legalComments: "inline",
  nodePaths: [modules],
  logLevel: "warning",
  metafile: true,
});

// inside <script> and <style> the page must not be ended by what they say
const harmless = (text) => text.replaceAll("</", "<\\/");

// a string literal in pieces that compilers take
function literal(text) {
  const pieces = [];
  for (let k = 0; k < text.length; k += 8000) {
    const piece = text.slice(k, k + 8000).replace(/[\\"\n\r\t?]|[^ -~]/g, (c) => {
      if (c.codePointAt(0) > 126) throw new Error(`not ASCII: ${c}`);
      return { "\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "?": "\\?" }[c] ??
        `\\${c.charCodeAt(0).toString(8).padStart(3, "0")}`;
    });
    pieces.push(`"${piece}"`);
  }
  return pieces.length > 0 ? pieces.join("\n    ") : '""';
}

function asset(page, kind) {
  const file = outputFiles.find(({ path }) => path.endsWith(`/${page}.${kind}`));
  const text = file ? harmless(file.text) : "";
  return `const std::string_view ${page}_${kind}{\n    ${literal(text)},\n    ${text.length}};\n`;
}

mkdirSync(dirname(output), { recursive: true });
writeFileSync(
  output,
  `// made by web/build.mjs\n#include "page_assets.hpp"\n\nnamespace taut {\n\n` +
    pages.flatMap((page) => [asset(page, "js"), asset(page, "css")]).join("\n") +
    `\n}  // namespace taut\n`,
);

// paths of the metafile are relative to the folder in which this runs
const inputs = Object.keys(metafile.inputs).map((path) => resolve(path).replaceAll(" ", "\\ "));
writeFileSync(`${output}.d`, `${output.replaceAll(" ", "\\ ")}: ${inputs.join(" ")}\n`);
