// Tests that no secret, and no result that reveals one, is left in the memory of the module.
import assert from "node:assert/strict";
import test from "node:test";

import { load } from "../src/index.js";
import { random, toBytes } from "./oracle.mjs";

// The memories of all modules that are loaded from here on.
const memories = [];
const instantiate = WebAssembly.instantiate;
WebAssembly.instantiate = async (...rest) => {
  const made = await instantiate(...rest);
  memories.push(made.instance.exports.memory);
  return made;
};

// The places where 8 aligned bytes of a number, in either byte order, are found in one of these memories.
function traces(bytes) {
  const found = [];
  for (const memory of memories) {
    const all = Buffer.from(memory.buffer);
    for (let at = 0; at + 8 <= bytes.length; at += 8) {
      const word = Buffer.from(bytes.subarray(at, at + 8));
      for (const order of [word, Buffer.from(word).reverse()]) {
        const place = all.indexOf(order);
        if (place >= 0) found.push(place);
      }
    }
  }
  return found;
}

for (const engine of ["wasm", "portable"]) {
  test(`${engine}: exponents, bases and results are wiped`, async () => {
    memories.length = 0;
    const moduli = await load({ engine });
    const next = random(8);
    const p = (1n << 2203n) - 1n;
    const [x, e, y] = [toBytes(next(2048)), toBytes(next(256)), toBytes(next(2048))];
    const results = [moduli.powmod(x, e, p), moduli.multiPow([x, y], [e, e], p), moduli.invert(y, p)];
    const table = new moduli.FixedBase(5n, p, { exponentBits: 256 });
    results.push(table.pow(e));
    assert.ok(traces(toBytes(p)).length > 0, "the modulus is there");
    for (const secret of [x, e, y, ...results.filter((result) => result instanceof Uint8Array)]) assert.deepEqual(traces(secret), []);
    moduli.clear();
  });
}
