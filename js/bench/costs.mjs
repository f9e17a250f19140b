// Measures the costs of the kernel wasm, and prints the results of each pass: costs.mjs MODULE PASSES
import { readFile } from "node:fs/promises";

const [path, passes] = process.argv.slice(2);
const clock = { nanoseconds: () => 1e6 * performance.now() };
const { instance } = await WebAssembly.instantiate(await readFile(path), { clock });
const { moduli_costs, moduli_error, moduli_error_length, memory } = instance.exports;
// During the first pass the engine may still be running code that it has not optimised.
for (let pass = 0; pass <= passes; pass++) {
  if (moduli_costs() === 0) throw new Error("the kernel wasm does not serve here");
  const text = new TextDecoder().decode(new Uint8Array(memory.buffer, moduli_error(), moduli_error_length()));
  if (pass > 0) console.log(`${text}\n`);
}
