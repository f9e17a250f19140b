"""The Cox-Rower core as LiteX modules.

    soc.add_module("order", Modular(platform, directory, prefix="order"))       a core with an AXI4-Lite port
    soc.add_module("curve", Programs(platform, directory))                      a core for programs, which also needs random words
    connect(soc, "order", origin=0x9000_0000)                                   its registers, 4 KiB, and its interrupt

`directory` is the output of `moduli hdl ... --rtl hdl/rtl -o DIRECTORY`, with the prefix if there is one. doc/soc.md explains the rest.
"""

from litex.gen import LiteXModule
from litex.soc.integration.soc import SoCRegion
from litex.soc.interconnect import axi, stream
from litex.soc.interconnect.csr import CSRField, CSRStatus, CSRStorage
from litex.soc.interconnect.csr_eventmanager import EventManager, EventSourceLevel
from migen import Cat, ClockSignal, If, Instance, Mux, ResetSignal, Signal

WINDOW = 0x1000
# The layout of a stream of random words.
WORDS = [("data", 32)]


class _Core(LiteXModule):
    """A top with an AXI4-Lite port and an interrupt. One clock; its reset is that of LiteX, synchronous."""

    def __init__(self, platform, directory, top, prefix="", clear_after=False, **ports):
        self.bus = bus = axi.AXILiteInterface(data_width=32, address_width=32)
        self.irq = Signal()
        # A level-sensitive interrupt for the CPU. The core's register INTERRUPT_ENABLE selects the causes; LiteX's own enable
        # passes all of them.
        self.ev = EventManager()
        self.ev.core = EventSourceLevel(description="A cause that is enabled in INTERRUPT_ENABLE of the core is there.")
        self.ev.finalize()
        self.comb += self.ev.core.trigger.eq(self.irq)
        # Not every CPU of LiteX handles bus errors: with VexRiscv, a refused read returns 0, and software continues.
        self.refused = CSRStatus(16, description="Transfers that the core refused (SLVERR), since reset: 0 as long as software keeps the rules.")
        self.sync += If((bus.b.valid & bus.b.ready & (bus.b.resp != 0)) | (bus.r.valid & bus.r.ready & (bus.r.resp != 0)),
                        self.refused.status.eq(self.refused.status + 1))
        name = f"{prefix}_{top}" if prefix else top
        self.specials += Instance(
            name, p_ClearAfter=int(clear_after), i_clk_i=ClockSignal("sys"), i_rst_ni=~ResetSignal("sys"),
            i_s_axi_awaddr=bus.aw.addr[:12], i_s_axi_awprot=bus.aw.prot, i_s_axi_awvalid=bus.aw.valid, o_s_axi_awready=bus.aw.ready,
            i_s_axi_wdata=bus.w.data, i_s_axi_wstrb=bus.w.strb, i_s_axi_wvalid=bus.w.valid, o_s_axi_wready=bus.w.ready,
            o_s_axi_bresp=bus.b.resp, o_s_axi_bvalid=bus.b.valid, i_s_axi_bready=bus.b.ready,
            i_s_axi_araddr=bus.ar.addr[:12], i_s_axi_arprot=bus.ar.prot, i_s_axi_arvalid=bus.ar.valid, o_s_axi_arready=bus.ar.ready,
            o_s_axi_rdata=bus.r.data, o_s_axi_rresp=bus.r.resp, o_s_axi_rvalid=bus.r.valid, i_s_axi_rready=bus.r.ready,
            o_irq_o=self.irq, **ports,
        )
        for line in (directory / f"{prefix + '_' if prefix else ''}moduli_rns.f").read_text().split():
            platform.add_source(str(directory / line))


class Modular(_Core):
    """Multiplication, exponentiation and inversion modulo a fixed P: moduli_rns_axi."""

    def __init__(self, platform, directory, prefix="", clear_after=False):
        _Core.__init__(self, platform, directory, "moduli_rns_axi", prefix, clear_after)


class Programs(_Core):
    """Programs over resident residues, such as scalar multiplication: moduli_rns_resident_axi. `random` takes 32 random bits per
    transfer, which must be fresh and secret."""

    def __init__(self, platform, directory, prefix="", clear_after=False):
        self.random = stream.Endpoint(WORDS)
        _Core.__init__(self, platform, directory, "moduli_rns_resident_axi", prefix, clear_after, i_random_valid_i=self.random.valid,
                       o_random_ready_o=self.random.ready, i_random_i=self.random.data)


def connect(soc, name, origin):
    """Maps the registers of a core that is a module of the SoC, uncached, and connects its interrupt to the CPU."""
    soc.bus.add_slave(name, getattr(soc, name).bus, SoCRegion(origin=origin, size=WINDOW, cached=False))
    soc.irq.add(name, use_loc_if_exists=True)


class RandomWords(LiteXModule):
    """Distributes the words of one source to cores and to the CPU, each word once. `sink` takes the source, `sources` are for cores, and the
    registers are for the CPU. Cores have priority."""

    def __init__(self, cores=1):
        self.sink = sink = stream.Endpoint(WORDS)
        self.sources = [stream.Endpoint(WORDS) for _ in range(cores)]
        self.ready = CSRStatus(1, description="A word is there.")
        self.word = CSRStatus(32, description="A random word, which is gone when it has been read; 0 while READY is 0.")
        # The CPU's word waits in a register, and was not offered to a core.
        held, kept, asked = Signal(), Signal(32), Signal(cores)
        self.comb += [
            self.ready.status.eq(held),
            self.word.status.eq(Mux(held, kept, 0)),
            asked.eq(Cat(*(source.ready for source in self.sources))),
            sink.ready.eq((asked != 0) | ~held),
        ]
        for k, source in enumerate(self.sources):
            # Only the first core that asks sees the word. It takes it in the same cycle.
            first = asked[:k] == 0 if k else 1
            self.comb += [source.data.eq(sink.data), source.valid.eq(sink.valid & source.ready & first)]
        self.sync += [
            If(self.word.we, held.eq(0), kept.eq(0)),
            If(sink.valid & ~held & (asked == 0), held.eq(1), kept.eq(sink.data)),
        ]


class SimulationWords(LiteXModule):
    """FOR SIMULATION ONLY: words of xorshift32 from a seed, which look random but can be predicted. Software can make it return zeros or
    nothing, to test what happens then. A device needs a true random source instead, with the same `source`."""

    def __init__(self, seed=0x6D6F6475):
        self.source = stream.Endpoint(WORDS)
        self.fault = CSRStorage(fields=[CSRField("zeros", description="All words are 0."), CSRField("silent", description="There are no words.")])
        state, first, second = Signal(32, reset=seed), Signal(32), Signal(32)
        self.comb += [
            first.eq(state ^ (state << 13)),
            second.eq(first ^ (first >> 17)),
            self.source.valid.eq(~self.fault.fields.silent),
            self.source.data.eq(Mux(self.fault.fields.zeros, 0, state)),
        ]
        self.sync += If(self.source.valid & self.source.ready, state.eq(second ^ (second << 5)))
