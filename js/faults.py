"""Seeded mistakes in the package and in its kernel, and the tests that must catch each: in a copy of the tree."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

NATIVE, OPEN, POOL, INDEX = "js/src/native.js", "js/src/open.js", "js/src/pool.js", "js/src/index.js"
MEMORY, KERNEL = "crates/moduli-js/src/memory.rs", "crates/moduli-kernel/src/fma50/wasm/"


@dataclass(frozen=True)
class Fault:
    """What stands in a file once, what stands there instead, and whose tests fail then."""

    name: str
    file: str
    right: str
    wrong: str
    test: str


FAULTS = (
    Fault("swapped arguments of a power", NATIVE, "run([x, e], this.size, (out, ...places) => moduli_pow", "run([e, x], this.size, (out, ...places) => moduli_pow", "exact"),
    Fault("swapped arguments of a product", NATIVE, "this.#native.run([x, e], this.size, (out, bases,", "this.#native.run([e, x], this.size, (out, bases,", "exact"),
    Fault("an exponent that was declared public", NATIVE, "moduli_pow(this.#at, out, ...places, +vartime)", "moduli_pow(this.#at, out, ...places, 1)", "trace"),
    Fault("a missing wipe of operands", MEMORY, "    bytes.zeroize();\n", "", "wiped"),
    Fault("a missing wipe of the stack", MEMORY, "    bytes.zeroize();\n    wipe_stack();", "    bytes.zeroize();", "wiped"),
    Fault("an unmasked look-up in the kernel wasm", KERNEL + "look_up.rs", "let digits = unsafe { load(entry.add(2 * v)) };",
          "let wanted = i64x2_extract_lane::<0>(here) != 0;\n            let digits = if wanted { unsafe { load(entry.add(2 * v)) } } else { place };", "trace"),
    Fault("a carry dropped in the kernel wasm", KERNEL + "columns.rs", "let carry = lowest_lane(i64x2_sub(carry, u64x2_splat(BIAS_CARRY)));",
          "let carry = i64x2_sub(carry, carry);", "exact"),
    Fault("a pair of digits missed at an edge", KERNEL + "product.rs", "if to < next_to {", "if to + 1 < next_to {", "exact"),
    Fault("a low part with the sign of another rounding", KERNEL + "vector.rs", "f64x2_relaxed_madd(x, y, f64x2_sub(self.both, part))",
          "f64x2_add(f64x2_mul(x, y), f64x2_sub(self.both, part))", "bounds"),
    Fault("a vector of the matrix left out", KERNEL + "matrix.rs", "2 * (self.top_bit + 2).div_ceil(2 * DIGIT_BITS)", "2 * ((self.top_bit + 2) / (2 * DIGIT_BITS))", "exact"),
    Fault("BigInt where constant time was asked for", OPEN, 'if (engine === "portable" || constantTime) return', 'if (engine === "portable") return', "interface"),
    Fault("rows of a batch out of order", POOL, "results[from + i] = row", "results[i] = row", "pool"),
    Fault("a modulus taken for another", INDEX, "const key = `${engine} ${fromBytes(bytes)}`", "const key = `${engine} ${bytes.length}`", "exact"),
)


def seeded(build, node, root, tools, wanted):
    """Tries those whose names contain one of the words, or all; ends with 1 if one is not caught."""
    tree = root / "target/js/faults"
    shutil.rmtree(tree, ignore_errors=True)
    for name in ("crates", "js"):
        shutil.copytree(root / name, tree / name, ignore=shutil.ignore_patterns("node_modules"))
    for name in ("Cargo.toml", "Cargo.lock"):
        shutil.copy(root / name, tree / name)
    (tree / "js/test/node_modules").symlink_to(tools / "node_modules")
    chosen = [fault for fault in FAULTS if not wanted or any(word in fault.name for word in wanted)]
    missed = 0
    for fault in chosen:
        path = tree / fault.file
        text = path.read_text(encoding="utf-8")
        if text.count(fault.right) != 1:
            sys.exit(f"{fault.file} has {text.count(fault.right)} times {fault.right!r}: {fault.name}")
        path.write_text(text.replace(fault.right, fault.wrong), encoding="utf-8")
        compiled = path.suffix == ".rs"
        if compiled:
            build(tree)
        command = [node, "--test", tree / f"js/test/{fault.test}.test.mjs"]
        ended = subprocess.run(command, cwd=tree / "js", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=os.environ)
        caught = ended.returncode != 0
        missed += not caught
        print(f"{'caught' if caught else 'MISSED'}  {fault.name}: {fault.test}", flush=True)
        path.write_text(text, encoding="utf-8")
        if compiled:
            for folder in ("wasm", "test/wasm"):
                shutil.copytree(root / "js" / folder, tree / "js" / folder, dirs_exist_ok=True)
    print(f"{len(chosen) - missed} caught, {missed} missed")
    sys.exit(1 if missed else 0)
