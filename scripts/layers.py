"""Checks how the files of the Rust crates import each other: no cycles, and no import from a higher layer.

    layers.py            fails and names each error; prints the numbers of files and imports
    layers.py --picture  draws crates and layers as a Mermaid graph into docs/architecture.md

LAYERS lists the layers of each crate, lowest first, one line each. It names the modules at the crate's root; their submodules
belong to the same layer. Modules of one layer do not import each other.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/architecture.md"
BEGIN, END = "<!-- layers: begin -->", "<!-- layers: end -->"

LAYERS = {
    # One group of files around each contract. It has no layers, so only cycles are checked.
    "crates/moduli-kernel": None,
    "crates/moduli": """
        error
        access running
        parallel exponent inverse
        modulus
        convert element
        batch_inverse common_operand
        power
        fixed primality even
        crt subgroup modulus_cache
        groups
        scheme
        serial
    """,
    "crates/moduli-rns": """
        observe word fields avx2 endomorphism
        channels
        search
        base
        cox
        schedule curves
        montgomery
        inverse program redundant
    """,
    "crates/moduli-papers": """
        power random
        classical
        complexity m0m1
        table3 curve
        common_operand
        printed
    """,
    "crates/moduli-cli": None,
    "crates/moduli-capi": """
        status last_error
        failure
        output input
        call
        modulus
        power multi_power inverse divisor crt even fixed_base group rsa
        fixed_power product table_file dsa
    """,
    "crates/moduli-python": """
        error digits mpz text memory work list_plan
        integer short
        cache rows groups even
        plan
        auto
        power
        lists
        crt table_file inverse rns dsa members
        drop_in even_modulus modulus
        fixed_base
        product rsa
    """,
    # The checker of proofs is below the code that finds them and imports none of it.
    "crates/prove": """
        failure system
        specification
        certificate
        checker
        integers
        elimination lift layout
        zeros program
        subject
        prover two lanes doubles inversion reduction arm
        rows
        queue
        shipped
        proof
        jobs
    """,
    "bench": None,
}
UNLAYERED = {"moduli-cli": "verbs", "moduli-kernel": "kernels sessions"}
# The crates of the picture, each after the crates that it imports.
CRATES = [
    ("moduli-kernel", []),
    ("moduli", ["moduli-kernel"]),
    ("moduli-rns", ["moduli"]),
    ("moduli-papers", ["moduli", "moduli-rns"]),
    ("moduli-cli", ["moduli", "moduli-rns", "moduli-papers"]),
    ("moduli-capi", ["moduli"]),
    ("moduli-python", ["moduli", "moduli-rns"]),
]

def expanded(tree):
    """The single paths that a `use` with braces imports."""
    at = tree.find("{")
    if at < 0:
        return [re.sub(r"\s+as\s+\w+", "", tree).replace(" ", "")]
    branches, depth, start = [], 0, at + 1
    for i, letter in enumerate(tree[at:], at):
        depth += (letter == "{") - (letter == "}")
        if depth == 0 or (letter == "," and depth == 1):
            branches.append(tree[start:i])
            start = i + 1
    return [tree[:at].replace(" ", "") + path for branch in branches if branch.strip() for path in expanded(branch.strip())]


class Crate:
    """The files of a crate by module, and their imports. Tests are left out."""

    def __init__(self, name):
        source = ROOT / name / "src"
        self.name, self.files, self.uses, self.texts = name, {}, {}, {}
        for file in sorted(source.rglob("*.rs")):
            parts = list(file.relative_to(source).with_suffix("").parts)
            module = tuple(parts[:-1] if parts[-1] in ("mod", "lib", "main") else parts)
            if not {"tests", "checks", "checkmem", "faults", "internals"} & set(module):
                self.files[module] = file
        for module, file in self.files.items():
            text = re.sub(r"//[^\n]*", "", file.read_text(encoding="utf-8"))
            text = re.sub(r"#\[cfg\((all\()?(test|feature = \"internals\")[^\]]*\)\]\s*(#\[[^\]]*\]\s*)*((?:pub )?mod \w+ \{.*|(pub(\([^)]*\))? )?(mod|use) [^;]*;)", "", text, flags=re.S)
            self.uses[module] = [
                (bool(match[1]), path)
                for match in re.finditer(r"\b(pub(?:\([^)]*\))? )?use ([^;]+);", text)
                for path in expanded(re.sub(r"\s+", " ", match[2]).strip())
            ]
            self.texts[module] = re.sub(r"\buse [^;]+;", "", text)
        self.exported = {}
        for module, uses in self.uses.items():
            for public, path in uses:
                target = self.absolute(module, path)
                if public and target:
                    self.exported[(*module, target[-1])] = target

    def absolute(self, module, path):
        """The parts of a path from the crate's root on, or None for other crates."""
        parts, base = path.split("::"), list(module)
        if parts[0] == "crate":
            return tuple(parts[1:])
        if parts[0] in ("super", "self"):
            parts = parts[parts[0] == "self" :]
            while parts and parts[0] == "super":
                base, parts = base[:-1], parts[1:]
            return (*base, *parts)
        return (*base, *parts) if (*base, parts[0]) in self.files else None

    def home(self, path, seen=()):
        """The module that defines a path, found by following re-exports. None if there is none."""
        for length in range(len(path), -1, -1):
            if path[:length] in self.files:
                return path[:length]
            if path[:length] in self.exported and path not in seen:
                return self.home(self.exported[path[:length]] + path[length:], (*seen, path))
        return None

    def imports(self):
        """The imports of all files, as pairs (importing module, imported module)."""
        found = set()
        for module in self.files:
            paths = [path for _, path in self.uses[module]] + re.findall(r"\b(?:crate|super)(?:::\w+)+", self.texts[module])
            for path in paths:
                target = self.absolute(module, path)
                target = target and self.home(target)
                # A file that only re-exports its own children does not import them.
                if target and target != module and not (target[: len(module)] == module and self.is_gatherer(module)):
                    found.add((module, target))
        return found

    def is_gatherer(self, module):
        """Whether a file only lists and re-exports its children."""
        text = re.sub(r"#!?\[[^\]]*\]|\b(pub(\([^)]*\))? )?mod \w+;|extern crate \w+;", "", self.texts[module])
        return not text.strip()


