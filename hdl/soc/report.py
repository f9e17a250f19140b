"""Checks the output of the application, and writes the page that shows it."""

import hashlib
import json
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

from resident import CURVES, times
from signature import GENERATORS, PUBLISHED, PUBLISHED_KEY, verified

HERE = Path(__file__).resolve().parent
PAGE, RUN = HERE.parent / "doc/soc.md", HERE / "run.json"
BEGIN, END = "<!-- Written by soc/soc.py page from soc/run.json. -->\n", "<!-- End of what is written. -->\n"
MESSAGES = (b"sample", b"test")
# The index of the number in the batch that is 0.
ZERO = 3
# The driver's outcomes that the application must meet.
OK, NOT_INVERTIBLE, RANDOM_ZERO, NO_CORE, STARVED = 0, 1, 4, 5, 10
EXPECTED = {"open-curve": OK, "open-order": OK, "zeros": RANDOM_ZERO, "silent": STARVED, "silent-cpu": STARVED, "value": 0, "absent": NO_CORE, "order": OK}
# The percentage by which another compiler may change times.
TOLERANCE = 10


@dataclass
class Found:
    """The checks of a run, and the figures of the page."""

    checks: list = field(default_factory=list)  # (whether it passed, what was checked)
    run: dict = field(default_factory=dict)

    def check(self, right, what):
        self.checks.append((bool(right), what))

    def told(self):
        for right, what in self.checks:
            print(f"{'right' if right else 'WRONG'}: {what}")
        return sum(right for right, _ in self.checks), sum(not right for right, _ in self.checks)


def subject(which, n):
    """The key and the message with number `which`, as in app/main.c."""
    if which < len(MESSAGES):
        return PUBLISHED_KEY % n, MESSAGES[which]
    return int.from_bytes(hashlib.sha256(b"key" + bytes([which])).digest()) % n, b"message" + bytes([which])


def read(said, curve, count=3, batch_size=12):
    """Checks the output of a run with `count` signatures and `batch_size` inversions."""
    p, a, _, n = CURVES[curve]
    found = Found()
    lines = [line.split() for line in said.splitlines()]
    of = lambda name: [line[1:] for line in lines if line and line[0] == name]
    found.check(of("curve") == [[curve]], f"the curve is {curve}")
    for name, outcome in EXPECTED.items():
        found.check(of(name) == [[str(outcome)]], f"{name}: {outcome}")
    # The first refused access must be the read that the application makes on purpose.
    found.check(of("refused") == [["0"], ["1"]], "the cores refused nothing that the driver did")
    publics, signatures = of("public"), of("signature")
    # The last signature repeats the first one, after the failures.
    found.check(len(publics) == len(signatures) == count + 1, f"{len(signatures)} signatures")
    shown = []
    for k, (public, signature) in enumerate(zip(publics, signatures)):
        key, message = subject(k if k < len(signatures) - 1 else 0, n)
        point, pair = [int(word, 16) for word in public[:2]], [int(word, 16) for word in signature[:2]]
        found.check(public[2] == signature[2] == str(OK), f"outcomes of {message!r}")
        found.check(tuple(point) == times(key, GENERATORS[curve], p, a), f"the public key of {message!r} is right")
        found.check(verified(curve, point, pair, message), f"OpenSSL verifies the signature of {message!r}")
        found.check(not verified(curve, point, pair, message + b"!"), f"and not that of {message + b'!'!r}")
        # Signatures with odd numbers use interrupts.
        found.check((int(signature[3]) > 0) == bool(k % 2 and k < len(signatures) - 1), f"{signature[3]} interrupts for {message!r}")
        shown.append({"message": message.decode("ascii", "replace") if k < 2 else f"number {k}", "interrupts": int(signature[3]), "public": int(public[3]),
                      "signature": int(signature[4])})
    if signatures:
        found.check(publics[0][:2] + signatures[0][:2] == publics[-1][:2] + signatures[-1][:2], "the first signature again, after the failures")
    if curve == "P-256" and signatures:
        found.check(tuple(int(word, 16) for word in signatures[0][:2]) == PUBLISHED, "the first signature is the one of RFC 6979")
    inverses = of("inverse")
    for k, (number, result, outcome) in enumerate(inverses):
        number, result = int(number, 16), int(result, 16)
        given = 0 if k == ZERO else int.from_bytes(hashlib.sha256(b"number" + bytes([k + 1])).digest())
        right = number == given and (result, outcome) == ((pow(number, -1, n), str(OK)) if number % n else (0, str(NOT_INVERTIBLE)))
        found.check(right, f"inverse {k}{': there is none' if not number else ''}")
    found.check(len(inverses) == batch_size, f"{batch_size} inversions")
    batch, cycles = of("batch"), of("cycles")
    found.check(len(batch) == len(cycles) == 1 and int(batch[0][0]) > 0, "the batch was inverted by interrupts")
    if all(right for right, _ in found.checks):
        found.run = {"curve": curve, "signatures": shown[:-1], "inversions": len(inverses), "batch": int(batch[0][1]), "interrupts": int(batch[0][0]),
                     "cycles": int(cycles[0][0])}
    return found


