"""Tests of the AXI4-Stream wrapper with the core behind it."""

import cocotb
from bench import BUILT, CLEAR_AFTER, LONG, RANDOM, L, P, residue, samples
from cocotb.triggers import ClockCycles, RisingEdge
from core import EXPONENTIATE, INVERT, MULTIPLY
from stream import MALFORMED, begin, malformed, operand, operations


@cocotb.test()
async def one_request(dut):
    """Tests every operation alone, in both forms, and inverses of edge cases."""
    stream = await begin(dut)
    for operation in operations():
        for tag in (0, 15):
            await stream.check(operation, operand(), operand(), tag)
    for a in samples(4):
        await stream.check(INVERT, a, tag=a & 15)
    await stream.settle()


async def ring(dut, stall, count, bad):
    """Sends requests as fast as tags become free, some of them malformed. Each must be answered once."""
    stream = await begin(dut, stall)
    waiting, answered, order, left = {}, 0, [], count
    while answered < count:
        while left and len(waiting) < 16:
            tag = RANDOM.choice([tag for tag in range(16) if tag not in waiting])
            if RANDOM.random() < bad:
                stream.source.send(malformed(stream, tag))
                waiting[tag] = left, (MALFORMED, 0)
            else:
                # Exponentiations take long, so they are few.
                operation = RANDOM.choice([*operations(), *[INVERT] * 4, *[MULTIPLY] * 4]) if left % 8 else INVERT
                a, b = operand(), operand()
                stream.source.send(stream.request(operation, tag, a, b))
                waiting[tag] = left, stream.expected(operation, a, b)
            left -= 1
        tag, *answer = stream.response(await stream.sink.packet())
        assert tag in waiting, f"nobody asked for {tag}"
        number, right = waiting.pop(tag)
        assert tuple(answer) == right, f"{answer} in the place of {right}"
        order.append(number)
        answered += 1
    await stream.settle()
    assert not stream.sink.packets and not stream.sink.words
    return order


@cocotb.test()
async def ring_of_requests(dut):
    """Requests with stalls on both sides, and with malformed packets among them."""
    await ring(dut, 0.3, 1000 if LONG and BUILT["CONTEXTS"] > 1 and not CLEAR_AFTER else 200, 0.1)


@cocotb.test()
async def ring_without_stalls(dut):
    """Requests without stalls. With contexts, inversions overtake others; without contexts, the order stays."""
    order = await ring(dut, 0.0, 100, 0.0)
    in_turn = order == sorted(order, reverse=True)
    assert in_turn != (BUILT["CONTEXTS"] > 1 and not CLEAR_AFTER), order


@cocotb.test()
async def contexts_overlap(dut):
    """Inversions in back-to-back packets use all contexts of the core, and take no longer than that."""
    stream = await begin(dut)
    units = [a for a in range(1, 400) if P % a or a == 1][:16]

    async def cycles(together):
        begun, left = stream.sink.cycles, list(enumerate(units))
        for tag, a in left if together else []:
            stream.source.send(stream.request(INVERT, tag, a))
        for tag, a in left:
            if not together:
                stream.source.send(stream.request(INVERT, tag, a))
            got, error, value = stream.response(await stream.sink.packet())
            assert (error, value) == stream.expected(INVERT, units[got])
        return stream.sink.cycles - begun

    alone, together = await cycles(False), await cycles(True)
    overlapping = BUILT["CONTEXTS"] > 1 and not CLEAR_AFTER and not BUILT["CHECK"]
    assert together < alone or CLEAR_AFTER
    assert not overlapping or 2 * together < alone, (alone, together)


