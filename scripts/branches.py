"""Branches and addresses in the compiled kernels that depend on data read from memory, and all divisions of the command.

    branches.py target/release/moduli            compares them with what was judged: scripts/judged.txt
    branches.py target/release/moduli --update   writes the list anew; what nobody has judged yet gets a question mark

Disassembles every function of the kernels but their constructors and follows, through registers and stack slots, what was
read from memory. Loop counters, lengths, arguments and the fields of `self` count as public. A conditional branch on
anything else, and the place where an address was made of it, is counted by the function that its source line is in. A
person has said what they depend on: most are lengths of slices inside slices, and constants of the modulus. Memory that is
read or written under a mask is listed too, whatever the mask is made of: what it leaves out need not be touched. Divisions,
whose time depends on their operands, are listed for all functions of the command, not those of the kernels alone.

Scalar arguments are taken as public here: that masks and indices are not leaked is what the tests of `checkmem` show, which
run the code (`make check-constant-time` runs all).
"""

import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

KERNEL = re.compile(r"moduli::kernel::(\w+)")
# Constructors and the numbers that constants are made of depend on the modulus, the cost model measures, the rest are counters and traces for tests.
PUBLIC = re.compile(
    r"::new\b|ifma52::divisor|::is_supported|KernelChoice|kernel::(cost|timing|tracing|counting|observed|words)\b|are_residues_vartime"
    r"|drop_in_place|Debug"
)

ARGUMENTS = ("rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp") + tuple(f"r{i}" for i in range(8, 16))
CALLER_SAVED = ("rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11")


def full_name(register):
    """The 64-bit register that `register` is a part of, or None."""
    match = re.fullmatch(r"r(\d+)[dwb]?", register)
    if match:
        return f"r{match[1]}"
    match = re.fullmatch(r"[re]?([abcd])[xlh]", register)
    if match:
        return f"r{match[1]}x"
    match = re.fullmatch(r"[re]?(si|di|bp|sp)l?", register)
    return f"r{match[1]}" if match else None


# What a register holds: a public value, a pointer to the object that the method is of, one to constants of the program, a
# word as it was read from memory (a pointer, perhaps, which may move by public steps); from COMPUTED on, something computed of
# such words, and where.
PUBLIC_VALUE, SELF, CONSTANT, READ, COMPUTED = range(5)


def is_data(kind):
    return kind >= READ


def join(a, b):
    """What is either of the two. Of two that are computed it is the one computed first, so that the analysis ends."""
    if a == b:
        return a
    if min(a, b) >= COMPUTED:
        return min(a, b)
    return max(a, b) if is_data(a) or is_data(b) else PUBLIC_VALUE


class Memory:
    """A memory operand: its registers, and the stack slot if it is one."""

    def __init__(self, text):
        inside = text[text.index("[") + 1 : text.index("]")]
        names = re.findall(r"[a-z][a-z0-9]*", inside)
        self.registers = [full for full in map(full_name, names) if full]
        self.relative = "rip" in names
        self.indexed = len(self.registers) > 1 or "*" in inside or re.search(r"[xyz]mm", inside)
        # In brackets: the slot at rsp itself is not the register.
        self.slot = f"[{inside}]" if self.registers in (["rsp"], ["rbp"]) and not self.indexed else None


