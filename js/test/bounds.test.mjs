// Tests the internals of the kernel with operands at the bounds of docs/fma50.md. Random operands never come near these bounds.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { whyNotRelaxed } from "../src/open.js";

test("digits, columns and values at their bounds", async () => {
  assert.equal(whyNotRelaxed(), "");
  const { instance } = await WebAssembly.instantiate(await readFile(new URL("wasm/checks.wasm", import.meta.url)), {});
  const { moduli_check, moduli_error, moduli_error_length, memory } = instance.exports;
  let count = 0;
  try {
    while (moduli_check(count)) count++;
  } catch {
    assert.fail(`check ${count}: ${new TextDecoder().decode(new Uint8Array(memory.buffer, moduli_error(), moduli_error_length()))}`);
  }
  assert.equal(count, 5);
});