@cocotb.test()
async def framing_errors(dut):
    """Packets of every wrong length, for every operation, and packets with bits that must be 0: each is answered with an error, and
    the next request is right. The right length is no error."""
    stream = await begin(dut)
    tag = 0

    async def refused(words):
        nonlocal tag
        stream.source.send(words)
        stream.source.send(stream.request(INVERT, 3, 2))
        got = [stream.response(await stream.sink.packet()) for _ in range(2)]
        assert got == [(tag, MALFORMED, 0), (3, *stream.expected(INVERT, 2))], f"{len(words)} words: {got}"
        tag = (tag + 5) % 16

    for operation in operations():
        a, b = (1 << L) - 1, RANDOM.randrange(1 << L)
        right = len(stream.request(operation, tag, a, b))
        for length in range(1, right + 4):
            if length != right:
                await refused((stream.request(operation, tag, a, b) + [1, 2, 3])[:length])
    for bit in [*range(3, 8), *range(12, stream.width)]:
        words = stream.request(INVERT, tag, 2)
        await refused([words[0] | 1 << bit, *words[1:]])
    for bit in range(L, stream.words * stream.width):
        for place in (stream.words, 2 * stream.words):
            words = stream.request(MULTIPLY, tag, 2, 3)
            words[place] |= 1 << stream.width + bit - stream.words * stream.width
            await refused(words)
    # A packet without an end, until the test ends it.
    stream.source.send(stream.request(INVERT, tag, 2) + [7] * 300)
    await ClockCycles(dut.clk_i, 200)
    assert dut.m_axis_tvalid.value == 0 and dut.s_axis_tready.value == 1
    assert stream.response(await stream.sink.packet()) == (tag, MALFORMED, 0)
    await stream.settle()


@cocotb.test()
async def back_pressure(dut):
    """No response is taken for a long time. All responses, also to malformed packets, wait, and then come once."""
    stream = await begin(dut)
    stream.sink.open = False
    await ClockCycles(dut.clk_i, 2)
    for tag in range(16):
        words = stream.request(INVERT, tag, tag + 1)
        stream.source.send(words if tag % 4 else words[:-1])
    await ClockCycles(dut.clk_i, 4000)
    assert dut.m_axis_tvalid.value == 1 and dut.s_axis_tready.value == 0 and stream.source.packets
    stream.sink.open = True
    got = dict()
    for _ in range(16):
        tag, *answer = stream.response(await stream.sink.packet())
        got[tag] = tuple(answer)
    assert got == {tag: stream.expected(INVERT, tag + 1) if tag % 4 else (MALFORMED, 0) for tag in range(16)}
    await stream.settle()
    assert not stream.sink.packets


@cocotb.test()
async def reset_in_a_packet(dut):
    """Reset after every beat of a request, and while it is computed or answered; after that, the core is as after a start."""
    stream = await begin(dut)
    length = len(stream.request(MULTIPLY, 0, 0))
    for wait in [*range(1, length + 8), *(RANDOM.randrange(20, 400) for _ in range(10))]:
        stream.source.send(stream.request(MULTIPLY, 7, (1 << L) - 1, (1 << L) - 1))
        stream.source.send(stream.request(INVERT, 8, 1))
        await ClockCycles(dut.clk_i, wait)
        await stream.reset(RANDOM.randrange(1, 4))
        assert dut.m_axis_tvalid.value == 0
        await stream.check(INVERT, 2, tag=1)
    await stream.settle()


def buffers(dut):
    return {name: int(getattr(dut, name).value) for name in ("a_q", "b_q", "out_q") if int(getattr(dut, name).value)}


async def clear(dut):
    """Sets CLEAR for a cycle. Returns whether a response was on the bus then."""
    dut.clear_i.value = 1
    await RisingEdge(dut.clk_i)
    dut.clear_i.value = 0
    return dut.m_axis_tvalid.value == 1


@cocotb.test()
async def clear_in_the_middle(dut):
    """CLEAR during transfers: a response that has begun is completed, other requests are not answered, a packet that has begun is taken to its end."""
    stream = await begin(dut, stall=0.2)
    for wait in [*range(1, 40), *(RANDOM.randrange(40, 600) for _ in range(15))]:
        sent = {5: (MULTIPLY, P - 2, 3), 6: (INVERT, 2, 0), 9: (EXPONENTIATE, 2, 3)}
        for tag, (operation, a, b) in sent.items():
            stream.source.send(stream.request(operation, tag, a, b))
        stream.source.send(stream.request(INVERT, 10, 2)[:-1])
        await ClockCycles(dut.clk_i, wait)
        await clear(dut)
        # Requests after CLEAR are answered. Of those before, only responses that had begun come.
        stream.source.send(stream.request(INVERT, 1, 2))
        while True:
            tag, *answer = stream.response(await stream.sink.packet())
            if tag == 1:
                break
            assert tuple(answer) == ((MALFORMED, 0) if tag == 10 else stream.expected(*sent[tag]))
        assert tuple(answer) == stream.expected(INVERT, 2)
        await stream.settle()
        assert not stream.sink.packets and not stream.sink.words


