"""Finds the registers of a core: every variable that a nonblocking assignment writes, in every instance of Verilator's elaborated tree. The
verilated model keeps them under their own names. As a check, Yosys counts them independently from the same sources.
"""

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from simulate import Failed, run, verilator  # noqa: E402

# The group of each module's registers: the Rowers, the Cox, the way in, the way out, the scalar or the control. A module
# without a group is an error, so that a new module is not forgotten.
GROUPS = {
    "rowers": "rower multiply tile reduce rom_add rom_ext mod3 mod9 times rom_mul redundant",
    "cox": "cox decide",
    "entry": "requests loader arrival",
    "exit": "unloader digit_product rom_out release",
    "scalar": "resident_scalar",
    "control": "inverter addend division_steps matrix words products product_issues product_twin rom_program resident_sequencer resident_guard rom_words resident clear control responses",
}
TOP = "moduli_rns"
GROUP_OF = {f"{TOP}_{name}": group for group, names in GROUPS.items() for name in names.split()} | {TOP: "control"}
# Flips choose registers by number. These come first, as when the core was one module, so that the committed results stay valid.
FIRST = ("rsp_id_o", "rsp_steps_o", "rst_n", "error_q", "fault_q", "products_active_q")
PARTS = (TOP, f"{TOP}_control", f"{TOP}_responses")
# The group that the harness adds: the whole core.
ALL = "all"


@dataclass(frozen=True)
class Register:
    """A register of an instance. `path` is its path in the sources."""

    path: tuple
    module: str
    variable: str

    @property
    def group(self):
        return GROUP_OF[self.module]

    @property
    def stage(self):
        """The name that the register has in common in all instances of its module."""
        return f"{self.module.removeprefix(TOP).lstrip('_') or 'top'}.{self.variable}"

    def member(self):
        """The name of its member in the class that Verilator writes. Outputs of the top keep their names."""
        return "__DOT__".join(self.path).replace("[", "__BRA__").replace("]", "__KET__")

    def name(self):
        return ".".join(self.path)


@dataclass(frozen=True)
class Kept:
    """A register in the verilated model."""

    register: Register
    member: str
    width: int
    elements: int

    @property
    def bits(self):
        return self.width * self.elements


def nodes(tree, kind):
    """All nodes of a kind below a node of the tree."""
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            if node.get("type") == kind:
                yield node
            stack += node.values()
        elif isinstance(node, list):
            stack += node


def written(module):
    """The addresses of the variables that nonblocking assignments write in a module."""
    return {ref["varp"] for assignment in nodes(module, "ASSIGNDLY") for ref in nodes(assignment["lhsp"], "VARREF") if ref["access"] != "RD"}


def elaborated(top, sources, defines, directory):
    """All registers of a design, from Verilator's tree."""
    tree_file = directory / "tree.json"
    run([verilator(), "--json-only", "--json-only-output", tree_file, "--json-only-meta-output", directory / "meta.json", "--Mdir", directory,
         "-Wno-fatal", "-Wno-lint", "--top-module", top, *defines, *sources])
    modules = {module["addr"]: module for module in json.loads(tree_file.read_text())["modulesp"]}
    tree_file.unlink()
    found = []

    def walk(items, module, registers, path):
        for item in items:
            if item["type"] == "VAR" and item["addr"] in registers:
                found.append(Register((*path, item["name"]), module["origName"], item["origName"]))
            elif item["type"] == "GENBLOCK":
                walk(item["itemsp"], module, registers, (*path, *[item["name"]] * bool(item["name"])))
            elif item["type"] == "CELL":
                enter(modules[item["modp"]], (*path, item["name"]))

    def enter(module, path):
        if module["origName"] not in GROUP_OF:
            raise Failed(f"{module['origName']} is in no group of registers.py")
        walk(module["stmtsp"], module, written(module), path)

    enter(next(module for module in modules.values() if module["name"] == top), (top,))
    first = lambda each: FIRST.index(each.variable) if each.module in PARTS and each.variable in FIRST else len(FIRST)
    return sorted(found, key=first)


def configuration(registers):
    """Verilator's configuration to keep the registers, and to evaluate what depends on them when the harness writes them. Without it, a flipped
    bit would not take effect everywhere."""
    names = sorted({(register.module, register.variable) for register in registers})
    return "`verilator_config\n" + "".join(f'public_flat_rw -module "{module}" -var "{variable}"\n' for module, variable in names)


DECLARED = re.compile(
    r"^\s+(?:VL_OUT\w*\((?:(?P<port>\w+),(?P<high>\d+),0(?:,\d+)?)\)|"
    r"(?:VlUnpacked<)?(?:[CSIQ]Data|VlWide<\d+>)/\*(?P<top>\d+):0\*/(?:, (?P<elements>\d+)>)?\s+(?P<name>\w+));", re.M)


def kept(registers, header):
    """The registers with their widths, from the header that Verilator wrote. Fails if one is missing."""
    declared = {}
    for match in DECLARED.finditer(header.read_text()):
        high = int(match["high"] or match["top"])
        declared[match["port"] or match["name"]] = high + 1, int(match["elements"] or 1)
    result, missing = [], []
    for register in registers:
        names = [name for name in (register.member(), register.path[-1] if len(register.path) == 2 else None) if name in declared]
        if names:
            result.append(Kept(register, names[0], *declared[names[0]]))
        else:
            missing.append(register.name())
    if missing:
        raise Failed(f"{len(missing)} registers are not in {header.name}: {', '.join(missing[:5])}")
    return result


def include(all_kept):
    """The list for the harness."""
    return "#define MODULI_LEAK_REGISTERS(X) \\\n" + " \\\n".join(f"  X({each.member}, {each.width}, {each.elements})" for each in all_kept) + "\n"


def counted_by_yosys(top, sources, defines, directory):
    """The number of bits of all flip-flops and written memories, before any optimisation."""
    stat = directory / "registers.json"
    flags = " ".join(word.replace("-D", "-D ", 1) for word in defines)
    script = [f"read_slang {flags} --top {top} {' '.join(map(str, sources))}", "memory_collect", "memory_map", f"tee -q -o {stat} stat -width -json"]
    code = "import sys; from pyosys import libyosys as ys; d = ys.Design(); [ys.run_pass(line, d) for line in sys.stdin.read().splitlines()]"
    done = subprocess.run([sys.executable, "-c", code], input="\n".join(script), capture_output=True, text=True)
    if done.returncode:
        raise Failed(f"yosys: {(done.stdout + done.stderr)[-2000:]}")
    cells = json.loads(stat.read_text())["design"]["num_cells_by_type"]
    return sum(int(kind.rsplit("_", 1)[1]) * number for kind, number in cells.items() if re.match(r"\$\w*(dff|sr)\w*_\d+$", kind))
