"""The cores of tests that need only generated parameters, and the directories of these parameters."""

import functools
from dataclasses import replace

from simulate import BUILD, HDL, Core, generate

# Cores so small that a test can try every operand; with two bases; with several contexts; the shape of the main
# figures; the other methods.
TINY = Core("fb", 8, 3, "binary-ternary", ("--operations", "invert"))
COMPOSITE = Core("4c9", 17, 2, "binary-ternary", contexts=4)
BLINDED = Core("4c9", 17, 2, "binary-ternary", check=True, blind=True)
CONTEXTS_BLINDED = replace(COMPOSITE, blind=True)
# A core whose complements are so long that the small terms of a fold overlap.
OVERLAP = Core("7fffffed", 52, 12, "wide")
# Cores with division steps, alone and with products.
DIVISION = Core("fb", 8, 3, "divstep", ("--operations", "invert"))
DIVISION_BLINDED = Core("4c9", 17, 2, "divstep", check=True, blind=True)
# A core with a table of powers, which makes file B longer than file A.
FERMAT = Core("3fb", 17, 2, "fermat")
# The same core with a redundant channel, which detects faults, and with a guard as well.
REDUNDANT = replace(FERMAT, redundant=True)
GUARDED = replace(REDUNDANT, guard=True)
P256 = Core("P-256", 33, 8, "binary-ternary")
VARIANTS = (
    TINY,
    COMPOSITE,
    BLINDED,
    P256,
    Core("P-256", 33, 8, "binary"),
    Core("P-256", 33, 8, "wide"),
    Core("P-256", 33, 8, "fermat"),
    Core("P-256", 33, 8, "fermat", redundant=True),
    Core("P-256", 33, 8, "fermat", redundant=True, guard=True),
    REDUNDANT,
    GUARDED,
    DIVISION,
    DIVISION_BLINDED,
    Core("P-256", 33, 8, "divstep"),
    Core("P-224", 22, 12, "binary-ternary"),
)

# Cores for programs over resident residues: tiny ones, two of which take blinded scalars, and P-256.
POWER, WEIERSTRASS = (("--program", str(HDL / f"programs/{name}.rns")) for name in ("power", "weierstrass"))
TINY_CURVE = ("--constant", "a=3a", "--constant", "b3=9", "--order", "49", "--blinding", "4")
BOTH = Core("3d", 17, 2, "fermat", (*POWER, *WEIERSTRASS, *TINY_CURVE))
RESIDENT = (
    Core("3fb", 11, 5, "fermat", POWER),
    Core("3d", 17, 2, "fermat", (*WEIERSTRASS, *TINY_CURVE), check=True),
    Core("3d", 17, 2, "fermat", (*WEIERSTRASS, *TINY_CURVE), check=True, guard=True),
    Core("P-256", 33, 8, "fermat", (*POWER, *WEIERSTRASS, "--curve", "P-256")),
)


@functools.cache
def parameters(core):
    """The directory with the parameters and ROMs of a core, and P. Writes them only once: others may be reading them."""
    directory, summary = generate(core, BUILD / core.name())
    return directory, int(summary["prime"], 16)
