"""Writes the C header, the page and the SystemVerilog package of the register map; with --check compares them instead."""

import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
NOTE = "Written by sw/registers.py from sw/registers.toml: change that."


def mask(field):
    return ((1 << field["width"]) - 1) << field["lsb"]


def header(source):
    lines = [
        f"/* Registers of the AXI4-Lite wrapper of the Cox-Rower core. {NOTE} */",
        "#ifndef MODULI_RNS_H",
        "#define MODULI_RNS_H",
        "",
        f"#define MODULI_RNS_IDENTIFICATION 0x{source['identification']:08X}u",
        "",
        "/* Byte offsets; fields as mask and shift. */",
    ]
    for register in source["register"]:
        name = f"MODULI_RNS_{register['name']}"
        lines.append(f"#define {name}_OFFSET 0x{register['offset']:03X}u")
        for field in register.get("fields", []):
            lines.append(f"#define {name}_{field['name']}_MASK 0x{mask(field):08X}u")
            lines.append(f"#define {name}_{field['name']}_SHIFT {field['lsb']}u")
    lines += [
        "",
        "/* COMMAND.OPERATION. */",
        "#define MODULI_RNS_MULTIPLY 0u",
        "#define MODULI_RNS_EXPONENTIATE 1u",
        "#define MODULI_RNS_INVERT 2u",
        "#define MODULI_RNS_INVERT_BLINDED 3u",
        "",
        "/* STATUS.ERROR. */",
        "#define MODULI_RNS_ERROR_NONE 0u",
        "#define MODULI_RNS_ERROR_NOT_INVERTIBLE 1u",
        "#define MODULI_RNS_ERROR_CHECK 2u",
        "#define MODULI_RNS_ERROR_UNSUPPORTED 3u",
        "",
        "#endif",
    ]
    return lines


def page(source):
    lines = [
        "# Registers",
        "",
        f"<!-- {NOTE} -->",
        "",
        "The wrapper `moduli_rns_axi` is an AXI4-Lite subordinate with 32-bit data in a window of 4 KiB. Numbers are ordinary",
        "integers, the lowest word first. An access that is not allowed gets SLVERR and changes nothing: an access to an address",
        "without a register, a read of a write-only register, a write of a read-only register, a write of less than 32 bits",
        "outside A and B, and any access that the table does not allow at that moment. A refused read returns 0.",
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


def package(source):
    lines = [
        f"// Register map of moduli_rns_axi. {NOTE}",
        "",
        "package moduli_rns_axi_pkg;",
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
    source = tomllib.loads((HERE / "registers.toml").read_text())
    stale = []
    for path, make in (
        (HERE / "moduli_rns.h", header),
        (HERE.parent / "doc/registers.md", page),
        (HERE.parent / "rtl/moduli_rns_axi_pkg.sv", package),
    ):
        text = "\n".join(make(source)) + "\n"
        if "--check" not in sys.argv:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            stale.append(path.name)
    if stale:
        sys.exit(f"not what registers.toml says: {', '.join(stale)}; run registers.py")


if __name__ == "__main__":
    main()
