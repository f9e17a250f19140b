"""Measures coverage of the core with Verilator: lines, and the functional points of moduli_rns_cover.sv. It runs mixed requests, and programs over
resident residues, on tiny cores of every method with all options, and compares the answers. Points are summed up over the cores, and those that
no core meets are printed by name. Fails if a functional point is missed that is not in HOLES, or one in HOLES is met, or if hdl/README.md has
other totals.

The functional points of the ports are those of moduli_rns_bus_cover.sv, which the tests under cocotb must meet.

    coverage.py          everything
    coverage.py ports    the functional points of the ports
"""

import os
import random
import re
import sys
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent / "cocotb"))
import resident  # noqa: E402
import run as bus  # noqa: E402
from exchange import exchange  # noqa: E402
from generate import GUARDED  # noqa: E402
from simulate import BUILD, HDL, Built, Core, Failed, answer, generate, object_cache, program, run, verilator  # noqa: E402
from suites import ABOVE, CHECKED, EVERY, JUMPS, JUMPS_PAIR, STRETCHED  # noqa: E402

PLACE = BUILD / "coverage"
COVERED = ("--coverage-line", "--coverage-user")
MODULES = (HDL / "dv/moduli_rns_cover.sv", HDL / "dv/moduli_rns_cover_resident.sv")


@dataclass(frozen=True)
class Case:
    """A core, and the handshakes with which it runs."""

    core: Core
    after: bool = False  # the core wipes itself after every response
    disturb: bool = False  # words of memories are exchanged, so that checks fail; answers are not compared


CASES = (
    *(Case(core) for core in (JUMPS, JUMPS_PAIR, ABOVE, EVERY, replace(CHECKED, blind=True), STRETCHED)),
    Case(Core("4c9", 17, 2, "binary", blind=True), after=True), Case(Core("fb", 10, 3, "wide", contexts=6)),
    Case(Core("3fb", 17, 2, "divstep")),
    Case(Core("3fb", 17, 2, "fermat")), Case(Core("3fb", 40, 2, "fermat")), Case(Core("4c9", 17, 2, "fermat")), Case(Core("fb", 10, 3, "fermat"), after=True),
    Case(GUARDED), Case(replace(CHECKED, blind=True), disturb=True), Case(JUMPS_PAIR, after=True, disturb=True),
)
# Options of the driver: how often it makes no request, and takes no answer.
CALM, HASTY, PATIENT = ("--gaps", "30", "--stalls", "60"), (), ("--gaps", "60", "--stalls", "99")
CROWDED = ("--stalls", "99")  # for inversions only, so that they wait in their contexts

# Functional points that are not met, and why. Names are without the kind of core.
HOLES = {
    "product is asked for while another is computed": "products have the core to themselves: req_ready_o is low",
    "product is computed while an inversion runs": "the core waits for either to end, and asserts it",
    "one program is started after another": "the driver runs one program alone",
}


def interrupted(bits):
    """Options for resets and clears, so rare that the longest operations end at about the third attempt."""
    return "--gaps", "30", "--stalls", "80", "--reset-every", str(100 * bits), "--clear-every", str(100 * bits)


