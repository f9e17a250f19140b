"""Programs over resident residues in simulation: every result against the program's interpreter and against Python's integers, cycles
against the schedule.

    resident.py          P-256 and secp256k1 over 8 x 33, and tiny cores: minutes
    resident.py tiny     the tiny cores but one
"""

import hashlib
import json
import os
import random
import re
import subprocess
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "model"))
import cycles  # noqa: E402
from simulate import BUILD, HDL, MODULI, Failed, compiler, object_cache, program, run, told, verilator  # noqa: E402

PROGRAMS = HDL / "programs"
# Curves y^2 = x^3 + a x + b modulo p, with n points.
CURVES = {
    "P-256": (2**256 - 2**224 + 2**192 + 2**96 - 1, -3, 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
              0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551),
    "secp256k1": (2**256 - 2**32 - 977, 0, 7, 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141),
    "tiny": (61, -3, 3, 73),
    "small": (0x3FFFEF, -3, 17, 0x3FF3AF),
    "cubic": (0x3FFFDF, 0, 7, 0x400969),
}
# Of those with a = 0: beta and lambda, for which (beta*x, y) is the multiple of (x, y) by lambda.
ENDOMORPHISMS = {
    "secp256k1": (0x7AE96A2B657C07106E64479EAC3434E99CF0497512F58995C1396C28719501EE, 0x5363AD4CC05C30E0A5261C028812645A122E22EA20816678DF02967C1B23BD72),
    "cubic": (0x1FE1BC, 0x19A972),
}
# The numbers of bits of each half of a scalar that is split, and of the two random numbers that hide it: see
# crates/moduli-rns/src/endomorphism.rs.
HALVES = {"secp256k1": (162, 32), "cubic": (20, 6)}


# The numbers of bits that blind scalars: more than the order has leading 1 bits.
BLINDING = {"P-256": 96, "secp256k1": 160, "small": 18}


@dataclass(frozen=True)
class Core:
    """A core with programs."""

    prime: str
    width: int
    channels: int
    programs: tuple
    options: tuple = ()  # further options of `moduli hdl`
    after: bool = False  # the core wipes its registers after every program
    rom: str = "case"
    check: bool = False  # with the checks of programs
    # Left out of repr, from which the name is made, so that cores without a guard keep their names.
    guard: bool = field(default=False, repr=False)
    redundant = False

    def command(self):
        programs = [word for name in self.programs for word in ("--program", PROGRAMS / f"{name}.rns")]
        return [MODULI, "hdl", "--prime", self.prime, "--width", self.width, "--channels", self.channels, "--inversion", "fermat",
                *programs, *self.options]

    def generated(self):
        """The options that only the generator of the core needs."""
        return [*self.command(), *["--check"] * self.check, *["--guard"] * self.guard]

    def name(self):
        digest = hashlib.sha256(repr(self).encode()).hexdigest()[:12]
        return f"resident-{self.channels}x{self.width}-{'-'.join(self.programs)}-{digest}{'-guard' * self.guard}"


def sources(constants, hdl, rom="case"):
    """The sources to compile, packages first."""
    rtl = hdl / "rtl"
    packages = [constants / "moduli_rns_params_pkg.sv", *(rtl / f"moduli_rns{name}_pkg.sv" for name in ("", "_resident"))]
    memory = rtl / "moduli_rns_rom_mem.sv" if rom == "mem" else constants / "moduli_rns_rom_case.sv"
    parts = "tile times mod3 mod9 multiply reduce rower cox loader digit_product unloader clear resident_scalar resident_sequencer resident_guard resident".split()
    return [*packages, memory, *(rtl / f"moduli_rns_{part}.sv" for part in parts)]


def generated(core, constants):
    """Writes the constants of a core, and returns the generator's summary."""
    return json.loads(run([*core.generated(), "-o", constants, "--force", "--json"]))


