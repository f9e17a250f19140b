// Tests the page in a browser: it loads nothing else, is accessible, and fits every screen.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { REPORT, codeLines, launch, open, tabTo } from "./browser.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

for (const [screen, width, height] of [["desktop", 1200, 900], ["phone", 390, 844]]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`${screen}, ${colorScheme}: nothing to complain about, nothing beside the screen`, async () => {
      const { page, complaints } = await open(browser, { width, height, colorScheme });
      const shown = await page.evaluate(() => [document.documentElement.scrollWidth, document.querySelectorAll("figure svg[role=img]").length]);
      assert.deepEqual(shown, [width, 6]);
      await page.screenshot({ path: join(REPORT, `${screen}-${colorScheme}.png`), fullPage: true });
      for (const summary of await page.locator("summary").all()) await summary.click();
      await page.waitForFunction(() => document.querySelectorAll("table").length === 7);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      assert.deepEqual(complaints, []);

      // Injected by the browser's protocol, because the page's policy blocks other scripts.
      const axe = await readFile(join(import.meta.dirname, "../node_modules/axe-core/axe.min.js"), "utf8");
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run());
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join("; ")}`);
      assert.deepEqual(found, []);
      await page.close();
    });
  }
}

test("the policy lets nothing in: no script of another, no eval, no network", async () => {
  const { page, complaints } = await open(browser);
  const policy = await page.getAttribute("meta[http-equiv]", "content");
  // WebAssembly may be compiled, but no text may be evaluated as code.
  assert.match(policy, /default-src 'none'; script-src 'sha256-[^']+' 'wasm-unsafe-eval'; /);
  assert.doesNotMatch(policy, /(?<!wasm-)unsafe-eval|script-src[^;]*unsafe-inline/);
  const ran = await page.evaluate(async () => {
    const script = document.createElement("script");
    script.textContent = "window.stranger = true";
    document.body.append(script);
    const fetched = await fetch("https://example.org/").then(() => true, () => false);
    return [window.stranger === true, fetched];
  });
  assert.deepEqual(ran, [false, false]);
  assert.ok(complaints.length > 0, "the browser says what it refused");
  await page.close();
});

test("every picture has a name, a description and a table", async () => {
  const { page } = await open(browser, { width: 700 });
  for (const summary of await page.locator("summary").all()) await summary.click();
  await page.waitForFunction(() => document.querySelectorAll("table").length === 7);
  const pictures = await page.evaluate(() =>
    [...document.querySelectorAll("figure")].map((figure) => {
      const svg = figure.querySelector("svg[role=img]");
      const text = (name) => document.getElementById(svg.getAttribute(name))?.textContent;
      const table = figure.nextElementSibling.querySelector("table");
      return [text("aria-labelledby"), text("aria-describedby"), table?.rows.length ?? 0];
    }),
  );
  for (const [name, description, rows] of pictures) assert.ok(name && description && rows > 4, `${name}: ${rows} rows`);
  await page.close();
});

// Each series has a line in the picture, in the colour of its name, with each point where the scale puts it.
test("the figures of the reproduction show their numbers", async () => {
  const { page } = await open(browser);
  const [figures, drawn] = await page.evaluate(() => [
    JSON.parse(document.getElementById("figure-data").textContent),
    [...document.querySelectorAll("#figures figure")].map((figure) => ({
      names: [...figure.querySelectorAll(".key li")].map((item) => [item.textContent, item.querySelector("path").style.stroke]),
      lines: [...figure.querySelectorAll("svg[role=img] path")]
        .filter((path) => path.getAttribute("stroke-width") === "1.7" || path.parentElement.getAttribute("stroke-width") === "1.7")
        .map((path) => [path.getAttribute("d"), path.getAttribute("stroke") ?? path.parentElement.getAttribute("stroke")]),
    })),
  ]);
  assert.deepEqual([figures.length, drawn.length], [5, 5]);
  figures.forEach(({ title, series, logarithmic }, i) => {
    const { names, lines } = drawn[i];
    assert.deepEqual(names.map(([name]) => name), series.map(({ name }) => name), title);
    assert.deepEqual(lines.map(([, colour]) => colour), names.map(([, colour]) => colour), title);
    const places = lines.map(([d]) => d.slice(1).split(/[LM]/).map((place) => place.split(",").map(Number)));
    assert.deepEqual(places.map((line) => line.length), series.map(({ points }) => points.length), title);
    for (const axis of [0, 1]) {
      const scaled = series.flatMap(({ points }) => points.map((point) => (logarithmic[axis] ? Math.log(point[axis]) : point[axis])));
      const shown = places.flat().map((place) => place[axis]);
      const [least, most] = [Math.min(...scaled), Math.max(...scaled)].map((value) => scaled.indexOf(value));
      const slope = (shown[most] - shown[least]) / (scaled[most] - scaled[least]);
      assert.ok(axis === 0 ? slope > 0 : slope < 0, title);
      scaled.forEach((value, j) => assert.ok(Math.abs(shown[least] + slope * (value - scaled[least]) - shown[j]) < 0.5, `${title}: point ${j}`));
    }
  });
  await page.close();
});

test("a button copies the lines, by keyboard", async () => {
  const { page, complaints } = await open(browser);
  await tabTo(page, "budget");
  await page.keyboard.press("ArrowRight");
  await page.getByRole("button", { name: "Copy the lines for Rust" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Copied").waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await codeLines(page, "rust"));
  assert.deepEqual(complaints, []);
  await page.close();
});

test("a budget below the smallest table is said to be that", async () => {
  const { page } = await open(browser);
  await tabTo(page, "group");
  await page.keyboard.press("End");
  await tabTo(page, "budget");
  await page.keyboard.press("Home");
  assert.match(await page.textContent("#plan"), /^No table fits the budget. The smallest needs \d/);
  await page.keyboard.press("End");
  assert.doesNotMatch(await page.textContent("#plan"), /No table/);
  await page.close();
});
