// The oracle of the tests: powers by BigInt, and reproducible random numbers.
export { fromBytes, toBytes } from "../src/numbers.js";

export function power(x, e, p) {
  let result = 1n % p;
  for (const bit of e.toString(2)) {
    result = (result * result) % p;
    if (bit === "1") result = (result * x) % p;
  }
  return result;
}

// Random numbers by xorshift64* from a seed, so that failures are reproducible.
export function random(seed) {
  let state = BigInt(seed) * 0x9e3779b97f4a7c15n + 1n;
  const word = () => {
    state ^= state >> 12n;
    state = BigInt.asUintN(64, state ^ (state << 25n));
    state ^= state >> 27n;
    return BigInt.asUintN(64, state * 0x2545f4914f6cdd1dn);
  };
  return (bits) => {
    let x = 0n;
    for (let i = 0; i < bits; i += 64) x = (x << 64n) | word();
    return x & ((1n << BigInt(bits)) - 1n);
  };
}

// Odd moduli of exactly `bits` bits: random, all ones, one bit and 1, and alternating words.
export function moduli(bits, next) {
  const top = 1n << BigInt(bits - 1);
  const words = BigInt("0x" + "ffffffffffffffff0000000000000000".repeat(Math.ceil(bits / 128))) & (top - 1n);
  return [next(bits) | top | 1n, 2n * top - 1n, top | 1n, top | words | 1n];
}

export function operands(p, next) {
  const bits = p.toString(2).length;
  return [0n, 1n, 2n, p - 1n, p - 2n, p, p + 1n, (1n << BigInt(bits)) - 1n, 1n << BigInt(bits - 1), next(bits)];
}
