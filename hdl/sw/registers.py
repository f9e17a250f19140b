"""Writes the C headers, the pages and the SystemVerilog packages of both register maps; with --check compares them instead."""

import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
# The register maps of the core and of the core for programs, each with the files to write.
MAPS = {"registers.toml": ("moduli_rns.h", "registers.md", "moduli_rns_axi_pkg.sv"),
        "resident.toml": ("moduli_rns_resident.h", "resident-registers.md", "moduli_rns_resident_axi_pkg.sv")}
# The values of COMMAND.OPERATION and STATUS.ERROR of the core.
VALUES = {
    "COMMAND.OPERATION": ("MULTIPLY", "EXPONENTIATE", "INVERT", "INVERT_BLINDED"),
    "STATUS.ERROR": ("ERROR_NONE", "ERROR_NOT_INVERTIBLE", "ERROR_CHECK", "ERROR_UNSUPPORTED"),
}


def note(name):
    return f"Written by sw/registers.py from sw/{name}: change that."


def mask(field):
    return ((1 << field["width"]) - 1) << field["lsb"]


def header(source, origin, target):
    guard = target.replace(".", "_").upper()
    prefix = guard.removesuffix("_H")
    lines = [
        f"/* Registers of the AXI4-Lite wrapper {source['top']}. {note(origin)} */",
        f"#ifndef {guard}",
        f"#define {guard}",
        "",
        f"#define {prefix}_IDENTIFICATION 0x{source['identification']:08X}u",
        f"#define {prefix}_MAJOR {source['version'] >> 16}u",
        "",
        "/* Byte offsets; fields as mask and shift. */",
    ]
    for register in source["register"]:
        name = f"{prefix}_{register['name']}"
        lines.append(f"#define {name}_OFFSET 0x{register['offset']:03X}u")
        for field in register.get("fields", []):
            lines.append(f"#define {name}_{field['name']}_MASK 0x{mask(field):08X}u")
            lines.append(f"#define {name}_{field['name']}_SHIFT {field['lsb']}u")
    for field, names in VALUES.items() if origin == "registers.toml" else ():
        lines += ["", f"/* {field}. */", *(f"#define {prefix}_{name} {value}u" for value, name in enumerate(names))]
    return [*lines, "", "#endif"]


def page(source, origin, target):
    lines = [
        "# Registers" if origin == "registers.toml" else "# Registers of the core for programs",
        "",
        f"<!-- {note(origin)} -->",
        "",
        f"The wrapper `{source['top']}` is an AXI4-Lite subordinate with 32-bit data in a window of 4 KiB. Numbers are ordinary",
        "integers, the lowest word first. An access that is not allowed gets SLVERR and changes nothing: an access to an address",
        "without a register, a read of a write-only register, a write of a read-only register, a write of less than 32 bits",
        f"outside {'A and B' if origin == 'registers.toml' else 'OPERAND'}, and any access that the table does not allow at that moment. A refused read returns 0.",
        "",
        "| offset | register | access | meaning |",
        "| --- | --- | --- | --- |",
    ]
    for register in source["register"]:
        last = register["offset"] + 4 * register.get("words", 1) - 4
        offset = f"0x{register['offset']:03X}" + (f"…0x{last:03X}" if "words" in register else "")
        lines.append(f"| {offset} | {register['name']} | {register['access']} | {register['text']} |")
    for register in source["register"]:
        if "fields" in register:
            lines += ["", f"## {register['name']}", "", "| bits | field | meaning |", "| --- | --- | --- |"]
            for field in register["fields"]:
                last = field["lsb"] + field["width"] - 1
                bits = f"{last}…{field['lsb']}" if field["width"] > 1 else str(last)
                lines.append(f"| {bits} | {field['name']} | {field['text']} |")
    return lines


def package(source, origin, target):
    lines = [
        f"// Register map of {source['top']}. {note(origin)}",
        "",
        f"package {target.removesuffix('.sv')};",
        f"  parameter logic [31:0] Identification = 32'h{source['identification']:08X};",
        f"  parameter logic [31:0] Version = 32'h{source['version']:08X};",
        "",
        "  // Byte offsets.",
    ]
    for register in source["register"]:
        name = "".join(word.capitalize() for word in register["name"].split("_"))
        lines.append(f"  parameter logic [11:0] Offset{name} = 12'h{register['offset']:03X};")
    return [*lines, "endpackage"]


def main():
    stale = []
    for origin, targets in MAPS.items():
        source = tomllib.loads((HERE / origin).read_text())
        for directory, make, target in zip((HERE, HERE.parent / "doc", HERE.parent / "rtl"), (header, page, package), targets):
            path, text = directory / target, "\n".join(make(source, origin, target)) + "\n"
            if "--check" not in sys.argv:
                path.write_text(text)
            elif not path.exists() or path.read_text() != text:
                stale.append(path.name)
    if stale:
        sys.exit(f"not what the register maps say: {', '.join(stale)}; run registers.py")


if __name__ == "__main__":
    main()
