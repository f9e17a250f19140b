"""Flips register bits of cores without a redundant channel, with one, and with a guard as well, and counts the outcomes by class of register:
make hdl-flips.

    flips.py tiny     a tiny core: make hdl
    flips.py long     more flips, also P-256 over 8 x 33; checks that the results are those that are committed: make test-long
    flips.py write    as long, but writes the results: hdl/report/flips.json, the tables of hdl/doc/faults.md
    flips.py check    checks that the tables agree with the committed results: make hdl-lint
    flips.py guards HDL WHERE    what else is tiny, with a channel and a guard, on other sources: status 3 if it fails, for seeded faults of the checks
    flips.py watched HDL WHERE   the same of a program with a guard
    flips.py stepped HDL WHERE   the same of an inversion by steps with a check
"""

import json
import os
import random
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from bench import build, resident
from multiples import Secret
from pages import HDL, filled, table, text_of
from simulate import OPERATIONS, Core, Failed, answer, program, told

RESULTS, PAGE = HDL / "report/flips.json", HDL / "doc/faults.md"
TINY = Core("7fffffffff8d", 17, 3, "fermat")
# P is far below the next power of two, so that there are numbers above P with as many bits.
SHORT = Core("500000000003", 17, 3, "fermat")
LARGE = Core("P-256", 33, 8, "fermat")
# Cores for inversion by steps, without a redundant channel.
STEPS = {name: Core("7fffffffff8d", 18, 3, method) for name, method in (("division steps", "divstep"), ("plus-minus", "binary-ternary"))}
# The possible outcomes of a flip, and their names.
WHAT = {"right": "no effect", "error": "told", "wrong": "wrong and not told", "hang": "no answer", "stuck": "told, and no use after that"}
# Classes of registers, in the order of the tables. In the classes of COVERED, no flip may cause a wrong result without an error.
COVERED = ("Rowers", "ROM", "Cox", "redundant channel", "way out")
CLASSES = (*COVERED, "way in", "scalar", "control")
DATA, COX, CONTROL = COVERED, ("Cox",), ("way in", "scalar", "control")
# The cores that are compared: their options in addition to Fermat's method.
KINDS = {"without": {}, "with": {"redundant": True}, "guarded": {"redundant": True, "guard": True}, "checked": {"check": True},
         "watched": {"check": True, "guard": True}}
OF_GROUP = {"rowers": "Rowers", "cox": "Cox", "entry": "way in", "exit": "way out", "scalar": "scalar", "control": "control"}
# ROMs of program words, which belong to the control.
ROMS = ("moduli_rns_rom_add", "moduli_rns_rom_ext", "moduli_rns_rom_out")
# A core for programs, without and with the checks of its program. It has no redundant channel.
MULTIPLE = resident.Core("3fffef", 11, 5, ("weierstrass",), (*resident.curve("small"), "--blinding", str(resident.BLINDING["small"])))


# Registers that hold the operation of a request until products begin.
REQUESTS = ("requests.load_montgomery_q", "requests.load_operation_q")
# Registers of a core for inversion by steps: what holds a result while it is checked; where it stands, and its form; how it is
# stored twice.
HELD = tuple(f"unloader.{name}_q" for name in ("first", "second", "borrow2", "state", "pass_done"))
FORM = ("requests.alone_montgomery_q", "requests.begun_q", "requests.alone_q")
COPIED = tuple(f"responses.{name}_q" for name in ("looked_at", "right", "same", "copied", "parities", "count"))
# Registers of a core for programs: what it stores for a program, and what resets it.
STORED = ("resident_scalar.scalar_q", "rom_words.data_o")
RESETS = ("resident.rst_n",)
JUDGED = ("resident.judging_q",)
# Through it, the control of products reaches the Rowers. The channel has another way.
SWITCH = ("control.products_compute_q",)
# It makes the core answer.
REFUSAL = ("requests.refuse_q",)
# The count of the digits of a result that are checked. Other checks do not notice that digits which are 0 are left out.
COUNTS = ("release.count_q",)