def table(run):
    """The text of the page about a run."""
    filled = lambda text: textwrap.fill(text, 100, break_on_hyphens=False)
    shape = f"{run['curve']} over {run['channels']} × {run['width']}"
    lines = [
        filled(f"This is a run of `make hdl-soc` for {shape}. Times are in cycles of the common clock. A signature includes the nonce, a scalar "
               "multiplication, a blinded inversion, two products, and the work of the CPU. The scalar multiplication uses polling or interrupts."), "",
        "| message | interrupts | public key | signature |", "| --- | --- | --- | --- |",
        *(f"| {each['message']} | {each['interrupts'] or 'polled'} | {each['public']:,} | {each['signature']:,} |" for each in run["signatures"]), "",
        filled(f"{run['inversions']} inversions modulo the order, up to four at once, took {run['batch']:,} cycles and {run['interrupts']} interrupts. The whole "
               f"run, including error tests and console output, took {run['cycles']:,} cycles. OpenSSL verified every signature. The first is that of RFC 6979, A.2.5."),
    ]
    return "\n".join(lines) + "\n"


def parts():
    """The parts of the page before, within and after the generated text."""
    before, _, rest = PAGE.read_text().partition(BEGIN)
    within, _, after = rest.partition(END)
    return before, within, after


def write(found):
    before, _, after = parts()
    RUN.write_text(json.dumps(found.run, indent=1) + "\n")
    PAGE.write_text(f"{before}{BEGIN}\n{table(found.run)}\n{END}{after}")


def check():
    """Checks that the page agrees with the committed run. Returns the exit status."""
    if parts()[1] != f"\n{table(json.loads(RUN.read_text()))}\n":
        print("doc/soc.md is not what soc/run.json says: soc/soc.py page")
        return 1
    print("doc/soc.md says what the run did")
    return 0


def figures(run):
    """The figures of a run in order, and the rest of its text."""
    numbers = [each.pop(name) for each in run["signatures"] for name in ("public", "signature")]
    return [*numbers, run.pop("batch"), run.pop("cycles")], run


def agree(found):
    """Adds the check that the run agrees with the page, except for times, which depend a little on the compiler, and interrupts, which depend on times."""
    now, before = (figures(json.loads(json.dumps(run))) for run in (found.run, json.loads(RUN.read_text())))
    for run in (now[1], before[1]):
        del run["interrupts"]
        for each in run["signatures"]:
            each["interrupts"] = each["interrupts"] > 0
    near = len(now[0]) == len(before[0]) and all(100 * abs(one - other) <= TOLERANCE * other for one, other in zip(now[0], before[0]))
    found.check(now[1] == before[1] and near, f"the run of doc/soc.md, up to {TOLERANCE} % of its times")
