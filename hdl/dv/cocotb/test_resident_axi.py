"""Tests of the AXI4-Lite wrapper of the core for programs: on a tiny core with power.rns and weierstrass.rns, and on one that has only power.rns, and
operands of several words."""

import sys
import tomllib
from pathlib import Path

import cocotb
from axi_lite import OKAY, SLVERR, Manager
from bench import BUILT, CLEAR_AFTER, RANDOM, L, P
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, RisingEdge

sys.path.append(str(Path(__file__).resolve().parents[1]))
from resident import CURVES, blinded, points, times  # noqa: E402

MAP = tomllib.loads((Path(__file__).resolve().parents[2] / "sw/resident.toml").read_text())
REGISTERS = {register["name"]: register for register in MAP["register"]}
POWER, WEIERSTRASS = 0, 1
BOTH = BUILT["PROGRAMS"] == 2
CURVE, BLINDING = "tiny", 4
WORDS, OPERAND_WORDS = (L + 31) // 32, (BUILT["OPERAND_BITS"] + 31) // 32


def offset(name, word=0):
    return REGISTERS[name]["offset"] + 4 * word


class Source:
    """Offers random words, each after a delay and only once."""

    def __init__(self, dut):
        self.dut, self.silent, self.zero, self.taken = dut, False, False, 0
        cocotb.start_soon(self._run())

    async def _run(self):
        while True:
            self.dut.random_valid_i.value = 0
            self.dut.random_i.value = RANDOM.getrandbits(32)
            await ClockCycles(self.dut.clk_i, 1 + RANDOM.randrange(3))
            if self.silent:
                continue
            # The core makes a number from the highest bits, which must not be 0 modulo P.
            number = RANDOM.getrandbits(32)
            while (number >> max(0, 32 - L)) % P == 0:
                number = RANDOM.getrandbits(32)
            self.dut.random_i.value = 0 if self.zero else number
            self.dut.random_valid_i.value = 1
            await RisingEdge(self.dut.clk_i)
            while self.dut.random_ready_o.value == 0:
                await RisingEdge(self.dut.clk_i)
            self.taken += 1


class Programs:
    """Accesses the registers as software does."""

    def __init__(self, dut, stall):
        self.dut, self.manager, self.source = dut, Manager(dut, stall), Source(dut)

    async def status(self):
        value = await self.manager.read(offset("STATUS"))
        return {field["name"]: value >> field["lsb"] & 1 for field in REGISTERS["STATUS"]["fields"]}

    async def until(self, name, value=1):
        for _ in range(3000):
            status = await self.status()
            if status[name] == value:
                return status
            await ClockCycles(self.dut.clk_i, 20)
        raise AssertionError(f"{name} does not become {value}")

    async def offer(self, value):
        await self.until("FREE")
        for word in range(OPERAND_WORDS):
            await self.manager.write(offset("OPERAND", word), value >> 32 * word & 0xFFFFFFFF)
        await self.manager.write(offset("OFFER"), 1)

    async def start(self, program):
        await self.until("READY")
        await self.manager.write(offset("COMMAND"), program)

    async def result(self):
        """Reads and acknowledges the next result. Returns STATUS.ERROR and the result."""
        status = await self.until("DONE")
        value = sum([await self.manager.read(offset("RESULT", word)) << 32 * word for word in range(WORDS)])
        await self.manager.write(offset("ACKNOWLEDGE"), 1)
        return status["ERROR"], value

    async def multiple(self, scalar, point, early=False):
        """Computes a multiple of a point. Returns both coordinates, each with STATUS.ERROR."""
        if early:
            await self.offer(point[0])
        await self.start(WEIERSTRASS)
        for operand in (*point[early:], scalar):
            await self.offer(operand)
        return [await self.result() for _ in range(2)]

    async def power(self, base, exponent):
        await self.start(POWER)
        await self.offer(base)
        await self.offer(exponent)
        return await self.result()


async def begin(dut, stall=0.0):
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
    core = Programs(dut, stall)
    dut.rst_ni.value = 0
    await ClockCycles(dut.clk_i, 3)
    dut.rst_ni.value = 1
    await RisingEdge(dut.clk_i)
    return core


