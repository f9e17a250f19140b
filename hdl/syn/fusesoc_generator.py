"""FuseSoC's generator of parameters and ROMs: runs `moduli hdl` with the options of the core file. With a prefix, it adds copies of the
core's sources with that prefix, and their waivers for lint."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import yaml

HDL = Path(__file__).resolve().parent.parent


def main():
    asked = yaml.safe_load(Path(sys.argv[1]).read_text())
    choice = asked["parameters"]
    if not isinstance(choice.get("prime"), str):
        # YAML has read 0x..., or digits alone, as a number, so the original text is lost.
        sys.exit(f"fusesoc_generator: prime: {choice.get('prime')!r} is no text: put a name or a hexadecimal number in quotes")
    built = HDL.parent / "target/release/moduli"
    moduli = os.environ.get("MODULI") or (str(built) if built.exists() else shutil.which("moduli"))
    if not moduli:
        sys.exit("fusesoc_generator: the command moduli is missing: cargo build --release -p moduli-cli, or set MODULI")
    # Paths of programs are relative to the core file.
    choice |= {"program": [str(HDL / path) for path in choice.get("program", [])]}
    # The value true stands for an option without a value, such as check or blind.
    options = [word for name, given in choice.items() for value in (given if isinstance(given, list) else [given]) if value is not False
               for word in (f"--{name}", *[str(value)] * (value is not True))]
    prefix = choice.get("prefix")
    own = ["--rtl", str(HDL / "rtl")] if prefix else []
    subprocess.run([moduli, "hdl", *options, *own, "-o", "constants"], check=True)
    files = ["moduli_rns_params_pkg.sv", "moduli_rns_rom_case.sv"]
    if prefix:
        files = Path(f"constants/{prefix}_moduli_rns.f").read_text().split()
    filesets = {"rtl": {"files": [f"constants/{name}" for name in files], "file_type": "systemVerilogSource"}}
    if prefix:
        lines = (HDL / "lint/verilator.vlt").read_text().replace('"*/moduli_rns', f'"*/{prefix}_moduli_rns')
        Path(f"constants/{prefix}.vlt").write_text(lines)
        filesets["waivers"] = {"files": [f"constants/{prefix}.vlt"], "file_type": "vlt"}
    core = {"name": asked["vlnv"], "filesets": filesets, "targets": {"default": {"filesets": list(filesets)}}}
    Path(f"{asked['vlnv'].split(':')[2]}.core").write_text("CAPI=2:\n" + yaml.safe_dump(core))


if __name__ == "__main__":
    main()
