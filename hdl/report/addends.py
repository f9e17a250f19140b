"""Table I read off what the generator writes: f_D for every divisor D, from the words of the ROM `add` (doc/constants.md)."""

import math
import re


def vector(package, name):
    """Elements of a parameter of several fields, the first one last in its text."""
    text = re.search(rf"\b{name} = \{{(.*?)\}};", package, re.S)[1]
    return [int(element, 16) for element in re.findall(r"'h([0-9a-f]+)", text)][::-1]


def multiples(directory, summary):
    """{D: [f_D(X) for X below D]} of the groups that divide a value alone: every channel must say the same. A word is
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