def right(scalar, point):
    p, a, _, n = CURVES[CURVE]
    return [(0, value) for value in times(scalar % n, point, p, a) or (0, 0)]


def some_points(count):
    return points(CURVE, RANDOM, count)


@cocotb.test()
async def identification(dut):
    core = await begin(dut)
    read = core.manager.read
    assert await read(offset("ID")) == MAP["identification"]
    assert await read(offset("VERSION")) == MAP["version"]
    found = {field["name"]: await read(offset(name)) >> field["lsb"] & (1 << field["width"]) - 1
             for name in ("BUILD", "SHAPE") for field in REGISTERS[name]["fields"]}
    assert found == BUILT
    assert await core.status() == {"READY": 1, "DONE": 0, "BUSY": 0, "FREE": 1, "ERROR": 0, "STARVED": 0}


@cocotb.test(skip=not BOTH)
async def multiples(dut):
    """Multiples with operands before and after the start. Each takes two random words: one for a number and one for places."""
    core = await begin(dut)
    for k, point in enumerate(some_points(12)):
        scalar, taken = blinded(RANDOM.randrange(CURVES[CURVE][3]), CURVES[CURVE][3], BLINDING, RANDOM), core.source.taken
        assert await core.multiple(scalar, point, early=bool(k & 1)) == right(scalar, point), (scalar, point)
        assert core.source.taken - taken == WORDS + 1


@cocotb.test()
async def powers(dut):
    """Powers, which take no random word."""
    core = await begin(dut)
    for _ in range(12):
        base, exponent, taken = RANDOM.getrandbits(L), RANDOM.getrandbits(L), core.source.taken
        assert await core.power(base, exponent) == (0, pow(base, exponent, P))
        assert core.source.taken == taken


