// Tests batches on workers.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";

import { load } from "../src/index.js";
import { power, random, toBytes } from "./oracle.mjs";

test("batches come back in order, and errors by code", async (t) => {
  const moduli = await load();
  const pool = await moduli.pool(2);
  // If the test fails, workers that still run would keep the process from ending.
  t.after(() => pool.close());
  assert.equal(pool.workers, 2);
  const next = random(9);
  const p = next(512) | (1n << 511n) | 1n;
  const x = Array.from({ length: 23 }, () => next(512));
  const e = x.map(() => next(128));
  assert.deepEqual(await pool.powmod(x, e, p), x.map((x, i) => power(x, e[i], p)));
  assert.deepEqual(await pool.powmod([], [], p), []);
  const [bytes] = await pool.powmod([toBytes(x[0])], [e[0]], p);
  assert.ok(bytes instanceof Uint8Array);
  const table = await pool.fixedBase(7n, p, { exponentBits: 128 });
  assert.ok(table.tableBytes > 0);
  assert.deepEqual(await table.pow(e), e.map((e) => power(7n, e, p)));
  await assert.rejects(table.pow([1n, 1n << 128n]), { code: "exponent-too-long" });
  await assert.rejects(table.pow(3n), { code: "argument" });
  await table.close();
  await assert.rejects(table.pow([1n]), { code: "closed" });
  await assert.rejects(pool.powmod(x, e, 1n), { code: "modulus" });
  for (const noList of [5n, [Symbol()], undefined]) await assert.rejects(pool.powmod(noList, noList, p), { code: "argument" });
  await assert.rejects(pool.powmod(x, [], p), { code: "argument" });
  await assert.rejects(moduli.pool(0), { code: "parameter" });
  const late = pool.powmod(x, e, p);
  pool.close();
  await assert.rejects(late, { code: "closed" });
  await assert.rejects(pool.powmod(x, e, p), { code: "closed" });
  await assert.rejects(pool.powmod([], [], p), { code: "closed" });
});

test("options that cannot be sent to a worker are not sent", async () => {
  const moduli = await load({ engine: "bigint", log: () => 1 });
  const pool = await moduli.pool(1);
  assert.deepEqual(await pool.powmod([2n], [3n], 7n), [1n]);
  pool.close();
});

test("bundlers find the worker, and no circle", async () => {
  const source = (name) => readFile(new URL(`../src/${name}`, import.meta.url), "utf8");
  assert.ok((await source("pool.js")).includes('new Worker(new URL("./worker.js", import.meta.url), { type: "module" })'));
  const reached = new Set(["worker.js"]);
  for (const name of reached) {
    const text = await source(name);
    assert.ok(!/import\(/.test(text), `${name} imports something that a bundler cannot know`);
    for (const [, other] of text.matchAll(/from "\.\/(.*?)"/g)) reached.add(other);
  }
  assert.ok(reached.size > 3 && !reached.has("pool.js"), [...reached].join(" "));
});
