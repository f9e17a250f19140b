// Tests that neither the addresses that the module reads and writes nor its branches depend on secrets. The module is
// instrumented, and its traces with different secrets are compared.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";

import binaryen from "binaryen";

import { Native } from "../src/native.js";
import { random, toBytes } from "./oracle.mjs";

// Compiles the module with a call added at each access to memory, each entry of a function or loop, and each return.
async function instrumented(name) {
  const module = binaryen.readBinary(await readFile(new URL(`../wasm/moduli-${name}.wasm`, import.meta.url)));
  const { MutableGlobals, NontrappingFPToInt, SIMD128, RelaxedSIMD, BulkMemory, SignExt, ReferenceTypes, Multivalue } = binaryen.Features;
  module.setFeatures(MutableGlobals | NontrappingFPToInt | SIMD128 | RelaxedSIMD | BulkMemory | SignExt | ReferenceTypes | Multivalue);
  module.runPasses(["instrument-memory", "log-execution"]);
  return new WebAssembly.Module(module.emitBinary());
}

// Returns an engine on a fresh instance, and a function `taken`: a digest of the events since its last call.
function traced(module) {
  let [digest, events] = [0, 0];
  const note = (...what) => {
    events++;
    for (const value of what) digest = (Math.imul(digest ^ value, 0x01000193) + (digest >>> 15)) | 0;
  };
  const noted = { load_ptr: 3, store_ptr: 3 };
  const env = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    assert.equal(from, "env");
    if (name in noted) env[name] = (id, bytes, offset, address) => (note(id, bytes, offset, address), address);
    else if (name === "log_execution") env[name] = (id) => note(id);
    // The other imports get the values that are loaded and stored. These may be secret, so they are not noted.
    else env[name] = (_, value) => value;
  }
  const engine = new Native(new WebAssembly.Instance(module, { env }));
  const taken = () => {
    const result = `${events} events, ${digest}`;
    [digest, events] = [0, 0];
    return result;
  };
  return { engine, taken };
}

const next = random(12);
const P = toBytes((1n << 521n) - 1n);
const numbers = (bits) => [0n, 1n, (1n << BigInt(bits)) - 1n, 1n << BigInt(bits - 1), next(bits), next(bits)];
const padded = (x, bytes) => {
  const short = toBytes(x).subarray(-bytes);
  const result = new Uint8Array(bytes);
  result.set(short, bytes - short.length);
  return result;
};

// For each operation: a function that prepares it, a function that runs it with a secret, and the secrets.
const OPERATIONS = {
  "a secret exponent": [(engine) => engine.modulus(P), (p, secret) => p.pow(padded(3n, 66), padded(secret, 8), false), numbers(64)],
  "a secret base": [(engine) => engine.modulus(P), (p, secret) => p.pow(padded(secret, 64), padded(77n, 4), false), numbers(512)],
  "secret exponents of a product": [
    (engine) => engine.modulus(P),
    (p, secret) => p.multiPow(new Uint8Array(132).fill(5), padded(secret, 16), 2, false),
    numbers(128),
  ],
  "a secret exponent of a table": [
    (engine) => engine.modulus(P).fixedBase(padded(3n, 66), { exponentBits: 64, budget: 1 << 14, isPublic: false }),
    (table, secret) => table.pow(padded(secret, 8), false),
    numbers(64),
  ],
  "a secret value to be inverted": [(engine) => engine.modulus(P), (p, secret) => p.invert(padded(secret | 1n, 64), false), numbers(512)],
};

for (const name of ["relaxed", "portable"]) {
  const module = await instrumented(name);
  const after = (prepare, run, secret) => {
    const { engine, taken } = traced(module);
    const ready = prepare(engine);
    taken();
    run(ready, secret);
    return taken();
  };
  for (const [what, [prepare, run, secrets]] of Object.entries(OPERATIONS)) {
    test(`${name}: ${what} leaves no trace`, () => {
      const traces = new Set(secrets.map((secret) => after(prepare, run, secret)));
      assert.equal(traces.size, 1, [...traces].join("; "));
    });
  }
  test(`${name}: what is public leaves one`, () => {
    const run = (p, secret) => p.pow(padded(3n, 66), padded(secret, 8), true);
    assert.notEqual(after((engine) => engine.modulus(P), run, 1n), after((engine) => engine.modulus(P), run, 255n));
  });
}
