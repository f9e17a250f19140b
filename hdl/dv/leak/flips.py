"""Flips register bits of cores without a redundant channel, with one, and with a guard beside, and tells what comes of it by class of register:
make hdl-flips.

    flips.py tiny     a tiny core: make hdl
    flips.py long     more flips, P-256 over 8 x 33 too, and whether what comes out is what is committed: make test-long
    flips.py write    the same, and writes it: hdl/report/flips.json, the tables of hdl/doc/faults.md
    flips.py check    whether the tables are what the committed results say: make hdl-lint
    flips.py guards HDL WHERE    what else is tiny, with a channel and a guard, on other sources: status 3 if it fails, for seeded faults of the checks
    flips.py watched HDL WHERE   the same of a program with a guard
"""

import json
import os
import random
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from bench import build, resident
from multiples import Secret
from pages import HDL, filled, table, text_of
from simulate import OPERATIONS, Core, Failed, answer, program, told

RESULTS, PAGE = HDL / "report/flips.json", HDL / "doc/faults.md"
TINY = Core("7fffffffff8d", 17, 3, "fermat")
# Far below a power of two: a number between P and that has no more bits than P.
SHORT = Core("500000000003", 17, 3, "fermat")
LARGE = Core("P-256", 33, 8, "fermat")
# What may come of a flip, and what it is called.
WHAT = {"right": "no effect", "error": "told", "wrong": "wrong and not told", "hang": "no answer", "stuck": "told, and no use after that"}
# Classes of registers, in the order of the tables. In the first ones no flip may lead to a wrong result that is not told.
COVERED = ("Rowers", "ROM", "Cox", "redundant channel", "way out")
CLASSES = (*COVERED, "way in", "scalar", "control")
DATA, COX, CONTROL = COVERED, ("Cox",), ("way in", "scalar", "control")
# Cores that are compared: what is chosen beside Fermat's method.
KINDS = {"without": {}, "with": {"redundant": True}, "guarded": {"redundant": True, "guard": True}, "checked": {"check": True},
         "watched": {"check": True, "guard": True}}
OF_GROUP = {"rowers": "Rowers", "cox": "Cox", "entry": "way in", "exit": "way out", "scalar": "scalar", "control": "control"}
# Words of the program steer, as the control does.
ROMS = ("moduli_rns_rom_add", "moduli_rns_rom_ext", "moduli_rns_rom_out")
# A core for programs, which has no channel, without the checks of its program and with them.
MULTIPLE = resident.Core("3fffef", 11, 5, ("weierstrass",), (*resident.curve("small"), "--blinding", str(resident.BLINDING["small"])))


# What a request asks for, until products begin.
REQUESTS = ("requests.load_montgomery_q", "requests.load_operation_q")
# Of a program: what is stored for it, and what drops it.
STORED = ("resident_scalar.scalar_q", "rom_words.data_o")
RESETS = ("resident.rst_n",)


def class_of(register):
    if "u_redundant" in register.path:
        return "redundant channel"
    return "ROM" if register.module in ROMS else OF_GROUP[register.group]


@dataclass(frozen=True)
class Campaign:
    """Requests, each with so many flips of bits in registers of these classes."""

    operation: str
    count: int
    each: int = 1
    classes: tuple = CLASSES
    stages: tuple = ()  # of these registers alone
    waits: bool = False  # while the result is looked at and waits
    patience: int = 4  # so many times as long as it takes an answer may take

    @property
    def name(self):
        if self.stages == REQUESTS:
            return f"{self.operation}, one flip of what is asked for"
        if self.stages == STORED:
            return f"{self.operation}, one flip of scalar and words"
        if self.stages == RESETS:
            return f"{self.operation}, one flip of the core's reset"
        if self.stages == ("control.products_active_q",):
            return f"{self.operation}, one flip of whether products are made"
        if self.stages:
            what = "the choice" if len(self.stages) == 1 else "a result that waits" if self.waits else "the control of the unloader"
            return f"{self.operation}, one flip of {what}"
        number = {1: "one flip", 2: "two flips"}[self.each]
        kinds = {CLASSES: "", DATA: " of data", CONTROL: " of control", COX: " of the Cox"}
        return f"{self.operation}, {number}{kinds[self.classes]}"

    def takes(self, register):
        return class_of(register) in self.classes and (not self.stages or register.stage in self.stages)