@cocotb.test()
async def words_and_bytes(dut):
    """An operand may be written in any order, byte by byte, and repeatedly; words that are not written are 0."""
    core = await begin(dut)
    for _ in range(4):
        base, written = 0, list(range(4 * OPERAND_WORDS))
        RANDOM.shuffle(written)
        for byte in written[: RANDOM.randrange(1, len(written) + 1)]:
            bits = max(0, min(8, L - 8 * byte))
            for value in (RANDOM.getrandbits(bits), RANDOM.getrandbits(bits)):
                assert await core.manager.write_any(offset("OPERAND", byte // 4), value << 8 * (byte % 4), 1 << byte % 4) == OKAY
            base |= value << 8 * byte
        await core.start(POWER)
        await core.manager.write(offset("OFFER"), 1)
        await core.offer(3)
        assert await core.result() == (0, pow(base, 3, P)), hex(base)


@cocotb.test(skip=not BOTH)
async def stalls(dut):
    core = await begin(dut, stall=0.6)
    for point in some_points(3):
        assert await core.multiple(5, point) == right(5, point)


@cocotb.test(skip=not BOTH)
async def zeros_are_an_error(dut):
    """If a random number is 0, both results are 0 with an error; the next program is right."""
    core = await begin(dut)
    (point,) = some_points(1)
    core.source.zero = True
    assert await core.multiple(5, point) == [(1, 0), (1, 0)]
    core.source.zero = False
    await ClockCycles(dut.clk_i, 20)
    while dut.random_i.value == 0:
        await core.multiple(5, point)
    assert await core.multiple(5, point) == right(5, point)
    assert (await core.status())["ERROR"] == 0


@cocotb.test(skip=not BOTH)
async def silent_source(dut):
    """A program that gets no random word is starved, takes no operand, and can be abandoned or go on."""
    core = await begin(dut)
    (point,) = some_points(1)
    for again in (False, True):
        core.source.silent = True
        await core.start(WEIERSTRASS)  # needs one more word than the one that may already be offered
        await core.until("STARVED")
        await core.offer(point[0])
        await ClockCycles(dut.clk_i, 500)
        status = await core.status()
        assert (status["STARVED"], status["FREE"], status["DONE"], status["BUSY"]) == (1, 0, 0, 1), status
        if again:
            core.source.silent = False
            await core.offer(point[1])
            await core.offer(5)
            assert [await core.result() for _ in range(2)] == right(5, point)
        else:
            await core.manager.write(offset("CLEAR"), 1)
            await core.until("BUSY", 0)
            core.source.silent = False
        status = await core.status()
        assert (status["STARVED"], status["FREE"]) == (0, 1), status


@cocotb.test()
async def crowded(dut):
    """Back-to-back writes and reads on all channels: each is answered in order."""
    core = await begin(dut, stall=0.3)
    values, names = [RANDOM.choice((0, 1, 3, 1 << 31)) for _ in range(60)], [RANDOM.choice(("ID", "VERSION", "COMMAND")) for _ in range(60)]
    written, read = await core.manager.crowded([(offset("INTERRUPT_ENABLE"), value) for value in values], [offset(name) for name in names])
    assert written == [SLVERR if value >> 31 else OKAY for value in values]
    answers = {"ID": (MAP["identification"], OKAY), "VERSION": (MAP["version"], OKAY), "COMMAND": (0, SLVERR)}
    assert read == [answers[name] for name in names]
    assert await core.manager.read(offset("INTERRUPT_ENABLE")) == [value for value in values if not value >> 31][-1]


@cocotb.test()
async def unmapped_and_forbidden(dut):
    core = await begin(dut)
    write, read = core.manager.write_any, core.manager.read_any
    beyond = {"OPERAND": range(OPERAND_WORDS, 256, 17), "RESULT": range(WORDS, 256, 17)}
    known = {register["offset"] for register in MAP["register"] if "words" not in register}
    for address in [a for a in (*range(0, 0x40, 4), 0x100, 0x3FC, 0x800, 0xBFC) if a not in known] + [offset(n, w) for n, ws in beyond.items() for w in ws]:
        assert await write(address, 0) == SLVERR, hex(address)
        assert await read(address) == (0, SLVERR), hex(address)
    for name, register in REGISTERS.items():
        if register["access"] == "ro":
            assert await write(offset(name), 0) == SLVERR, name
        if register["access"] == "wo":
            assert await read(offset(name)) == (0, SLVERR), name
    # Accesses at the wrong time, partial ones, and those to what does not exist are refused.
    assert await read(offset("RESULT")) == (0, SLVERR)
    assert await write(offset("ACKNOWLEDGE"), 1) == SLVERR
    for name in ("COMMAND", "OFFER", "CLEAR", "INTERRUPT_ENABLE"):
        assert await write(offset(name), 0, 0b0111) == SLVERR
    for value in (BUILT["PROGRAMS"], *(1 << bit for bit in range(8, 32))):
        assert await write(offset("COMMAND"), value) == SLVERR, hex(value)
    for bit in range(3, 32):
        assert await write(offset("INTERRUPT_ENABLE"), 1 << bit) == SLVERR, bit
    if BUILT["OPERAND_BITS"] % 32:
        assert await write(offset("OPERAND", OPERAND_WORDS - 1), 1 << BUILT["OPERAND_BITS"] % 32) == SLVERR
    assert await core.status() == {"READY": 1, "DONE": 0, "BUSY": 0, "FREE": 1, "ERROR": 0, "STARVED": 0}
    assert await read(offset("INTERRUPT_ENABLE")) == (0, OKAY)
    # An offered operand does not change, and a waiting program is not replaced.
    await core.start(POWER)
    await core.until("READY")
    await core.start(POWER)
    assert await write(offset("COMMAND"), WEIERSTRASS) == SLVERR
    await core.offer(3)
    await core.offer(4)
    assert await core.result() == (0, 81 % P)
    await core.offer(2)
    await core.until("FREE")
    await core.offer(5)
    assert await core.result() == (0, 32 % P)
    await core.offer(1)
    for name in ("OPERAND", "OFFER"):
        assert await write(offset(name), 0) == SLVERR


@cocotb.test()
async def interrupts(dut):
    core = await begin(dut)
    done, ready, free = 1, 2, 4

    async def level(expected):
        await ClockCycles(dut.clk_i, 3)
        assert dut.irq_o.value == expected

    assert await core.manager.read(offset("INTERRUPT_STATUS")) == ready | free
    await level(0)
    for cause in (ready, free):
        await core.manager.write(offset("INTERRUPT_ENABLE"), cause)
        assert await core.manager.read(offset("INTERRUPT_ENABLE")) == cause
        await level(1)
    await core.offer(3)
    assert await core.manager.read(offset("INTERRUPT_STATUS")) == ready
    await level(0)
    await core.manager.write(offset("INTERRUPT_ENABLE"), done)
    await level(0)
    await core.start(POWER)
    await core.offer(4)
    for _ in range(20_000):
        if dut.irq_o.value == 1:
            break
        await RisingEdge(dut.clk_i)
    await ClockCycles(dut.clk_i, 50)
    await level(1)
    assert await core.manager.read(offset("INTERRUPT_STATUS")) & done
    assert await core.result() == (0, 81 % P)
    await level(0)


async def left(dut):
    """The nonzero registers of the wrapper after the last read has been taken."""
    await ClockCycles(dut.clk_i, 2)
    await FallingEdge(dut.clk_i)
    names = ("operand_q", "wdata", "s_axi_rdata")
    return {name: int(getattr(dut, name).value) for name in names if int(getattr(dut, name).value)}


async def disturbed(dut, disturb):
    """Disturbs programs in the middle. After that, nothing of them is left, and the core is as after a start."""
    core = await begin(dut)
    (point,) = some_points(1)
    for _ in range(12):
        await core.start(WEIERSTRASS)
        for operand in (*point, 5)[: RANDOM.randrange(4)]:
            await core.offer(operand)
        await ClockCycles(dut.clk_i, RANDOM.randrange(4000))
        await disturb(core)
        status = await core.status()
        assert (status["READY"], status["DONE"], status["BUSY"], status["FREE"]) == (1, 0, 0, 1), status
        assert await left(dut) == {}
        assert await core.manager.read_any(offset("RESULT")) == (0, SLVERR)
        assert await core.power(3, 4) == (0, 81 % P)


@cocotb.test(skip=not BOTH)
async def clear_in_the_middle(dut):
    async def clear(core):
        await core.manager.write(offset("CLEAR"), 0)
        assert await core.manager.write_any(offset("COMMAND"), POWER) == SLVERR
        assert await core.manager.write_any(offset("OPERAND"), 1) == SLVERR
        await core.until("BUSY", 0)

    await disturbed(dut, clear)


@cocotb.test(skip=not BOTH)
async def reset_in_the_middle(dut):
    async def reset(core):
        dut.rst_ni.value = 0
        core.manager.idle()
        await ClockCycles(dut.clk_i, 1 + RANDOM.randrange(3))
        dut.rst_ni.value = 1
        await ClockCycles(dut.clk_i, 3)

    await disturbed(dut, reset)


@cocotb.test()
async def operands_do_not_stay(dut):
    """An operand is wiped when the core takes it, so words that are not written next time are 0."""
    core = await begin(dut)
    await core.start(POWER)
    await core.offer(3)
    await core.until("FREE")
    assert await left(dut) == {}
    await core.manager.write(offset("OFFER"), 1)
    assert await core.result() == (0, 1)
    if CLEAR_AFTER:
        await core.until("BUSY", 0)
        for entries in (dut.u_core.g_rower[0].u_rower.file_a, dut.u_core.g_rower[0].u_rower.file_b):
            assert not any(int(entries[k].value) for k in entries.range)


@cocotb.test()
async def cleared_with_a_result(dut):
    """CLEAR while nothing runs, and while a result and an operand of the next program wait: both are wiped."""
    core = await begin(dut)
    await core.manager.write(offset("CLEAR"), 0)
    await core.until("BUSY", 0)
    await core.start(POWER)
    await core.offer(3)
    await core.offer(4)
    await core.until("DONE")
    await core.offer(5)
    assert (await core.status())["FREE"] == 0
    await core.manager.write(offset("CLEAR"), 0)
    await core.until("BUSY", 0)
    status = await core.status()
    assert (status["READY"], status["DONE"], status["FREE"]) == (1, 0, 1), status
    assert await left(dut) == {}
    assert await core.power(3, 4) == (0, 81 % P)
