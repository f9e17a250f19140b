"""Tests of the AXI4-Lite wrapper with the core behind it."""

import math

import cocotb
from axi_lite import OKAY, SLVERR
from bench import BUILT, RANDOM, L, P, begin, samples
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout
from core import BLINDED, EXPONENTIATE, INVERT, MAP, MONTGOMERY, MULTIPLY, REGISTERS, expected, fields, offset


@cocotb.test()
async def identification(dut):
    core = await begin(dut)
    read = core.manager.read
    assert await read(offset("ID")) == MAP["identification"]
    assert await read(offset("VERSION")) == MAP["version"]
    assert {**fields("SHAPE", await read(offset("SHAPE"))), **fields("BUILD", await read(offset("BUILD")))} == BUILT
    assert await core.status() == {"READY": 1, "DONE": 0, "BUSY": 0, "ERROR": 0, "TAG": 0, "STEPS": 0}


@cocotb.test()
async def inverses(dut):
    """Inverts every operand of a tiny P, or edge cases and random operands of a large one."""
    core = await begin(dut)
    for a in range(1 << L) if L <= 9 else samples(8):
        status = await core.compute(INVERT, a, tag=a & 15)
        assert status["STEPS"] <= (4 if BUILT["DIVISION"] else 2) * L


@cocotb.test()
async def products(dut):
    core = await begin(dut)
    if not BUILT["MULTIPLY"]:
        assert await core.manager.write_any(offset("B"), 1) == SLVERR
        await core.start(MULTIPLY, 1)
        status = await core.until(lambda status: status["DONE"])
        assert status["ERROR"] == 3
        assert await core.result() == 0
        await core.acknowledge()
        return
    values = samples(3)
    for a in values:
        assert (await core.compute(MULTIPLY, a, RANDOM.choice(values)))["STEPS"] == 1
    for exponent in (0, 1, 2, P - 2, RANDOM.randrange(1 << L)):
        assert (await core.compute(EXPONENTIATE, RANDOM.choice(values), exponent))["STEPS"] == 2 * L


@cocotb.test()
async def montgomery_form(dut):
    """Tests the factors of Montgomery form: the product of 1 and 1 is M^(-1), the factor in every product; an inverse has M^2."""
    core = await begin(dut)

    async def compute(operation, a, b=None):
        await core.start(operation | MONTGOMERY, a, b)
        status = await core.until(lambda status: status["DONE"])
        answer = status["ERROR"], await core.result()
        await core.acknowledge()
        return answer

    if not BUILT["MULTIPLY"]:
        assert await compute(INVERT, 2) == (3, 0)
        return
    error, unit = await compute(MULTIPLY, 1, 1)
    assert error == 0
    assert unit != 1
    for a in samples(2):
        assert await compute(MULTIPLY, a, P - 2) == (0, a * (P - 2) * unit % P)
        assert await compute(EXPONENTIATE, a, 5) == (0, (a * unit) ** 5 * pow(unit, -1, P) % P)
        error, inverse = expected(P, INVERT, a)
        assert await compute(INVERT, a) == (error, inverse * pow(unit, -2, P) % P)


@cocotb.test()
async def blinded(dut):
    """Blinded inversions: by one request, or, if the core has none, by the three steps of the programmer's guide (multiply A by R,
    invert, multiply by R). What the core inverts, and the number of steps, depends on R."""
    core = await begin(dut)
    if not BUILT["MULTIPLY"]:
        return
    by_request = BUILT["BLIND"]
    for r in (0, P, 1, P - 1, 5) if by_request else ():
        await core.compute(BLINDED, 3, r)
        await core.compute(BLINDED, 0, r)
    a, steps = RANDOM.randrange(1, P), set()
    while math.gcd(a, P) != 1:
        a = RANDOM.randrange(1, P)
    for _ in range(4):
        r = RANDOM.randrange(1, P)
        if math.gcd(r, P) != 1:
            continue
        if by_request:
            steps.add((await core.compute(BLINDED, a, r))["STEPS"])
            continue
        await core.compute(MULTIPLY, a, r)
        steps.add((await core.compute(INVERT, a * r % P))["STEPS"])
        await core.compute(MULTIPLY, pow(a * r, -1, P), r)
        assert pow(a * r, -1, P) * r % P == pow(a, -1, P)
    assert by_request or L <= 16 or len(steps) > 1


