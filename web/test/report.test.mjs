// SPDX-License-Identifier: BSD-3-Clause
// report.html in a browser: what it draws, plays and says is what motion.csv has.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  assertFits,
  assertNear,
  assertNotHacked,
  colors,
  csv,
  drawn,
  json,
  luminance,
  malicious,
  maliciousModel,
  open,
  phone,
  screenshot,
  taut,
} from "./support.mjs";

/// A run: its folder, its page, and its motion by column.
function run(model, options = [], outcome = {}) {
  const out = taut("run", model, options, outcome);
  const { names, rows } = csv(join(out, "motion.csv"));
  const columns = new Map(names.map((name, k) => [name, rows.map((row) => Number(row[k]))]));
  return { out, page: join(out, "report.html"), columns, rows: rows.length };
}

// columns of the page that go by another name in motion.csv
const inFile = { "max |g|": "max_constraint", "max |G v + g_t|": "max_velocity_constraint" };
const column = ({ columns }, name) =>
  columns.get(name) ?? columns.get(`lambda(${name})`) ?? columns.get(inFile[name]);

/// All plots, as arrays.
const plots = (page) =>
  page.evaluate(async () => {
    await window.taut.draw();
    return window.taut.plots.map(({ id, xs, series, scales }) => ({
      id,
      xs: [...xs],
      scales,
      series: series.map(({ name, values }) => ({ name, values: [...values] })),
    }));
  });

/// Every series that was handed to a plot is a column of the file, number for number.
async function assertPlotsAreTheFile(page, motion, atLeast) {
  const scale = new Map(
    (await page.evaluate(() => window.taut.data.groups)).map(({ id, scale: kind }) => [id, kind]),
  );
  let compared = 0;
  for (const { id, xs, series } of await plots(page)) {
    if (!scale.has(id)) continue;
    assert.deepEqual(xs, motion.columns.get("t") ?? motion.columns.get("s"), `abscissa of ${id}`);
    for (const { name, values } of series) {
      const expected = column(motion, name);
      if (!expected) continue;
      // a log scale has no place for zero
      const shown =
        scale.get(id) === "log" ? expected.map((y) => (y === 0 ? null : Math.abs(y))) : expected;
      assert.deepEqual(values, shown, `${name} in ${id}`);
      ++compared;
    }
  }
  assert.ok(compared >= atLeast, `only ${compared} series could be compared`);
}

