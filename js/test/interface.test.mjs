// Tests the types of arguments and results, the errors, and the choice of the engine.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import test from "node:test";

import { runInNewContext } from "node:vm";

import { ModuliError, load } from "../src/index.js";
import { fromBytes, power, random, toBytes } from "./oracle.mjs";

const moduli = await load();
const next = random(7);
const p = next(1024) | (1n << 1023n) | 1n;

test("results have the type of their base", () => {
  const [x, e] = [next(1024), next(256)];
  const expected = power(x, e, p);
  assert.equal(moduli.powmod(x, toBytes(e), toBytes(p)), expected);
  const result = moduli.powmod(toBytes(x), e, p);
  assert.ok(result instanceof Uint8Array && result.length === 128);
  assert.equal(fromBytes(result), expected);
  assert.equal(moduli.powmod(new Uint8Array(), 5n, p).length, 128);
  const small = 65537n;
  assert.deepEqual(moduli.powmod(Uint8Array.of(2), 16n, small), Uint8Array.of(1, 0, 0));
  assert.ok(moduli.multiPow([toBytes(x)], [e], p) instanceof Uint8Array);
  assert.ok(moduli.invert(toBytes(3n), 65537n) instanceof Uint8Array);
  const table = new moduli.FixedBase(toBytes(x), p, { exponentBits: 256 });
  assert.equal(fromBytes(table.pow(e)), expected);
  assert.equal(fromBytes(table.pow(toBytes(e))), expected);
});

const engines = { detected: moduli, portable: await load({ engine: "portable" }), bigint: await load({ engine: "bigint" }) };

test("arguments stay as they were", () => {
  const [x, e, m] = [toBytes(next(1024)), toBytes(next(256)), toBytes(p)];
  const before = [x, e, m].map((bytes) => bytes.slice());
  moduli.powmod(x, e, m);
  moduli.multiPow([x, x], [e, e], m);
  new moduli.FixedBase(x, m, { exponentBits: 256 }).pow(e);
  moduli.invert(x, m);
  assert.deepEqual([x, e, m], before);
});

test("a Buffer is read, and neither shares memory with an exponent nor is wiped", () => {
  // A Buffer's slice() shares its memory; that of other Uint8Arrays copies it.
  for (const [name, moduli] of Object.entries(engines)) {
    const [x, y, e, m] = [toBytes(next(1024)), toBytes(next(1024)), toBytes(next(256)), toBytes(p)].map((bytes) => Buffer.from(bytes));
    const before = [x, y, e, m].map((bytes) => bytes.toString("hex"));
    const power = moduli.powmod(x, e, m);
    assert.deepEqual(moduli.powmod(x, e, m), power, name);
    assert.deepEqual(new Uint8Array(moduli.powmod(new Uint8Array(x), new Uint8Array(e), p)), new Uint8Array(power), name);
    moduli.multiPow([x, y], [e, e], m);
    moduli.invert(x, m);
    new moduli.FixedBase(x, m, { exponentBits: 256 }).pow(e);
    assert.deepEqual([x, y, e, m].map((bytes) => bytes.toString("hex")), before, name);
  }
});

test("numbers of another realm", () => {
  assert.equal(moduli.powmod(2n, runInNewContext("Uint8Array.of(1, 0)"), p), 2n ** 256n % p);
});

for (const [name, moduli] of Object.entries(engines)) {
  test(`${name}: what is refused, by code`, () => {
    const refused = (code, work) =>
      assert.throws(work, (error) => error instanceof ModuliError && error.code === code && error.message.length > 10, `${code}: ${work}`);
    for (const small of [0n, 1n, new Uint8Array(), Uint8Array.of(0, 0)]) {
      refused("modulus", () => moduli.powmod(2n, 3n, small));
      refused("modulus", () => moduli.invert(2n, small));
    }
    refused("modulus", () => moduli.powmod(2n, 3n, 1n << 65536n));
    refused("modulus", () => new moduli.FixedBase(3n, 10n));
    refused("modulus", () => moduli.multiPow([3n], [4n], 10n));
    refused("modulus", () => moduli.multiPow([], [], 10n));
    for (const negative of [() => moduli.powmod(-2n, 3n, p), () => moduli.powmod(2n, -3n, p), () => moduli.powmod(2n, 3n, -p)]) refused("argument", negative);
    for (const other of [2, "2", null, undefined, [2], new ArrayBuffer(2)]) {
      refused("argument", () => moduli.powmod(other, 3n, p));
      refused("argument", () => moduli.powmod(2n, other, p));
      refused("argument", () => moduli.powmod(2n, 3n, other));
      refused("argument", () => moduli.invert(other, p));
    }
    refused("argument", () => moduli.multiPow([1n, 2n], [1n], p));
    for (const noList of [5n, {}, undefined, null, "55"]) {
      refused("argument", () => moduli.multiPow(noList, [3n], p));
      refused("argument", () => moduli.multiPow([3n], noList, p));
    }
    const transferred = new Uint8Array(8).fill(1);
    structuredClone(transferred.buffer, { transfer: [transferred.buffer] });
    if (transferred.buffer.detached) refused("argument", () => moduli.powmod(transferred, 3n, p));
    for (const long of [new Uint8Array(65537), 1n << 524288n]) {
      refused("length", () => moduli.powmod(long, 3n, p));
      refused("length", () => moduli.powmod(3n, long, p));
      refused("length", () => moduli.powmod(3n, 3n, long));
    }
    refused("parameter", () => moduli.powmod(2n, 8n, p, { exponentBits: "8" }));
    refused("exponent-too-long", () => moduli.powmod(2n, 256n, p, { exponentBits: 8 }));
    refused("exponent-too-long", () => moduli.powmod(2n, 8n, p, { exponentBits: 3 }));
    refused("parameter", () => moduli.powmod(2n, 8n, p, { exponentBits: 0 }));
    refused("parameter", () => new moduli.FixedBase(3n, p, { exponentBits: 1.5 }));
    refused("parameter", () => new moduli.FixedBase(3n, p, { exponentBits: 256, budget: -1 }));
    refused("table", () => new moduli.FixedBase(p, p, { exponentBits: 256 }));
    refused("not-invertible", () => moduli.invert(5n, 15n));
    refused("not-invertible", () => moduli.invert(6n, 10n));
    assert.equal(moduli.powmod(2n, 7n, p, { exponentBits: 3 }), 128n);
  });
}