class Function:
    def __init__(self, name, lines):
        self.name = name
        self.lines = lines  # (address, mnemonic, operands)
        self.place = {address: i for i, (address, _, _) in enumerate(lines)}
        self.found = {}
        self.branches = 0
        # Above the frame lie arguments.
        pushed = sum(8 for _, mnemonic, _ in lines[:12] if mnemonic == "push")
        frame = next((int(operands[4:], 16) for _, mnemonic, operands in lines[:20] if mnemonic == "sub" and operands.startswith("rsp,0x")), 0)
        self.frame = pushed + frame

    def analyse(self):
        start = {register: PUBLIC_VALUE for register in ARGUMENTS}
        start["rdi"] = SELF
        states, work = {0: start}, [0]
        while work:
            i = work.pop()
            state = dict(states[i])
            address, mnemonic, operands = self.lines[i]
            self.step(address, mnemonic, operands, state)
            for j in self.successors(i, mnemonic, operands):
                old = states.get(j)
                new = dict(state)
                if old is not None:
                    for key in set(old) | set(state):
                        # What is not known of a stack slot is what may have been written there through a pointer.
                        new[key] = join(old.get(key, READ), state.get(key, READ))
                if new != old:
                    states[j] = new
                    work.append(j)
        self.branches = sum(1 for _, mnemonic, _ in self.lines if self.is_conditional(mnemonic))

    @staticmethod
    def is_conditional(mnemonic):
        return mnemonic.startswith("j") and mnemonic != "jmp"

    def successors(self, i, mnemonic, operands):
        after = []
        if mnemonic not in ("jmp", "ret", "ud2", "int3") and i + 1 < len(self.lines):
            after.append(i + 1)
        if mnemonic.startswith("j"):
            target = re.match(r"([0-9a-f]+)\b", operands)
            if target and int(target[1], 16) in self.place:
                after.append(self.place[int(target[1], 16)])
        return after

    @staticmethod
    def combined(kinds, otherwise, address):
        """Of a sum: a pointer that was read and something public is a pointer still."""
        data = [kind for kind in kinds if is_data(kind)]
        if not data or data == [READ]:
            return READ if data else otherwise
        return min((kind for kind in data if kind >= COMPUTED), default=COMPUTED + address)

    def report(self, address, kind):
        self.found[address] = kind

    def load(self, memory, state):
        """What is read there; an address of something read is reported by the caller."""
        if memory.slot:
            offset = re.fullmatch(r"\[rsp\+0x([0-9a-f]+)\]", memory.slot)
            is_argument = offset and int(offset[1], 16) > self.frame
            return state.get(memory.slot, PUBLIC_VALUE if is_argument else READ)
        kinds = [state[register] for register in memory.registers]
        if memory.relative or (CONSTANT in kinds and not any(map(is_data, kinds))):
            return PUBLIC_VALUE
        return PUBLIC_VALUE if kinds == [SELF] else READ

    def step(self, address, mnemonic, operands, state):
        parts = [part.strip() for part in re.split(r",(?![^\[]*\])", re.sub(r"<.*", "", operands)) if part.strip()]
        memories = [Memory(part) if "[" in part else None for part in parts]
        flags = state.get("flags", PUBLIC_VALUE)
        for part, memory in zip(parts, memories):
            if memory and mnemonic not in ("lea", "nop", "nopw", "nopl"):
                kinds = [state[register] for register in memory.registers]
                # A pointer may have been read, an index not. What is listed is where the address was computed.
                computed = [kind - COMPUTED for kind in kinds if kind >= COMPUTED]
                if re.search(r"\[[^\]]*[xyz]mm", part) or READ in kinds[1:]:
                    computed.append(address)
                for place in computed:
                    self.report(place, "address")
                if re.search(r"\{k[1-7]\}", operands) or mnemonic.startswith(("vmaskmov", "vpmaskmov")):
                    self.found.setdefault(address, "masked")
        if self.is_conditional(mnemonic):
            if is_data(state["rcx"] if mnemonic == "jrcxz" else flags):
                self.report(address, "branch")
            return
        if mnemonic == "jmp":
            if parts and full_name(parts[0]) and is_data(state[full_name(parts[0])]):
                self.report(address, "branch")
            return
        if mnemonic == "call":
            for register in CALLER_SAVED:
                state[register] = READ
            if re.search(r"alloc|memcpy|memset|memmove|zeroize|expect|unwrap", operands):
                state["rax"] = PUBLIC_VALUE
            state["flags"] = PUBLIC_VALUE
            return
        if mnemonic.startswith("rep"):
            if is_data(state["rcx"]):
                self.report(address, "address")
            return

        def value(index):
            part, memory = parts[index], memories[index]
            if memory:
                return self.load(memory, state)
            register = full_name(part)
            if register:
                return state[register]
            return COMPUTED + address if re.match(r"[xyz]mm|k\d", part) else PUBLIC_VALUE

        def write(index, kind):
            if memories[index]:
                if memories[index].slot:
                    state[memories[index].slot] = kind
            elif full_name(parts[index]) not in (None, "rsp"):
                state[full_name(parts[index])] = kind

        if not parts or mnemonic in ("push", "nop", "nopw", "nopl", "endbr64", "data16"):
            return
        if mnemonic == "pop":
            return write(0, PUBLIC_VALUE)
        if mnemonic == "lea":
            memory, kinds = memories[1], [state[r] for r in memories[1].registers]
            kind = CONSTANT if memory.relative else kinds[0] if len(kinds) == 1 else PUBLIC_VALUE
            return write(0, self.combined(kinds, kind, address))
        if mnemonic.startswith("mov"):
            return write(0, value(1))
        if mnemonic.startswith(("v", "k")) or re.search(r"[xyz]mm", operands):
            if mnemonic.startswith(("vptest", "vtest", "kortest", "ktest", "vucomis", "vcomis", "ptest", "ucomis", "comis")):
                state["flags"] = COMPUTED + address
            if full_name(parts[0]) or memories[0]:
                write(0, COMPUTED + address)
            return
        if mnemonic in ("cmp", "test"):
            state["flags"] = join(value(0), value(1))
            return
        kinds = [value(index) for index in range(len(parts))]
        joined = kinds[0] if len(set(kinds)) == 1 and not is_data(kinds[0]) else self.combined(kinds, PUBLIC_VALUE, address)
        if joined == READ and mnemonic not in ("add", "sub", "inc", "dec"):
            joined = COMPUTED + address
        if mnemonic.startswith(("cmov", "set", "adc", "sbb", "rcl", "rcr", "adcx", "adox")):
            joined = COMPUTED + address if is_data(flags) else joined
            if mnemonic.startswith("set") and not is_data(flags):
                joined = PUBLIC_VALUE
        if mnemonic in ("xor", "sub") and parts[0] == parts[-1]:
            joined = PUBLIC_VALUE
        if mnemonic in ("mul", "imul", "div", "idiv") and len(parts) == 1:
            both = join(joined, state["rax"])
            if mnemonic in ("div", "idiv") and is_data(both):
                self.report(address, "division")
            state["rax"] = state["rdx"] = state["flags"] = both
            return
        if mnemonic == "mulx":
            both = join(value(2), state["rdx"])
            write(0, both)
            return write(1, both)
        if len(parts) == 3 or mnemonic in ("shlx", "shrx", "sarx", "rorx", "andn", "bextr"):
            joined = COMPUTED + address if any(map(is_data, kinds[1:])) else PUBLIC_VALUE
        if joined == SELF and mnemonic not in ("add", "sub"):
            joined = PUBLIC_VALUE
        write(0, joined)
        if mnemonic not in ("not",) and not mnemonic.startswith(("set", "cmov")):
            state["flags"] = joined


