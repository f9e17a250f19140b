"""The regression of the core in simulation: every result against Python's own integers, every step count (and state, where the
core shows it) against the library's inverter.

    regress.py quick    half a minute on two cores: make hdl, make test
    regress.py long     hours: make test-long
    regress.py tiny     every operand of tiny moduli
"""

import hashlib
import os
import random
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "model"))
import cycles  # noqa: E402
from exchange import exchange  # noqa: E402
from simulate import BUILD, HDL, OPERATIONS, Failed, answer, build, expectations  # noqa: E402
from suites import long, quick, tiny  # noqa: E402

# The line that the driver prints for an operation.
ANSWER = re.compile("[0-9a-f]+ [0-9]+ [0-9]+ [0-9]+")
OVERALL = re.compile(r"[0-9]+ operations: ([0-9.]+) steps, .* ([0-9.]+) cycles an operation overall")
# Seconds that a run may take.
LONGEST = 6 * 3600


def edges(p):
    """The edge cases: 0, 1, 2, 3, P - 1, P - 2, P, P + 1, and the largest numbers that the port takes."""
    top = (1 << p.bit_length()) - 1
    return [a for a in (0, 1, 2, 3, p - 1, p - 2, p, p + 1, top - 1, top) if a <= top]


def operands(run, p):
    """The lists of first and of second operands. Plain inversions do not use the second."""
    chooser, bits = random.Random(f"{run.seed} {run.name()}"), p.bit_length()
    if run.count == 0:
        first = list(range(1 << bits))
        second = [chooser.getrandbits(bits) for _ in first]
        if run.pairs:
            first, second = [a for a in first for _ in first], first * len(first)
    else:
        first = edges(p) + [chooser.getrandbits(bits) for _ in range(run.count)]
        first += [a for k in range(2, bits) for a in (1 << k, p - (1 << k))] if run.powers else []
        # Multiples of a small factor of P, if there is one.
        factor = next((f for f in range(2, 1000) if p % f == 0 and f != p), None)
        first += [factor * k % p for k in range(1, 20)] if factor else []
        second = [chooser.choice(edges(p)) if k % 7 == 0 else chooser.getrandbits(bits) for k in range(len(first))]
        first += edges(p)
        second += reversed(edges(p))
    return first, second


def codes(run, count):
    """The value of req_op_i for each operand. In mixed runs, plain inversions are the most frequent."""
    if run.operation != "mixed":
        return [OPERATIONS[run.operation] | run.montgomery << 2] * count
    chooser = random.Random(f"{run.seed} codes {run.name()}")
    return [chooser.choice((*range(8), 2, 2)) for _ in range(count)]


def oracle(run, built, first, second):
    """The expected result and error of every operand, by Python's integers."""
    return [answer(built, code, a, b) for code, a, b in zip(codes(run, len(first)), first, second)]


def steps(run, built, first, second, errors):
    """The numbers of steps that the core must report: for an inversion the library's, for a blinded one those of A*R/M."""
    # If the core has no products, P may share a factor with the base.
    unit = 1 if "invert" in run.core.options else pow(built.product, -1, built.prime)
    asked = [code & 3 for code in codes(run, len(first))]
    inverted = expectations(run.core, [a * b * unit % built.prime if operation == OPERATIONS["blinded"] else a
                                       for operation, a, b in zip(asked, first, second)]).splitlines()
    known = {OPERATIONS["multiply"]: "1", OPERATIONS["exponentiate"]: str(2 * built.prime.bit_length())}
    of_inverse = [line.split()[2] for line in inverted]
    return ["0" if error == 3 else known.get(operation, own) for operation, own, error in zip(asked, of_inverse, errors, strict=True)]


def expected(run, built, first, second):
    """The expected lines for the driver. For inversions they are the library's, which are compared with the oracle."""
    answers = oracle(run, built, first, second)
    if run.operation != "invert" or run.montgomery:
        taken = steps(run, built, first, second, [error for _, error in answers])
        return "".join(f"{result:x} {error} {each}\n" for (result, error), each in zip(answers, taken, strict=True))
    text = expectations(run.core, first, run.core.trace)
    results = [line.split() for line in text.splitlines() if not line.startswith("step")]
    if [(int(result, 16), int(error)) for result, error, _ in results] != answers:
        raise Failed("the library and Python's integers differ")
    return text


def late(run, built, first, second, answers):
    """Messages about operations that did not take the cycles of the formula."""
    wrong, names = [], {code: name for name, code in OPERATIONS.items()}
    parameters = built.summary["parameters"]
    for code, operand, other, answer in zip(codes(run, len(first)), first, second, answers, strict=True):
        _, error, steps, taken = answer.split()
        reduced = operand >= built.prime, other >= built.prime
        right = cycles.cycles(parameters, names[code & 3], code >> 2, int(steps), reduced, int(error))
        if int(taken) != right:
            wrong.append(f"{names[code & 3]} of {operand:x} and {other:x} took {taken} cycles, not {right}")
    return wrong