/// The file that a button saves, by the words for the menu it is in.
async function saved(page, menu, kind) {
  const at = page.locator(`details.save:has(summary[aria-label="${menu}"])`).first();
  await at.scrollIntoViewIfNeeded();
  await at.locator("summary").click();
  const [download] = await Promise.all([
    page.waitForEvent("download", { timeout: 30_000 }),
    at.getByRole("button", { name: kind === "film" ? /film/ : new RegExp(kind) }).click(),
  ]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/// Where the file has the points of a scene, by name: of a marker, from the columns of its body.
function expectedPlaces(scene, motion, k) {
  const at = (name) => motion.columns.get(name)?.[k];
  return scene.points.map(({ name, kind, body, at: own }) => {
    if (kind === "mass") return ["x", "y", "z"].map((c) => at(`${name}.${c}`) ?? 0);
    if (kind !== "marker") return null;
    const of = scene.bodies[body].name;
    return ["x", "y", "z"].map(
      (c, i) =>
        at(`${of}.${c}`) +
        [0, 1, 2].reduce((sum, j) => sum + at(`${of}.r${i + 1}${j + 1}`) * own[j], 0),
    );
  });
}

/// Shows rows of the motion; places in the model are those of the file, and on the screen they follow
/// from them by one scale.
async function assertPlacesAreTheFile(page, motion, atLeast) {
  const { scene } = await page.evaluate(() => window.taut.data);
  const t = motion.columns.get("t");
  const screen = [];
  for (const share of [0, 0.3, 0.77, 1]) {
    const k = Math.round(share * (motion.rows - 1));
    const shown = await page.evaluate((x) => (window.taut.seek(x), window.taut.view()), t[k]);
    let compared = 0;
    for (const [i, place] of expectedPlaces(scene, motion, k).entries()) {
      if (!place) continue;
      const size = Math.max(1, ...place.map(Math.abs));
      place.forEach((x, d) =>
        assertNear(shown[i].world[d], x, 1e-12 * size, `${shown[i].name} at t = ${t[k]}`),
      );
      screen.push({ place, ...shown[i] });
      ++compared;
    }
    assert.ok(compared >= atLeast, `only ${compared} points could be compared`);
  }
  if (scene.dimension === 3) return;
  const byX = [...screen].sort((a, b) => a.place[0] - b.place[0]);
  const [first, last] = [byX[0], byX.at(-1)];
  const scale = (last.px - first.px) / (last.place[0] - first.place[0]);
  assert.ok(scale > 0);
  for (const { place, px, py, name } of screen) {
    assertNear(px, first.px + scale * (place[0] - first.place[0]), 0.6, `${name} across`);
    assertNear(py, first.py - scale * (place[1] - first.place[1]), 0.6, `${name} up`);
  }
}

/// How much of the stage, or of another part, is not background: share of a grid of places.
async function painted(page, selector = ".stage") {
  const png = await page.locator(selector).screenshot();
  const box = await page.locator(selector).boundingBox();
  const places = [];
  for (let x = 6; x < box.width - 6; x += 5)
    for (let y = 6; y < box.height - 6; y += 5) places.push([x, y]);
  const seen = await colors(png, places);
  const counts = new Map();
  for (const color of seen) counts.set(String(color), (counts.get(String(color)) ?? 0) + 1);
  const background = [...counts].sort((a, b) => b[1] - a[1])[0][0];
  return seen.filter((color) => String(color) !== background).length / seen.length;
}

async function stop(page) {
  await page.evaluate(() => window.taut.pause());
  await drawn(page);
}

/// Plays by its button, pauses by a key, goes row by row, to the ends and by the slider.
async function assertPlays(page, motion) {
  const axis = motion.columns.get("t") ?? motion.columns.get("s");
  const time = () => page.evaluate(() => window.taut.time());
  await page.getByRole("button", { name: "Play the motion" }).click();
  await page.waitForFunction((start) => window.taut.time() > start, axis[0]);
  await page.locator(".stage").focus();
  await page.keyboard.press(" ");
  assert.equal(await page.evaluate(() => window.taut.playing()), false);
  const paused = await time();
  await drawn(page);
  assert.equal(await time(), paused);
  await page.keyboard.press("Home");
  assert.equal(await time(), axis[0]);
  await page.keyboard.press("ArrowRight");
  assert.equal(await time(), axis[1]);
  await page.keyboard.press("Shift+ArrowRight");
  assert.equal(await time(), axis[Math.min(11, axis.length - 1)]);
  await page.keyboard.press("End");
  assert.equal(await time(), axis.at(-1));
  const slider = await page.locator(".scrub").boundingBox();
  await page.mouse.click(slider.x + slider.width / 2, slider.y + slider.height / 2);
  assertNear(
    await time(),
    (axis[0] + axis.at(-1)) / 2,
    0.03 * (axis.at(-1) - axis[0]),
    "half of the slider",
  );
}

const gallery = [
  { model: "double_pendulum", points: 2, series: 12 },
  { model: "car_axis", points: 2, series: 10 },
  { model: "hinged_bodies", points: 3, series: 12 },
  { model: "water7", points: 21, series: 10 },
];

for (const { model, points, series } of gallery)
  test(`${model}: picture and plots show what the file has`, async () => {
    const motion = run(model);
    await open(motion.page, async (page) => {
      await assertPlotsAreTheFile(page, motion, series);
      await assertPlacesAreTheFile(page, motion, points);
      await assertPlays(page, motion);
      await stop(page);
      await screenshot(page, model);
      const share = await painted(page);
      assert.ok(share > 0.003 && share < 0.8, `${share} of the picture is painted`);
    });
  });

test("plug_flow: a curve without a mechanism is drawn as a path", async () => {
  const motion = run("plug_flow");
  await open(motion.page, async (page) => {
    await assertPlotsAreTheFile(page, motion, 3);
    const [first] = await page.evaluate(() => (window.taut.seek(-Infinity), window.taut.view()));
    const [last] = await page.evaluate(() => (window.taut.seek(Infinity), window.taut.view()));
    assert.ok(Math.hypot(last.px - first.px, last.py - first.py) > 50, "the dot goes along");
    await assertPlays(page, motion);
    await stop(page);
    await screenshot(page, "plug_flow");
    const share = await painted(page);
    assert.ok(share > 0.002 && share < 0.8, `${share} of the picture is painted`);
  });
});

const pendulum = run("double_pendulum");

test("a mass is where it is drawn", async () => {
  await open(pendulum.page, async (page) => {
    await page.getByRole("button", { name: "Play the motion" }).click();
    await page.locator(".stage").focus();
    await page.keyboard.press("t"); // without trails
    const t = pendulum.columns.get("t");
    const show = async (k) => {
      await page.evaluate((x) => (window.taut.pause(), window.taut.seek(x)), t[k]);
      await drawn(page);
      const bob = (await page.evaluate(() => window.taut.view())).find(
        ({ name }) => name === "bob2",
      );
      return { bob, png: await page.locator(".stage").screenshot() };
    };
    const [early, late] = [await show(20), await show(60)];
    // wider than the rod that ends there
    const { px, py } = early.bob;
    const disc = [
      [-4, 0],
      [4, 0],
      [0, -4],
      [0, 4],
    ].map(([x, y]) => [px + x, py + y]);
    const there = (await colors(early.png, disc)).map(luminance);
    const gone = (await colors(late.png, disc)).map(luminance);
    const empty = luminance((await colors(late.png, [[4, 4]]))[0]);
    for (const seen of there)
      assert.ok(Math.abs(seen - empty) > 0.2, "nothing is drawn at the mass");
    for (const seen of gone) assertNear(seen, empty, 0.02, "the mass is still where it was");
  });
});

test("plots zoom together, read out rows, and the picture follows the pointer", async () => {
  await open(pendulum.page, async (page) => {
    const t = pendulum.columns.get("t");
    await page.evaluate(() => window.taut.draw());
    const over = page.locator(".plot .u-over").first();
    await over.scrollIntoViewIfNeeded();
    const box = await over.boundingBox();
    const across = (share) => box.x + share * box.width;
    const middle = box.y + box.height / 2;

    // a time at which the pointer stands: the row nearest to it is read out
    await page.mouse.move(across(0.4), middle);
    await drawn(page);
    const time = await page.evaluate(() => window.taut.time());
    assertNear(time, 4, 0.1, "time at the pointer");
    const k = t.reduce(
      (best, x, n) => (Math.abs(x - time) < Math.abs(t[best] - time) ? n : best),
      0,
    );
    const legend = await page.locator(".plot").first().locator(".legend button").allInnerTexts();
    for (const text of legend) {
      const [, name, value] = text.trim().match(/^(.*\S)\s+(\S+)$/s);
      const expected = column(pendulum, name)[k];
      assertNear(
        Number(value.replace("−", "-")),
        expected,
        1e-4 * Math.max(1, Math.abs(expected)),
        `${name} read out`,
      );
    }
    assert.ok(legend.length === 2, `${legend}`); // loads come first

    // drag from a quarter to a half: all plots show that time
    await page.mouse.move(across(0.25), middle);
    await page.mouse.down();
    await page.mouse.move(across(0.5), middle, { steps: 4 });
    await page.mouse.up();
    await drawn(page);
    for (const { id, scales } of await plots(page)) {
      assertNear(scales.x.min, 2.5, 0.05, `start of ${id}`);
      assertNear(scales.x.max, 5, 0.05, `end of ${id}`);
    }
    await screenshot(page, "zoomed");
    await over.dblclick();
    await drawn(page);
    const [{ scales }] = await plots(page);
    assertNear(scales.x.min, t[0], 1e-9, "start of all");
    assertNear(scales.x.max, t.at(-1), 1e-9, "end of all");
  });
});

test("words, marks and loads come first", async () => {
  await open(pendulum.page, async (page) => {
    const summary = json(join(pendulum.out, "summary.json"));
    const text = await page.locator("#page").innerText();
    assert.ok(text.includes("double pendulum"));
    assert.ok(text.includes(summary.method));
    // the rod that carries most, from the file
    const largest = ["rod 1", "rod 2"].map((rod) =>
      Math.max(...column(pendulum, rod).map(Math.abs)),
    );
    const most = largest[0] > largest[1] ? "rod 1" : "rod 2";
    assert.match(
      await page.locator(".marks").innerText(),
      new RegExp(`largest load\\s+\u2068?${most}`),
    );
    // without scrolling: the words and the picture
    for (const part of [".marks", ".stage"]) {
      const box = await page.locator(part).boundingBox();
      assert.ok(box.y + box.height <= 900, `${part} ends at ${box.y + box.height} px`);
    }
    await page.keyboard.press("?");
    assert.ok(await page.locator("dialog").isVisible());
    await page.keyboard.press("Escape");
    assert.ok(!(await page.locator("dialog").isVisible()));
  });
});

test("on a phone and in the dark", async () => {
  await open(
    pendulum.page,
    async (page) => {
      await assertFits(page);
      for (const button of await page.locator(".transport button").all()) {
        const { width, height } = await button.boundingBox();
        assert.ok(Math.min(width, height) >= 40, `a button of ${width} x ${height} px`);
      }
      const [corner] = await colors(await screenshot(page, "report-phone-dark"), [[3, 3]]);
      assert.ok(luminance(corner) < 0.1, `background ${corner}`);
    },
    { ...phone, colorScheme: "dark" },
  );
});

test("on paper: all plots, a still, no controls", async () => {
  await open(pendulum.page, async (page) => {
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await drawn(page);
    const groups = await page.evaluate(
      () => window.taut.data.groups.filter(({ columns }) => columns.length > 0).length,
    );
    assert.equal(await page.locator(".plot canvas").count(), groups);
    const share = await painted(page, "canvas.still");
    assert.ok(share > 0.003 && share < 0.8, `${share} of the still is painted`);
    assert.ok(!(await page.locator(".player").isVisible()));
    await screenshot(page, "report-print", { fullPage: true });
  });
});

test("a run that fails says so first", async () => {
  const text = `name = "runaway"
[coordinates]
q = { mass = 1, at = 1, velocity = 1 }
[[force]]
on = "q"
value = "50*q^3"
[run]
until = 10
`;
  const motion = run(text, [], { exit: 1 });
  const { message, hint } = json(join(motion.out, "summary.json"));
  await open(motion.page, async (page) => {
    assert.ok((await page.locator(".marks .bad").count()) > 0);
    const said = await page.locator(".failure").innerText();
    // as sentences: from the second letter on they are those of the summary
    for (const text of [message, hint]) {
      assert.ok(said.includes(text.slice(1)), text);
      assert.ok(said.includes(text[0].toUpperCase()), text);
    }
    const whole = await page.locator("#page").innerText();
    assert.equal(whole.split(message.slice(1)).length, 2, `once: ${message}`);
    await screenshot(page, "report-failed");
  });
});

test("names are text", async () => {
  const motion = run(maliciousModel);
  await open(
    motion.page,
    async (page) => {
      await page.evaluate(() => window.taut.draw());
      await assertNotHacked(page);
      assert.ok((await page.locator("h1").textContent()).includes(malicious));
      assert.ok((await page.locator(".marks").innerText()).includes("</script><b onclick=1>rod"));
      await assertFits(page);
      await screenshot(page, "report-malicious");
    },
    phone,
  );
});

test("a million steps: a page below 5 MB that keeps extremes", async () => {
  const text = `name = "a million steps"
[coordinates]
q = { mass = 1, at = 1 }
[[force]]
on = "q"
value = "-q*(1 + q^2)"
[run]
until = 100
method = "verlet"
step = 1e-4
`;
  const motion = run(text);
  const { size } = statSync(motion.page);
  assert.ok(size < 5e6, `${size} bytes`);
  assert.equal(json(join(motion.out, "summary.json")).steps, 1e6);
  await open(motion.page, async (page) => {
    await plots(page);
    const { columns, rows } = await page.evaluate(() => window.taut.data);
    assert.ok(rows <= 4000, `${rows} rows`);
    const numbers = (text) => new Float64Array(Uint8Array.from(Buffer.from(text, "base64")).buffer);
    const q = columns.find(({ name }) => name === "q");
    const [data, low, high] = [q.data, q.low, q.high].map(numbers);
    for (let k = 0; k < data.length; ++k)
      assert.ok(low[k] <= data[k] && data[k] <= high[k], `row ${k}`);
    assert.ok(
      low.some((x, k) => x < Math.min(data[k], data[Math.max(0, k - 1)])),
      "extremes lie between rows, too",
    );
    await screenshot(page, "report-million");
  });
});

test("what is seen can be saved: numbers, drawings, pictures, a film", async () => {
  const motion = run("double_pendulum", ["--until", "3"]);
  await open(
    motion.page,
    async (page) => {
      await plots(page);
      const { title } = await page.evaluate(() =>
        window.taut.data.groups.find(({ id }) => id === "coordinates"),
      );
      const menu = `Save the plot ${title}`;
      const numbers = await saved(page, menu, "its numbers");
      assert.match(numbers.name, /^double_pendulum.*\.csv$/);
      const [head, ...rows] = numbers.bytes.toString().trim().split("\n");
      const names = head.split(",");
      assert.ok(names.length >= 5 && names[0] === "t", head);
      assert.equal(rows.length, motion.rows);
      const values = rows.map((row) => row.split(",").map(Number));
      for (const [k, name] of names.entries())
        assert.deepEqual(
          values.map((row) => row[k]),
          motion.columns.get(name),
          name,
        );
      // of what is shown alone
      await page.evaluate(() => window.taut.zoom(1, 2));
      const part = (await saved(page, menu, "its numbers")).bytes.toString().trim().split("\n");
      assert.equal(part.length - 1, motion.columns.get("t").filter((t) => t >= 1 && t <= 2).length);
      const drawing = (await saved(page, menu, "drawing")).bytes.toString();
      const shape = await page.evaluate((text) => {
        const svg = new DOMParser().parseFromString(text, "image/svg+xml");
        return {
          broken: svg.querySelector("parsererror") !== null,
          texts: [...svg.querySelectorAll("text")].map((one) => one.textContent),
          points: svg.querySelector("g path[stroke]").getAttribute("d").split(/[ML]/).length - 1,
        };
      }, drawing);
      assert.ok(!shape.broken && shape.points > 5, drawing.slice(0, 300));
      assert.ok(shape.texts.some((text) => text.startsWith(title)) && shape.texts.includes("t [s]"), shape.texts.join());
      for (const [which, kind] of [[menu, "as a picture"], ["Save the picture, or a film", "Save the picture"]]) {
        const { bytes, name } = await saved(page, which, kind);
        assert.equal(bytes.subarray(1, 4).toString(), "PNG", name);
        // not one colour alone
        const colors = await page.evaluate(async (base64) => {
          const image = await createImageBitmap(await (await new Promise((done) => {
            const raw = atob(base64);
            done(new Blob([Uint8Array.from(raw, (c) => c.charCodeAt(0))]));
          })));
          const sheet = new OffscreenCanvas(image.width, image.height);
          const ctx = sheet.getContext("2d");
          ctx.drawImage(image, 0, 0);
          return new Set(new Uint32Array(ctx.getImageData(0, 0, image.width, image.height).data.buffer)).size;
        }, bytes.toString("base64"));
        assert.ok(colors > 10, `${name} has ${colors} colours`);
      }
    },
    { acceptDownloads: true },
  );
});

test("a film of the motion can be saved, and its pace is that of the clock", async () => {
  const motion = run("double_pendulum", ["--until", "1"]);
  await open(
    motion.page,
    async (page) => {
      const button = page.getByRole("button", { name: "Real time" });
      assert.equal(await button.getAttribute("aria-pressed"), "false");
      await button.click();
      assert.equal(await button.getAttribute("aria-pressed"), "true");
      assert.match(await page.locator(".pace").textContent(), /t runs 1 s per second/);
      const { name, bytes } = await saved(page, "Save the picture, or a film", "film");
      assert.match(name, /\.(webm|mp4)$/);
      assert.ok(bytes.length > 5000, `${bytes.length} bytes`);
      const length = await page.evaluate(() => window.taut.time());
      assert.equal(length, 1);
    },
    { acceptDownloads: true },
  );
});

test("two runs in one page: what differs, both motions, their difference", async () => {
  const { spawnSync } = await import("node:child_process");
  const runs = [run("double_pendulum", ["--until", "3"]), run("double_pendulum", ["--until", "2", "--set", "g=9", "--tol", "1e-6"])];
  const out = join(runs[0].out, "two.html");
  const { status, stderr } = spawnSync(process.env.TAUT_PROGRAM, ["report", runs[0].out, runs[1].out, "--out", out], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  assert.ok(statSync(out).size < 5_000_000);
  await open(out, async (page) => {
    const rows = await page.locator(".differences tr").allTextContents();
    assert.ok(rows.includes("g9.819"), rows.join("; "));
    assert.ok(rows.includes("tolerance1e-81e-6"), rows.join("; "));
    assert.ok(!rows.some((row) => row.startsWith("method")), "the method is the same");
    // at rows of a run its values are those of its file
    const both = async () => (await plots(page)).find(({ id }) => id === "coordinates");
    const { xs, series } = await both();
    for (const [k, letter] of ["A", "B"].entries()) {
      const one = series.find(({ name }) => name === `${letter} bob1.x`);
      const times = runs[k].columns.get("t");
      for (const [row, t] of times.entries())
        assertNear(one.values[xs.indexOf(t)], runs[k].columns.get("bob1.x")[row], 1e-12);
      // and nothing where it has not been
      for (const [row, t] of xs.entries())
        if (t > times.at(-1)) assert.equal(one.values[row] ?? null, null);
    }
    await page.getByRole("button", { name: "B − A" }).click();
    const apart = (await both()).series.find(({ name }) => name === "bob1.x: B − A");
    const [a, b] = ["A", "B"].map((letter) => series.find(({ name }) => name === `${letter} bob1.x`).values);
    for (const row of [1, 20, 40]) assertNear(apart.values[row], b[row] - a[row], 1e-12);
    // both mechanisms: the picture of one alone has less in it
    await page.evaluate(() => window.taut.seek(1.9));
    const inked = await page.evaluate(() => {
      const canvas = document.querySelector("#stage canvas");
      const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
      let faint = 0;
      for (let k = 3; k < pixels.length; k += 4) if (pixels[k] > 60 && pixels[k] < 160) ++faint;
      return faint;
    });
    assert.ok(inked > 500, `${inked} faint pixels`);
    await screenshot(page, "two_runs");
  });
});
