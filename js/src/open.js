// Chooses the engine that works here, once, when the package is loaded.
import { BigIntEngine } from "./bigint.js";
import { ModuliError } from "./errors.js";
import { Native } from "./native.js";

const RELAXED = new URL("../wasm/moduli-relaxed.wasm", import.meta.url);
const PORTABLE = new URL("../wasm/moduli-portable.wasm", import.meta.url);

// A module whose function f returns x·x + y, computed by f64x2.relaxed_madd.
const PROBE = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 7, 1, 0x60, 2, 0x7c, 0x7c, 1, 0x7c],
  ...[3, 2, 1, 0],
  ...[7, 5, 1, 1, 0x66, 0, 0],
  ...[10, 22, 1, 20, 0, 0x20, 0, 0xfd, 0x14, 0x20, 0, 0xfd, 0x14, 0x20, 1, 0xfd, 0x14, 0xfd, 0x87, 2, 0xfd, 0x21, 0, 0x0b],
);

// The reason why the module with relaxed SIMD does not work here; empty if it works.
export function whyNotRelaxed() {
  if (typeof WebAssembly !== "object") return "there is no WebAssembly";
  if (!WebAssembly.validate(PROBE)) return "WebAssembly has no relaxed SIMD";
  try {
    const { f } = new WebAssembly.Instance(new WebAssembly.Module(PROBE)).exports;
    // (2^27 + 1)² has 55 bits: if the product is rounded, its last bit is lost.
    return f(2 ** 27 + 1, -(2 ** 54 + 2 ** 28)) === 1 ? "" : "relaxed_madd is not fused";
  } catch (error) {
    // The content security policy of a page can forbid WebAssembly.
    if (error instanceof WebAssembly.CompileError) return "WebAssembly may not be compiled";
    throw error;
  }
}

async function bytesAt(url) {
  // Not by `import`: bundlers would try to resolve it.
  const files = url.protocol === "file:" && globalThis.process?.getBuiltinModule?.("node:fs/promises");
  if (files) return files.readFile(url);
  const answer = await fetch(url);
  if (!answer.ok) throw new ModuliError("internal", `${url} cannot be read: ${answer.status}`);
  return answer.arrayBuffer();
}

async function native(url, given) {
  const source = given ?? (await bytesAt(url));
  const made = await WebAssembly.instantiate(source, {});
  const instance = made instanceof WebAssembly.Instance ? made : made.instance;
  if (typeof instance.exports.moduli_is_fast !== "function") throw new ModuliError("argument", "the module that was given is not one of moduli");
  return new Native(instance);
}

// Loads the engines. Returns them with `names`, which says which engine computes which operation, and why.
export async function open({ engine, constantTime = false, relaxedModule, portableModule } = {}) {
  if (![undefined, "wasm", "portable", "bigint"].includes(engine)) {
    throw new ModuliError("argument", `the engine ${engine} is not one of wasm, portable and bigint`);
  }
  if (engine === "bigint" && constantTime) throw new ModuliError("argument", "the engine bigint is not constant-time");
  const named = (powmod, fixedBase, multiPow, invert, reason) => ({ powmod, fixedBase, multiPow, invert, reason });
  const whole = (name, reason) => named(name, name, name, name, reason);
  let reason = engine === undefined || engine === "wasm" ? whyNotRelaxed() : "it was asked for";
  if (reason === "") {
    const module = await native(RELAXED, relaxedModule);
    if (module.isFast) return { wasm: module, names: whole("wasm", "relaxed_madd is fused") };
    reason = "relaxed_madd is not fused";
  }
  if (engine === "wasm") throw new ModuliError("internal", `the engine wasm does not serve here: ${reason}`);
  if (engine !== "bigint" && typeof WebAssembly === "object") {
    try {
      const module = await native(PORTABLE, portableModule);
      if (engine === "portable" || constantTime) return { portable: module, names: whole("portable", reason) };
      const names = named("bigint", "portable", "bigint", "portable", reason);
      return { portable: module, bigint: new BigIntEngine(), names };
    } catch (error) {
      if (!(error instanceof WebAssembly.CompileError)) throw error;
      reason = `WebAssembly cannot be compiled: ${error.message}`;
    }
  }
  if (engine === "portable" || constantTime) throw new ModuliError("internal", `no constant-time engine works here: ${reason}`);
  return { bigint: new BigIntEngine(), names: whole("bigint", reason) };
}