def functions(binary):
    text = subprocess.run(
        ["objdump", "-d", "-C", "-M", "intel", "--no-show-raw-insn", "-w", binary], check=True, capture_output=True, text=True
    ).stdout
    name, lines = None, []
    for line in text.splitlines():
        head = re.match(r"[0-9a-f]+ <(.*)>:$", line)
        if head:
            if name and lines:
                yield Function(name, lines)
            name, lines = head[1], []
            continue
        body = re.match(r"\s*([0-9a-f]+):\s+((?:(?:rep|repz|repnz|lock|notrack|bnd|cs|data16)\s+)*)(\S+)\s*(.*)$", line)
        if body and name:
            repeats = "rep" in body[2] and re.match("movs|stos|scas|cmps|lods", body[3])
            mnemonic = "rep " + body[3] if repeats else body[3]
            lines.append((int(body[1], 16), mnemonic, body[4].split("#")[0].strip()))
    if name and lines:
        yield Function(name, lines)


def source_lines(binary, addresses):
    """For each address the innermost line of this project, as (file, line), or (file, 0) where the compiler kept no line."""
    wanted = "\n".join(hex(address) for address in addresses)
    out = subprocess.run(["addr2line", "-e", binary, "-a", "-i"], input=wanted, check=True, capture_output=True, text=True).stdout
    current, lines = None, {}
    for line in out.splitlines():
        if line.startswith("0x"):
            current = int(line, 16)
        elif current not in lines:
            match = re.search(r"(crates/moduli(?:-cli|-rns|-papers)?/src/.*?):(\d+|\?)", line)
            if match:
                lines[current] = (match[1], 0 if match[2] == "?" else int(match[2]))
    return lines


