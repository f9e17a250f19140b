"""Line coverage of the core, as Verilator counts it, over tiny cores of every method with all that can be built in, and mixed requests: how
many of the points in each file were run, and which were in none of the cores. Programs over resident residues too. The wrappers for buses are not among
them: their tests are under cocotb."""

import os
import re
import subprocess
import sys
from collections import defaultdict
from dataclasses import replace

import resident
from regress import ABOVE, CHECKED, EVERY, JUMPS, JUMPS_PAIR, STRETCHED, Run, codes, operands
from simulate import BUILD, HDL, Core, Failed, generate, object_cache, run, verilator

CORES = (
    JUMPS, replace(JUMPS_PAIR, trace=False), ABOVE, replace(EVERY, trace=False), replace(CHECKED, blind=True), STRETCHED, Core("4c9", 17, 2, "binary", blind=True),
    Core("fb", 10, 3, "wide", contexts=6), Core("3fb", 17, 2, "fermat"), Core("3fb", 40, 2, "fermat"), Core("fb", 10, 3, "fermat"),
)


def counts(core):
    """Of a file and a line, what kind of point it is and how often it was run."""
    core = replace(core, trace=False)
    place = BUILD / "coverage" / core.name()
    place.mkdir(parents=True, exist_ok=True)
    constants, summary = generate(core, place)
    environment = {**os.environ, "VERILATOR": str(verilator()), "TRACE": "0", "ROM": "case", **object_cache()}
    run([HDL / "dv/driver/build.sh", constants, place, "--coverage-line"], env=environment)
    mixed = Run(core, 400, "mixed")
    first, second = operands(mixed, int(summary["prime"], 16))
    (place / "operands").write_text("".join(f"{code} {a:x} {b:x}\n" for code, a, b in zip(codes(mixed, len(first)), first, second)))
    data = place / "coverage.dat"
    subprocess.run([place / "driver", "--quiet", "--op", "mixed", "--gaps", "30", "--stalls", "60", "--reset-every", "9000", "--clear-every", "9000",
                    place / "operands"], check=True, capture_output=True, env={**os.environ, "MODULI_RNS_COVERAGE": str(data)})
    return points(data)


def programs(number, core, lines, program, driver):
    """The same of a run of a core with programs."""
    place = BUILD / "coverage"
    data = place / f"program-{number}.dat"
    os.environ["MODULI_RNS_COVERAGE"] = str(data)
    _, failed, said = resident.simulate(core, lines, program, driver, where=place, more=("--coverage-line",))
    if failed:
        raise Failed(said)
    return points(data)


def points(data):
    """What the file says."""
    found = defaultdict(int)
    for line in data.read_text(errors="replace").splitlines():
        point = re.fullmatch(r"C '(.*)' (\d+)", line)
        if not point:
            continue
        fields = dict(field.split("\x02", 1) for field in point[1].split("\x01") if "\x02" in field)
        name = os.path.basename(fields["f"])
        if (HDL / "rtl" / name).exists():
            found[name, int(fields["l"]), int(fields.get("n", 0)), fields.get("o", "")] += int(point[2])
    return found


def main():
    totals = defaultdict(int)
    for found in (*map(counts, CORES), *(programs(number, *run) for number, run in enumerate(resident.tiny()))):
        for key, count in found.items():
            totals[key] += count
    for name in sorted({key[0] for key in totals}):
        own = {key: count for key, count in totals.items() if key[0] == name}
        holes = sorted({(line, what) for (_, line, _, what), count in own.items() if not count})
        print(f"{name}: {sum(count > 0 for count in own.values())} of {len(own)} points")
        source = (HDL / "rtl" / name).read_text().splitlines()
        for line, what in holes:
            print(f"  never: line {line} ({what}): {source[line - 1].strip()[:100]}")
    covered = sum(count > 0 for count in totals.values())
    print(f"{covered} of {len(totals)} points, {100 * covered / len(totals):.1f} %")


if __name__ == "__main__":
    try:
        main()
    except Failed as failure:
        sys.exit(f"coverage: {failure}")
