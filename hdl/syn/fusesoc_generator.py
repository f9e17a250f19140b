"""FuseSoC's generator of parameters and ROMs: runs `moduli hdl` with what the core file asks for."""

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
        # YAML has read 0x..., or digits alone, as a number: what was written is lost.
        sys.exit(f"fusesoc_generator: prime: {choice.get('prime')!r} is no text: put a name or a hexadecimal number in quotes")
    built = HDL.parent / "target/release/moduli"
    moduli = os.environ.get("MODULI") or (str(built) if built.exists() else shutil.which("moduli"))
    if not moduli:
        sys.exit("fusesoc_generator: the command moduli is missing: cargo build --release -p moduli-cli, or set MODULI")
    # true is an option without a value: check, blind.
    options = [word for name, value in choice.items() if value is not False
               for word in (f"--{name}", *[str(value)] * (value is not True))]
    subprocess.run([moduli, "hdl", *options, "-o", "constants"], check=True)
    core = {
        "name": asked["vlnv"],
        "filesets": {"rtl": {
            "files": ["constants/moduli_rns_params_pkg.sv", "constants/moduli_rns_rom_case.sv"],
            "file_type": "systemVerilogSource",
        }},
        "targets": {"default": {"filesets": ["rtl"]}},
    }
    Path(f"{asked['vlnv'].split(':')[2]}.core").write_text("CAPI=2:\n" + yaml.safe_dump(core))


if __name__ == "__main__":
    main()
