// BigInt and bytes, the most significant first.
import { ModuliError } from "./errors.js";

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function fromBytes(bytes) {
  if (bytes.length === 0) return 0n;
  return BigInt("0x" + (bytes.toHex?.() ?? Array.from(bytes, (byte) => DIGITS[byte]).join("")));
}

// The bytes of a BigInt that is not negative; as many as a multiple of 8, so that of its length no more shows.
export function toBytes(x) {
  const digits = x.toString(16);
  const hex = digits.padStart(Math.ceil(digits.length / 16) * 16, "0");
  if (Uint8Array.fromHex) return Uint8Array.fromHex(hex);
  return Uint8Array.from({ length: hex.length / 2 }, (_, i) => parseInt(hex.slice(2 * i, 2 * i + 2), 16));
}

// The bytes of a number that a caller gave, and whether they are a copy that is to be wiped.
export function bytesOf(name, x) {
  if (typeof x === "bigint") {
    if (x < 0n) throw new ModuliError("argument", `${name} is negative`);
    return { bytes: toBytes(x), own: true };
  }
  if (x instanceof Uint8Array) return { bytes: x, own: false };
  throw new ModuliError("argument", `${name} is neither a BigInt nor a Uint8Array`);
}

// Bytes in `length` bytes; those that fall away are zeros, or `tooLong` is thrown. Reveals no more.
export function resized(bytes, length, tooLong) {
  const excess = Math.max(0, bytes.length - length);
  let lost = 0;
  for (let i = 0; i < excess; i++) lost |= bytes[i];
  if (lost !== 0) throw tooLong();
  const result = new Uint8Array(length);
  result.set(bytes.subarray(excess), length - (bytes.length - excess));
  return result;
}

// An exponent in bytes of its own: as many as `bits` bits take where its length was declared.
export function exponentOf(name, e, bits) {
  const { bytes, own } = bytesOf(name, e);
  if (bits === undefined) return own ? bytes : bytes.slice();
  if (!Number.isInteger(bits) || bits < 1 || bits > 65536 * 8) {
    throw new ModuliError("parameter", `exponentBits is ${bits}; it must be between 1 and ${65536 * 8}`);
  }
  const tooLong = () => new ModuliError("exponent-too-long", `${name} has more than the ${bits} bits that were declared`);
  let result;
  try {
    result = resized(bytes, Math.ceil(bits / 8), tooLong);
    if (bits % 8 !== 0 && result[0] >> bits % 8 !== 0) throw tooLong();
    return result;
  } catch (error) {
    result?.fill(0);
    throw error;
  } finally {
    if (own) bytes.fill(0);
  }
}