def forgotten():
    """Rust files that no `mod` names: cargo would neither compile nor test them."""
    lost = []
    for folder in [*ROOT.glob("crates/*/src"), *ROOT.glob("crates/*/tests/*/"), *ROOT.glob("crates/*/examples/*/")]:
        for file in sorted(folder.rglob("*.rs")):
            home = file.parent if file.stem != "mod" else file.parent.parent
            name = file.stem if file.stem != "mod" else file.parent.name
            roots = [home / "mod.rs", home / "lib.rs", home / "main.rs", home.with_suffix(".rs")]
            if file.stem in ("lib", "main") or (file.parent.name == "bin"):
                continue
            if not any(re.search(rf"\bmod {name}\b", root.read_text(encoding="utf-8")) for root in roots if root.exists() and root != file):
                lost.append(f"{file.relative_to(ROOT)}: no `mod {name}` names it")
    return lost


def circles(edges):
    """The import cycles: strongly connected sets of more than one file (Tarjan)."""
    after = {}
    for who, whom in edges:
        after.setdefault(who, []).append(whom)
    number, low, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in after.get(node, ()):
            if other not in number:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == number[node]:
            part = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(part) > 1:
                found.append(part)

    for node in list(after):
        if node not in number:
            visit(node)
    return found


def name(module):
    return "/".join(module) or "(root)"


def check(crate, layers):
    """The errors of a crate, one line each, and the numbers of its files and imports."""
    edges = crate.imports()
    wrong = [
        f"{crate.name}: {name(module)} imports the whole crate, which hides what it needs: {path}"
        for module, uses in sorted(crate.uses.items())
        for _, path in uses
        if re.fullmatch(r"crate(::(\*|self))?|(super::)+\*", path) and path != "super::*"
    ]
    for part in circles(edges):
        inside = sorted((who, whom) for who, whom in edges if who in part and whom in part)
        wrong.append(f"{crate.name}: these files import each other: " + "; ".join(f"{name(a)} imports {name(b)}" for a, b in inside))
    if layers:
        height = {module: i for i, line in enumerate(layers.strip().splitlines()) for module in line.split()}
        roots = {module[0] for module in crate.files if module}
        wrong += [f"{crate.name}: {root} belongs to no layer: name it in scripts/layers.py" for root in sorted(roots - set(height))]
        for who, whom in sorted(edges):
            if who and whom and who[0] != whom[0] and height.get(who[0], 0) <= height.get(whom[0], 0):
                where = "upward" if height.get(who[0], 0) < height.get(whom[0], 0) else "from its own layer"
                wrong.append(f"{crate.name}: {name(who)} imports {where}: {name(whom)}")
    return wrong, len(crate.files), len(edges)


def picture():
    """The text of docs/architecture.md with the graph of the current layers."""
    lines = [BEGIN, "```mermaid", "graph BT"]
    for crate, below in CRATES:
        key = crate.replace("-", "_")
        rows = [row.split() for row in (LAYERS[f"crates/{crate}"] or UNLAYERED[crate]).strip().splitlines()]
        lines.append(f'  subgraph {key}["{crate}"]')
        lines += [f'    {key}_{i}["{", ".join(row)}"]' for i, row in enumerate(rows)]
        lines += [f"    {key}_{i + 1} --> {key}_{i}" for i in range(len(rows) - 1)]
        lines.append("  end")
        lines += [f"  {key} --> {other.replace('-', '_')}" for other in below]
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    return before + "\n".join([*lines, "```", END]) + rest.split(END)[1]


def main():
    if sys.argv[1:] == ["--picture"]:
        PAGE.write_text(picture(), encoding="utf-8")
    wrong, files, imports = forgotten(), 0, 0
    for crate, layers in LAYERS.items():
        errors, some_files, some_imports = check(Crate(crate), layers)
        wrong, files, imports = wrong + errors, files + some_files, imports + some_imports
    if picture() != PAGE.read_text(encoding="utf-8"):
        wrong.append(f"the picture of {PAGE.name} is stale: run scripts/layers.py --picture")
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{files} files, {imports} imports: none upward, no circle")


if __name__ == "__main__":
    main()