def class_of(register):
    if "u_redundant" in register.path:
        return "redundant channel"
    return "ROM" if register.module in ROMS else OF_GROUP[register.group]


@dataclass(frozen=True)
class Campaign:
    """Requests with flips of bits in registers of some classes."""

    operation: str
    count: int
    each: int = 1
    classes: tuple = CLASSES
    stages: tuple = ()  # flips only these registers
    waits: bool = False  # flips while the result is checked and waits
    patience: int = 4  # an answer may take this many times as long as without a flip
    montgomery: bool = False  # of inversions; products always are in Montgomery form
    small: bool = False  # products whose results have one digit
    warm: bool = False  # each request follows another one, and the core is not wiped between them
    stall: int = 0  # for how many cycles a result waits at the port
    every: bool = False  # one request, with a flip of each bit in each cycle; afterwards the core must not answer once more
    tail: int = 0  # flips only in this many cycles at the end

    @property
    def name(self):
        return f"{self.flips}{', after another request' * self.warm}{', waiting at the port' * (self.stall > 0)}"

    @property
    def flips(self):
        if self.every:
            what = {(): "the control", SWITCH: "the switch of products", REFUSAL: "the refusal"}.get(self.stages, "loader, wiper and switch")
            return f"{self.asked}, each flip of {what}"
        if self.stages == REQUESTS:
            return f"{self.operation}, one flip of what is asked for"
        if self.stages == HELD:
            return f"{self.asked}, one flip of a result that is checked"
        if self.stages == FORM:
            return f"{self.asked}, one flip of what a result is"
        if self.stages == COPIED:
            return f"{self.asked}, one flip of how a result is stored twice"
        if self.stages == STORED:
            return f"{self.operation}, one flip of scalar and words"
        if self.stages == COUNTS:
            return f"{self.operation}, one flip of the count of digits of a small result"
        if self.stages == SWITCH:
            return f"{self.operation}, one flip of the switch of products"
        if self.stages == JUDGED:
            return f"{self.operation}, one flip of what withholds results, at the end"
        if self.stages == RESETS:
            return f"{self.operation}, one flip of the core's reset"
        if self.stages == ("control.products_active_q",):
            return f"{self.operation}, one flip of whether products are made"
        if self.stages:
            what = "the choice" if len(self.stages) == 1 else "a result that waits" if self.waits else "the control of the unloader"
            return f"{self.asked}, one flip of {what}"
        number = {1: "one flip", 2: "two flips"}[self.each]
        kinds = {CLASSES: "", DATA: " of data", CONTROL: " of control", COX: " of the Cox"}
        return f"{self.asked}, {number}{kinds[self.classes]}"

    @property
    def asked(self):
        return f"{self.operation}{', Montgomery form' * self.montgomery}"

    def takes(self, register):
        return class_of(register) in self.classes and (not self.stages or register.stage in self.stages)


def covered_of(core):
    """The classes of a core in which no flip may cause a wrong result without an error."""
    if core.programs:
        return CONTROL if core.guard else ()
    return CLASSES if core.guard else COVERED


def requests(bench, campaign, chooser):
    """Random requests of an operation. Operands of products are in Montgomery form."""
    operation, count = campaign.operation, campaign.count
    if bench.core.programs:
        multiple = Secret(bench, "small")
        for _ in range(count):
            yield multiple.request(multiple.secret(chooser), chooser)
        return
    code = OPERATIONS[operation] | (4 if operation == "multiply" or campaign.montgomery else 0)
    for _ in range(count):
        a, b = chooser.randrange(1, bench.prime), chooser.randrange(1, bench.prime)
        if campaign.small:
            unit = answer(bench, code, 1, 1)[0]
            b = pow(a * unit, -1, bench.prime) * chooser.randrange(1, 1 << bench.core.width) % bench.prime
        result, error = answer(bench, code, a, b)
        yield f"{code} {a:x} {b:x} = {result:x} {error}"


