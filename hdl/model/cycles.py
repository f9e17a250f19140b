"""The cycles of every operation, with the formulas of README.md. The regression checks them for every operand of its serial runs."""


def step_cycles(parameters):
    """From an issue for V3 to the next one: the pipeline of a Rower and the Cox, or two slots for every context if that is longer."""
    return max(6 + parameters["EXTRA_FOLDS"] + (3 if parameters["VARIANT"] == 3 else 2), 2 * parameters["CONTEXTS"])


def frames(parameters):
    """The number of digits that are loaded for an operand."""
    return max(parameters["N"], 3)


def read(parameters):
    """From an issue of a product to the first one that can use its result."""
    return 8 + parameters["EXTRA_FOLDS"]


def product(parameters):
    return 4 * read(parameters) + 2 * parameters["N"] + parameters["CHUNKS"] - 1


def constant(parameters):
    """A product by a constant: a conversion to or from Montgomery form."""
    return 3 * read(parameters) + 2 * parameters["N"]


def result(parameters):
    """The digits of a result, two columns at a time."""
    n = parameters["N"]
    return -(-n // 2) * (n + 1) - n % 2


def waited(parameters, reduced):
    """The wait for the second of two operands. It goes through the loader while the last digit of the first one is used."""
    return max(0, (2 if reduced else 1) * frames(parameters) + 6 - read(parameters))


def cycles(parameters, operation, montgomery, steps, reduced, error):
    """From the cycle in which a request is taken to the cycle in which its response is taken, if the core has no other work.

    `operation`: multiply, exponentiate, invert or blinded; `steps` as counted by the library, for Fermat's method the products;
    `reduced`: for each operand, whether it is P or more; `error`: that of the response.
    """
    return computed(parameters, operation, montgomery, steps, reduced, error) + parameters["REDUNDANT"] * releasing(parameters)


def releasing(parameters):
    """The check of a response in a core with a redundant channel: one cycle per digit, and three more."""
    return parameters["N"] + 3


def computed(parameters, operation, montgomery, steps, reduced, error):
    """The same without a redundant channel, which does not change the cycles of products."""
    if error == 3:
        return 3
    if operation == "multiply":
        return multiplication(parameters, montgomery, *reversed(reduced))
    if operation == "exponentiate":
        return exponentiation(parameters, montgomery, reduced[0])
    found = error == 0
    if operation == "blinded":
        taken = blinded(parameters, steps, *reduced, found)
    else:
        taken = inversion(parameters, steps, reduced[0], found)
        if parameters["VARIANT"] == 0:
            return taken - 2 * constant(parameters) * montgomery
        # With products around it, the inversion begins when the core is idle.
        taken += bool(parameters["CHECK"] or montgomery)
    if found:
        # In Montgomery form a check comes last, when the product by M^3 stands in the unloader.
        taken += parameters["CHECK"] * (checking(parameters, reduced[0]) + montgomery) + montgomery * cubing(parameters)
    return taken


def multiplication(parameters, montgomery, reduced_second, reduced_first):
    """A multiplication. The second factor is loaded first."""
    way_in = frames(parameters) * (1 + reduced_second) + waited(parameters, reduced_first) + (2 * frames(parameters) + 1) * read(parameters)
    return way_in + product(parameters) + (not montgomery) * constant(parameters) + result(parameters) + 20


def exponentiation(parameters, montgomery, reduced):
    """An exponentiation: a square and a product for each bit, for every exponent."""
    way_in = frames(parameters) * (1 + reduced) + (frames(parameters) + 2) * read(parameters)
    powers = 2 * parameters["L"] * product(parameters) + 2 * (not montgomery) * constant(parameters)
    return way_in + powers + result(parameters) + 20


def jump(parameters):
    """A jump of division steps: the steps with the latencies before and after them, or the issues if they take longer."""
    stages = next(stages for stages, most in ((2, 9), (3, 27), (4, 81), (6, 729)) if parameters["N"] < most)
    steps = 14 + parameters["EXTRA_FOLDS"] + stages + parameters["JUMP_STEPS"]
    return max(steps, 28 + 3 * parameters["EXTRA_FOLDS"] + 4 * parameters["CHUNKS"])


def division(parameters):
    """An inversion by division steps, for every operand: the digits, the jumps (the first one lacks the three issues before the digits),
    and the division of the cofactor."""
    folds = parameters["EXTRA_FOLDS"]
    last = 25 + 3 * folds + 3 * parameters["CHUNKS"]
    return 2 * frames(parameters) + parameters["JUMPS"] * jump(parameters) - 3 + last + result(parameters) + 23 + folds


def inversion(parameters, steps, reduced, found):
    """An inversion in plain form, without a check. `found`: whether there is an inverse."""
    if parameters["VARIANT"] == 4:
        return division(parameters)
    taken = (2 if reduced else 1) * frames(parameters) + (result(parameters) + 8 if found else 0)
    if parameters["VARIANT"] == 0:
        return taken + fermat(parameters, steps)
    return taken + (frames(parameters) + steps) * step_cycles(parameters) + 6


def blinded(parameters, steps, reduced, reduced_factor, found):
    """The same for an inversion that is blinded by a factor. `reduced_factor`: whether the factor is P or more."""
    # One of the two products, from operands to an ordinary integer. Both times, the factor is waited for while it is reduced.
    factor = multiplication(parameters, True, False, reduced_factor)
    return inversion(parameters, steps, False, found) + (2 if found else 1) * factor + reduced * frames(parameters) + 1


def checking(parameters, reduced):
    """The cycles that a check adds: the product of inverse and operand is compared with 1 and 1 + P."""
    way_in = frames(parameters) + waited(parameters, reduced) + 2 * frames(parameters) * read(parameters)
    return way_in + constant(parameters) + product(parameters) + 2 * (read(parameters) + 4) + 12


def cubing(parameters):
    """The cycles that Montgomery form adds to an inversion: the inverse returns and is multiplied by M^3."""
    way_in = frames(parameters) * (read(parameters) + 1)
    return way_in + constant(parameters) + read(parameters) + result(parameters) + 19


def fermat(parameters, products):
    """The cycles of the program in the control of products."""
    # Products by a constant: to and from Montgomery form, and in the check.
    # The digits of an operand, two copies and three inner forms; reading a word of the program takes 5 cycles.
    rest = (frames(parameters) + 2 + 3) * read(parameters) + 3 * 4
    return (products + 1) * product(parameters) + 3 * constant(parameters) + rest + 5 * parameters["TURNS"] + 8


# For the programs in hdl/programs: the numbers of loaded operands, results, random numbers, draws of the places of pairs, and
# checks. The scalar needs no wait, because it is available before its bits are used.
WAITS = {"power": (1, 1, 0, 0, 0), "signature": (4, 1, 0, 0, 0), "weierstrass": (2, 2, 1, 1, 2), "endomorphism": (2, 2, 1, 1, 2)}


def program(parameters, name, words, reduced, random_reduced=0):
    """A program over resident residues, from the cycle in which it is started to the cycle in which its last result is taken, if operands,
    random words and the receiver of results are always ready. `words`: the words of its schedule, as in `moduli hdl --json`; `reduced`: how many
    operands are P or more; `random_reduced`: how many random numbers are.
    """
    return words + loading(parameters, name, reduced, random_reduced) + leaving(parameters, name)


def even(cycles):
    """Rounds up to an even number, because a wait tests its condition every other cycle."""
    return cycles + cycles % 2


def loading(parameters, name, reduced=0, random_reduced=0):
    """The cycles that a program waits for operands and random words."""
    operands, _, random, places, _ = WAITS[name]
    taken = (operands - reduced) * even(frames(parameters) + 1) + reduced * even(2 * frames(parameters) + 1)
    # 32 bits per cycle.
    drawing = -(-parameters["L"] // 32)
    return taken + (random - random_reduced) * even(frames(parameters) + drawing) + random_reduced * even(2 * frames(parameters) + drawing) + 2 * places


def leaving(parameters, name):
    """The cycles that a program waits for results, up to the last one. The value of a check counts as a result."""
    one = result(parameters) + 9
    _, results, _, _, checks = WAITS[name]
    return (results + parameters["CHECK"] * checks - 1) * even(one + 1) + one