test("a budget that is too small, and numbers that are too long", () => {
  assert.throws(() => new moduli.FixedBase(3n, p, { exponentBits: 256, budget: 10 }), { code: "budget-too-small" });
  assert.throws(() => moduli.powmod(new Uint8Array(65537).fill(1), 3n, p), { code: "length" });
});

test("more moduli than are kept, tables that outlive them, and garbage", () => {
  const table = new moduli.FixedBase(5n, p, { exponentBits: 64 });
  for (let i = 0; i < 40; i++) {
    const q = p - 2n * BigInt(i);
    assert.equal(moduli.powmod(3n, 5n, q), 243n % q);
  }
  moduli.clear();
  assert.equal(table.pow(3n), 125n);
});

// Runs `script` in a Node.js with these flags, and returns the JSON that it prints.
function said(flags, script) {
  const source = `import { load } from ${JSON.stringify(new URL("../src/index.js", import.meta.url).href)}; ${script}`;
  const run = spawnSync(process.execPath, [...flags, "--input-type=module", "-e", source], { encoding: "utf8" });
  assert.equal(run.status, 0, run.stderr);
  return JSON.parse(run.stdout);
}

const REPORT = `
  const moduli = await load();
  const p = (1n << 2203n) - 1n;
  const table = new moduli.FixedBase(3n, p, { exponentBits: 256 });
  const same = moduli.powmod(3n, 77n, p) === 3n ** 77n && table.pow(77n) === 3n ** 77n;
  const inverse = moduli.invert(3n, p) * 3n % p === 1n && moduli.multiPow([3n, 5n], [2n, 1n], p) === 45n;
  const strict = await load({ constantTime: true }).then((moduli) => moduli.engine.powmod, (error) => error.code);
  console.log(JSON.stringify({ ...moduli.engine, constantTime: moduli.constantTime, right: same && inverse, strict }));`;

test("an engine that fuses", () => {
  const { reason, ...rest } = said([], REPORT);
  assert.deepEqual(rest, { powmod: "wasm", fixedBase: "wasm", multiPow: "wasm", invert: "wasm", constantTime: true, right: true, strict: "wasm" });
  assert.equal(reason, "relaxed_madd is fused");
});

const portable = { powmod: "bigint", fixedBase: "portable", multiPow: "bigint", invert: "portable", constantTime: false, right: true, strict: "portable" };
for (const [what, flag, reason] of [
  ["an engine that does not fuse", "--no-enable-fma3", "relaxed_madd is not fused"],
  ["an engine without SIMD", "--no-enable-sse4-1", "WebAssembly has no relaxed SIMD"],
]) {
  test(`${what} falls back`, { skip: process.arch !== "x64" && "flags of x86-64" }, () => {
    const { reason: found, ...rest } = said([flag], REPORT);
    assert.deepEqual(rest, portable);
    assert.equal(found, reason);
  });
}

test("without WebAssembly BigInt serves, and nothing that was asked to be constant-time", () => {
  const { reason, ...rest } = said([], `delete globalThis.WebAssembly; ${REPORT}`);
  const bigint = { powmod: "bigint", fixedBase: "bigint", multiPow: "bigint", invert: "bigint" };
  assert.deepEqual(rest, { ...bigint, constantTime: false, right: true, strict: "internal" });
  assert.equal(reason, "there is no WebAssembly");
});