def function_at(path, number, texts={}):
    """The function or constant that a line is in: the last one that begins above it, not further in."""
    if path not in texts:
        texts[path] = Path(path).read_text(encoding="utf-8").splitlines()
    depth = 1000
    for text in reversed(texts[path][:number]):
        if not text.strip():
            continue
        indent = len(text) - len(text.lstrip())
        match = re.match(r"\s*(?:pub(?:\(.*?\))? )?(?:const )?(?:unsafe )?(?:extern \".*?\" )?fn (\w+)", text)
        if match and indent < depth:
            return match[1]
        if not text.lstrip().startswith(("}", ")", "//", "#", "|")):
            depth = min(depth, indent + 1)
    return "-"


def plain(name):
    """The function without its hash and the crate's own one, and without its types."""
    name = re.sub(r"::h[0-9a-f]{16}$", "", re.sub(r"\[[0-9a-f]{16}\]", "", name))
    while re.search(r"<[^<>]*>", name) and "::" in name:
        shorter = re.sub(r"<[^<>]*>", lambda match: re.sub(r" as .*", "", match[0][1:-1]) if name.startswith(match[0]) else "", name, count=1)
        if shorter == name:
            break
        name = shorter
    return name


def collect(binary):
    """What is at each place: by (kind, file, function) the texts of the lines; where no line is known, how many places."""
    places = []
    for function in functions(binary):
        kernel = KERNEL.search(function.name)
        if kernel and not PUBLIC.search(function.name):
            function.analyse()
            places += [(function.name, address, kind) for address, kind in function.found.items() if kind != "division"]
        for address, mnemonic, _ in function.lines:
            if re.fullmatch(r"i?div|v?div[ps][sd]|v?sqrt[ps][sd]", mnemonic):
                places.append((function.name, address, "division"))
    lines = source_lines(binary, [address for _, address, _ in places])
    found, elsewhere = defaultdict(set), Counter()
    for name, address, kind in places:
        library, _, rest = re.sub(r"(::)+", "::", re.sub(r"\s.*", "", plain(name))).lstrip("<&").partition("::")
        path, number = lines.get(address, (None, 0))
        if number:
            function = function_at(path, number)
            # Inlined into a kernel's function or not, as the compiler likes.
            if kind == "division" or function not in ("detect", "is_supported"):
                text = Path(path).read_text(encoding="utf-8").splitlines()[number - 1].strip()
                found[kind, path.removeprefix("crates/"), function].add(text)
        # By its name. What this project and the numbers of the secrets are made of, function by function.
        elif library in ("moduli", "moduli_rns", "moduli_papers", "crypto_bigint"):
            elsewhere[kind, library, rest] += 1
        elif path:
            found[kind, path.removeprefix("crates/"), "-"].add("no line is known")
        else:
            found[kind, library, "*"] = set()
    for key, count in elsewhere.items():
        found[key] = {f"{count} places"}
    return found


