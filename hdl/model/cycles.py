"""The cycles of an inversion by plus-minus steps: the formula of README.md. The regression holds every operand to it."""


def step_cycles(parameters):
    """From the issue for V3 to the next: the pipeline of a Rower and the Cox."""
    return 6 + parameters["EXTRA_FOLDS"] + (3 if parameters["VARIANT"] == 3 else 2)


def inversion(parameters, steps, reduced, found):
    """From the cycle in which a request is taken to the one in which its response is, the core having nothing else to do.

    `steps` as the library counts them; `reduced`: the operand is P or more; `found`: there is an inverse.
    """
    n = parameters["N"]
    frames = max(n, 3)
    cycles = (frames + steps) * step_cycles(parameters) + (2 if reduced else 1) * frames + 6
    return cycles + (-(-n // 2) * (n + 1) - n % 2 + 8 if found else 0)