def build(core, hdl=HDL, where=BUILD, alter=None, more=(), modules=()):
    """Compiles the driver of a core, unless this was done before with the same files. Returns it with the generator's summary. `more` are options of
    Verilator, `modules` additional sources."""
    directory = where / core.name()
    directory.mkdir(parents=True, exist_ok=True)
    constants = directory / "core"
    summary = generated(core, constants)
    if alter:
        alter(constants)
    driver, stamp = directory / "driver", directory / "digest"
    files = [*sources(constants, hdl, core.rom), hdl / "dv/driver/resident.cpp", *modules, hdl / "dv/driver/numbers.h"]
    digest = hashlib.sha256(b"\0".join(path.name.encode() + path.read_bytes() for path in files)).hexdigest()
    if not (driver.exists() and stamp.exists() and stamp.read_text() == digest):
        stamp.unlink(missing_ok=True)
        rom = [f'-DMODULI_RNS_ROM_DIR="{constants}"'] if core.rom == "mem" else []
        run([verilator(), "--cc", "--exe", "--build", "--assert", "-O3", "--x-assign", "fast", "--x-initial", "unique", "--output-split", "0",
             "-j", "1", "--Mdir", directory / "obj", "-o", driver,
             "--top-module", "moduli_rns_resident", "-Wno-fatal", f"-GClearAfter={int(core.after)}",
             *compiler(f"-I{hdl / 'dv/driver'}"), *more, *rom, *files[:-1]], env={**os.environ, **object_cache()})
        stamp.write_text(digest)
    return driver, summary


def add(one, other, p, a):
    """The sum of two points; None is the point at infinity."""
    if one is None or other is None:
        return one or other
    (x1, y1), (x2, y2) = one, other
    if x1 != x2:
        slope = (y2 - y1) * pow(x2 - x1, -1, p)
    elif (y1 + y2) % p:
        slope = (3 * x1 * x1 + a) * pow(2 * y1, -1, p)
    else:
        return None
    x = (slope * slope - x1 - x2) % p
    return x, (slope * (x1 - x) - y1) % p


def times(k, point, p, a):
    total = None
    for bit in f"{k:b}":
        total = add(total, total, p, a)
        if bit == "1":
            total = add(total, point, p, a)
    return total


