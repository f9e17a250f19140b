// Powers, products of powers, inverses and tables modulo big odd numbers: docs/javascript.md.
import { ModuliError } from "./errors.js";
import { bytesOf, exponentOf, fromBytes, resized } from "./numbers.js";
import { open } from "./open.js";
import { Pool } from "./pool.js";

export { ModuliError };

const KEPT = 8;
const DEFAULT_BUDGET = 1 << 20;
const MAX_BUDGET = 1 << 30;

export async function load(options = {}) {
  return new Moduli(await open(options), options);
}

// A result in the form in which its base came.
const like = (base, result) => {
  if (typeof base !== "bigint") return result;
  const value = fromBytes(result);
  result.fill(0);
  return value;
};

class Moduli {
  #engines;
  #options;
  // By engine and value, those used last at the end.
  #moduli = new Map();
  engine;
  constantTime;
  // A table of the powers of a base: new moduli.FixedBase(base, modulus, options).
  FixedBase;

  constructor({ names, ...engines }, options) {
    this.#engines = engines;
    this.#options = options;
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
    const [x, e] = [Array.from(bases), Array.from(exponents)];
    if (x.length !== e.length) throw new ModuliError("argument", `there are ${x.length} bases and ${e.length} exponents`);
    const p = this.#modulus(this.engine.multiPow, modulus);
    const rows = [];
    try {
      const bytes = rowsOf(rows, x, (base) => bytesOf("a base", base).bytes.slice());
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

  // Workers for batches, each with a module of its own.
  pool(workers) {
    return Pool.start(workers, this.#options);
  }

  // Wipes and ends the moduli that are kept between calls; tables stay.
  clear() {
    for (const modulus of this.#moduli.values()) modulus.close();
    this.#moduli.clear();
  }

  #modulus(engine, value) {
    const { bytes } = bytesOf("the modulus", value);
    const key = `${engine} ${fromBytes(bytes)}`;
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

// Numbers one after the other, in as many bytes as the longest takes. What was made on the way joins `made`.
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
    if (!Number.isInteger(exponentBits) || exponentBits < 1 || exponentBits > 65536) {
      throw new ModuliError("parameter", `exponentBits is ${exponentBits}; it must be between 1 and 65536`);
    }
    if (!Number.isInteger(budget) || budget < 0 || budget > MAX_BUDGET) {
      throw new ModuliError("parameter", `budget is ${budget}; it must be between 0 and ${MAX_BUDGET} bytes`);
    }
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
