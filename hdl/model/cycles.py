"""The cycles of an inversion: the formulas of README.md. The regression holds every operand of its serial runs to them."""


def step_cycles(parameters):
    """From the issue for V3 to the next: the pipeline of a Rower and the Cox, or two slots for every context."""
    return max(6 + parameters["EXTRA_FOLDS"] + (3 if parameters["VARIANT"] == 3 else 2), 2 * parameters["CONTEXTS"])


def inversion(parameters, steps, reduced, found):
    """From the cycle in which a request is taken to the one in which its response is, the core having nothing else to do.

    `steps` as the library counts them, for Fermat's method its products; `reduced`: the operand is P or more; `found`: there
    is an inverse.
    """
    n = parameters["N"]
    frames = max(n, 3)
    cycles = (2 if reduced else 1) * frames + (-(-n // 2) * (n + 1) - n % 2 + 8 if found else 0)
    if parameters["VARIANT"] == 0:
        return cycles + fermat(parameters, steps)
    return cycles + (frames + steps) * step_cycles(parameters) + 6


def blinded(parameters, steps, reduced, reduced_factor, found):
    """The same of an inversion blinded by a factor, in plain form and unchecked; `reduced_factor`: the factor is P or more."""
    n = parameters["N"]
    frames, read = max(n, 3), 8 + parameters["EXTRA_FOLDS"]
    product = 4 * read + 2 * n + parameters["CHUNKS"] - 1

    # One of the two products, from operands to an ordinary integer; the factor is waited for while it is reduced, both times.
    wait = max(0, (2 if reduced_factor else 1) * frames + 6 - read)
    factor = frames + wait + (2 * frames + 1) * read + product + -(-n // 2) * (n + 1) - n % 2 + 20
    return inversion(parameters, steps, False, found) + (2 if found else 1) * factor + reduced * frames + 1


def fermat(parameters, products):
    """What the control of products takes for its program."""
    n = parameters["N"]
    read = 8 + parameters["EXTRA_FOLDS"]
    product = 4 * read + 2 * n + parameters["CHUNKS"] - 1
    # By a constant: into Montgomery form and out of it, and in the check, which is a product too.
    constant = 3 * read + 2 * n
    # An operand's digits, two copies, three inner forms; a word of the program is read in 5 cycles.
    rest = (max(n, 3) + 2 + 3) * read + 3 * 4
    return (products + 1) * product + 3 * constant + rest + 5 * parameters["TURNS"] + 8