def points(name, chooser, count):
    """Points of a curve: one with x = 0 if there is one, and random ones."""
    p, a, b, _ = CURVES[name]
    found = []
    x = 0
    while len(found) < count:
        square = (x**3 + a * x + b) % p
        y = pow(square, (p + 1) // 4, p) if p % 4 == 3 else next((y for y in range(p) if y * y % p == square), 0)
        if y * y % p == square and y:
            found.append((x, chooser.choice((y, p - y))))
        x = chooser.randrange(p)
    return found


def multiples(name, chooser, count, n):
    """Operands and results of weierstrass.rns, with scalars at the edges and random ones."""
    p, a, _, _ = CURVES[name]
    edges = [0, 1, 2, 3, n - 2, n - 1, n, n + 1, 2 ** n.bit_length() - 1]
    edges = [k for k in edges if k < 2 ** n.bit_length()]
    scalars = edges + [chooser.getrandbits(n.bit_length()) for _ in range(count)]
    lines = []
    for k, point in zip(scalars, points(name, chooser, len(scalars))):
        lines.append(((*point, k), times(k % n, point, p, a) or (0, 0)))
    return lines


def completion(n, bits):
    """(c, c*n): the multiple of n that a core adds to a scalar blinded by `bits` bits. crates/moduli-rns/src/program/scalar.rs explains it."""
    factor = -(-(1 << n.bit_length() + bits) // n)
    factor += (2 - factor) % 4
    return factor, factor * n


def suits(k, r, n, bits):
    """Whether k + r*n is a scalar for which the ladder never meets the point at infinity."""
    multiple = completion(n, bits)[0] + r
    zeros, ones = ((each & -each).bit_length() - 1 for each in (multiple, multiple + 1))
    return not (zeros >= 2 and k < 1 << zeros or ones >= 2 and n - k <= 1 << ones)


def blinded(k, n, bits, chooser):
    """k + r*n with a random r."""
    while True:
        r = chooser.getrandbits(bits)
        if suits(k, r, n, bits):
            return k + r * n


def of_blinded(lines, n, bits, chooser):
    """Lines of weierstrass.rns with their scalars blinded, if these are below the order."""
    return [((x, y, blinded(k, n, bits, chooser)), results) for (x, y, k), results in lines if k < n]


def lattice(n, root):
    """A short basis of the pairs (x, y) with x + y*root = 0 modulo n, by Lagrange's reduction."""
    norm = lambda v: v[0] * v[0] + v[1] * v[1]
    one, other = (n, 0), (-root, 1)
    while True:
        if norm(one) > norm(other):
            one, other = other, one
        # The nearest integer.
        times = (2 * (one[0] * other[0] + one[1] * other[1]) + norm(one)) // (2 * norm(one))
        if times == 0:
            return one, other
        other = (other[0] - times * one[0], other[1] - times * one[1])


def split(k, name, chooser, random_numbers=None):
    """Both halves of k, randomised, in one number. Any vectors that give halves with the right number of bits will do."""
    n, root = CURVES[name][3], ENDOMORPHISMS[name][1]
    bits, random_bits = HALVES[name]
    basis = lattice(n, root)
    u = random_numbers or [chooser.getrandbits(random_bits) for _ in basis]
    # From the middle of what has so many bits, less the middle of what the random vectors add.
    middle = [3 << bits - 2] * 2
    target = [m - k * (at == 0) - sum(v[at] for v in basis) * (1 << random_bits) // 2 for at, m in enumerate(middle)]
    determinant = basis[0][0] * basis[1][1] - basis[0][1] * basis[1][0]
    near = [(target[0] * basis[1][1] - target[1] * basis[1][0]) // determinant, (target[1] * basis[0][0] - target[0] * basis[0][1]) // determinant]
    halves = [k * (at == 0) + sum((c + s) * v[at] for c, s, v in zip(near, u, basis)) for at in range(2)]
    if any(half.bit_length() != bits or half < 0 for half in halves) or (halves[0] + halves[1] * root - k) % n:
        raise Failed(f"{k:x} is split into {halves[0]:x} and {halves[1]:x}")
    return halves[0] << bits | halves[1]


def of_split(lines, name, chooser):
    """Lines of weierstrass.rns as those of endomorphism.rns, if their scalars are below the order: with random numbers, and with zeros and ones."""
    most = (1 << HALVES[name][1]) - 1
    lines = [line for line in lines if line[0][2] < CURVES[name][3]]
    return [((x, y, split(k, name, chooser, numbers)), results) for (x, y, k), results in lines for numbers in (None, (0, most), (most, 0))]


def powers(p, chooser, count):
    """Operands and results of power.rns."""
    bits = p.bit_length()
    top = 2**bits - 1
    pairs = [(0, 0), (1, top), (p - 1, p - 2), (p, 1), (top, top), (2, 0)] + [(chooser.getrandbits(bits), chooser.getrandbits(bits)) for _ in range(count)]
    return [((base, exponent), (pow(base, exponent, p),)) for base, exponent in pairs]


def halves(n, chooser, count):
    """Operands and results of signature.rns."""
    lines = []
    for _ in range(count):
        k, r, d, e = operands = [chooser.randrange(1, n) for _ in range(4)]
        lines.append((operands, (pow(k, -1, n) * (e + r * d) % n,)))
    return lines


# Stands for each result of a run if a random number is 0 or a check fails.
ERROR = "error"


def simulate(core, lines, program=0, driver=(), **options):
    """Runs lines on a core. Returns (passed, failed, line to print)."""
    binary, summary = build(core, **options)
    text = {"operands": [line[0] for line in lines], "expected": [line[1] for line in lines]}
    place = binary.parent / f"run-{hashlib.sha256(repr((lines, program, driver)).encode()).hexdigest()[:12]}"
    files = {}
    for what, rows in text.items():
        files[what] = place.with_suffix(f".{what}")
        files[what].write_text("".join(" ".join(word if word == ERROR else f"{word:x}" for word in row) + "\n" for row in rows))
    if not options and not any(ERROR in row for row in text["expected"]):
        alone = Core(core.prime, core.width, core.channels, core.programs[program : program + 1], core.options)
        said = run([*alone.command(), "--expect", files["operands"]])
        if said != files["expected"].read_text():
            raise Failed("the interpreter and Python's integers differ")
    done = subprocess.run([str(word) for word in [binary, *["--quiet"] * bool(driver), "--program", program, *driver, files["operands"], files["expected"]]],
                          capture_output=True, text=True, timeout=3600)
    out = done.stdout.strip().splitlines()
    said = f"{core.name()} {' '.join(driver)}: {' '.join(out[-2:-1])}; schedule {summary['cycles'][program]} {done.stderr.strip()}"
    last = re.fullmatch(r"(\d+) passed, (\d+) failed", out[-1] if out else "")
    if not last:
        return 0, len(lines), said
    passed, failed = map(int, last.groups())
    if not driver and failed == 0:
        prime, name = int(summary["prime"], 16), core.programs[program]
        loaded, _, random_numbers, *_ = cycles.WAITS[name]
        for (operands, _), line in zip(lines, out):
            reduced = sum(operand >= prime for operand in operands[:loaded])
            # Random numbers may be P or more, too.
            right = [cycles.program(summary["parameters"], name, summary["cycles"][program], reduced, above) for above in range(random_numbers + 1)]
            if int(line.split()[-1]) not in right:
                return passed - 1, failed + 1, f"{said}: {operands} took {line.split()[-1]} cycles, not {right}"
        # With a large P, a random number is hardly ever 0.
        if prime > 1 << 20 and ", 0 refused" not in out[-2]:
            return passed - 1, failed + 1, f"{said}: a random number was refused"
    return passed, failed, said


def example(name, scalar):
    """The arguments of moduli_rns_resident_tb for a multiple of a point: the operands, and x of the result."""
    p, a, _, _ = CURVES[name]
    (point,) = points(name, random.Random(1), 1)
    given = {**dict(zip("abc", (*point, scalar))), "x": times(scalar, point, p, a)[0]}
    return [f"+{key}={value:x}" for key, value in given.items()]


# The times at which moduli_rns_resident_tb looks at the registers.
WIPED = ("when the order is added", "in the middle", "with a result that waits", "by itself")


def wiped(core, given, middle, hdl=HDL, where=BUILD):
    """Tests that nothing of the operands of a core's last program remains after clear_i, or after the core wipes itself, and that the result is right."""
    place = where / f"{core.name()}-wiped"
    place.mkdir(parents=True, exist_ok=True)
    run([*core.command(), "-o", place / "core", "--force"])
    run([verilator(), "--binary", "--timing", "--assert", "-Wno-fatal", "--output-split", "0", "-j", "1", *compiler(),
         "--Mdir", place / "obj", "--top-module", "moduli_rns_resident_tb", *sources(place / "core", hdl), HDL / "dv/moduli_rns_resident_tb.sv"],
        env={**os.environ, **object_cache()})
    done = subprocess.run([place / "obj/Vmoduli_rns_resident_tb", *given, f"+cycles={middle}"], capture_output=True, text=True, timeout=3600)
    said = [line for line in done.stdout.splitlines() if line.endswith("bits wiped")]
    # The first error, or a message that an expected line is missing.
    wrong = [line for line in done.stdout.splitlines() if "Fatal" in line or "Error" in line][:1]
    failed = len(WIPED) - len(said) or int(done.returncode != 0)
    return len(said), failed, f"{core.name()}: {'; '.join(said + wrong)}"


RESTLESS = ("--gaps", "97", "--stalls", "50")  # operands and random words often come late


def curve(name):
    """The options that describe a curve which `moduli hdl` does not know by name."""
    p, a, b, n = CURVES[name]
    return ("--constant", f"a={a % p:x}", "--constant", f"b3={3 * b % p:x}", "--order", f"{n:x}")


def splitting(name):
    """The options for scalars that are split."""
    more = 2 * HALVES[name][0] - CURVES[name][3].bit_length()
    known = ("--curve", name) if name == "secp256k1" else (*curve(name), "--constant", f"beta={ENDOMORPHISMS[name][0]:x}")
    return (*known, "--blinding", str(more))


def tiny():
    """Runs of tiny cores: core, operands and results, program, options of the driver. Those that catch seeded faults are first."""
    chooser = random.Random(7)
    small = Core("3d", 17, 2, ("power", "weierstrass"), curve("tiny"), after=True)
    # A core whose scalars have three digits.
    digits = Core("3fffef", 11, 5, ("weierstrass",), curve("small"))
    return [
        (small, multiples("tiny", chooser, 300, CURVES["tiny"][3]), 1, RESTLESS),
        (digits, multiples("small", chooser, 100, CURVES["small"][3]), 0, ()),
        (small, powers(61, chooser, 200), 0, (*RESTLESS, "--reset-every", "3000", "--clear-every", "3000")),
        (Core("fb", 40, 1, ("power",), rom="mem"), powers(251, chooser, 100), 0, ()),
        # Results wait until the next one is there, or the program is done. The core is cleared meanwhile, and while it waits for
        # operands.
        (small, multiples("tiny", chooser, 20, CURVES["tiny"][3]), 1, ("--stalls", "99")),
        (small, powers(61, chooser, 60), 0, ("--gaps", "97", "--stalls", "98", "--clear-every", "500")),
        (small, multiples("tiny", chooser, 20, CURVES["tiny"][3]), 1, (*RESTLESS, "--reset-every", "3000")),
        *weak(digits, multiples("small", chooser, 10, CURVES["small"][3])),
    ]


def narrow():
    """Runs of a tiny core with five channels whose only program is short."""
    chooser, core = random.Random(9), Core("3fb", 11, 5, ("power",))
    return [(core, powers(1019, chooser, 100), 0, ()), (core, powers(1019, chooser, 10), 0, ("--stalls", "99"))]


def protected():
    """Runs of tiny cores with blinded scalars: with all kinds of random words, and with factors of zeros and ones, which suit every scalar."""
    chooser, bits, n = random.Random(10), 4, CURVES["tiny"][3]
    core = Core("3d", 17, 2, ("weierstrass",), (*curve("tiny"), "--blinding", str(bits)))
    lines = multiples("tiny", chooser, 60, n)
    edges = [((x, y, k + r * n), results) for (x, y, k), results in lines if k < n for r in (0, 2**bits - 1)]
    return [(core, of_blinded(lines, n, bits, chooser) + edges, 0, ()), *checked()]


def checked():
    """Runs of a tiny core with blinded scalars and the checks of its program: with all kinds of random words; with factors of zeros and ones, which
    suit every scalar; with points off the curve, which must be refused, and then one on it; and also with a guard."""
    chooser, bits, (p, a, b, n) = random.Random(12), BLINDING["small"], CURVES["small"]
    core = Core("3fffef", 11, 5, ("weierstrass",), (*curve("small"), "--blinding", str(bits)), check=True)
    lines = multiples("small", chooser, 60, n)
    edges = [((x, y, k + r * n), results) for (x, y, k), results in lines if k < n for r in (0, 2**bits - 1)]
    good = of_blinded(lines, n, bits, chooser)
    off = [((x, y + 1, k), [ERROR] * 2) for (x, y, k), _ in good if (y + 1) ** 2 % p != (x**3 + a * x + b) % p]
    guarded = replace(core, guard=True)
    return [(core, good + edges, 0, ()), *weak(core, good[:12]), (core, off[:20] + good[:1], 0, (*RESTLESS, "--words", "repeated")),
            (guarded, off[:5] + good[:15], 0, (*RESTLESS, "--words", "repeated", "--clear-every", "40000"))]


def halved():
    """Runs of a tiny core whose scalars are split, with the checks of the program: with all kinds of random words, and with points off the curve."""
    chooser, name = random.Random(13), "cubic"
    p, a, b, _ = CURVES[name]
    core = Core("3fffdf", 11, 5, ("endomorphism",), splitting(name), check=True)
    good = of_split(multiples(name, chooser, 60, CURVES[name][3]), name, chooser)
    off = [((x, y + 1, k), [ERROR] * 2) for (x, y, k), _ in good[:20] if (y + 1) ** 2 % p != (x**3 + a * x + b) % p]
    return [(core, good, 0, ()), *weak(core, good[:12]), (core, off + good[:3], 0, (*RESTLESS, "--words", "repeated")),
            (replace(core, guard=True), good[:15] + off[:5], 0, (*RESTLESS, "--words", "repeated", "--clear-every", "40000"))]


def weak(core, lines):
    """Runs the lines with random words that are not random. Results do not depend on these words, but zeros are refused."""
    refused = [(operands, [ERROR] * len(results)) for operands, results in lines]
    return [(core, lines, 0, ("--words", "ones")), (core, lines, 0, ("--words", "repeated")), (core, refused, 0, ("--words", "zeros")),
            (core, refused[:1] + lines[1:], 0, ("--words", "late"))]


def large():
    """Runs of P-256 and secp256k1."""
    chooser, runs = random.Random(8), []
    for name in ("P-256", "secp256k1"):
        p, n = CURVES[name][0], CURVES[name][3]
        core = Core(name, 33, 8, ("weierstrass", "power"), ("--curve", name))
        runs.append((core, multiples(name, chooser, 60, n), 0, ()))
        runs.extend(weak(core, multiples(name, chooser, 3, n)))
        bits = BLINDING[name]
        core = Core(name, 33, 8, ("weierstrass",), ("--curve", name, "--blinding", str(bits)))
        runs.append((core, of_blinded(multiples(name, chooser, 20, n), n, bits, chooser), 0, ()))
        runs.append((core, powers(p, chooser, 20), 1, ()))
        runs.append((Core(f"{n:x}", 33, 8, ("signature",)), halves(n, chooser, 20), 0, ()))
    core = Core(name, 33, 8, ("endomorphism",), splitting(name), check=True)
    lines = of_split(multiples(name, chooser, 20, n), name, chooser)
    runs.extend([(core, lines, 0, ()), *weak(core, lines[:3])])
    return runs


def wiping():
    """The arguments of wiped(): a core, operands and a number of cycles. The order is added to the scalar twice."""
    return tiny()[0][0], example("tiny", 50), 1000


def main():
    passed, failed, said = wiped(*wiping())
    print(said, flush=True)
    for run in tiny() + protected() + halved() + (narrow() + large() if sys.argv[1:] != ["tiny"] else []):
        good, bad, said = simulate(*run)
        passed, failed = passed + good, failed + bad
        print(said, flush=True)
    return told(passed, failed)


if __name__ == "__main__":
    program(main)
