// Compares every kernel with BigInt, at every length.
import assert from "node:assert/strict";
import test from "node:test";

import { load } from "../src/index.js";
import { moduli as ofBits, operands, power, random } from "./oracle.mjs";

const WORDS = 68;
const engines = { wasm: await load({ engine: "wasm" }), portable: await load({ engine: "portable" }), bigint: await load({ engine: "bigint" }) };

for (const [name, moduli] of Object.entries(engines)) {
  test(`${name}: extreme operands of every number of 64-bit words up to ${WORDS}`, () => {
    const next = random(1);
    for (let words = 1; words <= WORDS; words++) {
      for (const p of ofBits(64 * words, next)) {
        const all = operands(p, next);
        for (const [i, x] of all.entries()) {
          const e = [0n, 1n, 2n, 3n, 0x10001n, next(64)][(i + words) % 6];
          assert.equal(moduli.powmod(x, e, p), power(x, e, p), `${x}^${e} mod ${p}`);
        }
      }
      moduli.clear();
    }
  });

  test(`${name}: lengths between words, and the shortest`, () => {
    const next = random(2);
    for (let bits = 2; bits <= 400; bits++) {
      const p = next(bits) | (1n << BigInt(bits - 1)) | 1n;
      if (p === 1n) continue;
      for (const x of [0n, 1n, p - 1n, next(bits + 9)]) assert.equal(moduli.powmod(x, 77n, p), power(x, 77n, p), `${x}^77 mod ${p}`);
    }
    moduli.clear();
  });

  test(`${name}: full-length powers, secret and public`, () => {
    const next = random(3);
    for (const bits of [64, 512, 1024, 1536, 2048]) {
      const [p] = ofBits(bits, next);
      for (const e of [next(bits), (1n << BigInt(bits)) - 1n]) {
        const x = next(bits);
        const expected = power(x, e, p);
        assert.equal(moduli.powmod(x, e, p), expected);
        assert.equal(moduli.powmod(x, e, p, { vartime: true }), expected);
        assert.equal(moduli.powmod(x, e, p, { exponentBits: bits + 3 }), expected);
      }
    }
  });

  test(`${name}: products of powers`, () => {
    const next = random(4);
    for (const [bits, counts] of [[64, [0, 1, 2, 3, 9]], [1024, [1, 2, 5]], [2048, [3]]]) {
      const [p] = ofBits(bits, next);
      for (const count of counts) {
        const x = Array.from({ length: count }, (_, i) => next(bits - (i % 2) * 30));
        const e = Array.from({ length: count }, (_, i) => next(i === 0 ? 256 : 40));
        const expected = x.reduce((product, x, i) => (product * power(x, e[i], p)) % p, 1n);
        assert.equal(moduli.multiPow(x, e, p), expected, `${count} bases`);
        assert.equal(moduli.multiPow(x, e, p, { vartime: true, exponentBits: 256 }), expected, `${count} bases`);
      }
    }
  });

  test(`${name}: even moduli`, () => {
    const next = random(6);
    for (let bits = 1; bits <= 1100; bits += bits < 140 ? 1 : 97) {
      for (const twos of new Set([1, Math.ceil(bits / 2), bits])) {
        const m = (bits === twos ? 1n : next(bits - twos) | 1n | (1n << BigInt(bits - twos - 1))) << BigInt(twos);
        for (const x of [0n, 1n, 2n, m - 1n, m, next(bits + 9)]) {
          const e = [0n, 1n, 77n, next(bits)][(bits + Number(x & 1n)) % 4];
          const expected = power(x, e, m);
          for (const vartime of [false, true]) assert.equal(moduli.powmod(x, e, m, { vartime }), expected, `${x}^${e} mod ${m}`);
          let [a, b] = [x % m, m];
          while (a !== 0n) [a, b] = [b % a, a];
          for (const vartime of [false, true]) {
            if (b === 1n) assert.equal((x * moduli.invert(x, m, { vartime })) % m, 1n, `1/${x} mod ${m}`);
            else assert.throws(() => moduli.invert(x, m, { vartime }), { code: "not-invertible" });
          }
        }
      }
    }
    moduli.clear();
  });

  test(`${name}: inverses`, () => {
    const next = random(5);
    for (let words = 1; words <= 33; words += 4) {
      for (const p of ofBits(64 * words, next)) {
        for (const x of [1n, 2n, p - 1n, (next(64 * words) << 1n) | 1n]) {
          let [a, b] = [x % p, p];
          while (a !== 0n) [a, b] = [b % a, a];
          if (b === 1n) {
            for (const vartime of [false, true]) assert.equal((x * moduli.invert(x, p, { vartime })) % p, 1n);
          } else assert.throws(() => moduli.invert(x, p), { code: "not-invertible" });
        }
        assert.throws(() => moduli.invert(0n, p), { code: "not-invertible" });
        assert.throws(() => moduli.invert(p, p), { code: "not-invertible" });
      }
    }
  });

  test(`${name}: tables, from one tooth to matrices`, () => {
    const next = random(6);
    for (const [bits, exponentBits, budgets] of [[64, 64, [4096, 1 << 16]], [1024, 160, [4096, 1 << 16, 1 << 20]], [2048, 256, [1 << 16, 1 << 20]], [2080, 33, [1 << 18]]]) {
      const [p] = ofBits(bits, next);
      const base = next(bits);
      for (const budget of budgets) {
        for (const secret of [true, false]) {
          const table = new moduli.FixedBase(base, p, { exponentBits, budget, secret });
          assert.ok(table.tableBytes <= budget);
          for (const e of [0n, 1n, 2n, (1n << BigInt(exponentBits)) - 1n, next(exponentBits), next(exponentBits)]) {
            const expected = power(base, e, p);
            assert.equal(table.pow(e), expected, `${bits} bits, ${budget} bytes, ${e}`);
            assert.equal(table.pow(e, { vartime: true }), expected);
          }
          assert.throws(() => table.pow(1n << BigInt(exponentBits)), { code: "exponent-too-long" });
          table.close();
          assert.throws(() => table.pow(1n), { code: "closed" });
          table.close();
        }
      }
    }
  });
}

test("the longest modulus", () => {
  const p = (1n << 65536n) - 1n;
  assert.equal(engines.wasm.powmod(p - 1n, 3n, p), p - 1n);
  assert.throws(() => engines.wasm.powmod(2n, 3n, (1n << 65536n) + 1n), { code: "modulus" });
});
