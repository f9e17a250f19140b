"""Sends requests over the streams as a host does, and computes the expected responses."""

import cocotb
from axi_stream import Sink, Source
from bench import BUILT, L, P, RANDOM
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from core import BLINDED, EXPONENTIATE, INVERT, MONTGOMERY, MULTIPLY, expected

NOT_BUILT_IN, MALFORMED = 3, 4


class Stream:
    """The core between its streams."""

    def __init__(self, dut, stall):
        self.dut = dut
        self.width = len(dut.s_axis_tdata)
        self.words = -(-L // self.width)
        self.source, self.sink = Source(dut, stall), Sink(dut, stall)
        self.unit = None  # 1/M, the factor in every product of Montgomery forms

    def operand(self, value):
        return [value >> self.width * word & (1 << self.width) - 1 for word in range(self.words)]

    def request(self, operation, tag, a, b=0):
        return [operation | tag << 8, *self.operand(a), *(self.operand(b) if operation & 3 != INVERT else [])]

    def response(self, packet):
        """Parses a response into tag, error and result. Fails if the packet has another form."""
        head, *words = packet
        assert len(words) == self.words, f"{len(words)} words"
        assert head & 0xF08F == 0 and head >> 32 == 0, hex(head)
        value = sum(word << self.width * number for number, word in enumerate(words))
        error = head >> 4 & 7
        assert error == 0 or value == 0
        assert error != MALFORMED or head >> 16 == 0
        return head >> 8 & 15, error, value

    def expected(self, operation, a, b=0):
        """The expected error and result, also for operations that are not built in."""
        asked = operation & 3
        if (asked == BLINDED and not BUILT["BLIND"]) or (not BUILT["MULTIPLY"] and operation != INVERT):
            return NOT_BUILT_IN, 0
        if not operation & MONTGOMERY:
            return expected(P, asked, a, b)
        if asked == MULTIPLY:
            return 0, a * b * self.unit % P
        if asked == EXPONENTIATE:
            return 0, pow(a * self.unit, b, P) * pow(self.unit, -1, P) % P
        error, inverse = expected(P, asked, a, b)
        return error, inverse * pow(self.unit, -2, P) % P

    async def compute(self, operation, a, b=0, tag=0):
        self.source.send(self.request(operation, tag, a, b))
        return self.response(await self.sink.packet())

    async def check(self, operation, a, b=0, tag=0):
        """Runs one request; checks the response against Python's integers."""
        response = await self.compute(operation, a, b, tag)
        assert response == (tag, *self.expected(operation, a, b)), f"{operation} of {a:#x}, {b:#x}: {response}"

    async def settle(self):
        for _ in range(100_000):
            await RisingEdge(self.dut.clk_i)
            if self.dut.busy_o.value == 0:
                return
        raise AssertionError("it does not come to rest")

    async def reset(self, cycles=3):
        self.source.stop()
        self.dut.rst_ni.value = 0
        await ClockCycles(self.dut.clk_i, cycles)
        self.sink.packets.clear()
        self.dut.rst_ni.value = 1
        await RisingEdge(self.dut.clk_i)


async def begin(dut, stall=0.0):
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
    dut.clear_i.value = 0
    stream = Stream(dut, stall)
    await stream.reset()
    if BUILT["MULTIPLY"]:
        _, _, stream.unit = await stream.compute(MULTIPLY | MONTGOMERY, 1, 1)
    return stream


def operations():
    """All operations, also those that are not built in."""
    return [operation | form for operation in (MULTIPLY, EXPONENTIATE, INVERT, BLINDED) for form in (0, MONTGOMERY)]


def operand():
    return RANDOM.choice((0, 1, P - 1, min(P, (1 << L) - 1), (1 << L) - 1, *(RANDOM.randrange(1 << L) for _ in range(9))))


def malformed(stream, tag):
    """Packets that are too short or too long, or have bits set that must be 0."""
    operation = RANDOM.choice(operations())
    words = stream.request(operation, tag, operand(), operand())
    how = RANDOM.randrange(4)
    if how == 0:
        return words[: RANDOM.randrange(1, len(words))]
    if how == 1:
        return words + [RANDOM.getrandbits(stream.width) for _ in range(RANDOM.randrange(1, 5))]
    spare = stream.words * stream.width - L
    if how == 2 and spare:
        last = RANDOM.choice(range(stream.words, len(words), stream.words))
        words[last] |= 1 << stream.width - 1 - RANDOM.randrange(spare)
    else:
        words[0] |= 1 << RANDOM.choice([*range(3, 8), *range(12, stream.width)])
    return words
