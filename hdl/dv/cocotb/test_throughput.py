"""Measures and prints the cycles per request at full load, through the port of the top."""

import bench
import cocotb
import stream
from bench import BUILT, RANDOM, L, P
from cocotb.utils import get_sim_time
from core import INVERT, MULTIPLY, expected, offset

COUNT = {MULTIPLY: 40, INVERT: 40}
NAMES = {MULTIPLY: "a product", INVERT: "an inversion"}


def requests(operation):
    return [(operation, RANDOM.randrange(1 << L), RANDOM.randrange(1 << L)) for _ in range(COUNT[operation])]


def say(dut, operation, cycles):
    dut._log.info(f"figure: {NAMES[operation]}: {cycles / COUNT[operation]:.0f} cycles, of {COUNT[operation]} with {BUILT['CONTEXTS']} contexts")


@cocotb.test()
async def throughput(dut):
    streams = hasattr(dut, "s_axis_tdata")
    port = await (stream if streams else bench).begin(dut)
    for operation in COUNT:
        todo = requests(operation)
        cycles, answers = await (by_packets if streams else by_registers)(port, todo)
        assert sorted(answers) == sorted((number % 16, *expected(P, *request)) for number, request in enumerate(todo))
        say(dut, operation, cycles)


async def by_packets(port, todo):
    begun = port.sink.cycles
    for number, (operation, a, b) in enumerate(todo):
        port.source.send(port.request(operation, number % 16, a, b))
    answers = [port.response(await port.sink.packet()) for _ in todo]
    return port.sink.cycles - begun, answers


async def by_registers(core, todo):
    """Acts as a host that polls STATUS without pauses, and starts commands and takes results whenever it can."""
    begun, answers, left = get_sim_time("ns"), [], list(enumerate(todo))
    while len(answers) < len(todo):
        status = await core.status()
        if status["DONE"]:
            answers.append((status["TAG"], status["ERROR"], await core.result()))
            await core.manager.write(offset("ACKNOWLEDGE"), 1)
        elif status["READY"] and left:
            number, (operation, a, b) = left.pop(0)
            await core.start(operation, a, b if operation == MULTIPLY else None, number % 16)
    return (get_sim_time("ns") - begun) / 10, answers