@cocotb.test()
async def stalls(dut):
    """All channels stall at random: nothing is lost, nothing is done twice."""
    core = await begin(dut, stall=0.6)
    for a in samples(2):
        await core.compute(INVERT, a, tag=5)


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
    starts = {offset(r["name"], w) for r in MAP["register"] for w in range(r.get("words", 1))}
    beyond = [word for word in (core.words, *(1 << k for k in range(8)), 255) if word >= core.words]
    for address in [*range(0, 0x40, 4), 0x100, 0x3FC, *(offset(name, word) for name in ("A", "B", "RESULT") for word in beyond)]:
        if address not in starts or address >= 0x400:
            assert await write(address, 0) == SLVERR, hex(address)
            assert await read(address) == (0, SLVERR), hex(address)
    for name, register in REGISTERS.items():
        if register["access"] == "ro":
            assert await write(offset(name), 0) == SLVERR, name
        if register["access"] == "wo":
            assert await read(offset(name)) == (0, SLVERR), name
    # RESULT cannot be read while there is no result.
    assert await read(offset("RESULT")) == (0, SLVERR)
    assert await write(offset("ACKNOWLEDGE"), 1) == SLVERR
    # Partial writes of registers, and operations and bits that do not exist, are refused.
    assert await write(offset("COMMAND"), INVERT, 0b0001) == SLVERR
    if not BUILT["BLIND"]:
        assert await write(offset("COMMAND"), BLINDED) == SLVERR
    used = {field["lsb"] + k for field in REGISTERS["COMMAND"]["fields"] for k in range(field["width"])}
    for bit in set(range(32)) - used:
        assert await write(offset("COMMAND"), INVERT | 1 << bit) == SLVERR, bit
    for bit in range(2, 32):
        assert await write(offset("INTERRUPT_ENABLE"), 1 << bit) == SLVERR, bit
    for name in ("INTERRUPT_ENABLE", "CLEAR"):
        assert await write(offset(name), 1, 0b0111) == SLVERR
    for last in [offset("A", core.words - 1)] + [offset("B", core.words - 1)] * BUILT["MULTIPLY"]:
        if L % 32:
            assert await write(last, 1 << L % 32) == SLVERR
        for byte in range((L - 1) % 32 // 8 + 1, 4):
            assert await write(last, 0xFF << 8 * byte, 1 << byte) == SLVERR
            assert await write(last, 0xFF << 8 * byte, 0xF ^ 1 << byte) == OKAY
    assert (await core.status())["READY"] == 1
    # None of the refused accesses had an effect.
    assert await read(offset("INTERRUPT_ENABLE")) == (0, OKAY)
    # A result has no words beyond its own.
    await core.start(INVERT, 2)
    await core.until(lambda status: status["DONE"])
    for word in beyond:
        assert await read(offset("RESULT", word)) == (0, SLVERR), word
    assert await core.result() == expected(P, INVERT, 2)[1]
    await core.acknowledge()


@cocotb.test()
async def reads_around_an_acknowledgement(dut):
    """A read that is taken before the response to the write of ACKNOWLEDGE returns the result; later reads do not."""
    core = await begin(dut)
    seen = set()
    for lag in range(8):
        for register in ("RESULT", "STATUS"):
            await core.start(INVERT, 2, tag=9)
            await core.until(lambda status: status["DONE"])
            right = pow(2, -1, P) & 0xFFFFFFFF
            taken, answered = [], []

            async def watch():
                # Finds the cycles in which the read is taken and the write is answered.
                for cycle in range(30):
                    await RisingEdge(dut.clk_i)
                    if dut.s_axi_arvalid.value == 1 and dut.s_axi_arready.value == 1:
                        taken.append(cycle)
                    if dut.s_axi_bvalid.value == 1:
                        answered.append(cycle)

            async def late():
                await ClockCycles(dut.clk_i, lag + 1)
                return await core.manager.read_any(offset(register))

            watching, reading = cocotb.start_soon(watch()), cocotb.start_soon(late())
            await core.manager.write(offset("ACKNOWLEDGE"), 1)
            data, response = await reading
            await watching
            before = taken[0] < answered[0]
            seen.add(taken[0] - answered[0])
            if register == "RESULT":
                assert (data, response) == ((right, OKAY) if before else (0, SLVERR)), f"{lag}: {data:#x}, {response}"
            else:
                status = fields("STATUS", data)
                assert (status["DONE"], status["TAG"]) == ((1, 9) if before else (0, 0)), f"{lag}: {status}"
    assert {-1, 0, 1} <= seen, f"not in every cycle around it: {seen}"


@cocotb.test()
async def byte_strobes(dut):
    """Operands can be written byte by byte; bytes without a strobe keep their values."""
    core = await begin(dut)
    operands = {name: RANDOM.randrange(1 << L) for name in ["A"] + ["B"] * BUILT["MULTIPLY"]}
    for name, value in operands.items():
        await core.operand(name, (1 << L) - 1)
        for byte in range((L + 7) // 8):
            word = (value >> 8 * byte & 0xFF) * 0x01010101
            if byte == (L + 7) // 8 - 1:
                word = (value >> 8 * byte) << 8 * (byte % 4)
            assert await core.manager.write_any(offset(name, byte // 4), word, 1 << byte % 4) == OKAY
    operation = MULTIPLY if BUILT["MULTIPLY"] else INVERT
    await core.manager.write(offset("COMMAND"), operation)
    status = await core.until(lambda status: status["DONE"])
    assert (status["ERROR"], await core.result()) == expected(P, operation, *operands.values())
    assert await core.manager.write_any(offset("ACKNOWLEDGE"), 1, 0b0111) == SLVERR
    assert (await core.status())["DONE"] == 1


@cocotb.test()
async def interrupts(dut):
    core = await begin(dut)
    done, ready = 1, 2
    assert dut.irq_o.value == 0
    assert await core.manager.read(offset("INTERRUPT_STATUS")) == ready
    await core.manager.write(offset("INTERRUPT_ENABLE"), ready)
    assert await core.manager.read(offset("INTERRUPT_ENABLE")) == ready
    await ClockCycles(dut.clk_i, 2)
    assert dut.irq_o.value == 1
    await core.manager.write(offset("INTERRUPT_ENABLE"), done)
    assert await core.manager.read(offset("INTERRUPT_ENABLE")) == done
    await ClockCycles(dut.clk_i, 2)
    assert dut.irq_o.value == 0
    await core.start(INVERT, 3)
    await with_timeout(RisingEdge(dut.irq_o), 10 * (1000 + 60 * L), "ns")
    assert await core.manager.read(offset("INTERRUPT_STATUS")) & done
    await ClockCycles(dut.clk_i, 50)
    assert dut.irq_o.value == 1
    assert await core.result() == expected(P, INVERT, 3)[1]
    await core.acknowledge()
    await ClockCycles(dut.clk_i, 2)
    assert dut.irq_o.value == 0
    assert await core.manager.read(offset("INTERRUPT_STATUS")) & done == 0


@cocotb.test()
async def back_to_back(dut):
    """Commands are started as soon as possible and results are taken late: each result comes once, with its tag."""
    core = await begin(dut, stall=0.1)
    operands = {tag: RANDOM.randrange(1 << L) for tag in range(16)}
    waiting, seen = dict(operands), {}
    stuck = 0
    while len(seen) < len(operands):
        status = await core.status()
        if status["READY"] and waiting:
            tag, a = waiting.popitem()
            await core.start(INVERT, a, tag=tag)
            stuck = 0
        elif status["DONE"] and (RANDOM.random() < 0.3 or not waiting or stuck > 100):
            assert status["TAG"] not in seen
            seen[status["TAG"]] = (status["ERROR"], await core.result())
            await core.acknowledge()
            stuck = 0
        else:
            stuck += 1
            assert stuck < 10_000
    assert seen == {tag: expected(P, INVERT, a) for tag, a in operands.items()}
    status = await core.until(lambda status: not status["BUSY"])
    assert status["DONE"] == 0


async def filled(core):
    """Starts inversions until a command waits for the core, and returns their tags."""
    started = []
    for tag in range(16):
        await core.start(INVERT, tag + 1, tag=tag)
        started.append(tag)
        await ClockCycles(core.dut.clk_i, 200)
        if not (await core.status())["READY"]:
            return started
    raise AssertionError("it takes commands without end")


@cocotb.test()
async def refused_while_a_command_waits(dut):
    """While a command waits for the core, writes to A, B and COMMAND are refused, and the started commands return the right results."""
    core = await begin(dut)
    started = await filled(core)
    assert await core.manager.write_any(offset("COMMAND"), INVERT) == SLVERR
    for operand in ("A", "B"):
        assert await core.manager.write_any(offset(operand), 0) == SLVERR
    results = {}
    while len(results) < len(started):
        status = await core.until(lambda status: status["DONE"])
        results[status["TAG"]] = (status["ERROR"], await core.result())
        await core.acknowledge()
    assert results == {tag: expected(P, INVERT, tag + 1) for tag in started}


@cocotb.test()
async def cleared_while_a_command_waits(dut):
    """CLEAR while nothing runs; CLEAR, twice, and reset while a command waits for the core: no result comes."""
    core = await begin(dut)

    async def idle():
        status = await core.until(lambda status: not status["BUSY"])
        assert (status["READY"], status["DONE"]) == (1, 0), status
        assert await core.manager.read_any(offset("RESULT")) == (0, SLVERR)

    await core.manager.write(offset("CLEAR"), 0)
    await idle()
    await filled(core)
    for _ in range(2):
        await core.manager.write(offset("CLEAR"), 0)
    await idle()
    await filled(core)
    dut.rst_ni.value = 0
    core.manager.idle()
    await ClockCycles(dut.clk_i, 2)
    dut.rst_ni.value = 1
    await RisingEdge(dut.clk_i)
    await idle()
    await core.compute(INVERT, 3, tag=7)


async def operands_are_gone(core):
    """Checks that A and B were wiped: 0 has no inverse, and a product with 0 is 0."""

    async def compute(operation):
        await core.manager.write(offset("COMMAND"), operation)
        status = await core.until(lambda status: status["DONE"])
        answer = status["ERROR"], await core.result()
        await core.acknowledge()
        return answer

    assert await compute(INVERT) == (1, 0)
    if BUILT["MULTIPLY"]:
        await core.operand("A", 1)
        assert await compute(MULTIPLY) == (0, 0)
    await core.until(lambda status: not status["BUSY"])


async def disturbed(dut, disturb):
    """Disturbs a command in every cycle; after that, the core is as after a reset."""
    core = await begin(dut)
    await core.manager.write(offset("INTERRUPT_ENABLE"), 1)
    await core.start(INVERT, 3)
    cycles = 0
    while dut.irq_o.value == 0:
        await RisingEdge(dut.clk_i)
        cycles += 1
        assert cycles < 1000 + 60 * L
    await disturb(core)
    points = range(0, cycles + 20) if L <= 9 else sorted(RANDOM.randrange(cycles + 20) for _ in range(12))
    for point in points:
        await core.start(INVERT, RANDOM.randrange(1, P), P - 2 if BUILT["MULTIPLY"] else None, tag=1)
        await ClockCycles(dut.clk_i, point + 1)
        await disturb(core)
        status = await core.status()
        assert (status["READY"], status["DONE"], status["BUSY"]) == (1, 0, 0), f"after {point} cycles: {status}"
        assert await core.manager.read_any(offset("RESULT")) == (0, SLVERR)
        await core.compute(INVERT, RANDOM.randrange(1, P), tag=2)


@cocotb.test()
async def reset_in_the_middle(dut):
    async def reset(core):
        dut.rst_ni.value = 0
        core.manager.idle()
        await ClockCycles(dut.clk_i, 1 + RANDOM.randrange(3))
        dut.rst_ni.value = 1
        await RisingEdge(dut.clk_i)
        assert await core.manager.read(offset("INTERRUPT_ENABLE")) == 0
        await operands_are_gone(core)

    await disturbed(dut, reset)


@cocotb.test()
async def clear_in_the_middle(dut):
    async def clear(core):
        await core.manager.write(offset("CLEAR"), 0)
        assert await core.manager.write_any(offset("COMMAND"), INVERT) == SLVERR
        await core.until(lambda status: not status["BUSY"])
        await operands_are_gone(core)

    await disturbed(dut, clear)


@cocotb.test()
async def factors(dut):
    """Operands that share a factor with a composite P are refused by the core, not inverted wrongly."""
    core = await begin(dut)
    shared = [a for a in range(1, min(P, 2000)) if math.gcd(a, P) != 1]
    for a in [0, P, *shared[:20]]:
        if a < 1 << L:
            assert (await core.compute(INVERT, a))["ERROR"] == 1
