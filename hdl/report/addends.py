"""Derives Table I from the generator's output: f_D for each divisor D, from the words of the ROM `add` (doc/constants.md)."""

import math
import re


def vector(package, name):
    """The elements of a parameter with several fields. In its text, the first one is last."""
    text = re.search(rf"\b{name} = \{{(.*?)\}};", package, re.S)[1]
    return [int(element, 16) for element in re.findall(r"'h([0-9a-f]+)", text)][::-1]


def multiples(directory, summary):
    """{D: [f_D(X) for X below D]} for the groups that only divide a value. All channels must agree. A word is
    f·P·T^-1/D + C1·(D - 1)/D; the groups 1 and 2 hold C1 and C1 - P·T^-1."""
    package = (directory / "moduli_rns_params_pkg.sv").read_text()
    bases, alone = vector(package, "GROUP_BASE"), vector(package, "ALONE_GROUP")
    divisors = [2**twos * 3**threes for twos, threes in zip(vector(package, "GROUP_TWOS"), vector(package, "GROUP_THREES"))]
    found = {}
    for channel, modulus in enumerate(summary["moduli"][0]):
        words = [int(line, 16) for line in (directory / f"add_{channel:04}.hex").read_text().split()]
        offset = words[bases[1]]
        unit = offset - words[bases[2]]
        for group in sorted(set(alone) - {0}):
            divisor = divisors[group]
            twos, threes = math.gcd(divisor, 16), math.gcd(divisor, 9)
            for x in range(divisor):
                word = words[bases[group] + twos * (x % threes) + x % twos]
                f = (word * divisor - offset * (divisor - 1)) * pow(unit, -1, modulus) % modulus
                f -= modulus * (f > modulus // 2)
                if found.setdefault(divisor, {}).setdefault(x, f) != f:
                    raise ValueError(f"channel {channel}: f_{divisor}({x}) is {f}, not {found[divisor][x]}")
    return {divisor: [values[x] for x in range(divisor)] for divisor, values in sorted(found.items())}
