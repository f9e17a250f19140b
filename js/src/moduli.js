// The class Moduli: powers, products of powers, inverses and tables. The caller and each worker of a pool have one.
import { ModuliError } from "./errors.js";
import { bytesOf, copyOf, exponentOf, fromBytes, hexOf, integerIn, listOf } from "./numbers.js";

const KEPT = 8;
const DEFAULT_BUDGET = 1 << 20;
const MAX_BUDGET = 1 << 30;

// Returns a result in the type of its base: BigInt or bytes.
const like = (base, result) => {
  if (typeof base !== "bigint") return result;
  const value = fromBytes(result);
  result.fill(0);
  return value;
};

export class Moduli {
  #engines;
  // The moduli that are kept between calls, by engine and value. The most recently used is last.
  #moduli = new Map();
  engine;
  constantTime;
  // The class of tables of powers of a base: new moduli.FixedBase(base, modulus, options).
  FixedBase;

  constructor({ names, ...engines }) {
    this.#engines = engines;
    this.engine = Object.freeze(names);
    this.constantTime = !Object.values(names).includes("bigint");
    const modulus = (value) => this.#modulus(names.fixedBase, value);
    this.FixedBase = class extends FixedBase {
      constructor(base, value, options) {
        super(modulus(value), base, options);
      }
    };
  }

  powmod(base, exponent, modulus, { exponentBits, vartime = false } = {}) {
    const p = this.#modulus(this.engine.powmod, modulus);
    const { bytes, own } = bytesOf("the base", base);
    try {
      const e = exponentOf("the exponent", exponent, exponentBits);
      try {
        return like(base, p.pow(bytes, e, vartime));
      } finally {
        e.fill(0);
      }
    } finally {
      if (own) bytes.fill(0);
    }
  }

  multiPow(bases, exponents, modulus, { exponentBits, vartime = false } = {}) {
    const [x, e] = [listOf("the bases", bases), listOf("the exponents", exponents)];
    if (x.length !== e.length) throw new ModuliError("argument", `there are ${x.length} bases and ${e.length} exponents`);
    const p = this.#modulus(this.engine.multiPow, modulus);
    const rows = [];
    try {
      const bytes = rowsOf(rows, x, (base) => copyOf("a base", base));
      const digits = rowsOf(rows, e, (exponent) => exponentOf("an exponent", exponent, exponentBits));
      return like(x[0] ?? 1n, p.multiPow(bytes, digits, x.length, vartime));
    } finally {
      for (const row of rows) row.fill(0);
    }
  }

  invert(x, modulus, { vartime = false } = {}) {
    const p = this.#modulus(this.engine.invert, modulus);
    const { bytes, own } = bytesOf("the value", x);
    try {
      return like(x, p.invert(bytes, vartime));
    } finally {
      if (own) bytes.fill(0);
    }
  }

  // Wipes and frees the moduli that are kept between calls. Tables stay.
  clear() {
    for (const modulus of this.#moduli.values()) modulus.close();
    this.#moduli.clear();
  }

  #modulus(engine, value) {
    const { bytes } = bytesOf("the modulus", value);
    const key = `${engine} ${hexOf(bytes).replace(/^0+/, "")}`;
    let modulus = this.#moduli.get(key);
    if (modulus) this.#moduli.delete(key);
    else modulus = this.#engines[engine].modulus(bytes);
    this.#moduli.set(key, modulus);
    if (this.#moduli.size > KEPT) {
      const [oldest, last] = this.#moduli.entries().next().value;
      this.#moduli.delete(oldest);
      last.close();
    }
    return modulus;
  }
}

// Writes the numbers one after the other, each in as many bytes as the longest needs. `bytes` converts one number.
// Every array made here is added to `made`, so that the caller can wipe it.
function rowsOf(made, numbers, bytes) {
  const rows = numbers.map((number) => {
    const row = bytes(number);
    made.push(row);
    return row;
  });
  const width = rows.reduce((width, row) => Math.max(width, row.length), 1);
  const all = new Uint8Array(width * rows.length);
  made.push(all);
  rows.forEach((row, i) => all.set(row, width * (i + 1) - row.length));
  return all;
}

class FixedBase {
  #table;
  #isNumber;
  exponentBits;

  constructor(modulus, base, { exponentBits = 8 * modulus.size, budget = DEFAULT_BUDGET, secret = true } = {}) {
    integerIn("exponentBits", exponentBits, 1, 65536);
    integerIn("budget", budget, 0, MAX_BUDGET);
    const { bytes } = bytesOf("the base", base);
    this.#table = modulus.fixedBase(bytes, { exponentBits, budget, isPublic: !secret });
    this.#isNumber = typeof base === "bigint";
    this.exponentBits = exponentBits;
  }

  get tableBytes() {
    return this.#open().tableBytes;
  }

  pow(exponent, { vartime = false } = {}) {
    const table = this.#open();
    const e = exponentOf("the exponent", exponent, this.exponentBits);
    try {
      return like(this.#isNumber ? 0n : null, table.pow(e, vartime));
    } finally {
      e.fill(0);
    }
  }

  close() {
    this.#table?.close();
    this.#table = undefined;
  }

  [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
    this.close();
  }

  #open() {
    if (!this.#table) throw new ModuliError("closed", "the table was closed");
    return this.#table;
  }
}
