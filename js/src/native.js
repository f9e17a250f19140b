// The WebAssembly module: wraps its exports in objects. Each object owns what it has allocated in the module's memory.
import { ModuliError } from "./errors.js";

export class Native {
  #exports;
  #failed = false;
  // Frees objects that became unreachable without being closed.
  #forgotten = new FinalizationRegistry(({ end, at }) => this.#failed || end(at));

  constructor(instance) {
    this.#exports = instance.exports;
  }

  // Whether the module's floating-point kernel works here.
  get isFast() {
    return this.#exports.moduli_is_fast() === 1;
  }

  modulus(value) {
    const at = this.#made([value], this.#exports.moduli_modulus_new);
    return new NativeModulus(this, this.#exports, at, value);
  }

  // Calls `call` with the address of the result and the address and length of each input, and returns a copy of the result.
  // Wipes inputs and result in the module's memory.
  run(inputs, length, call) {
    return this.#within(inputs, length, (start, places) => {
      if (call(start, ...places) === 0) throw this.#failure();
      return new Uint8Array(this.#exports.memory.buffer, start, length).slice();
    });
  }

  // As `run`, for calls that create an object. Returns the object's address.
  #made(inputs, call) {
    return this.#within(inputs, 0, (_, places) => {
      const at = call(...places);
      if (at === 0) throw this.#failure();
      return at;
    });
  }

  made(first, inputs, rest, call) {
    return this.#made(inputs, (...places) => call(first, ...places, ...rest));
  }

  keep(owner, at, end) {
    this.#forgotten.register(owner, { end, at }, owner);
  }

  end(owner, at, end) {
    this.#forgotten.unregister(owner);
    if (!this.#failed) end(at);
  }

  #within(inputs, length, work) {
    if (this.#failed) throw new ModuliError("internal", "the module has failed before; load it anew");
    const { moduli_reserve, moduli_release, memory } = this.#exports;
    const total = inputs.reduce((sum, input) => sum + input.length, length);
    try {
      const start = moduli_reserve(total);
      try {
        const bytes = new Uint8Array(memory.buffer, start, total);
        const places = [];
        let at = length;
        for (const input of inputs) {
          bytes.set(input, at);
          places.push(start + at, input.length);
          at += input.length;
        }
        return work(start, places);
      } finally {
        moduli_release(start, total);
      }
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
      this.#failed = true;
      throw new ModuliError("internal", `the module has failed: ${error.message}`);
    }
  }

  #failure() {
    const { moduli_error, moduli_error_length, memory } = this.#exports;
    const text = new TextDecoder().decode(new Uint8Array(memory.buffer, moduli_error(), moduli_error_length()));
    const [code, message] = text.split("\n", 2);
    return new ModuliError(code, message);
  }
}

class NativeModulus {
  #native;
  #exports;
  #at;
  // The number of bytes of a residue.
  size;

  constructor(native, exports, at, value) {
    [this.#native, this.#exports, this.#at] = [native, exports, at];
    this.size = value.length - value.findIndex((byte) => byte !== 0);
    native.keep(this, at, exports.moduli_modulus_end);
  }

  pow(x, e, vartime) {
    const { moduli_pow } = this.#exports;
    return this.#native.run([x, e], this.size, (out, ...places) => moduli_pow(this.#at, out, ...places, +vartime));
  }

  // `x` and `e` hold `count` rows each. All rows of `x` have the same length, and so have those of `e`.
  multiPow(x, e, count, vartime) {
    const { moduli_multi_pow } = this.#exports;
    return this.#native.run([x, e], this.size, (out, bases, x_length, exponents, e_length) =>
      moduli_multi_pow(this.#at, out, bases, count && x_length / count, exponents, count && e_length / count, count, +vartime),
    );
  }

  invert(x, vartime) {
    const { moduli_invert } = this.#exports;
    return this.#native.run([x], this.size, (out, ...places) => moduli_invert(this.#at, out, ...places, +vartime));
  }

  fixedBase(base, { exponentBits, budget, isPublic }) {
    const { moduli_fixed_base_new } = this.#exports;
    const at = this.#native.made(this.#at, [base], [exponentBits, budget, +isPublic], moduli_fixed_base_new);
    return new NativeFixedBase(this.#native, this.#exports, at, this.size);
  }

  close() {
    this.#native.end(this, this.#at, this.#exports.moduli_modulus_end);
  }
}

class NativeFixedBase {
  #native;
  #exports;
  #at;
  size;

  constructor(native, exports, at, size) {
    [this.#native, this.#exports, this.#at, this.size] = [native, exports, at, size];
    native.keep(this, at, exports.moduli_fixed_base_end);
  }

  get tableBytes() {
    return this.#exports.moduli_fixed_base_bytes(this.#at);
  }

  pow(e, vartime) {
    const { moduli_fixed_base_pow } = this.#exports;
    return this.#native.run([e], this.size, (out, ...places) => moduli_fixed_base_pow(this.#at, out, ...places, +vartime));
  }

  close() {
    this.#native.end(this, this.#at, this.#exports.moduli_fixed_base_end);
  }
}
