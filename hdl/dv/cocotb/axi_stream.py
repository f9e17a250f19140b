"""A source and a sink for streams, which stall at random and check the rules of the handshakes. Packets are lists of words."""

import random
from collections import deque

import cocotb
from cocotb.triggers import Event, RisingEdge


class Source:
    """Sends packets, one after the other. `stall` is the probability that it waits for another cycle before a beat."""

    def __init__(self, dut, stall=0.0, seed=2):
        self.dut, self.stall = dut, stall
        self.random = random.Random(seed)
        self.packets, self.more = deque(), Event()
        self.idle()
        self.running = cocotb.start_soon(self._run())

    def idle(self):
        self.dut.s_axis_tvalid.value = 0
        self.dut.s_axis_tdata.value = 0
        self.dut.s_axis_tlast.value = 0

    def send(self, words, last=True):
        """Queues a packet. With `last`, it ends with TLAST."""
        self.packets.append((words, last))
        self.more.set()

    def stop(self):
        """Drops everything in the queue, also in the middle of a packet."""
        self.running.cancel()
        self.packets.clear()
        self.idle()
        self.running = cocotb.start_soon(self._run())

    async def _run(self):
        dut, edge = self.dut, RisingEdge(self.dut.clk_i)
        while True:
            while not self.packets:
                self.idle()
                self.more.clear()
                await self.more.wait()
                await edge
            words, last = self.packets.popleft()
            for number, word in enumerate(words):
                while self.random.random() < self.stall:
                    self.idle()
                    await edge
                dut.s_axis_tdata.value = word
                dut.s_axis_tlast.value = int(last and number == len(words) - 1)
                dut.s_axis_tvalid.value = 1
                await edge
                while dut.s_axis_tready.value == 0:
                    await edge


class Sink:
    """Takes packets into a list. It is ready only while `open` is set."""

    def __init__(self, dut, stall=0.0, seed=3):
        self.dut, self.stall, self.open = dut, stall, True
        self.random = random.Random(seed)
        self.packets, self.words, self.cycles = deque(), [], 0
        cocotb.start_soon(self._run())

    async def packet(self, limit=30_000):
        """The next packet."""
        for _ in range(limit):
            if self.packets:
                return self.packets.popleft()
            await RisingEdge(self.dut.clk_i)
        raise AssertionError("there is no response")

    async def _run(self):
        """Takes words, and checks that an offered word is not withdrawn and does not change before it is taken."""
        dut, edge = self.dut, RisingEdge(self.dut.clk_i)
        ready, waiting = False, None
        dut.m_axis_tready.value = 0
        while True:
            await edge
            self.cycles += 1
            if dut.rst_ni.value == 0:
                waiting = None
                self.words.clear()
                continue
            now = None
            if dut.m_axis_tvalid.value == 1:
                now = int(dut.m_axis_tdata.value), int(dut.m_axis_tlast.value)
            assert waiting is None or now == waiting, f"{waiting} became {now} while it waited"
            waiting = None if ready else now
            if ready and now:
                self.words.append(now[0])
                if now[1]:
                    self.packets.append(self.words)
                    self.words = []
            wanted = self.open and self.random.random() >= self.stall
            if wanted != ready:
                ready = wanted
                dut.m_axis_tready.value = int(ready)
