// Measures in Node.js and in Chromium, and writes the table into a page: bench.mjs PAGE
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";

import { load } from "../src/index.js";
import { browser, serve } from "../test/browser.mjs";
import { measure } from "./measure.mjs";

const [BEGIN, END] = ["<!-- measured: begin -->\n", "<!-- measured: end -->"];

// The name, family and model of the processor. The name alone may not identify it.
function processor() {
  const text = existsSync("/proc/cpuinfo") ? readFileSync("/proc/cpuinfo", "utf8") : "";
  const field = (name) => new RegExp(`^${name}\\s*: (.*)$`, "m").exec(text)?.[1];
  return [cpus()[0].model, field("cpu family") && `family ${field("cpu family")}, model ${field("model")}`].filter(Boolean).join(", ");
}

async function inChromium() {
  const [server, chromium] = [await serve(), await browser()];
  try {
    const page = await chromium.newPage();
    await page.goto(server.address);
    const found = await page.evaluate(async () => {
      const [{ load }, { measure }] = [await import("/src/index.js"), await import("/bench/measure.mjs")];
      return measure(load);
    });
    return { ...found, name: `Chromium ${chromium.version()}` };
  } finally {
    await chromium.close();
    server.close();
  }
}

const time = (milliseconds) => (milliseconds < 1 ? `${(1000 * milliseconds).toFixed(0)} µs` : `${milliseconds.toFixed(2)} ms`);

function line({ operation, bits, milliseconds, ratio, engine }, name) {
  const [median, low, high] = ratio.map((value) => value.toFixed(1));
  return `| ${operation} | ${bits} | ${name} | ${time(milliseconds[0])} | ${time(milliseconds[1])} (${engine}) | **${median}** | ${low}–${high} |`;
}

const all = [{ ...(await measure(load)), name: `Node.js ${process.versions.node}` }, await inChromium()];
const lines = [
  "| operation | bits | in | BigInt | moduli | times faster | quartiles |",
  "| --- | --- | --- | --- | --- | --- | --- |",
  ...all.flatMap(({ rows, name }) => rows.map((row) => line(row, name.split(" ")[0]))),
  "",
  `${processor()}, one thread; ${all.map(({ name }) => name).join(", ")}; moduli ${JSON.parse(readFileSync(new URL("../package.json", import.meta.url))).version}; ${new Date().toISOString().slice(0, 10)}.`,
  "",
].join("\n");
console.log(lines);
const page = readFileSync(process.argv[2], "utf8");
const [from, to] = [page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)];
if (from < BEGIN.length || to < from) throw new Error(`${process.argv[2]} has no place for the table`);
writeFileSync(process.argv[2], page.slice(0, from) + lines + page.slice(to));