def covered_of(core):
    """Classes in which no flip may lead to a wrong result that is not told."""
    if core.programs:
        return CONTROL if core.guard else ()
    return CLASSES if core.guard else COVERED


def requests(bench, operation, count, chooser):
    """Random operands, for products in Montgomery form."""
    if bench.core.programs:
        multiple = Secret(bench, "small")
        for _ in range(count):
            yield multiple.request(multiple.secret(chooser), chooser)
        return
    code = OPERATIONS[operation] | (4 if operation == "multiply" else 0)
    for _ in range(count):
        a, b = chooser.randrange(1, bench.prime), chooser.randrange(1, bench.prime)
        result, error = answer(bench, code, a, b)
        yield f"{code} {a:x} {b:x} = {result:x} {error}"


def outcomes(bench, lines, name, limit, recover):
    """(what came of each line, its cycles, whether the channel has seen it), by as many harnesses as there are processors."""
    watched = [k for k, each in enumerate(bench.registers) if each.register.stage == "redundant.fault_o"]
    place = bench.directory / name
    place.with_suffix(".groups").write_text("0\n" * len(bench.registers))

    def part(k, lines):
        of = place.with_name(f"{name}-{k}")
        of.with_suffix(".lines").write_text("".join(f"0 {line}\n" for line in lines))
        options = [*["--recover"] * recover, *[word for register in watched for word in ("--watch", register)], "--limit", limit]
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


def injected(bench, campaign, recover):
    """{class: {outcome: how many}}; of several flips the class of the first. Within the classes all bits and cycles are equally likely."""
    chooser = random.Random(f"{campaign.name} {bench.core.name()}")
    lines = list(requests(bench, campaign.operation, campaign.count, chooser))
    # All take as long.
    clean = outcomes(bench, lines[:CLEAN], "clean", 1_000_000, False)
    (cycles,) = {cycles for _, cycles, _ in clean}
    alarms = [line for line, (what, _, seen) in zip(lines, clean) if what != "right" or seen]
    if alarms:
        raise Failed(f"{bench.core.name()}: {len(alarms)} of {len(clean)} requests fail without any flip: {alarms[0]}")
    last = bench.parameters["N"] + 6 if campaign.waits else 0
    chosen = [k for k, each in enumerate(bench.registers) if campaign.takes(each.register)]
    weights = [bench.registers[k].bits for k in chosen]
    flipped, classes = [], []
    for line in lines:
        places = chooser.choices(chosen, weights, k=campaign.each)
        flips = []
        for index in places:
            each = bench.registers[index]
            element, bit = chooser.randrange(each.elements), chooser.randrange(each.width)
            flips.append(f"@{index}.{element}.{bit}.{chooser.randrange(cycles - 1 - last if last else 0, cycles - 1)}")
        flipped.append(f"{' '.join(flips)} {line}")
        classes.append(class_of(bench.registers[places[0]].register))
    found = outcomes(bench, flipped, "flipped", campaign.patience * cycles, recover)
    counts, seen = {}, Counter(of for of, (_, _, at_once) in zip(classes, found) if at_once)
    for of, (what, _, at_once), line in zip(classes, found, flipped, strict=True):
        counts.setdefault(of, Counter())[what] += 1
        # What the channel sees it tells.
        if at_once and what == "right":
            what = "stuck"
            counts[of].subtract(("right",))
            counts[of][what] += 1
        if what in ("wrong", "stuck", *["hang"] * bool(bench.core.programs)) and recover and of in covered_of(bench.core):
            index, element, bit, cycle = line.split()[0][1:].split(".")
            print(f"       {what}: {bench.registers[int(index)].register.name()}[{element}] bit {bit} after cycle {cycle}", flush=True)
    return {of: {what: counts[of][what] for what in WHAT} | {"at once": seen[of]} for of in CLASSES if of in counts}


