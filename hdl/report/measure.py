"""Counts cycles in simulation for the figures of the report. Writes hdl/report/cycles.json, and memories.json with the sizes
of memories and the meaning of the addends.

Every core inverts the same operands one after the other (latency), and, if it interleaves, many at once (throughput). All
results are compared with the library's.

    measure.py [--list] [WORDS]    all cores, or those whose names contain WORDS: their lines in the file are renewed
    measure.py --formula           cores that were not simulated yet, without building them: steps from the library, cycles by
                                   the formulas of hdl/model, which the regression checks for single operands
"""

import json
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from pathlib import Path
from statistics import mean, stdev

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "dv"))
from generate import RESIDENT  # noqa: E402
from simulate import BUILD, HDL, MODULI, Core, Failed, build, expectations, program, run  # noqa: E402

sys.path.insert(0, str(HDL / "model"))
import addends  # noqa: E402
import cycles as formula  # noqa: E402

RESULTS = HDL / "report/cycles.json"
METHODS = ("fermat", "fermat-binary", "binary", "binary-ternary", "wide", "divstep")
# The shapes of the figure by field size, at w = 33, and of the figure by number of channels, at 384 bits.
BY_SIZE = (("P-192", 6, 33), ("P-256", 8, 33), ("P-384", 12, 33), ("P-521", 16, 33))
BY_CHANNELS = tuple(("P-384", n, w) for n, w in ((9, 48), (11, 36), (12, 33), (14, 29), (17, 24), (20, 20)))
# Cores that are also measured with more contexts: as many as a step has room for, and for wide one more, with a longer step.
INTERLEAVED = (("P-256", 8, 33, "binary"), ("P-256", 8, 33, "binary-ternary"), ("P-256", 8, 33, "wide"))


def cores():
    shapes = dict.fromkeys(BY_SIZE + BY_CHANNELS)
    for prime, channels, width in shapes:
        for method in METHODS if (prime, channels, width) in BY_SIZE else METHODS[:4]:
            inversion, _, window = method.partition("-") if method.startswith("fermat") else (method, "", "")
            options = ("--window", window) if window else ()
            yield Core(prime, width, channels, inversion, options)
            if (prime, channels, width, method) in INTERLEAVED:
                yield Core(prime, width, channels, inversion, options, contexts=4)
                if method == "wide":
                    yield Core(prime, width, channels, inversion, options, contexts=5)


def operations(built, options, lines):
    """Runs operands. Returns RESULT ERROR STEPS CYCLES of each, and the overall cycles per operation."""
    place = built.driver.parent / "measured"
    place.write_text("".join(line + "\n" for line in lines))
    done = subprocess.run([built.driver, *options, place], capture_output=True, text=True)
    if done.returncode:
        raise Failed(f"{built.core.name()}: {(done.stdout + done.stderr)[-500:]}")
    rows = [line.split() for line in done.stdout.splitlines()]
    overall = next(line for line in done.stdout.splitlines() if "an operation overall" in line)
    results = [row for row in rows if len(row) == 4 and row[1].isdigit()]
    return results, float(overall.split(";")[1].split()[0])


def operands(core, p, chooser):
    return [chooser.randrange(1, p) for _ in range(20 if core.inversion == "fermat" else 2000)]


def entry_of(core, bits, parameters, steps, cycles):
    return {
        "prime": core.prime, "bits": bits, "channels": core.channels, "width": core.width,
        "method": core.inversion + ("-binary" if core.options else ""), "contexts": core.contexts,
        "operands": len(steps), "steps": round(mean(steps), 2), "cycles": round(mean(cycles), 1),
        "cycles_deviation": round(stdev(cycles), 1), "cycles_least": min(cycles), "cycles_most": max(cycles),
        "extra_folds": parameters["EXTRA_FOLDS"],
    }


