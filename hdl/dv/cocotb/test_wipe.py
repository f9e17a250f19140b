"""Tests that nothing is left in the core after CLEAR, or with ClearAfter."""

import math

import cocotb
from bench import BUILT, CLEAR_AFTER, LONG, RANDOM, L, P, begin, residue
from cocotb.handle import ArrayObject, HierarchyArrayObject, HierarchyObject
from cocotb.triggers import ClockCycles, RisingEdge
from core import BLINDED, EXPONENTIATE, INVERT, MULTIPLY, offset


def residue_of_secrets(dut):
    """The nonzero registers among those that hold operands, results and values computed from them."""
    found = residue(dut.u_core)
    found.update({name: int(getattr(dut, name).value) for name in ("a_q", "b_q", "wdata", "s_axi_rdata") if int(getattr(dut, name).value)})
    return found


@cocotb.test(skip=L > 16)
async def wiped(dut):
    """Nothing of an operation is left in the registers after CLEAR, or, with ClearAfter, after the operation."""
    core = await begin(dut)
    operations = [INVERT] + [MULTIPLY, EXPONENTIATE] * BUILT["MULTIPLY"] + [BLINDED] * BUILT["BLIND"]
    for a in (P - 1, 2, RANDOM.randrange(1, P)):
        for operation in operations:
            await core.compute(operation, a, P - 2 if operation != INVERT else None)
            await core.until(lambda status: not status["BUSY"])
            left = residue_of_secrets(dut)
            if not CLEAR_AFTER:
                assert left, "the test sees nothing"
                await core.manager.write(offset("CLEAR"), 0)
                await core.until(lambda status: not status["BUSY"])
            # Waits until the last read has been taken.
            await ClockCycles(dut.clk_i, 2)
            assert residue_of_secrets(dut) == {}


def signals(handle):
    """Yields the name of every signal below a handle, with the handles of its entries."""
    if isinstance(handle, HierarchyObject | HierarchyArrayObject):
        found = {}
        for child in handle:
            found.update(signals(child))
        return found
    return {handle._path: list(handle) if isinstance(handle, ArrayObject) else [handle]}


def values(found):
    return {name: [str(entry.value) for entry in entries] for name, entries in found.items()}


@cocotb.test(skip=L > 16)
async def forgotten(dut):
    """After CLEAR in any state, no signal of the core depends on the operands, not even counters and small residues."""
    core, inside = await begin(dut), signals(dut.u_core)
    units = [a for a in range(1, P) if math.gcd(a, P) == 1]
    operations = [INVERT] + [MULTIPLY, EXPONENTIATE] * BUILT["MULTIPLY"] + [BLINDED] * BUILT["BLIND"]
    for operation in operations:
        waits = (1, 2, 3, 4, 6, 30, 75, 160, 281) if LONG else (2, 6, 75, 281)
        for wait in (*waits, 1500 + 400 * L * (operation == EXPONENTIATE)):
            before, after = [], []
            for a in (1, P - 2, 2, 0, units[len(units) // 3], min(P + 1, (1 << L) - 1)):
                dut.rst_ni.value = 0
                await ClockCycles(dut.clk_i, 3)
                dut.rst_ni.value = 1
                await RisingEdge(dut.clk_i)
                await core.start(operation, a, None if operation == INVERT else units[a * a % len(units)])
                # Fills all contexts, if there are several.
                for more in range(1, BUILT["CONTEXTS"] if operation == INVERT and not CLEAR_AFTER else 1):
                    await core.until(lambda status: status["READY"])
                    await core.start(operation, units[a * more % len(units)])
                await ClockCycles(dut.clk_i, wait)
                before.append(values(inside))
                await core.manager.write(offset("CLEAR"), 0)
                await ClockCycles(dut.clk_i, 200)
                after.append(values(inside))
            assert len(after[0]) > 300, "the test sees too little"
            assert CLEAR_AFTER and wait > 1000 or any(one != before[0] for one in before), "the test sees nothing"
            # Tags are not secret, and the tag of an unused context keeps its initial value.
            kept = {name for one in after for name in one if one[name] != after[0][name] and not name.endswith(".u_core.u_responses.id_q")}
            assert not kept, f"operation {operation}, {wait} cycles: {sorted(kept)[:20]}"


@cocotb.test(skip=L > 16 or not CLEAR_AFTER)
async def one_at_a_time(dut):
    """With ClearAfter no request is taken before the response to the last one."""
    core = await begin(dut)
    taken, given = 0, 0

    async def count():
        nonlocal taken, given
        while True:
            await RisingEdge(dut.clk_i)
            taken += int(dut.u_core.req_valid_i.value) & int(dut.u_core.req_ready_o.value)
            given += int(dut.u_core.rsp_valid_o.value) & int(dut.u_core.rsp_ready_i.value)
            assert taken <= given + 1

    counting = cocotb.start_soon(count())
    await core.start(INVERT, 1)
    for _ in range(5):
        # Waits until the next request is in the wrapper.
        await core.until(lambda status: status["READY"])
        await core.start(INVERT, 1)
        await core.until(lambda status: status["DONE"])
        await core.acknowledge()
    assert not counting.done()
    assert given >= 5