def assessed(bench, campaign):
    """(counts, whether they are as they must be, what to say): one flip in what the channel covers is told, or has no effect; most in the Rowers are
    seen by the comparison in the product itself. Without the channel, wrong results have to come out. Two flips, and those of the control without a
    guard, are only counted."""
    if bench.core.programs:
        return assessed_program(bench, campaign)
    redundant = bench.core.redundant
    counts = injected(bench, campaign, redundant)
    covered = {each: of for each, of in counts.items() if each in covered_of(bench.core)}
    wrong, number = sum(of["wrong"] + of["stuck"] for of in covered.values()), sum(map(total, covered.values()))
    said = f"{bench.core.name()}: {campaign.name}: {wrong} of {number} flips in {', '.join(covered)} are wrong and not told"
    rowers = covered.get("Rowers")
    if redundant and rowers:
        said += f"; of {rowers['error']} told in Rowers {rowers['at once']} seen in a product"
    if campaign.each > 1 or not number:
        return counts, None, said
    return counts, wrong == 0 and (not rowers or 2 * rowers["at once"] >= rowers["error"]) if redundant else wrong > 0, said


def assessed_program(bench, campaign):
    """The same of a program: without its checks wrong results have to come out, with them most are told. What they find is told at the end, so that
    flips behind them are not, and no scalar is. With a guard all flips of the control are told, or without effect, and each request is answered."""
    counts = injected(bench, campaign, bench.core.check)
    sums = {what: sum(of[what] for of in counts.values()) for what in WHAT}
    wrong, number = sums["wrong"] + sums["stuck"], sum(sums.values())
    said = f"{bench.core.name()}: {campaign.name}: of {number} flips {wrong} are wrong and not told, {sums['error']} are told, {sums['hang']} not answered"
    if bench.core.guard:
        missed = sum(of["wrong"] + of["stuck"] + of["hang"] for each, of in counts.items() if each in covered_of(bench.core))
        return counts, missed == 0 and sums["error"] > 0, f"{said}; {missed} of them in the control"
    return counts, (2 * wrong < sums["error"] if bench.core.check else wrong > 0), said


def evaluate(core, campaigns, kinds=("without", "with")):
    """What came of all campaigns, in cores of these kinds; and how many of the things that must be so are so."""
    results, passed, failed = {}, 0, 0
    for kind in kinds:
        bench = build(replace(core, **KINDS[kind]))
        for campaign in campaigns:
            counts, right, said = assessed(bench, campaign)
            results.setdefault(campaign.name, {})[kind] = counts
            passed, failed = passed + (right is True), failed + (right is False)
            print(f"{'FAILED' if right is False else 'ok    ' if right else '      '} {said}", flush=True)
    return results, passed, failed


def guards(hdl, where, suites):
    """Whether the first campaign fails by which faults of the checks themselves are caught, and what it says."""
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


# What holds a result and what is known of it; the quick campaigns, which must catch faults of the checks.
WAITING = Campaign("multiply", 6_000, waits=True, stages=(*(f"unloader.{name}_q" for name in ("first", "second", "borrow2")), *(
    f"release.{name}_q" for name in ("sum", "carry", "borrow", "parity", "reduced", "count", "done", "right", "columns"))))
QUOTIENTS = Campaign("multiply", 4_000, classes=COX)
STATES = Campaign("multiply", 6_000, stages=tuple(f"unloader.{name}_q" for name in ("state", "pass", "term", "digit", "out_pass", "address", "emit", "pass_done")))
# Where X is P or more, the wrong choice releases X.
CHOICE = Campaign("multiply", 12_000, waits=True, stages=("unloader.borrow2_q",))
GUARDS = (Campaign("multiply", 12_000), WAITING, QUOTIENTS, STATES, Campaign("exponentiate", 800))

# Of a core with a guard. What is asked for is held for a few cycles alone; an exponentiation in the place of a product takes long.
ASKED = Campaign("multiply", 2_000, stages=REQUESTS, patience=200)
# Whether products are made, by which an exponent is kept.
ACTIVE = Campaign("exponentiate", 20, stages=("control.products_active_q",))
GUARDED = (Campaign("multiply", 6_000, classes=CONTROL), ASKED, ACTIVE, Campaign("exponentiate", 400, classes=CONTROL))

BOTH = ("without", "with")
QUICK = ((TINY, GUARDED, ("guarded",)), (TINY, GUARDS, BOTH), (SHORT, (CHOICE,), BOTH))

