"""Disturbs a core: exchanges neighbouring words of a memory in the generated constants."""

import re


def exchange(directory, memory, first=None):
    """Exchanges words `first` and `first` + 1 of a memory of channel 0, or two in the middle of it."""
    path = directory / "moduli_rns_rom_case.sv"
    text = path.read_text()
    start = text.index(f"module moduli_rns_rom_{memory} ")
    module = text[start : text.index("endmodule", start)]
    words = list(re.finditer(r"'d\d+: \w+ = (\S+);", module.split("endcase")[0]))
    if not words:
        return  # the core has no such memory
    first = len(words) // 2 if first is None else first
    one, other = words[first : first + 2]
    (a, b), (c, d) = (tuple(start + end for end in word.span(1)) for word in (one, other))
    path.write_text(text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:])
