// Tests the package in a browser, as a page loads it: against BigInt, on workers, and if the page or the processor lacks a
// feature.
import assert from "node:assert/strict";
import test from "node:test";

import { browser, serve } from "./browser.mjs";

// Runs in the page and returns what it finds.
async function visit() {
  const { load } = await import("/src/index.js");
  const { moduli: ofBits, operands, power, random } = await import("/test/oracle.mjs");
  const moduli = await load();
  const next = random(11);
  const wrong = [];
  for (let words = 1; words <= 68; words += words < 10 ? 1 : 6) {
    for (const p of ofBits(64 * words, next)) {
      for (const x of operands(p, next)) {
        if (moduli.powmod(x, 0x10001n, p) !== power(x, 0x10001n, p)) wrong.push(`${x} mod ${p}`);
      }
    }
  }
  const [p] = ofBits(2048, next);
  const [x, e] = [next(2048), next(256)];
  const table = new moduli.FixedBase(x, p, { exponentBits: 256 });
  const pool = await moduli.pool(2);
  const batch = await pool.powmod([x, x + 1n, x + 2n], [e, e, e], p);
  pool.close();
  const expected = [0n, 1n, 2n].map((i) => power(x + i, e, p));
  if (table.pow(e) !== expected[0] || batch.some((result, i) => result !== expected[i])) wrong.push("a table or a batch");
  if ((moduli.invert(3n, (1n << 2203n) - 1n) * 3n) % ((1n << 2203n) - 1n) !== 1n) wrong.push("an inverse");
  return { wrong, ...moduli.engine, constantTime: moduli.constantTime };
}

async function visited(flags, policy) {
  const server = await serve(policy);
  const chromium = await browser(flags);
  try {
    const page = await chromium.newPage();
    const complaints = [];
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.goto(server.address);
    const found = await page.evaluate(visit);
    assert.deepEqual(complaints, []);
    assert.deepEqual(found.wrong, []);
    return [found.powmod, found.fixedBase, found.constantTime, found.reason];
  } finally {
    await chromium.close();
    server.close();
  }
}

test("in Chromium", async () => {
  assert.deepEqual(await visited([]), ["wasm", "wasm", true, "relaxed_madd is fused"]);
});

test("in Chromium without SIMD", async () => {
  assert.deepEqual(await visited(["--js-flags=--no-enable-sse4-1"]), ["bigint", "portable", false, "WebAssembly has no relaxed SIMD"]);
});

test("on a page whose policy forbids WebAssembly", async () => {
  const policy = "default-src 'self'; script-src 'self'";
  const [powmod, fixedBase, constantTime, reason] = await visited([], policy);
  assert.deepEqual([powmod, fixedBase, constantTime], ["bigint", "bigint", false]);
  assert.match(reason, /^WebAssembly cannot be compiled: .*unsafe-eval/);
});
