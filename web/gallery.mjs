// SPDX-License-Identifier: BSD-3-Clause
// The gallery: docs/gallery/README.md and its pictures, from models/*.toml.
//
//   node gallery.mjs PROGRAM [NAME...]   runs the models and writes all of it, or only these pictures
//   node gallery.mjs --check             is every model in it, with its picture, and does each link
//                                        lead somewhere? Nothing is run
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { picture } from "./gallery/picture.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const gallery = join(root, "docs/gallery");
const models = readdirSync(join(root, "models"))
  .filter((file) => file.endsWith(".toml"))
  .map((file) => file.slice(0, -".toml".length))
  .sort();

// curves that say more in the plane or in space than over their independent variable
const portraits = {
  double_pendulum_dae: ["x2", "y2"],
  magnetic_particle: ["y1", "y2", "y3"],
  pendulum_dae: ["x", "y"],
  rigid_body: ["y1", "y2", "y3"],
};
// a model of at most this many lines stands in the page
const short = 60;
// a picture is made of about this many instants
const instants = 600;

/// What the comment at the top of a model file says, as paragraphs: sources and what is expected
/// begin new ones.
function about(text) {
  const lines = [];
  for (const line of text.split("\n")) {
    if (!line.startsWith("#")) break;
    lines.push(line.slice(1).trim());
  }
  return lines
    .join("\n")
    .split(/\n(?=Source:|Expected)/)
    .map((paragraph) => asMarkdown(paragraph.replaceAll("\n", " ")));
}

/// Outside of `code` nothing is a sign of Markdown.
function asMarkdown(text) {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : part.replace(/[\\*_<>[\]|#~]/g, "\\$&")))
    .join("");
}

/// Data of the report of a run, or null; a run that ends early has one, too.
function report(program, folder, name, ...options) {
  try {
    execFileSync(program, ["run", join("models", `${name}.toml`), "--out", folder, ...options], {
      cwd: root,
      stdio: "pipe",
    });
  } catch (failure) {
    if (failure.status !== 1) throw new Error(`${name}: ${failure.stderr ?? failure}`);
  }
  const html = readFileSync(join(folder, "report.html"), "utf8");
  const start = html.indexOf('id="data">') + 'id="data">'.length;
  return JSON.parse(html.slice(start, html.indexOf("</script>", start)));
}

const digits = (x) => (x === 0 ? "0" : Number(x).toExponential(0).replace("e+", "e"));
const rounded = (x) => String(Number(Number(x).toPrecision(3)));

/// What may differ from machine to machine (times) is left out, or rounded to one digit.
function facts({ summary }) {
  const said = [`method \`${summary.method}\``, `${summary.steps} steps`];
  if (Number.isFinite(summary.energy_error))
    said.push(`energy kept to ${digits(summary.energy_error)}`);
  if (summary.max_constraint > 0)
    said.push(`constraints kept to ${digits(summary.max_constraint)}`);
  if (summary.status !== "done") said.push(`ended: ${summary.status.replaceAll("_", " ")}`);
  return said.join(", ");
}

function entry(name, text, data, { from, to }) {
  const { name: axis, unit } = data.axis;
  const lines = text.trimEnd().split("\n");
  const file =
    lines.length <= short
      ? `<details><summary><a href="../../models/${name}.toml">models/${name}.toml</a></summary>\n\n\`\`\`toml\n${lines.join("\n")}\n\`\`\`\n\n</details>`
      : `[models/${name}.toml](../../models/${name}.toml)`;
  return [
    `## ${name}`,
    `<img src="${name}.svg" width="480" alt="${data.title.replace(/[&<>"]/g, "")}">`,
    ...about(text),
    `    ./taut run models/${name}.toml`,
    `${facts(data)}. The picture shows ${axis} = ${rounded(from)} to ${rounded(to)}${unit ? ` ${unit}` : ""}.`,
    file,
  ].join("\n\n");
}

function contents() {
  const cell = (name) =>
    `<td align="center"><a href="#${name}"><img src="${name}.svg" width="200" alt=""><br>${name}</a></td>`;
  const rows = [];
  for (let k = 0; k < models.length; k += 4)
    rows.push(
      `<tr>\n${models
        .slice(k, k + 4)
        .map(cell)
        .join("\n")}\n</tr>`,
    );
  return `<table>\n${rows.join("\n")}\n</table>`;
}

function build(program, wanted) {
  mkdirSync(gallery, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), "taut-gallery-"));
  const entries = [];
  try {
    for (const name of wanted.length > 0 ? wanted : models) {
      const data = report(program, join(folder, name), name);
      const { summary, axis } = data;
      // steps may be long: between them the motion is asked for again
      let shown = data;
      if (axis.name === "t" && data.rows < instants && summary.status === "done")
        shown = report(
          program,
          join(folder, `${name}-every`),
          name,
          "--every",
          String(summary.t / instants),
        );
      const made = picture(shown, portraits[name]);
      writeFileSync(join(gallery, `${name}.svg`), made.svg);
      entries.push(
        entry(name, readFileSync(join(root, "models", `${name}.toml`), "utf8"), data, made),
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (wanted.length > 0) return;
  const head =
    "# Gallery\n\nThe models of [models/](../../models), each run by the method that taut chooses. Pale is where the mechanism was\n" +
    "before; bars and springs are orange where they are pulled and blue where they are pushed. Each run writes a `report.html` in\n" +
    "which all of it moves, and `./taut play models/top.toml --with models/*.toml` makes one page in which all of them are\n" +
    "[played with](../manual/play.md). This page and its pictures are made by `./taut gallery`.";
  writeFileSync(join(gallery, "README.md"), [head, contents(), ...entries].join("\n\n") + "\n");
}

function check() {
  const wrong = [];
  const page = existsSync(join(gallery, "README.md"))
    ? readFileSync(join(gallery, "README.md"), "utf8")
    : "";
  for (const name of models) {
    if (!page.includes(`\n## ${name}\n`)) wrong.push(`models/${name}.toml has no entry`);
    if (!existsSync(join(gallery, `${name}.svg`))) wrong.push(`models/${name}.toml has no picture`);
  }
  for (const [, link] of page.matchAll(/(?:src="|href="|\]\()([^")]+)/g)) {
    const leads = link.startsWith("#")
      ? page.includes(`\n## ${link.slice(1)}\n`)
      : existsSync(join(gallery, link));
    if (!leads) wrong.push(`${link} leads nowhere`);
  }
  for (const file of existsSync(gallery) ? readdirSync(gallery) : [])
    if (file.endsWith(".svg") && !models.includes(file.slice(0, -".svg".length)))
      wrong.push(`docs/gallery/${file} is of no model`);
  if (wrong.length === 0) return;
  console.error(
    [...new Set(wrong), "the gallery is not up to date: run ./taut gallery"].join("\n"),
  );
  process.exitCode = 1;
}

const [program, ...wanted] = process.argv.slice(2);
if (program === undefined)
  throw new Error("node gallery.mjs PROGRAM [NAME...] or node gallery.mjs --check");
else if (program === "--check") check();
else build(resolve(program), wanted);
