"""Checks that no branch and no address in the assembly of the kernel `aarch64` depends on anything but lengths.

Treats as secret what is read from memory, and arguments that may be secret (carries, masks, the constant of the modulus). Follows these
through the registers and the flags of every function. Assumes only that registers saved on the stack are restored unchanged: a counter
is public because it is computed from public arguments. Divisions are found by name, in all functions but those that divide lengths.
"""

import re
import subprocess

OBJDUMP = "aarch64-linux-gnu-objdump"
FUNCTION = re.compile(r"^[0-9a-f]+ <(\S+)>:$")
INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\s+(\S+)\s*(.*)$")
KERNEL = re.compile(r"moduli_kernel::(aarch64|assembly|karatsuba)\b|kernel7aarch64")

# Secret arguments of the functions in assembly, by their names without the number of words.
SECRET = {
    "add_": "x4",
    "clear_": "x3 x4",
    "multiply_": "",
    "triangle_": "",
    "rectangles": "x4",
    "double_and_square": "",
    "difference": "",
    "combine": "x3",
    "subtract": "x4",
    "add": "x3",
}
# Functions that may divide: they count the pieces of an operand, from lengths.
DIVIDES = {"add_pieces"}
SETS_FLAGS = {"adds", "adcs", "subs", "sbcs", "cmp", "cmn", "ands", "tst", "negs", "ngcs"}
READS_FLAGS = {"adc", "adcs", "sbc", "sbcs", "csel", "cset", "csetm", "csinc", "csinv", "cinc", "ngc", "ngcs"}
COMPARES = {"cmp", "cmn", "tst"}
KNOWN = SETS_FLAGS | READS_FLAGS | set("mov mul umulh add sub and eor lsr lsl extr nop ret b cbz cbnz tbz tbnz ldr ldp str stp".split())


def disassemble(binary):
    """Functions of the kernel: name and [(address, mnemonic, operands)]."""
    text = subprocess.run(
        [OBJDUMP, "-d", "-C", "--no-show-raw-insn", binary], check=True, capture_output=True, text=True
    ).stdout
    found, lines = {}, None
    for line in text.splitlines():
        if line.endswith(">:"):
            name = line[line.index("<") + 1 : -2]
            lines = found.setdefault(name, []) if KERNEL.search(name) else None
        elif lines is not None and (match := INSTRUCTION.match(line)):
            lines.append((int(match[1], 16), match[2], re.sub(r"\s*//.*", "", match[3]).strip()))
    return found


def short(name):
    """`add_8` of `moduli_kernel::aarch64::rows::add_8`, for functions in assembly; None for others."""
    match = re.fullmatch(r"moduli_kernel::aarch64::(?:rows|squares|chains|halves)::([a-z]\w*)(?:::h[0-9a-f]+)?", name)
    return match and match[1]


def registers(text):
    return ["x" + number for number in re.findall(r"\b[xw](\d+)\b", text)]


def findings(name, lines):
    """The branches and addresses that depend on data, one line each."""
    key = next((key for key in sorted(SECRET, key=len, reverse=True) if name == key or (key[-1] == "_" and re.fullmatch(key + r"\d+", name))), None)
    if key is None:
        return [f"{name}: nobody has said which of its arguments are secret"]
    place = {address: i for i, (address, _, _) in enumerate(lines)}
    states, work, wrong = {0: frozenset(SECRET[key].split())}, [0], set()
    while work:
        i = work.pop()
        address, mnemonic, operands = lines[i]
        tainted = set(states[i])
        after = [i + 1]
        here = f"{name}+{address - lines[0][0]:#x}: {mnemonic} {operands}"
        conditional = mnemonic.startswith("b.")
        if mnemonic not in KNOWN and not conditional:
            wrong.add(f"{here}: unknown instruction")
        if conditional or mnemonic in ("cbz", "cbnz", "tbz", "tbnz", "b"):
            target = int(re.search(r"\b([0-9a-f]+) <", operands)[1], 16)
            depends = ["flags"] if conditional else registers(operands.split(",")[0])
            if tainted & set(depends):
                wrong.add(f"{here}: a branch on data")
            after = [place[target]] + ([] if mnemonic == "b" else after)
        elif mnemonic == "ret":
            after = []
        elif mnemonic in ("ldr", "ldp", "str", "stp"):
            inside = re.search(r"\[([^\]]*)\]", operands)[1]
            if tainted & set(registers(inside)):
                wrong.add(f"{here}: an address made of data")
            for register in registers(operands[: operands.index("[")]) if mnemonic.startswith("ld") else ():
                # A value that is restored from the stack is the caller's, so it is not secret here.
                (tainted.discard if inside.startswith("sp") else tainted.add)(register)
        else:
            named = registers(operands)
            reads = set(named if mnemonic in COMPARES else named[1:]) | ({"flags"} if mnemonic in READS_FLAGS else set())
            data = bool(tainted & reads)
            writes = ([] if mnemonic in COMPARES or not named else named[:1]) + (["flags"] if mnemonic in SETS_FLAGS else [])
            for register in writes:
                (tainted.add if data else tainted.discard)(register)
        for j in after:
            joined = frozenset(tainted) | states.get(j, frozenset())
            if joined != states.get(j):
                states[j] = joined
                work.append(j)
    return sorted(wrong)


def check(binary):
    """(functions in assembly, conditional branches in them, errors)."""
    functions = disassemble(binary)
    wrong, branches, seen = [], 0, 0
    for name, lines in sorted(functions.items()):
        if name.rsplit("::", 1)[-1] not in DIVIDES:
            wrong += [f"{name}: {mnemonic}" for _, mnemonic, _ in lines if mnemonic in ("udiv", "sdiv")]
        if assembly := short(name):
            seen += 1
            branches += sum(1 for _, mnemonic, _ in lines if mnemonic.startswith(("b.", "cb", "tb")))
            wrong += findings(assembly, lines)
    if seen < 15:
        wrong.append(f"{binary}: only {seen} functions of the kernel, which should be 30 or so")
    return seen, branches, wrong
