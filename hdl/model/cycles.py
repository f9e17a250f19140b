"""The cycles of every operation: the formulas of README.md. The regression holds every operand of its serial runs to them."""


def step_cycles(parameters):
    """From the issue for V3 to the next: the pipeline of a Rower and the Cox, or two slots for every context."""
    return max(6 + parameters["EXTRA_FOLDS"] + (3 if parameters["VARIANT"] == 3 else 2), 2 * parameters["CONTEXTS"])


def frames(parameters):
    """Digits of an operand on its way in."""
    return max(parameters["N"], 3)


def read(parameters):
    """From an issue of a product to the first one that can use its result."""
    return 8 + parameters["EXTRA_FOLDS"]


def product(parameters):
    return 4 * read(parameters) + 2 * parameters["N"] + parameters["CHUNKS"] - 1


def constant(parameters):
    """A product by a constant: into Montgomery form and out of it."""
    return 3 * read(parameters) + 2 * parameters["N"]


def result(parameters):
    """The digits of a result, two columns at a time."""
    n = parameters["N"]
    return -(-n // 2) * (n + 1) - n % 2


def waited(parameters, reduced):
    """Of two operands the second goes through the loader while the first one's last digit is used."""
    return max(0, (2 if reduced else 1) * frames(parameters) + 6 - read(parameters))


def cycles(parameters, operation, montgomery, steps, reduced, error):
    """From the cycle in which a request is taken to the one in which its response is, the core having nothing else to do.

    `operation`: multiply, exponentiate, invert or blinded; `steps` as the library counts them, for Fermat's method its products;
    `reduced`: whether each operand is P or more; `error`: of the response.
    """
    return computed(parameters, operation, montgomery, steps, reduced, error) + parameters["REDUNDANT"] * releasing(parameters)


def releasing(parameters):
    """With a redundant channel the digits of every response are looked at, and three things more."""
    return parameters["N"] + 3


def computed(parameters, operation, montgomery, steps, reduced, error):
    """The same without a redundant channel, in which products take no longer."""
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
        # With products around it, it begins when the core is idle.
        taken += bool(parameters["CHECK"] or montgomery)
    if found:
        taken += parameters["CHECK"] * checking(parameters, reduced[0]) + montgomery * cubing(parameters)
    return taken


def multiplication(parameters, montgomery, reduced_second, reduced_first):
    """The second factor is loaded first."""
    way_in = frames(parameters) * (1 + reduced_second) + waited(parameters, reduced_first) + (2 * frames(parameters) + 1) * read(parameters)
    return way_in + product(parameters) + (not montgomery) * constant(parameters) + result(parameters) + 20


def exponentiation(parameters, montgomery, reduced):
    """Whatever the exponent is: a square and a product for each of its bits."""
    way_in = frames(parameters) * (1 + reduced) + (frames(parameters) + 2) * read(parameters)
    powers = 2 * parameters["L"] * product(parameters) + 2 * (not montgomery) * constant(parameters)
    return way_in + powers + result(parameters) + 20


def jump(parameters):
    """A jump of division steps: the steps with what lies before and behind them, or the issues if they take longer."""
    stages = next(stages for stages, most in ((2, 9), (3, 27), (4, 81), (6, 729)) if parameters["N"] < most)
    steps = 14 + parameters["EXTRA_FOLDS"] + stages + parameters["JUMP_STEPS"]
    return max(steps, 28 + 3 * parameters["EXTRA_FOLDS"] + 4 * parameters["CHUNKS"])


def division(parameters):
    """An inversion by division steps, of whatever operand: the digits, jumps (of the first the three issues before the digits are
    not there), and the division of the cofactor."""
    folds = parameters["EXTRA_FOLDS"]
    last = 25 + 3 * folds + 3 * parameters["CHUNKS"]
    return 2 * frames(parameters) + parameters["JUMPS"] * jump(parameters) - 3 + last + result(parameters) + 23 + folds


def inversion(parameters, steps, reduced, found):
    """In plain form and unchecked; `found`: there is an inverse."""
    if parameters["VARIANT"] == 4:
        return division(parameters)
    taken = (2 if reduced else 1) * frames(parameters) + (result(parameters) + 8 if found else 0)
    if parameters["VARIANT"] == 0:
        return taken + fermat(parameters, steps)
    return taken + (frames(parameters) + steps) * step_cycles(parameters) + 6


def blinded(parameters, steps, reduced, reduced_factor, found):
    """The same of an inversion blinded by a factor; `reduced_factor`: the factor is P or more."""
    # One of the two products, from operands to an ordinary integer; the factor is waited for while it is reduced, both times.
    factor = multiplication(parameters, True, False, reduced_factor)
    return inversion(parameters, steps, False, found) + (2 if found else 1) * factor + reduced * frames(parameters) + 1


def checking(parameters, reduced):
    """What a check adds: inverse and operand are multiplied, and compared with 1 and 1 + P."""
    way_in = frames(parameters) + waited(parameters, reduced) + 2 * frames(parameters) * read(parameters)
    return way_in + constant(parameters) + product(parameters) + 2 * (read(parameters) + 4) + 12


def cubing(parameters):
    """What Montgomery form adds to an inversion: the inverse comes back and is multiplied by M^3."""
    way_in = frames(parameters) * (read(parameters) + 1)
    return way_in + constant(parameters) + read(parameters) + result(parameters) + 19


def fermat(parameters, products):
    """What the control of products takes for its program."""
    # By a constant: into Montgomery form and out of it, and in the check, which is a product too.
    # An operand's digits, two copies, three inner forms; a word of the program is read in 5 cycles.
    rest = (frames(parameters) + 2 + 3) * read(parameters) + 3 * 4
    return (products + 1) * product(parameters) + 3 * constant(parameters) + rest + 5 * parameters["TURNS"] + 8


# Of the programs in hdl/programs: operands that are loaded, results, random numbers, whether the places of pairs are drawn, checks. No scalar is waited for: it is there before its bits are looked at.
WAITS = {"power": (1, 1, 0, 0, 0), "signature": (4, 1, 0, 0, 0), "weierstrass": (2, 2, 1, 1, 2)}


def program(parameters, name, words, reduced, random_reduced=0):
    """A program over resident residues, from the cycle in which it is started to the one in which its last result is taken, operands, random
    words and readers never being waited for. `words`: of its schedule, as `moduli hdl --json` says; `reduced`: how many operands are P or more;
    `random_reduced`: how many random numbers are.
    """
    return words + loading(parameters, name, reduced, random_reduced) + leaving(parameters, name)


def even(cycles):
    """What is waited for is looked at every other cycle."""
    return cycles + cycles % 2


def loading(parameters, name, reduced=0, random_reduced=0):
    """What a program waits for operands and random words."""
    operands, _, random, places, _ = WAITS[name]
    taken = (operands - reduced) * even(frames(parameters) + 1) + reduced * even(2 * frames(parameters) + 1)
    # 32 bits a cycle.
    drawing = -(-parameters["L"] // 32)
    return taken + (random - random_reduced) * even(frames(parameters) + drawing) + random_reduced * even(2 * frames(parameters) + drawing) + 2 * places


def leaving(parameters, name):
    """What it waits for results, up to the last one; what a check judges is one, too."""
    one = result(parameters) + 9
    _, results, _, _, checks = WAITS[name]
    return (results + parameters["CHECK"] * checks - 1) * even(one + 1) + one