def read(path):
    """What was judged: by the key the texts of the lines and why they are harmless. And the compiler it holds for."""
    judged, compiler, texts = {}, None, set()
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# compiler: "):
            compiler = line.removeprefix("# compiler: ")
        elif line.startswith("    "):
            texts.add(line.strip())
        elif line and not line.startswith("#"):
            kind, file, function, reason = line.split(None, 3)
            texts = set()
            judged[kind, file, function] = (texts, reason)
    return judged, compiler


def write(path, found, judged, compiler):
    head = path.read_text(encoding="utf-8").split("# compiler: ")[0] if path.exists() else ""
    rows = [f"# compiler: {compiler}\n"]
    # What the compiler inlines changes from build to build: what was judged stays as long as its line does.
    found = {key: set(texts) for key, texts in found.items()}
    for (kind, file, function), (texts, _) in judged.items():
        path_of_file = Path("crates", file)
        if path_of_file.is_file():
            lines = {line.strip() for line in path_of_file.read_text(encoding="utf-8").splitlines()}
            if texts & lines:
                found.setdefault((kind, file, function), set()).update(texts & lines)
        elif (kind, file, function) in found and not unjudged(found[kind, file, function], texts):
            found[kind, file, function] = texts
    for key in sorted(found, key=lambda key: (key[1], key[2], key[0])):
        kind, file, function = key
        texts, reason = judged.get(key, (set(), "?"))
        if unjudged(found[key], texts):
            reason = f"? {reason.lstrip('? ')}"
        rows.append(f"{kind} {file} {function} {reason}\n")
        rows += [f"    {text}\n" for text in sorted(found[key])]
    path.write_text(head + "".join(rows), encoding="utf-8")


def unjudged(texts, judged):
    """The texts that are not judged; of numbers of places, one that is greater."""
    number = lambda text: int(text.removesuffix(" places")) if re.fullmatch(r"\d+ places", text) else None
    greatest = max((number(text) or 0 for text in judged), default=0)
    return sorted(text for text in texts if text not in judged and (number(text) is None or number(text) > greatest))


def compare(found, judged):
    """What differs from the list, a line each."""
    wrong = []
    for key in sorted(found):
        kind, file, function = key
        texts, reason = judged.get(key, (set(), "?"))
        if reason.startswith("?"):
            wrong.append(f"{kind} in {file}, {function}: nobody has judged this yet")
        wrong += [f"{kind} in {file}, {function}: {text}" for text in unjudged(found[key], texts)]
    return wrong


def main():
    if len(sys.argv) not in (2, 3) or (len(sys.argv) == 3 and sys.argv[2] != "--update"):
        sys.exit(__doc__)
    path = Path(__file__).with_name("judged.txt")
    found = collect(sys.argv[1])
    if sum(1 for kind, _, _ in found if kind == "branch") < 20:
        sys.exit(f"{sys.argv[1]} holds no kernel, or none with lines (build it with debug = 1)")
    judged, made_with = read(path) if path.exists() else ({}, None)
    compiler = subprocess.run(["rustc", "--version"], check=True, capture_output=True, text=True).stdout.strip()
    if sys.argv[2:] == ["--update"]:
        return write(path, found, judged, compiler)
    wrong = compare(found, judged)
    if not wrong:
        return print(f"{len(found)} kinds of places, all judged")
    print("\n".join(wrong))
    advice = (
        f"{len(wrong)} differences from {path.name}. Read each place. If it depends on what is public alone (lengths, shapes, a\n"
        "modulus), run with --update and put the reason in place of the question mark; if it depends on a secret, change the\n"
        "code."
    )
    # Another compiler inlines other functions into each other; what it makes of a division or a mask is an error all the same.
    if compiler != made_with and all(line.startswith(("branch", "address")) for line in wrong):
        return print(f"{advice}\nNOT AN ERROR: the list is of {made_with}, this is {compiler}, and compilers differ in this.")
    sys.exit(advice)


if __name__ == "__main__":
    main()