def generate(core):
    """Runs the generator and returns its summary of a core."""
    place = BUILD / "measured"
    place.parent.mkdir(parents=True, exist_ok=True)
    return json.loads(run([MODULI, "hdl", *core.choice(), *core.generated(), "-o", place, "--force", "--json"]))


def memories():
    """For the main shape: sizes of the memories, widths, cycles of programs. Also the addends for a P that is 1 modulo 12."""
    cores = [Core("P-256", 33, 8, method) for method in ("binary", "binary-ternary", "wide", "fermat")]
    made = {core.inversion: generate(core) for core in cores}
    sizes = {method: summary["memories"] for method, summary in made.items()}
    widths = {method: {name: summary["parameters"][name] for name in ("T", "A2", "A3")} for method, summary in made.items()}
    resident = generate(RESIDENT[-1])
    programs = {name: formula.program(resident["parameters"], name, words, 0)
                for name, words in zip(("power", "weierstrass"), resident["cycles"])}
    multiples = addends.multiples(BUILD / "measured", generate(Core("P-224", 22, 12, "binary-ternary")))
    (HDL / "report/memories.json").write_text(json.dumps({**sizes, "widths": widths, "programs": programs, "multiples": multiples}, indent=1) + "\n")


def compute(core):
    """Computes the cycles of a core by the formulas, without simulation."""
    summary = generate(core)
    p, parameters = int(summary["prime"], 16), summary["parameters"]
    lines = expectations(core, operands(core, p, random.Random(7))).splitlines()
    steps = [int(line.split()[2]) for line in lines]
    cycles = [formula.inversion(parameters, each, False, True) for each in steps]
    return {**entry_of(core, p.bit_length(), parameters, steps, cycles), "simulated": False}


def measure(core):
    built = build(core)
    p, chooser = built.prime, random.Random(7)
    values = operands(core, p, chooser)
    expected = built.driver.parent / "measured-expected"
    expected.write_text(expectations(core, values))
    lines = [f"{value:x}" for value in values]
    serial, _ = operations(built, ["--serial", "--expect", str(expected)], lines)
    cycles, steps = [int(row[3]) for row in serial], [int(row[2]) for row in serial]
    _, overall = operations(built, ["--expect", str(expected)], lines)
    products = [f"{chooser.randrange(p):x} {chooser.randrange(p):x}" for _ in range(200)]
    multiply, streamed = operations(built, ["--op", "multiply", "--serial"], products), operations(built, ["--op", "multiply"], products)
    return {
        **entry_of(core, p.bit_length(), built.summary["parameters"], steps, cycles), "simulated": True,
        "cycles_overall": overall, "multiply_cycles": mean(int(row[3]) for row in multiply[0]),
        "multiply_cycles_overall": streamed[1],
    }


def key(entry):
    return [entry[name] for name in ("bits", "channels", "width", "method", "contexts")]


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    chosen = [core for core in cores() if all(word in core.name() for word in words)]
    if "--list" in sys.argv:
        print("\n".join(core.name() for core in chosen))
        return 0
    memories()
    entries = {str(key(entry)): entry for entry in (json.loads(RESULTS.read_text()) if RESULTS.exists() else [])}
    work = measure
    if "--formula" in sys.argv:
        done = {tuple(key(entry)[1:]) for entry in entries.values() if entry["simulated"]}
        shape = lambda core: (core.channels, core.width, core.inversion + "-binary" * bool(core.options), core.contexts)
        chosen = [core for core in chosen if core.contexts == 1 and shape(core) not in done]
        work = compute
    with ThreadPoolExecutor(1 if work == compute else cpu_count()) as pool:
        for entry in pool.map(work, chosen):
            entries[str(key(entry))] = entry
            print(json.dumps(entry), flush=True)
            lines = ",\n".join("  " + json.dumps(entry) for entry in sorted(entries.values(), key=key))
            RESULTS.write_text(f"[\n{lines}\n]\n")
    return 0


if __name__ == "__main__":
    program(main)
