// Conversions between BigInt and bytes, most significant byte first, and checks of arguments.
import { ModuliError } from "./errors.js";

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

const MAX_BYTES = 65536;

export function hexOf(bytes) {
  return bytes.toHex?.() ?? Array.from(bytes, (byte) => DIGITS[byte]).join("");
}

export function fromBytes(bytes) {
  return bytes.length === 0 ? 0n : BigInt("0x" + hexOf(bytes));
}

// The bytes of a BigInt that is not negative. Their number is a multiple of 8, so that it reveals only the length in words.
export function toBytes(x) {
  const digits = x.toString(16);
  const hex = digits.padStart(Math.ceil(digits.length / 16) * 16, "0");
  if (Uint8Array.fromHex) return Uint8Array.fromHex(hex);
  return Uint8Array.from({ length: hex.length / 2 }, (_, i) => parseInt(hex.slice(2 * i, 2 * i + 2), 16));
}

// The bytes of a number that a caller passed, and whether they are our own copy, which must be wiped.
export function bytesOf(name, x) {
  if (typeof x === "bigint") {
    if (x < 0n) throw new ModuliError("argument", `${name} is negative`);
    if (x >> BigInt(8 * MAX_BYTES) !== 0n) throw new ModuliError("length", `${name} has more than ${8 * MAX_BYTES} bits`);
    return { bytes: toBytes(x), own: true };
  }
  if (!isBytes(x)) throw new ModuliError("argument", `${name} is neither a BigInt nor a Uint8Array`);
  if (x.length > MAX_BYTES) throw new ModuliError("length", `${name} has ${x.length} bytes; at most ${MAX_BYTES}`);
  if (x.buffer.detached) throw new ModuliError("argument", `the memory of ${name} was transferred`);
  return { bytes: x, own: false };
}

// Also true for Uint8Arrays of other realms and for a Buffer of Node.js.
const isBytes = (x) => ArrayBuffer.isView(x) && x[Symbol.toStringTag] === "Uint8Array";

// The rows of a batch, as an array.
export function listOf(name, rows) {
  if (typeof rows === "string" || typeof rows?.[Symbol.iterator] !== "function") {
    throw new ModuliError("argument", `${name} must be an array or another iterable, and not a string`);
  }
  return Array.from(rows);
}

// As listOf, but also rejects rows that are not numbers, before they are sent to a worker.
export function numbersOf(name, rows) {
  const list = listOf(name, rows);
  for (const row of list) if (typeof row !== "bigint" && !isBytes(row)) throw new ModuliError("argument", `one of ${name} is neither a BigInt nor a Uint8Array`);
  return list;
}

export function integerIn(name, value, least, most) {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  const said = typeof value === "number" ? value : `of type ${typeof value}`;
  throw new ModuliError("parameter", `${name} is ${said}; it must be an integer between ${least} and ${most}`);
}

// Copies a number into `length` bytes. If bytes are cut off and one of them is not 0, throws `tooLong()`. Reveals only the
// two lengths, and whether it throws.
export function resized(bytes, length, tooLong) {
  const excess = Math.max(0, bytes.length - length);
  let lost = 0;
  for (let i = 0; i < excess; i++) lost |= bytes[i];
  if (lost !== 0) throw tooLong();
  const result = new Uint8Array(length);
  result.set(bytes.subarray(excess), length - (bytes.length - excess));
  return result;
}

// Copies a number into new bytes. Not by slice(): for a Buffer, it returns a view of the caller's memory.
export function copyOf(name, x) {
  const { bytes, own } = bytesOf(name, x);
  return own ? bytes : new Uint8Array(bytes);
}

// Copies an exponent into new bytes. If the caller declared its length, there are as many as `bits` bits need.
export function exponentOf(name, e, bits) {
  if (bits === undefined) return copyOf(name, e);
  integerIn("exponentBits", bits, 1, 8 * MAX_BYTES);
  const { bytes, own } = bytesOf(name, e);
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
