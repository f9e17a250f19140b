"""Code that the tests of the wrappers share. The environment variable MODULI_RNS_PRIME is P."""

import json
import os
import random

import cocotb
from axi_lite import Manager
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from core import Core

P = int(os.environ["MODULI_RNS_PRIME"], 16)
# The fields of the registers BUILD and SHAPE, from the generator.
BUILT = json.loads(os.environ["MODULI_RNS_BUILT"])
L = P.bit_length()
CLEAR_AFTER = os.environ.get("MODULI_RNS_CLEAR_AFTER") == "1"
# Whether to run more of the tests that take long.
LONG = os.environ.get("MODULI_RNS_LONG") == "1"
RANDOM = random.Random(6)


async def begin(dut, stall=0.0):
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
    manager = Manager(dut, stall)
    dut.rst_ni.value = 0
    await ClockCycles(dut.clk_i, 3)
    dut.rst_ni.value = 1
    await RisingEdge(dut.clk_i)
    return Core(dut, manager, P)


def residue(core):
    """The nonzero registers of the core among those that hold operands, results and values computed from them."""
    names = ["u_requests.u_loader.buffer_q", "u_requests.other_q", "u_requests.blinded_q"]
    names += [f"u_responses.u_unloader.{name}_q" for name in ("first", "second", "sum_a", "sum_b", "total", "waiting")]
    names += [f"g_rower[{k}].u_rower.{name}" for k in range(BUILT["CHANNELS"]) for name in ("file_a", "file_b", "ring_q")]
    found = {}
    for name in names:
        handle = core
        for part in name.split("."):
            label, _, index = part.partition("[")
            handle = getattr(handle, label)
            if index:
                handle = handle[int(index[:-1])]
        entries = [handle[k] for k in handle.range] if name.endswith(("file_a", "file_b")) else [handle]
        if any(int(entry.value) for entry in entries):
            found[name] = [int(entry.value) for entry in entries]
    return found


def samples(count):
    edges = [0, 1, 2, 3, P - 2, P - 1, P, P + 1, (1 << L) - 1]
    return [a for a in edges if a < 1 << L] + [RANDOM.randrange(1 << L) for _ in range(count)]
