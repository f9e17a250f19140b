"""A manager for AXI4-Lite. It stalls each channel independently, at random, and checks the rules of the handshakes."""

import random

import cocotb
from cocotb.triggers import RisingEdge

OKAY, SLVERR = 0, 2


class Channel:
    """One channel of the port, by the names of its signals."""

    def __init__(self, dut, prefix, payload):
        self.valid = getattr(dut, f"s_axi_{prefix}valid")
        self.ready = getattr(dut, f"s_axi_{prefix}ready")
        self.payload = {name: getattr(dut, f"s_axi_{name}") for name in payload}


class Manager:
    """`stall` is the probability that a channel waits for another cycle."""

    def __init__(self, dut, stall=0.0, seed=1):
        self.clock = dut.clk_i
        self.stall = stall
        self.random = random.Random(seed)
        self.aw = Channel(dut, "aw", ("awaddr", "awprot"))
        self.w = Channel(dut, "w", ("wdata", "wstrb"))
        self.b = Channel(dut, "b", ("bresp",))
        self.ar = Channel(dut, "ar", ("araddr", "arprot"))
        self.r = Channel(dut, "r", ("rdata", "rresp"))
        self.idle()
        for name, channel in (("b", self.b), ("r", self.r)):
            cocotb.start_soon(self._watch(dut, name, channel))

    def idle(self):
        for channel in (self.aw, self.w, self.ar):
            channel.valid.value = 0
            for signal in channel.payload.values():
                signal.value = 0
        self.b.ready.value = 0
        self.r.ready.value = 0

    async def _watch(self, dut, name, channel):
        """Checks that a response is not withdrawn and does not change before it is taken."""
        waiting = None
        while True:
            await RisingEdge(self.clock)
            if dut.rst_ni.value == 0:
                waiting = None
                continue
            now = None
            if channel.valid.value == 1:
                now = {key: int(signal.value) for key, signal in channel.payload.items()}
            if waiting is not None:
                assert now == waiting, f"{name}: {waiting} became {now} while it waited"
            waiting = now if channel.ready.value == 0 else None

    async def _pause(self):
        while self.random.random() < self.stall:
            await RisingEdge(self.clock)

    async def _send(self, channel, **payload):
        await self._pause()
        for name, value in payload.items():
            channel.payload[name].value = value
        channel.valid.value = 1
        await RisingEdge(self.clock)
        while channel.ready.value == 0:
            await RisingEdge(self.clock)
        channel.valid.value = 0

    async def _receive(self, channel):
        await self._pause()
        channel.ready.value = 1
        await RisingEdge(self.clock)
        while channel.valid.value == 0:
            await RisingEdge(self.clock)
        channel.ready.value = 0
        return {name: int(signal.value) for name, signal in channel.payload.items()}

    async def write_any(self, address, data, strobes=0xF):
        """Writes; returns the response."""
        sends = [
            cocotb.start_soon(self._send(self.aw, awaddr=address, awprot=0)),
            cocotb.start_soon(self._send(self.w, wdata=data, wstrb=strobes)),
        ]
        response = await self._receive(self.b)
        for send in sends:
            await send
        return response["bresp"]

    async def read_any(self, address):
        """Reads; returns data and response."""
        send = cocotb.start_soon(self._send(self.ar, araddr=address, arprot=0))
        response = await self._receive(self.r)
        await send
        return response["rdata"], response["rresp"]

    async def crowded(self, writes, reads):
        """Issues writes, each (address, data), and reads as fast as they are taken, without waiting for responses. Returns the responses of the writes,
        and the data and responses of the reads, in order."""

        async def send(channel, payloads):
            for payload in payloads:
                await self._send(channel, **payload)

        async def receive(channel, count):
            return [await self._receive(channel) for _ in range(count)]

        jobs = [cocotb.start_soon(job) for job in (
            send(self.aw, [{"awaddr": address, "awprot": 0} for address, _ in writes]), send(self.w, [{"wdata": data, "wstrb": 0xF} for _, data in writes]),
            send(self.ar, [{"araddr": address, "arprot": 0} for address in reads]), receive(self.b, len(writes)), receive(self.r, len(reads)))]
        *_, written, read = [await job for job in jobs]
        return [answer["bresp"] for answer in written], [(answer["rdata"], answer["rresp"]) for answer in read]

    async def write(self, address, data):
        response = await self.write_any(address, data)
        assert response == OKAY, f"write of {data:#x} to {address:#x} was refused"

    async def read(self, address):
        data, response = await self.read_any(address)
        assert response == OKAY, f"read of {address:#x} was refused"
        return data