# Of a program with a guard, for faults of its checks.
WATCHED = ((MULTIPLE, (Campaign("scalar multiplication", 150, classes=CONTROL, stages=STORED), Campaign("scalar multiplication", 6, stages=RESETS)), ("watched",)),)

MULTIPLES = Campaign("scalar multiplication", 2_000), Campaign("scalar multiplication", 2_000, classes=CONTROL)

# So many requests of a campaign are made without a flip first.
CLEAN = 10_000


# How the tables call classes of registers and campaigns, whose names seed the random choices.
LABELS = {"way in": "input path", "way out": "output path", "a result that waits": "a waiting result", "what is asked for": "the request registers",
          "whether products are made": "the flag that products are being computed"}


def label(text):
    for name, shown in LABELS.items():
        text = text.replace(name, shown)
    return text


def total(found):
    return sum(found[what] for what in WHAT)


def rows(results):
    """For each core and campaign the classes: how many flips, and what came of them, without the channel and with it."""
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
    """Of what the guard is for: how many flips are wrong and not told without a channel, with one, and with a guard."""
    for core, campaigns in results.items():
        for name, kinds in campaigns.items():
            for of in CLASSES:
                found = kinds.get("guarded", {}).get(of)
                if found:
                    others = [kinds[kind].get(of) if kind in kinds else None for kind in BOTH]
                    wrong = [f"{each['wrong']:,} of {total(each):,}" if each else "–" for each in others]
                    yield [core, label(name), label(of), *wrong, f"{found['wrong'] + found['stuck']:,} of {total(found):,}", f"{found['error']:,}", f"{found['hang']:,}"]


def program_rows(results):
    """The same of a scalar multiplication by a program, without its checks and with them."""
    for name, kinds in ((name, kinds) for campaigns in results.values() for name, kinds in campaigns.items() if "checked" in kinds):
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
                              program_rows(results))}


def main():
    if sys.argv[1:2] in (["guards"], ["watched"]) and len(sys.argv) == 4:
        failed, said = guards(*map(Path, sys.argv[2:]), QUICK if sys.argv[1] == "guards" else WATCHED)
        print(said)
        return 3 if failed else 0
    if sys.argv[1:] not in (["tiny"], ["long"], ["write"], ["check"]):
        sys.exit(__doc__)
    if sys.argv[1] == "check":
        committed = json.loads(RESULTS.read_text())
        right = PAGE.read_text() == filled(PAGE, summary(committed), "flips.py")
        print(f"{'ok    ' if right else 'FAILED'} {PAGE.name} has the tables of the committed results")
        return 0 if right else 1
    if sys.argv[1] == "tiny":
        sums = [evaluate(*each)[1:] for each in QUICK]
        return told(*map(sum, zip(*sums)))
    data, control = Campaign("multiply", 100_000, classes=DATA), Campaign("multiply", 10_000, classes=CONTROL)
    campaigns = (data, WAITING, QUOTIENTS, STATES, control, Campaign("multiply", 10_000, each=2, classes=DATA))
    tiny, large = (Campaign("exponentiate", 10_000), Campaign("invert", 10_000)), (Campaign("exponentiate", 300),)
    results, passed, failed = {}, 0, 0
    for name, core, more in (("tiny", TINY, tiny), ("P-256", LARGE, large)):
        results[name], good, bad = evaluate(core, (*campaigns, *more))
        guarded, again, bad_again = evaluate(core, (control, ASKED, *((ACTIVE, *(replace(each, count=3_000) for each in more)) if name == "tiny" else ())), ("guarded",))
        for of, kinds in guarded.items():
            results[name].setdefault(of, {}).update(kinds)
        passed, failed = passed + good + again, failed + bad + bad_again
    results["programs"], good, bad = evaluate(MULTIPLE, MULTIPLES, ("without", "checked", "watched"))
    passed, failed = passed + good, failed + bad
    if sys.argv[1] == "write":
        RESULTS.write_text(text_of(results))
        PAGE.write_text(filled(PAGE, summary(results), "flips.py"))
    else:
        same = RESULTS.read_text() == text_of(results)
        print(f"{'ok    ' if same else 'FAILED'} what is committed is what came out")
        passed, failed = passed + same, failed + (not same)
    return told(passed, failed)


if __name__ == "__main__":
    program(main)