def slow(run, built, lines):
    """A message if contexts were not used: inversions at full rate take more cycles than their steps explain."""
    parameters = built.summary["parameters"]
    steps, taken = (float(each) for each in OVERALL.search("\n".join(lines)).groups())
    each = cycles.step_cycles(parameters) * (max(parameters["N"], 3) + steps + 2)
    most = 1.05 * each / run.core.contexts + each / run.count  # the second term is for the last inversion, which runs alone
    return [] if taken <= most else [f"{taken} cycles an operation overall, more than {most:.1f}"]


def undetected(run, built, first, second, answers):
    """Messages about wrong answers of a disturbed core without an error. (A disturbed A*R of a blinded inversion may have no inverse.)"""
    wrong, told = [], False
    harmless = {(0, 2)} | ({(0, 1)} if run.operation == "blinded" else set())
    for operand, right, answer in zip(first, oracle(run, built, first, second), answers, strict=True):
        result, error = int(answer.split()[0], 16), int(answer.split()[1])
        told |= error == 2
        if (result, error) not in {right, *harmless}:
            wrong.append(f"of {operand:x}: {result:x}, error {error}")
    return wrong if told else [*wrong, "no check failed"]


def execute(run, hdl=HDL, where=BUILD, alter=None):
    """Builds the core and runs it. Returns (passed, failed, line to print)."""
    start = time.monotonic()
    if run.disturb:
        where, alter = where / "disturbed", lambda directory: exchange(directory, run.disturb, 0)
    built = build(run.core, hdl, where, alter)
    compiled = time.monotonic()
    first, second = operands(run, built.prime)
    place = built.driver.parent / f"run-{hashlib.sha256(repr(run).encode()).hexdigest()[:12]}"
    files = place.with_suffix(".operands"), place.with_suffix(".expected")
    kinds = (f"{code} " if run.operation == "mixed" else "" for code in codes(run, len(first)))
    two = run.operation != "invert"
    files[0].write_text("".join(f"{kind}{a:x} {b:x}\n" if two else f"{a:x}\n" for kind, a, b in zip(kinds, first, second)))
    files[1].write_text(expected(run, built, first, second))
    # If operations run one after the other, each must take the cycles of the formula.
    timed = "--serial" in run.driver
    looked_at = timed or run.disturb
    command = [built.driver, *["--quiet"] * (not looked_at), "--max-cycles", 1_000_000, "--op", run.operation,
               *["--expect", files[1]] * (not run.disturb), *["--montgomery"] * run.montgomery, *run.driver, files[0]]
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return 0, len(first), f"{run.name()}: not done in {LONGEST} s"
    lines = done.stdout.strip().splitlines()
    wrong = []
    if looked_at:
        answers = [line for line in lines if ANSWER.fullmatch(line)]
        lines = [line for line in lines if not ANSWER.fullmatch(line)]
        # If there are fewer answers, the driver has failed.
        if len(answers) == len(first):
            wrong = undetected(run, built, first, second, answers) if run.disturb else late(run, built, first, second, answers)
    last = lines[-1].split() if lines else []
    if len(last) == 4 and last[1::2] == ["passed,", "failed"]:
        passed, failed = int(last[0]), int(last[2])
    elif run.disturb and done.returncode == 0:
        passed, failed = len(first), 0
    else:
        passed, failed = 0, len(first)
    if done.returncode != 0 and failed == 0:
        failed = 1
    # Only with random operands: tiny ones wait for each other as they are loaded.
    if failed == 0 and run.core.contexts > 1 and run.count and run.operation == "invert" and not (run.montgomery or run.core.check or run.driver):
        wrong += slow(run, built, lines)
    passed, failed = passed - len(wrong), failed + len(wrong)
    lines += wrong
    for file in files:
        if failed == 0:
            file.unlink()
    detail = "\n".join((lines + done.stderr.strip().splitlines())[-12:]) if failed else (lines[-2] if len(lines) > 1 else "")
    seconds = f"{compiled - start:.0f} s to build, {time.monotonic() - compiled:.0f} s to run"
    return passed, failed, f"{run.name()}: {detail} ({seconds})"


def all_of(runs, hdl=HDL, where=BUILD):
    """Runs all, on as many cores at once as there are processors. Returns how many passed and failed."""
    totals = [0, 0]

    def guarded(run):
        try:
            return execute(run, hdl, where)
        except Failed as failure:
            return 0, 1, f"{run.name()}: {failure}"

    # Runs of the same simulator run one after the other, so that no thread waits for it to be built. The largest cores start
    # first.
    groups = {}
    for run in runs:
        groups.setdefault((run.core, run.disturb), []).append(run)
    largest = sorted(groups.values(), key=lambda group: -group[0].core.width * group[0].core.channels)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for results in pool.map(lambda group: [guarded(run) for run in group], largest):
            for passed, failed, said in results:
                totals = [totals[0] + passed, totals[1] + failed]
                print(f"{'ok    ' if failed == 0 else 'FAILED'} {said}", flush=True)
    return totals


def main():
    suites = {"quick": quick, "long": long, "tiny": tiny}
    if len(sys.argv) != 2 or sys.argv[1] not in suites:
        sys.exit(f"usage: regress.py {'|'.join(suites)}")
    try:
        runs = suites[sys.argv[1]]()
    except Failed as failure:
        sys.exit(f"regress: {failure}")
    passed, failed = all_of(runs)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