def outcomes(bench, campaign, lines, name, limit, recover):
    """Runs lines on as many harnesses as there are processors: (outcome, cycles, whether the channel has detected it) of each."""
    watched = [k for k, each in enumerate(bench.registers) if each.register.stage == "redundant.fault_o"]
    place = bench.directory / name
    place.with_suffix(".groups").write_text("0\n" * len(bench.registers))

    def part(k, lines):
        of = place.with_name(f"{name}-{k}")
        of.with_suffix(".lines").write_text("".join(f"0 {line}\n" for line in lines))
        options = [*["--recover"] * recover, *["--warm"] * campaign.warm, *["--after"] * campaign.every, "--stall", campaign.stall, *[word for register in watched for word in ("--watch", register)], "--limit", limit]
        command = [bench.directory / "harness", of.with_suffix(".lines"), place.with_suffix(".groups"), of, "--outcomes", *options]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
        if done.returncode:
            raise Failed(f"{name}: {done.stderr.strip()[-500:]}")
        found = map(str.split, of.with_suffix(".outcomes").read_text().splitlines())
        return [(what, int(cycles), int(seen) > 0) for what, cycles, seen in found]

    parts = os.cpu_count()
    each = -(-len(lines) // parts)
    with ThreadPoolExecutor(parts) as pool:
        found = pool.map(part, range(parts), [lines[k * each : (k + 1) * each] for k in range(parts)])
        return [one for of_part in found for one in of_part]


def every_flip(bench, chosen, line, cycles):
    """The request with a flip of each bit of these registers in each cycle, and the classes of the registers."""
    flipped, classes = [], []
    for index in chosen:
        each = bench.registers[index]
        for element, bit, cycle in product(range(each.elements), range(each.width), range(cycles - 1)):
            flipped.append(f"@{index}.{element}.{bit}.{cycle} {line}")
            classes.append(class_of(each.register))
    return flipped, classes


def injected(bench, campaign, recover):
    """{class: {outcome: count}}. If there are several flips, the class is that of the first. Within a class, all bits and cycles are equally likely."""
    chooser = random.Random(f"{campaign.name} {bench.core.name()}")
    lines = list(requests(bench, campaign, chooser))
    clean = outcomes(bench, campaign, lines[:CLEAN], "clean", 1_000_000, False)
    # All requests take the same time, but those by plus-minus steps.
    times = [cycles for _, cycles, _ in clean]
    if len(set(times)) == 1:
        times = times[:1] * len(lines)
    alarms = [line for line, (what, _, seen) in zip(lines, clean) if what != "right" or seen]
    if alarms:
        raise Failed(f"{bench.core.name()}: {len(alarms)} of {len(clean)} requests fail without any flip: {alarms[0]}")
    last = bench.parameters["N"] + 6 if campaign.waits else campaign.tail
    chosen = [k for k, each in enumerate(bench.registers) if campaign.takes(each.register)]
    weights = [bench.registers[k].bits for k in chosen]
    flipped, classes = [], []
    for line, cycles in zip(lines, times, strict=True):
        places = chooser.choices(chosen, weights, k=campaign.each)
        flips = []
        for index in places:
            each = bench.registers[index]
            element, bit = chooser.randrange(each.elements), chooser.randrange(each.width)
            flips.append(f"@{index}.{element}.{bit}.{chooser.randrange(cycles - 1 - last if last else 0, cycles - 1)}")
        flipped.append(f"{' '.join(flips)} {line}")
        classes.append(class_of(bench.registers[places[0]].register))
    if campaign.every:
        flipped, classes = every_flip(bench, chosen, lines[0], times[0])
    found = outcomes(bench, campaign, flipped, "flipped", campaign.patience * max(times), recover)
    counts, seen = {}, Counter(of for of, (_, _, at_once) in zip(classes, found) if at_once)
    for of, (what, _, at_once), line in zip(classes, found, flipped, strict=True):
        counts.setdefault(of, Counter())[what] += 1
        # The channel must report what it detects.
        if at_once and what == "right":
            what = "stuck"
            counts[of].subtract(("right",))
            counts[of][what] += 1
        if what in ("wrong", "stuck", *["hang"] * bool(bench.core.programs)) and recover and of in covered_of(bench.core):
            index, element, bit, cycle = line.split()[0][1:].split(".")
            print(f"       {what}: {bench.registers[int(index)].register.name()}[{element}] bit {bit} after cycle {cycle}", flush=True)
    return {of: {what: counts[of][what] for what in WHAT} | {"at once": seen[of]} for of in CLASSES if of in counts}


def assessed(bench, campaign):
    """(counts, whether they are as required, lines to print). One flip in a covered class must cause an error, or have no effect; the comparison in
    the product itself must detect most flips in the Rowers. Without the channel, there must be wrong results. Two flips, and flips of the control
    without a guard, are only counted."""
    if bench.core.programs:
        return assessed_program(bench, campaign)
    redundant, detects = bench.core.redundant, bench.core.redundant or bench.core.check
    counts = injected(bench, campaign, detects)
    covered = {each: of for each, of in counts.items() if each in covered_of(bench.core) or campaign.stages in (FORM, COPIED, REFUSAL)}
    wrong, number = sum(of["wrong"] + of["stuck"] for of in covered.values()), sum(map(total, covered.values()))
    said = f"{bench.core.name()}: {campaign.name}: {wrong} of {number} flips in {', '.join(covered)} are wrong and not told"
    rowers = covered.get("Rowers")
    if redundant and rowers:
        said += f"; of {rowers['error']} told in Rowers {rowers['at once']} seen in a product"
    if campaign.each > 1 or not number:
        return counts, None, said
    seen = not redundant or not rowers or 2 * rowers["at once"] >= rowers["error"]
    return counts, wrong == 0 and seen if detects else wrong > 0, said


def assessed_program(bench, campaign):
    """As assessed(), for a program. Without its checks there must be wrong results; with them most flips cause an error. The checks report at the end,
    and miss later flips and those of the scalar. With a guard, every flip of the control causes an error or has no effect, and each request is answered."""
    counts = injected(bench, campaign, bench.core.check)
    sums = {what: sum(of[what] for of in counts.values()) for what in WHAT}
    wrong, number = sums["wrong"] + sums["stuck"], sum(sums.values())
    said = f"{bench.core.name()}: {campaign.name}: of {number} flips {wrong} are wrong and not told, {sums['error']} are told, {sums['hang']} not answered"
    if bench.core.guard:
        missed = sum(of["wrong"] + of["stuck"] + of["hang"] for each, of in counts.items() if each in covered_of(bench.core))
        return counts, missed == 0 and sums["error"] > 0, f"{said}; {missed} of them in the control"
    return counts, (2 * wrong < sums["error"] if bench.core.check else wrong > 0), said


def evaluate(core, campaigns, kinds=("without", "with"), part=1):
    """Runs all campaigns on cores of these kinds; on those without protection, which only show that flips matter, one in `part` flips. Returns the
    counts, and how many checks have passed and failed."""
    results, passed, failed = {}, 0, 0
    for kind in kinds:
        bench = build(replace(core, **KINDS[kind]))
        for campaign in campaigns:
            count = campaign.count // (part if kind == "without" else 1)
            counts, right, said = assessed(bench, replace(campaign, count=count))
            results.setdefault(campaign.name, {})[kind] = counts
            passed, failed = passed + (right is True), failed + (right is False)
            print(f"{'FAILED' if right is False else 'ok    ' if right else '      '} {said}", flush=True)
    return results, passed, failed


def stepped():
    """As evaluate(), for inversions by steps: {method: {campaign: counts by kind}}."""
    results, passed, failed = {}, 0, 0
    for name, core in STEPS.items():
        for of, campaigns in ((core, BY_STEPS), (replace(core, blind=True), WITH_FACTOR)):
            found, good, bad = evaluate(of, campaigns, CHECKED)
            results.setdefault(name, {}).update(found)
            passed, failed = passed + good, failed + bad
    return results, passed, failed


def guards(hdl, where, suites):
    """Runs the campaigns that catch faults of the checks themselves, until one fails. Returns whether one failed, and its lines."""
    try:
        for core, campaigns, kinds in suites:
            bench = build(replace(core, **KINDS[kinds[-1]]), hdl, where)
            for campaign in campaigns:
                _, right, said = assessed(bench, campaign)
                if not right:
                    return True, said
    except Failed as failure:
        return True, str(failure)
    return False, "all are right"


# Flips of the registers that hold a result and its status. These campaigns are quick, and must catch faults of the checks.
WAITING = Campaign("multiply", 6_000, waits=True, stages=(*(f"unloader.{name}_q" for name in ("first", "second", "borrow2")), *(
    f"release.{name}_q" for name in ("sum", "carry", "borrow", "parities", "rotated", "damaged", "reduced", "count", "done", "right", "columns"))))
COUNTED = Campaign("multiply", 600, waits=True, stages=COUNTS, small=True)
QUOTIENTS = Campaign("multiply", 4_000, classes=COX)
STATES = Campaign("multiply", 6_000, stages=tuple(f"unloader.{name}_q" for name in ("state", "pass", "term", "digit", "out_pass", "address", "emit", "pass_done")))
# Flips the choice between X and X - P: if X is P or more, the wrong choice releases X.
CHOICE = Campaign("multiply", 12_000, waits=True, stages=("unloader.borrow2_q",))
GUARDS = (Campaign("multiply", 12_000), WAITING, QUOTIENTS, STATES, Campaign("exponentiate", 800))

# For a core with a guard. The operation is held only for a few cycles, and a product that becomes an exponentiation takes long.
ASKED = Campaign("multiply", 2_000, stages=REQUESTS, patience=200)
# Flips the register that says whether products are computed, which keeps the exponent.
ACTIVE = Campaign("exponentiate", 20, stages=("control.products_active_q",))
GUARDED = (Campaign("multiply", 6_000, classes=CONTROL), ASKED, ACTIVE, Campaign("exponentiate", 400, classes=CONTROL))

BOTH = ("without", "with")
# What a sample rarely hits: bits that matter in a cycle or two. What is left of the request before. Results that wait at the
# port.
EVERY = (Campaign("multiply", 1, classes=CONTROL, stages=("loader.state_q", "clear.write_q", *SWITCH), every=True), Campaign("exponentiate", 800, classes=CONTROL, stages=SWITCH))
EACH = (Campaign("multiply", 1, classes=CONTROL, every=True), Campaign("exponentiate", 1, classes=CONTROL, stages=SWITCH, every=True))
WARM = (replace(WAITING, count=3_000, warm=True), replace(WAITING, count=3_000, stall=20))
REFUSED = Campaign("multiply", 1, classes=CONTROL, stages=REFUSAL, every=True)
QUICK = ((TINY, (*GUARDED, *EVERY, REFUSED), ("guarded",)), (TINY, WARM, ("with",)), (TINY, GUARDS, BOTH), (TINY, (COUNTED,), ("with",)), (SHORT, (CHOICE,), BOTH))
CHECKED = ("without", "checked")

# Campaigns for a program with a guard, which must catch faults of its checks.
WATCHED = ((MULTIPLE, (Campaign("scalar multiplication", 150, classes=CONTROL, stages=STORED), Campaign("scalar multiplication", 6, stages=RESETS),
                       Campaign("scalar multiplication", 40, stages=JUDGED, tail=52)), ("watched",)),)

# Campaigns for inversion by steps: two forms, and blinded.
BY_STEPS = (Campaign("invert", 2_000), Campaign("invert", 2_000, montgomery=True))
WITH_FACTOR = (Campaign("blinded", 2_000), Campaign("blinded", 2_000, montgomery=True))
STEPPED = ((STEPS["division steps"], tuple(Campaign("invert", count, stages=stages, montgomery=montgomery) for montgomery in (False, True) for stages, count in (
    (HELD, 600), (HELD[2:3], 300), (HELD[3:], 600), (FORM, 300), (COPIED, 600), ((), 1_000))) + (replace(REFUSED, operation="invert"),), ("checked",)),
    (replace(STEPS["division steps"], blind=True), tuple(Campaign("blinded", 300, stages=FORM, montgomery=montgomery) for montgomery in (False, True)), ("checked",)))

MULTIPLES = Campaign("scalar multiplication", 2_000), Campaign("scalar multiplication", 2_000, classes=CONTROL)

# The number of requests of a campaign that are first made without a flip.
CLEAN = 10_000


# The names of classes and campaigns in the tables. Their names in the code seed the random choices, so they stay.
LABELS = {"way in": "input path", "way out": "output path", "invert, Montgomery form": "invert in Montgomery form", "blinded": "invert blinded",
          "invert blinded, Montgomery form": "invert blinded in Montgomery form", "a result that waits": "a waiting result", "what is asked for": "the request registers",
          "whether products are made": "the flag that products are being computed"}


def label(text):
    for name, shown in LABELS.items():
        text = text.replace(name, shown)
    return text


def total(found):
    return sum(found[what] for what in WHAT)


def rows(results):
    """The rows of the table by core, campaign and class: the number of flips and their outcomes, without and with the channel."""
    for core, campaigns in results.items():
        for name, kinds in campaigns.items():
            if "with" not in kinds:
                continue
            for of in CLASSES:
                without, found = (kinds.get(kind, {}).get(of) for kind in BOTH)
                if found:
                    before = [total(without), without["wrong"], without["hang"]] if without else ["–"] * 3
                    after = [total(found), found["error"], found["wrong"] + found["stuck"], found["hang"]]
                    yield [core, label(name), label(of), *(each if each == "–" else f"{each:,}" for each in (*before, *after))]


def guarded_rows(results):
    """The rows for the guard: how many flips cause a wrong result without an error, without a channel, with one, and with a guard."""
    for core, campaigns in results.items():
        for name, kinds in campaigns.items():
            for of in CLASSES:
                found = kinds.get("guarded", {}).get(of)
                if found:
                    others = [kinds[kind].get(of) if kind in kinds else None for kind in BOTH]
                    wrong = [f"{each['wrong']:,} of {total(each):,}" if each else "–" for each in others]
                    yield [core, label(name), label(of), *wrong, f"{found['wrong'] + found['stuck']:,} of {total(found):,}", f"{found['error']:,}", f"{found['hang']:,}"]


def step_rows(results):
    """The rows for inversion by steps, without and with a check."""
    for method, campaigns in ((name, results[name]) for name in STEPS if name in results):
        for name, kinds in campaigns.items():
            for of in CLASSES:
                without, found = (kinds[kind].get(of) for kind in CHECKED)
                if found:
                    before = [total(without), without["wrong"], without["hang"]] if without else ["–"] * 3
                    after = [total(found), found["error"], found["wrong"] + found["stuck"], found["hang"]]
                    yield [method, label(name), label(of), *(each if each == "–" else f"{each:,}" for each in (*before, *after))]


def program_rows(results):
    """The rows for a scalar multiplication by a program, without and with its checks."""
    for name, kinds in results.get("programs", {}).items():
        for of in (each for each in CLASSES if each in kinds["checked"]):
            without, others = kinds["without"][of], [kinds[kind][of] for kind in ("checked", "watched")]
            yield [label(name), label(of), *(f"{number:,}" for number in (total(without), without["wrong"], without["hang"])),
                   *(f"{number:,}" for found in others for number in (total(found), found["error"], found["wrong"] + found["stuck"], found["hang"]))]


def summary(results):
    found = ["detected", "silent", "no answer"]
    return {"flips": table(["core", "campaign", "class", "flips without a channel", *found[1:], "flips with a channel", *found], rows(results)),
            "guard": table(["core", "campaign", "class", "silent, without a channel", "silent, with a channel", "silent, with a guard", "detected, with a guard",
                            "no answer, with a guard"], guarded_rows(results)),
            "programs": table(["campaign", "class", "flips without checks", *found[1:], "flips with checks", *found, "flips with checks and guard", *found],
                              program_rows(results)),
            "steps": table(["inversion by", "campaign", "class", "flips without a check", *found[1:], "flips with a check", *found], step_rows(results))}


def main():
    suites = {"guards": QUICK, "watched": WATCHED, "stepped": STEPPED}
    if sys.argv[1:2] and sys.argv[1] in suites and len(sys.argv) == 4:
        failed, said = guards(*map(Path, sys.argv[2:]), suites[sys.argv[1]])
        print(said)
        return 3 if failed else 0
    if sys.argv[1:] not in (["tiny"], ["long"], ["write"], ["check"]):
        sys.exit(__doc__)
    if sys.argv[1] == "check":
        committed = json.loads(RESULTS.read_text())
        right = PAGE.read_text() == filled(PAGE, summary(committed), "flips.py")
        print(f"{'ok    ' if right else 'FAILED'} {PAGE.name} has the tables of the committed results")
        return 0 if right else 1
    sums = [evaluate(*each, part=4 if sys.argv[1] == "tiny" else 1)[1:] for each in (*QUICK, *STEPPED)]
    if sys.argv[1] == "tiny":
        return told(*map(sum, zip(*sums)))
    data, control = Campaign("multiply", 100_000, classes=DATA), Campaign("multiply", 10_000, classes=CONTROL)
    campaigns = (data, WAITING, QUOTIENTS, STATES, control, Campaign("multiply", 10_000, each=2, classes=DATA))
    tiny, large = (Campaign("exponentiate", 10_000), Campaign("invert", 10_000)), (Campaign("exponentiate", 300),)
    (passed, failed), results = map(sum, zip(*sums)), {}
    for name, core, more in (("tiny", TINY, tiny), ("P-256", LARGE, large)):
        results[name], good, bad = evaluate(core, (*campaigns, *more))
        guarded, again, bad_again = evaluate(core, (control, ASKED, *((ACTIVE, *EACH, *(replace(each, count=3_000) for each in more)) if name == "tiny" else EVERY)),
                                             ("guarded",))
        counted, more_good, more_bad = evaluate(core, (COUNTED, *WARM), ("with",))
        for of, kinds in (*guarded.items(), *counted.items()):
            results[name].setdefault(of, {}).update(kinds)
        passed, failed = passed + good + again + more_good, failed + bad + bad_again + more_bad
    results["programs"], good, bad = evaluate(MULTIPLE, MULTIPLES, ("without", "checked", "watched"))
    passed, failed = passed + good, failed + bad
    by_steps, good, bad = stepped()
    results |= by_steps
    passed, failed = passed + good, failed + bad
    if sys.argv[1] == "write":
        RESULTS.write_text(text_of(results))
        PAGE.write_text(filled(PAGE, summary(json.loads(RESULTS.read_text())), "flips.py"))
    else:
        same = RESULTS.read_text() == text_of(results)
        print(f"{'ok    ' if same else 'FAILED'} what is committed is what came out")
        passed, failed = passed + same, failed + (not same)
    return told(passed, failed)


if __name__ == "__main__":
    program(main)
