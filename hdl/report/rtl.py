"""A simple parser of the sources: modules with their ports, instances and states of control."""

import re
from functools import cache
from pathlib import Path

RTL = Path(__file__).resolve().parents[1] / "rtl"
NESTED = r"(?:[^()]|\((?:[^()]|\([^()]*\))*\))*"


@cache
def modules():
    """{module: its text without comments}."""
    found = {}
    for file in sorted(RTL.glob("*.sv")):
        text = re.sub("//.*", "", file.read_text())
        for name, body in re.findall(r"^module (\w+)(.*?)^endmodule", text, re.M | re.S):
            found[name] = body
    return found


def ports(module):
    header = modules()[module].split(");", 1)[0]
    return set(re.findall(r"\b\w+_n?[io]\b", header))


@cache
def instances():
    """{(module, module that it instantiates)}."""
    pattern = rf"^ *(moduli_rns\w*)\s*(?:#\s*\({NESTED}\))?\s+u_\w+\s*\("
    return {(name, inner) for name, body in modules().items() for inner in re.findall(pattern, body, re.M)}


def states(module):
    """The values of the enumerations in a module, which are the states of its control."""
    lists = re.findall(r"\btypedef enum logic \[[^]]*\] \{(.*?)\} \w+_e;", modules()[module], re.S)
    return sum(len([word for word in each.split(",") if word.strip()]) for each in lists)
