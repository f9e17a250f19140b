// Opens the page in a browser, and operates it by keyboard alone.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { chromium } from "playwright-core";

export const ROOT = join(import.meta.dirname, "../..");
export const REPORT = join(ROOT, "target/report");
const PAGE = join(REPORT, "index.html");
const MODULI = join(ROOT, "target/release/moduli");

export function launch() {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

// Opens the page and waits until it is ready. Also returns the errors that the browser reports.
// `before` runs in the page before its own script.
export async function open(browser, { width = 1200, height = 900, colorScheme = "light", before = () => {} } = {}) {
  if (!existsSync(PAGE)) throw new Error(`${PAGE} is missing: make report`);
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  await page.addInitScript(before);
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => /^https?:/.test(request.url()) && complaints.push(`asks for ${request.url()}`));
  await page.goto(pathToFileURL(PAGE).href);
  await page.waitForSelector("html[data-ready]");
  return { page, complaints };
}

// Runs the command with one thread, as when the page was made, and returns its output.
export function moduli(...rest) {
  const env = { ...process.env, RAYON_NUM_THREADS: "1" };
  const run = spawnSync(MODULI, rest, { env, encoding: "utf8" });
  if (run.status !== 0) throw new Error(`moduli ${rest.join(" ")}: ${run.stderr}`);
  return run.stdout;
}

// Moves to the control of this id with the Tab key, forward or back.
export async function tabTo(page, id) {
  const distance = await page.evaluate((id) => {
    const stops = [...document.querySelectorAll("a[href], select, input, summary, button, [tabindex='0']")].filter((stop) => {
      const isOther = stop.type === "radio" && !stop.checked;
      return stop.checkVisibility() && !isOther;
    });
    return stops.findIndex((stop) => stop.id === id || stop.name === id) - stops.indexOf(document.activeElement);
  }, id);
  for (let i = 0; i < Math.abs(distance); i++) await page.keyboard.press(distance > 0 ? "Tab" : "Shift+Tab");
  const reached = await page.evaluate(() => document.activeElement.id || document.activeElement.name);
  if (reached !== id) throw new Error(`Tab leads to ${reached}, not to ${id}`);
}

// Chooses an option of a list, or of radio buttons, with the arrow keys.
export async function choose(page, id, value) {
  await tabTo(page, id);
  const way = await page.evaluate(
    ([id, value]) => {
      const select = document.getElementById(id);
      const all = select ? [...select.options] : [...document.querySelectorAll(`input[name="${id}"]`)];
      const now = all.findIndex((choice) => (select ? choice.selected : choice.checked));
      return all.findIndex((choice) => choice.value === String(value)) - now;
    },
    [id, value],
  );
  for (let i = 0; i < Math.abs(way); i++) await page.keyboard.press(way > 0 ? "ArrowDown" : "ArrowUp");
}

// Moves the slider to a stop: Home, then arrows.
export async function slide(page, stop) {
  await tabTo(page, "budget");
  await page.keyboard.press("Home");
  for (let i = 0; i < stop; i++) await page.keyboard.press("ArrowRight");
}

// The facts of the plan that the page shows.
export function facts(page) {
  return page.evaluate(() => Object.fromEntries([...document.querySelectorAll("[data-fact]")].map((fact) => [fact.dataset.fact, fact.textContent])));
}

export function codeLines(page, name) {
  return page.evaluate((name) => document.querySelector(`[data-lines="${name}"]`).textContent, name);
}
