// Draws docs/planner-front.svg, the front of one question: node figure.mjs FRONTS OUTPUT
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { build } from "esbuild";
import { chromium } from "playwright-core";

import { MOST } from "./grid.mjs";
import { read } from "./src/data.js";
import { described, family, time } from "./src/units.js";
import { deflateSync } from "node:zlib";

const QUESTION = { modulusBits: 3072, exponentBits: 256, kernel: "fma50@amd", secrecy: "secret", batch: 1 };
const BUDGET = 2 ** 20;
const COLOURS = ["#0b5cad", "#b3261e", "#1a7f37", "#7d3c98"];

// Runs in the browser, because Plot needs a document.
function draw({ front, budget, most, names, title, description }) {
  const plan = front.steps.findLast((step) => step.from <= budget);
  const svg = page.front({ ...front, plan, budget, most }, 760);
  const add = (parent, name, attributes, text) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
    if (text) made.textContent = text;
    parent.append(made);
    return made;
  };
  const group = add(svg, "g", { "font-size": "13", "text-anchor": "start" });
  names.forEach((name, place) => {
    const [x, y] = [560, 40 + 20 * place];
    const dashes = page.dashes(place);
    add(group, "path", { d: `M${x} ${y}h32`, stroke: page.colour(place), "stroke-width": 2, ...(dashes ? { "stroke-dasharray": dashes } : {}) });
    add(group, "text", { x: x + 40, y: y + 4, fill: "currentColor" }, name);
  });
  const head = document.createElementNS("http://www.w3.org/2000/svg", "g");
  add(head, "title", { id: "title" }, title);
  add(head, "desc", { id: "description" }, description);
  add(head, "rect", { width: "100%", height: "100%", fill: "white" });
  svg.prepend(...head.childNodes);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-labelledby", "title description");
  svg.setAttribute("color", "#1b1f24");
  return new XMLSerializer().serializeToString(svg);
}

const [fronts, output] = process.argv.slice(2);
const data = await read(deflateSync(await readFile(fronts)).toString("base64"));
const front = data.front(QUESTION);
const plan = front.steps.findLast((step) => step.from <= BUDGET);
const about = {
  front,
  budget: BUDGET,
  most: MOST,
  names: front.lines.map(([name]) => family(name)),
  title: "Bytes of a table against the time of a power: 3072 bits, secret exponents of 256 bits, AVX2 and FMA",
  description: `The front of each method, both axes logarithmic, and that of all behind them. Within 1 MiB the plan is ${described(plan.method, plan.split)}: ${time(plan.microseconds)}.`,
};
const bundle = await build({
  entryPoints: [join(import.meta.dirname, "src/picture.js")],
  bundle: true,
  write: false,
  format: "iife",
  globalName: "page",
});
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
  const page = await browser.newPage();
  await page.addScriptTag({ content: bundle.outputFiles[0].text });
  let svg = await page.evaluate(draw, about);
  COLOURS.forEach((colour, place) => (svg = svg.replaceAll(`var(--series-${place + 1})`, colour)));
  await writeFile(output, `${svg.replaceAll("var(--ground)", "white").replaceAll("><", ">\n<")}\n`);
  console.log(output);
} finally {
  await browser.close();
}
