"""Seeded faults in the npm package and in its kernel, each with the test that must catch it: see scripts/seeded.py."""

from pathlib import Path

from seeded import Fault

FILES = Path(__file__).resolve().parents[1]
TESTS = "js/test/*.test.mjs"
NATIVE, OPEN, POOL, INDEX = "js/src/native.js", "js/src/open.js", "js/src/pool.js", "js/src/moduli.js"
MEMORY, KERNEL = "crates/moduli-js/src/memory.rs", "crates/moduli-kernel/src/fma50/wasm/"
POWERS, PRODUCTS, TABLES = "exact lengths between words, and the shortest", "exact products of powers", "exact tables, from one tooth to matrices"
SECRET, WIPED, BOUNDS = "trace a secret exponent", "wiped exponents, bases and results are wiped", "bounds digits, columns and values at their bounds"

FAULTS = (
    Fault("swapped arguments of a power", NATIVE, "run([x, e], this.size, (out, ...places) => moduli_pow", "run([e, x], this.size, (out, ...places) => moduli_pow", POWERS),
    Fault("swapped arguments of a product", NATIVE, "this.#native.run([x, e], this.size, (out, bases,", "this.#native.run([e, x], this.size, (out, bases,", PRODUCTS),
    Fault("swapped arguments of a table", NATIVE, "[exponentBits, budget, +isPublic]", "[budget, exponentBits, +isPublic]", TABLES),
    Fault("a secret exponent as a public one", NATIVE, "moduli_pow(this.#at, out, ...places, +vartime)", "moduli_pow(this.#at, out, ...places, 1)", SECRET),
    Fault("a call of a closed table", INDEX, "    this.#table = undefined;\n", "", TABLES),
    Fault("BigInt where constant time was asked for", OPEN, 'if (engine === "portable" || constantTime) return', 'if (engine === "portable") return',
          "interface an engine that does not fuse"),
    Fault("the kernel with SIMD where there is none", OPEN, "await native(PORTABLE, portableModule)", "await native(RELAXED, relaxedModule)", "interface an engine without SIMD"),
    Fault("an engine without SIMD that is not asked for it", OPEN, '  if (!WebAssembly.validate(PROBE)) return "WebAssembly has no relaxed SIMD";\n', "", "interface an engine without SIMD"),
    Fault("a number in the caller's memory", "js/src/numbers.js", "own ? bytes : new Uint8Array(bytes)", "own ? bytes : bytes.slice()", "interface a Buffer is read"),
    Fault("a number that is too long for the module", "js/src/numbers.js", "if (x.length > MAX_BYTES) throw", "if (x.length > 2 * MAX_BYTES) throw", "interface what is refused, by code"),
    Fault("rows of a batch out of order", POOL, "results[from + i] = row", "results[i] = row", "pool batches come back in order, and errors by code"),
    Fault("a modulus taken for another", INDEX, "const key = `${engine} ${hexOf(bytes).replace(/^0+/, \"\")}`", "const key = `${engine} ${bytes.length}`", POWERS),
    Fault("a missing wipe of operands", MEMORY, "    bytes.zeroize();\n", "", WIPED),
    Fault("a missing wipe of the stack", MEMORY, "    bytes.zeroize();\n    wipe_stack();", "    bytes.zeroize();", WIPED),
    Fault("an unmasked look-up in the kernel wasm", KERNEL + "look_up.rs", "let digits = unsafe { load(entry.add(2 * v)) };",
          "let wanted = i64x2_extract_lane::<0>(here) != 0;\n            let digits = if wanted { unsafe { load(entry.add(2 * v)) } } else { place };", SECRET),
    Fault("swapped operands of relaxed_madd", KERNEL + "vector.rs", "f64x2_relaxed_madd(x, y, f64x2_sub(self.both, part))",
          "f64x2_relaxed_madd(x, f64x2_sub(self.both, part), y)", BOUNDS),
    Fault("a low part with the sign of another rounding", KERNEL + "vector.rs", "f64x2_relaxed_madd(x, y, f64x2_sub(self.both, part))",
          "f64x2_add(f64x2_mul(x, y), f64x2_sub(self.both, part))", BOUNDS),
    Fault("a carry dropped in the kernel wasm", KERNEL + "columns.rs", "let carry = lowest_lane(i64x2_sub(carry, u64x2_splat(BIAS_CARRY)));",
          "let carry = i64x2_sub(carry, carry);", POWERS),
    Fault("a pair of digits missed at an edge", KERNEL + "product.rs", "if to < next_to {", "if to + 1 < next_to {", POWERS),
    Fault("a vector of the matrix left out", KERNEL + "matrix.rs", "2 * (self.top_bit + 2).div_ceil(2 * DIGIT_BITS)", "2 * ((self.top_bit + 2) / (2 * DIGIT_BITS))", POWERS),
)