def requests(prime, m, seed, count, edges, plain):
    """Operation and operands of every request: all operations one after the other, or only plain inversions; with `edges` also every pair of edge
    cases. m is M modulo P."""
    chooser, bits = random.Random(seed), prime.bit_length()
    top = (1 << bits) - 1
    few = [0, 1, prime // 3, prime - 1, prime, prime + 2, top]
    asked = [(code, a, b) for code in range(8) for a in few for b in few] if edges else []
    # Products whose results in Montgomery form are 1 and P - 1.
    asked += [(code, a, b) for code in range(4, 8) for a, b in ((m, 1), (m, prime - 1), (m * m % prime, m), (-m * m % prime, m))] if edges else []

    def value():
        return chooser.choice(few) if chooser.random() < (0.6 if plain else 0.2) else chooser.getrandbits(bits)

    asked += [(2 if plain else chooser.choice((*range(8), 2, 2)), value(), value()) for _ in range(count)]
    chooser.shuffle(asked)
    return asked


def core_points(case):
    """Runs mixed requests on a core, and returns how often each point was met."""
    core = replace(case.core, trace=False)
    place = PLACE / (core.name() + "-after" * case.after + "-disturbed" * case.disturb)
    constants, summary = generate(core, place)
    if case.disturb:
        exchange(constants, "out", 0)
    environment = {**os.environ, "VERILATOR": str(verilator()), "TRACE": "0", "ROM": "case", **object_cache()}
    run([HDL / "dv/driver/build.sh", constants, place, *COVERED, f"-GClearAfter={int(case.after)}", *MODULES], env=environment)
    built = Built(core, place / "driver", summary)
    found = defaultdict(int)
    bits = built.prime.bit_length()
    kinds = ((CALM, 0, True), (HASTY, 300, False), (PATIENT, 200, False), (interrupted(bits), 10000 // bits, False), (CROWDED, 300, False))
    for number, (options, count, edges) in enumerate(kinds):
        asked = requests(built.prime, built.product % built.prime, number, count, edges, plain=options == CROWDED)
        operands, expected, data = (place / f"{name}-{number}" for name in ("operands", "expected", "coverage"))
        operands.write_text("".join(f"{code} {a:x} {b:x}\n" for code, a, b in asked))
        answers = (answer(built, *each) for each in asked)
        expected.write_text("".join(f"{result:x} {error} -\n" for result, error in answers))
        run([built.driver, "--quiet", "--op", "mixed", *["--expect", expected] * (not case.disturb), "--coverage", data, *options, operands])
        points(data, lambda own: core_title(core, own), found)
    return found


def program_runs():
    """Runs of programs, grouped by core: those of the regression, with operands of P or more, with interruptions, and with results that wait."""
    small, multiples = resident.tiny()[0][:2]
    prime, _, _, order = resident.CURVES["tiny"]
    above = [((x + prime * (x < 3), y + prime * (y < 3), k), result) for (x, y, k), result in multiples if x < 3 or y < 3]
    signature = resident.Core(f"{order:x}", 17, 2, ("signature",))
    halves = resident.halves(order, random.Random(9), 200)
    for place in range(4):
        for edge in (0, 1, order - 1, order, order + 1, 127):
            operands = [*halves[place][0]]
            operands[place] = edge
            k, r, d, e = operands
            halves.append((operands, ((pow(k, -1, order) * (e + r * d) if k % order else 0) % order,)))
    powers = resident.powers(prime, random.Random(10), 300)
    runs = [*resident.tiny(), *resident.narrow(), (small, above, 1, ()), (signature, halves, 0, ())]
    interrupted = (*resident.RESTLESS, "--reset-every", "2000", "--clear-every", "2000")
    for options in (interrupted, ("--stalls", "99")):
        runs += [(small, multiples[:120], 1, options), (small, powers, 0, options), (signature, halves, 0, options)]
    return {core: [run for run in runs if run[0] == core] for core in {run[0]: None for run in runs}}


def program_points(runs):
    """Runs programs on a core, and returns how often each point was met."""
    found = defaultdict(int)
    for number, (core, lines, program, options) in enumerate(runs):
        data = PLACE / f"{core.name()}-{number}"
        _, failed, said = resident.simulate(core, lines, program, (*options, "--coverage", str(data)), where=PLACE, more=COVERED, modules=MODULES)
        if failed:
            raise Failed(said)
        points(data, lambda own: program_title(core, own), found)
    return found


PORTS = {bus.AXI: "AXI4-Lite", bus.AXIS: "AXI4-Stream", bus.PROGRAMS: "AXI4-Lite of programs"}


def port_points(core, top, choice):
    """Runs the tests of a port, which must pass, and returns how often each point was met."""
    data = PLACE / f"{core.name()}-{top}-{'-'.join(map(str, choice.values()))}"
    _, failed, said = bus.test(core, top, choice, generate(core, PLACE / core.name()), bus.TESTS[top], covered=data)
    if failed:
        raise Failed(said)
    found = defaultdict(int)
    points(data, lambda own: ": ".join([PORTS[top], *own]), found)
    return found


def ports():
    """Runs the tests of all ports, each in its own process because cocotb changes the environment."""
    PLACE.mkdir(parents=True, exist_ok=True)
    bus.tools()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(port_points, *zip(*bus.COVERED)))


def points(data, called, found):
    """Adds the counts of a file to `found`: of lines by (file, line, number, kind), of functional points by their names."""
    for line in data.read_text(errors="replace").splitlines():
        point = re.fullmatch(r"C '(.*)' (\d+)", line)
        if not point:
            continue
        fields = dict(field.split("\x02", 1) for field in point[1].split("\x01") if "\x02" in field)
        name = os.path.basename(fields["f"])
        if fields["page"].startswith("v_user"):
            found[called(words(fields["h"]))] += int(point[2])
        elif (HDL / "rtl" / name).exists():
            found[name, int(fields["l"]), int(fields.get("n", 0)), fields.get("o", "")] += int(point[2])


def words(place):
    """The path of a functional point: names from the bound module downwards, without those of conditional parts."""
    path = re.sub(r"__BRA__(\d+)__KET__", r"[\1]", place).replace("__DOT__", ".").split(".u_cover.")[1]
    return [name.replace("_", " ") for name in path.split(".") if not name.startswith("g_") or "[" in name]


def core_title(core, names):
    """The name of a point, with the control of inversions, or, if it depends on their number, with how many there may be at once."""
    kind = {"divstep": "division steps", "fermat": "Fermat"}.get(core.inversion, "plus-minus steps")
    if "context" in " ".join(names):
        kind += f", {core.contexts} at once"
    return ": ".join([kind, *(re.sub(r"g contexts\[(\d+)\]", r"contexts, \1", name) for name in names)])


def program_title(core, names):
    """The name of a point of a core for programs, with the name of the program if it belongs to one."""
    kind = re.fullmatch(r"g program\[(\d+)\]", names[0])
    return ": ".join([core.programs[int(kind[1])], *names[2:]] if kind else ["programs", *names])


def lines(totals):
    """Prints for each file how many lines were run, and which were not."""
    for name in sorted({key[0] for key in totals}):
        own = {key: count for key, count in totals.items() if key[0] == name}
        holes = sorted({(line, what) for (_, line, _, what), count in own.items() if not count})
        print(f"{name}: {sum(count > 0 for count in own.values())} of {len(own)} points")
        source = (HDL / "rtl" / name).read_text().splitlines()
        for line, what in holes:
            print(f"  never: line {line} ({what}): {source[line - 1].strip()[:100]}")
    covered = sum(count > 0 for count in totals.values())
    print(f"lines: {covered} of {len(totals)} points, {100 * covered / len(totals):.1f} %")
    return covered, len(totals)


def is_said(name, found):
    """Whether the page has these totals."""
    wanted = "{:,} of {:,} points".format(*found)
    said = re.search(rf"\*{name} coverage\*: ([\d,]+ of [\d,]+ points)", " ".join((HDL / "README.md").read_text().split()))
    right = said and said[1] == wanted
    print(f"{'ok    ' if right else 'FAILED'} hdl/README.md: {name.lower()} coverage, {wanted}")
    return bool(right)


def functional(totals, holes):
    """Prints the functional points that were not met. Returns the number of errors: missed points that are not in `holes`, and met ones that are."""
    wrong = 0
    for name in sorted(name for name, count in totals.items() if not count):
        reason = holes.get(name.split(": ", 1)[1])
        wrong += reason is None
        print(f"  never: {name}: {reason}" if reason else f"  MISSED: {name}")
    for name in holes:
        met = [each for each, count in totals.items() if each.split(": ", 1)[1] == name and count]
        if met or all(each.split(": ", 1)[1] != name for each in totals):
            wrong += 1
            print(f"  NO HOLE: {name}: {', '.join(met) or 'there is no such point'}")
    covered = sum(count > 0 for count in totals.values())
    print(f"functional points: {covered} of {len(totals)}")
    return wrong + (bool(holes) and not is_said("Functional", (covered, len(totals))))


def main():
    if sys.argv[1:] not in ([], ["ports"]):
        sys.exit(__doc__)
    totals, of_cores = defaultdict(int), []
    if not sys.argv[1:]:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = [pool.submit(core_points, case) for case in CASES] + [pool.submit(program_points, runs) for runs in program_runs().values()]
            of_cores = [job.result() for job in jobs]
    for found in (*of_cores, *ports()):
        for key, count in found.items():
            totals[key] += count
    points_of = {key: count for key, count in totals.items() if isinstance(key, str)}
    if sys.argv[1:]:
        return 1 if functional(points_of, {}) else 0
    said = is_said("Line", lines({key: count for key, count in totals.items() if isinstance(key, tuple)}))
    return 1 if functional(points_of, HOLES) or not said else 0


if __name__ == "__main__":
    program(main)
