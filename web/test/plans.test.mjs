// Compares the page with the command: the plans of twenty questions, entered by keyboard, and the code that makes them.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { BUDGETS, options } from "../grid.mjs";
import { bytes, described, round, time, whole } from "../src/units.js";
import { choose, codeLines, facts, launch, moduli, open, slide } from "./browser.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const stop = (bytes) => BUDGETS.indexOf(bytes);
const KIB = 1024;
const MIB = 1024 * KIB;

// Each has group or length, bits of exponents (if not the group's), secrecy, batch, kernel and budget.
const POINTS = [
  ["dsa-3072-256", null, "secret", 1, "fma50@amd", MIB],
  ["dsa-3072-256", null, "public", 1, "fma50@amd", MIB],
  ["dsa-3072-256", null, "public", 64, "fma50@amd", MIB],
  ["dsa-3072-256", null, "secret", 64, "ifma52@intel", 256 * KIB],
  ["dsa-3072-256", null, "secret", 1, "ifma52@amd", 64 * MIB],
  ["dsa-1024-160", null, "secret", 1, "portable@amd", 10 * KIB],
  ["dsa-1024-160", 1024, "public", 1, "portable@intel", 56 * MIB],
  ["ffdhe2048", null, "secret", 1, "adx@intel", 96 * KIB],
  ["ffdhe2048", 2048, "secret", 64, "ifma52@intel", 2 * MIB],
  ["ffdhe2048", 256, "public", 1, "aarch64@intel", 320 * KIB],
  ["ffdhe8192", null, "secret", 1, "fma50@amd", 8 * MIB],
  ["ffdhe8192", null, "public", 64, "ifma52@amd", 7 * MIB],
  ["electionguard-v2.1", null, "secret", 1, "aarch64@intel", 4 * MIB],
  ["electionguard-v2.1", 4096, "secret", 1, "fma50@amd", 20 * MIB],
  ["modp1536", null, "secret", 1, "ifma52@intel", 28 * KIB],
  ["dsa-15360-512", null, "secret", 1, "portable@amd", 64 * MIB],
  ["dsa-15360-512", null, "public", 1, "adx@amd", 640 * KIB],
  ["7680", 7680, "secret", 1, "fma50@amd", 14 * MIB],
  ["1024", 256, "public", 64, "fma50@amd", 12 * KIB],
  ["6144", 375, "secret", 1, "portable@intel", 5 * KIB],
];

async function ask(page, [group, exponentBits, secrecy, batch, kernel, budget]) {
  await choose(page, "group", group);
  if (exponentBits) await choose(page, "exponent-bits", exponentBits);
  await choose(page, "secrecy", secrecy);
  await choose(page, "batch", batch);
  await choose(page, "kernel", kernel);
  await slide(page, stop(budget));
  return page.evaluate(() => {
    const value = (id) => document.getElementById(id).value;
    return { exponentBits: Number(value("exponent-bits")), group: value("group"), kernel: value("kernel") };
  });
}

// The other tests format numbers with the page's functions. So this one compares those functions with constants.
test("numbers are said in their units", () => {
  assert.deepEqual([1.5, 68.9, 999, 6200, 1.5e6].map(time), ["1.500 µs", "68.90 µs", "999.0 µs", "6.200 ms", "1.500 s"]);
  assert.deepEqual([1000, 1024, 818_688, 3 * MIB].map(bytes), ["1000 B", "1.0 KiB", "799.5 KiB", "3.00 MiB"]);
  assert.deepEqual([1280, 96 * KIB, 7 * MIB].map(round), ["1.25 KiB", "96 KiB", "7 MiB"]);
  assert.equal(whole(818_688), "818,688");
  assert.equal(described("comb:6,4,2", 3), "comb of 6 teeth and 4 tables, 2 of them with a tooth less, entries in 3 pieces");
  assert.equal(described("residue-digits:47,4", 1), "residue digits with m0 = 47, m1 = 4");
});

const rounded = (value, digits) => Number(value.toPrecision(digits));

test("twenty plans, asked by keyboard, are those of the command", async () => {
  assert.equal(POINTS.length, 20);
  const { page, complaints } = await open(browser);
  const groups = new Map(JSON.parse(moduli("groups", "--json")).map((group) => [group.name, group]));
  for (const point of POINTS) {
    const [group, , secrecy, batch, kernel, budget] = point;
    assert.notEqual(stop(budget), -1, `${budget} is not a stop of the slider`);
    const asked = await ask(page, point);
    assert.deepEqual([asked.group, asked.kernel], [group, kernel]);
    const modulusBits = groups.get(group)?.modulus_bits ?? Number(group);
    const exponentBits = point[1] ?? groups.get(group).exponent_bits;
    assert.equal(asked.exponentBits, exponentBits);
    const question = options({ modulusBits, exponentBits, kernel, secrecy, batch });
    const plan = JSON.parse(moduli("plan", ...question, "--budget", String(budget), "--json"));
    const shown = await facts(page);
    const expected = {
      method: plan.method,
      split: String(plan.split),
      bytes: shown.bytes,
      time: time(rounded(plan.microseconds, 4)),
      build: time(1e3 * rounded(plan.build_milliseconds, 3)),
      "break-even": shown["break-even"],
    };
    assert.deepEqual(shown, expected, point.join(" "));
    assert.equal(shown.bytes.split(" ")[0], whole(plan.bytes), point.join(" "));
    const breakEven = plan.break_even === null ? /^never/ : new RegExp(`^from ${whole(plan.break_even)} powers`);
    assert.match(shown["break-even"], breakEven, point.join(" "));
    const status = await page.textContent("#plan");
    assert.ok(status.includes(shown.time), `${status} lacks ${shown.time}`);
  }
  assert.deepEqual(complaints, []);
  await page.close();
});

test("the lines for the shell make the very plan", async () => {
  const folder = await mkdtemp(join(tmpdir(), "moduli-page-"));
  const { page } = await open(browser);
  try {
    for (const point of [POINTS[0], POINTS[1], POINTS[7], POINTS[9], ["dsa-1024-160", null, "public", 64, "ifma52@amd", 20 * KIB]]) {
      await ask(page, point);
      const shown = await facts(page);
      const [plan, build] = (await codeLines(page, "shell")).split("\n").map((line) => line.replace(/^RAYON_NUM_THREADS=1 /, "").split(" ").slice(1));
      const planned = JSON.parse(moduli(...plan, "--json"));
      assert.deepEqual([planned.method, String(planned.split)], [shown.method, shown.split], point.join(" "));
      const file = join(folder, "g.table");
      moduli(...build.with(-1, file), "--force");
      const made = JSON.parse(moduli("table", "info", file, "--json"));
      assert.deepEqual([made.method, String(made.split)], [shown.method, shown.split], point.join(" "));
      for (const name of ["rust", "python", "c"]) {
        const text = await codeLines(page, name);
        const bits = String(planned.exponent_bits);
        assert.ok(text.includes(bits) && (text.includes(shown.method) || text.includes(String(planned.budget_bytes))), text);
      }
    }
  } finally {
    await page.close();
    await rm(folder, { recursive: true });
  }
});
