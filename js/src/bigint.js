// The engine `bigint`: the operations of native.js by BigInt alone. It is used if no module works, and for powers if only the
// portable one works, because it is faster. Nothing here is constant-time.
import { ModuliError } from "./errors.js";
import { fromBytes, resized, toBytes } from "./numbers.js";

const MAX_BITS = 65536;
// The number of exponent bits in a window.
const WINDOW = 4;

export class BigIntEngine {
  modulus(value) {
    return new BigIntModulus(fromBytes(value));
  }
}

class BigIntModulus {
  #value;
  size;

  constructor(value) {
    if (value < 2n) throw new ModuliError("modulus", "the modulus must be greater than 1");
    const bits = value.toString(2).length;
    if (bits > MAX_BITS) throw new ModuliError("modulus", `the modulus has ${bits} bits; at most ${MAX_BITS}`);
    [this.#value, this.size] = [value, Math.ceil(bits / 8)];
  }

  pow(x, e) {
    return this.#bytes(product([fromBytes(x)], [fromBytes(e)], this.#value));
  }

  multiPow(x, e, count) {
    this.#mustBeOdd();
    const rows = (bytes) => Array.from({ length: count }, (_, i) => fromBytes(bytes.subarray((i * bytes.length) / count, ((i + 1) * bytes.length) / count)));
    return this.#bytes(product(rows(x), rows(e), this.#value));
  }

  invert(x) {
    let [a, b, s, t] = [fromBytes(x) % this.#value, this.#value, 1n, 0n];
    while (a !== 0n) {
      const quotient = b / a;
      [b, a] = [a, b - quotient * a];
      [t, s] = [s, t - quotient * s];
    }
    if (b !== 1n) throw new ModuliError("not-invertible", "the value has no inverse modulo the modulus");
    return this.#bytes(t < 0n ? t + this.#value : t);
  }

  // Computes no table: BigInt cannot keep numbers in a form in which a table would save time.
  fixedBase(base, { exponentBits }) {
    this.#mustBeOdd();
    const value = fromBytes(base) % this.#value;
    if (value === 0n) throw new ModuliError("table", "the base is 0 modulo the modulus");
    const pow = (e) => {
      const exponent = fromBytes(e);
      if (exponent >> BigInt(exponentBits) !== 0n) {
        throw new ModuliError("exponent-too-long", `the exponent has more than the ${exponentBits} bits of the table`);
      }
      return this.#bytes(product([value], [exponent], this.#value));
    };
    return { size: this.size, tableBytes: 0, pow, close() {} };
  }

  close() {}

  // Throws the same error as the modules.
  #mustBeOdd() {
    if (this.#value % 2n === 0n) throw new ModuliError("modulus", "the modulus is even; it must be odd");
  }

  #bytes(x) {
    return resized(toBytes(x), this.size);
  }
}

// The product of x_i^(e_i) modulo p, by windows with shared squarings.
function product(x, e, p) {
  const powers = x.map((x) => {
    const row = [1n, x % p];
    for (let i = 2; i < 1 << WINDOW; i++) row.push((row[i - 1] * row[1]) % p);
    return row;
  });
  const digits = e.map((e) => e.toString(1 << WINDOW));
  const width = digits.reduce((width, digits) => Math.max(width, digits.length), 0);
  let result = 1n;
  for (let at = width; at > 0; at--) {
    for (let i = 0; i < WINDOW; i++) result = (result * result) % p;
    for (const [i, row] of powers.entries()) {
      const digit = parseInt(digits[i].at(-at) ?? "0", 1 << WINDOW);
      if (digit !== 0) result = (result * row[digit]) % p;
    }
  }
  return result;
}
