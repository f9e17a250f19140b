"""Accesses the registers as software does, and computes the expected results."""

import math
import tomllib
from pathlib import Path

from cocotb.triggers import RisingEdge

MAP = tomllib.loads((Path(__file__).resolve().parents[2] / "sw/registers.toml").read_text())
REGISTERS = {register["name"]: register for register in MAP["register"]}
MULTIPLY, EXPONENTIATE, INVERT, BLINDED = 0, 1, 2, 3
MONTGOMERY = 4
RIGHT, NOT_INVERTIBLE = 0, 1


def offset(name, word=0):
    return REGISTERS[name]["offset"] + 4 * word


def fields(name, value):
    return {
        field["name"]: value >> field["lsb"] & (1 << field["width"]) - 1 for field in REGISTERS[name]["fields"]
    }


def expected(p, operation, a, b=0):
    """The expected error and result."""
    if operation == MULTIPLY:
        return RIGHT, a * b % p
    if operation == EXPONENTIATE:
        return RIGHT, pow(a, b, p)
    if math.gcd(a, p) != 1 or (operation == BLINDED and math.gcd(b, p) != 1):
        return NOT_INVERTIBLE, 0
    return RIGHT, pow(a, -1, p)


class Core:
    def __init__(self, dut, manager, p):
        self.dut = dut
        self.manager = manager
        self.p = p
        self.words = (p.bit_length() + 31) // 32

    async def operand(self, name, value):
        for word in range(self.words):
            await self.manager.write(offset(name, word), value >> 32 * word & 0xFFFFFFFF)

    async def status(self):
        return fields("STATUS", await self.manager.read(offset("STATUS")))

    async def until(self, condition, limit=3_000):
        """Polls STATUS until the condition holds."""
        for _ in range(limit):
            status = await self.status()
            if condition(status):
                return status
            for _ in range(20):
                await RisingEdge(self.dut.clk_i)
        raise AssertionError("it does not end")

    async def start(self, operation, a, b=None, tag=0):
        await self.operand("A", a)
        if b is not None:
            await self.operand("B", b)
        await self.manager.write(offset("COMMAND"), operation | tag << 8)

    async def result(self):
        value = 0
        for word in range(self.words):
            value |= await self.manager.read(offset("RESULT", word)) << 32 * word
        return value

    async def acknowledge(self):
        await self.manager.write(offset("ACKNOWLEDGE"), 1)
        status = await self.status()
        if not status["DONE"]:
            assert (status["ERROR"], status["TAG"], status["STEPS"]) == (0, 0, 0)

    async def compute(self, operation, a, b=None, tag=0):
        """Runs one command to its end; checks the result against Python's integers."""
        await self.start(operation, a, b, tag)
        status = await self.until(lambda status: status["DONE"])
        value = await self.result()
        await self.acknowledge()
        assert status["TAG"] == tag
        assert (status["ERROR"], value) == expected(self.p, operation, a, b), f"{operation} of {a:#x}, {b}"
        return status