@cocotb.test()
async def cleared(dut):
    """CLEAR in every cycle of a request: no response comes, unless it has begun. In the middle of a packet, the rest of it is dropped."""
    stream = await begin(dut)
    begun = stream.sink.cycles
    await stream.check(INVERT, 2)
    for wait in range(1, stream.sink.cycles - begun + 4):
        stream.source.send(stream.request(INVERT, 4, 2))
        await ClockCycles(dut.clk_i, wait)
        on_its_way = await clear(dut)
        there = len(stream.sink.packets)
        await ClockCycles(dut.clk_i, stream.words + 4)
        await stream.settle()
        assert len(stream.sink.packets) == there + on_its_way and not stream.sink.words, f"after {wait} cycles"
        assert all(stream.response(packet) == (4, *stream.expected(INVERT, 2)) for packet in stream.sink.packets)
        stream.sink.packets.clear()
    stream.source.send(stream.request(INVERT, 4, 2)[:-1], last=False)
    await ClockCycles(dut.clk_i, stream.words + 2)
    await clear(dut)
    await ClockCycles(dut.clk_i, 100)
    assert dut.busy_o.value == 1
    stream.source.send([1])
    await stream.check(INVERT, 2, tag=2)


@cocotb.test()
async def dropped_when_it_waits(dut):
    """CLEAR in the rest of a packet that is too long, and while the response to a malformed one waits: neither is answered. Reset while a response is
    sent: the rest of it does not come."""
    stream = await begin(dut)
    stream.source.send(stream.request(INVERT, 4, 2) + [7] * 20)
    await ClockCycles(dut.clk_i, stream.words + 8)
    await clear(dut)
    await stream.check(INVERT, 2, tag=1)
    stream.sink.open = False
    for tag in (5, 6):
        stream.source.send(stream.request(INVERT, tag, 2)[:-1])
    await ClockCycles(dut.clk_i, 4 * stream.words + 20)
    await clear(dut)
    stream.sink.open = True
    assert stream.response(await stream.sink.packet()) == (5, MALFORMED, 0)
    await stream.settle()
    assert not stream.sink.packets
    stream.sink.open = False
    stream.source.send(stream.request(INVERT, 7, 2))
    while dut.m_axis_tvalid.value == 0:
        await RisingEdge(dut.clk_i)
    await stream.reset()
    stream.sink.open = True
    assert dut.m_axis_tvalid.value == 0
    await stream.check(INVERT, 2, tag=1)
    await stream.settle()
    assert not stream.sink.packets


@cocotb.test(skip=L > 16)
async def wiped(dut):
    """The wrapper holds operands only until the core takes them, results until they are sent, and nothing of malformed packets. With
    ClearAfter, nothing stays in the core."""
    stream = await begin(dut)
    await stream.settle()
    seen = set()
    for operation in operations():
        for cut in (0, 1, -1):
            words = stream.request(operation, 1, (1 << L) - 1, (1 << L) - 1)
            stream.source.send(words[: len(words) - cut] if cut >= 0 else [*words, 1])
            while not stream.sink.packets:
                await RisingEdge(dut.clk_i)
                seen |= buffers(dut).keys()
            stream.sink.packets.clear()
            await ClockCycles(dut.clk_i, 2)
            assert buffers(dut) == {}, f"{operation}, {cut}: {buffers(dut)}"
            if CLEAR_AFTER:
                await stream.settle()
                assert residue(dut.u_core) == {}, operation
    assert CLEAR_AFTER or residue(dut.u_core), "the test sees nothing"
    assert seen == {"a_q", "b_q", "out_q"}, "the test sees nothing"
