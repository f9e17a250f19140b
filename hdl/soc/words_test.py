"""Tests with Migen's simulator that RandomWords gives every word of its source to cores or to the CPU once, and that SimulationWords is right.

`right()` yields the checks, for soc.py test.
"""

import random

from litex.gen import LiteXModule
from migen import passive, run_simulation
from moduli_litex import RandomWords, SimulationWords

CYCLES = 3000
CORES = 2
SEED = 0x6D6F6475


def xorshift(state):
    state ^= state << 13 & 0xFFFFFFFF
    state ^= state >> 17
    return state ^ (state << 5 & 0xFFFFFFFF)


class Bench(LiteXModule):
    def __init__(self):
        self.words = SimulationWords(SEED)
        self.random = RandomWords(cores=CORES)
        self.comb += self.words.source.connect(self.random.sink)


def handed_out(chooser):
    """The words that each core and the CPU got, in order, as (cycle, word)."""
    bench, given = Bench(), [[] for _ in range(CORES + 1)]

    @passive
    def source():
        """Makes the source silent now and then."""
        while True:
            yield bench.words.fault.fields.silent.eq(chooser.random() < 0.3)
            yield

    def core(place, number):
        """Asks until it gets a word, as the core does."""
        for cycle in range(CYCLES):
            asks = (yield place.ready)
            if asks and (yield place.valid):
                given[number].append((cycle, (yield place.data)))
                asks = 0
            yield place.ready.eq(asks or chooser.random() < 0.1)
            yield

    def cpu():
        """Reads the register now and then, whether or not a word is there. `we` is the strobe of a read."""
        for cycle in range(CYCLES):
            if (yield bench.random.word.we):
                there, word = (yield bench.random.ready.status), (yield bench.random.word.status)
                if there:
                    given[CORES].append((cycle, word))
                elif word:
                    given[CORES].append((cycle, -1))
            yield bench.random.word.we.eq(chooser.random() < 0.1)
            yield

    run_simulation(bench, [source(), cpu(), *(core(place, k) for k, place in enumerate(bench.random.sources))])
    return given


def right():
    """Yields (whether it is right, what)."""
    given = handed_out(random.Random(12))
    words = [word for each in given for _, word in each]
    expected, state = [], SEED
    for _ in words:
        expected.append(state)
        state = xorshift(state)
    yield all(len(each) > CYCLES // 30 for each in given), "cores and the CPU were given words: " + ", ".join(str(len(each)) for each in given)
    yield len(set(words)) == len(words), "every word was handed out once"
    # The last word may still wait for the CPU.
    yield len(set(expected) - set(words)) <= 1 and len(set(words) - set(expected)) <= 1, "and none was lost or made up"


if __name__ == "__main__":
    for fine, what in right():
        print(f"{'right' if fine else 'WRONG'}: {what}")
