"""Builds a system with LiteX that signs: VexRiscv, a core for programs with the scalar multiplication of a curve, and a core for arithmetic
modulo the order of its points. Runs the application in app/ under Verilator, and has OpenSSL verify the signatures.

    soc.py [--curve P-256] [--signatures 3] [--batch 12] [--seed N]      builds and runs
    soc.py --build-only                                                 writes Verilog, headers and the application into hdl/build/soc-CURVE
    soc.py test                                                         builds, runs, and checks that doc/soc.md agrees with this run
    soc.py find                                                         ends with 1 if there is no compiler for RISC-V
    soc.py page                                                         builds, runs, and writes the results into doc/soc.md
    soc.py check                                                        checks that doc/soc.md agrees with the last run of `page`

It needs the tools of `make hdl-tools`, LiteX (requirements.txt here) and a GCC for RISC-V, such as Debian's gcc-riscv64-unknown-elf.
"""

import argparse
import logging
import os
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
HDL = HERE.parent
sys.path[:0] = [str(HDL / "dv")]

import report  # noqa: E402
from resident import BLINDING, CURVES, Core, completion  # noqa: E402
from signature import GENERATORS, write  # noqa: E402
from simulate import BUILD, MODULI, Failed, Core as Arithmetic, compiler, object_cache, program, run, told, verilator  # noqa: E402

CURVE_ORIGIN, ORDER_ORIGIN = 0x9000_0000, 0x9000_1000
CLOCK = 100e6  # the frequency from which LiteX computes times; nothing here depends on it
# The prefixes of compilers for which LiteX looks.
TRIPLES = ("riscv64-unknown-elf", "riscv32-unknown-elf", "riscv-none-elf", "riscv64-elf", "riscv32-elf")
APPLICATION = ("main.c", "ecdsa.c", "numbers.c", "sha256.c", "runtime.c")
DRIVER = ("moduli_rns_driver.c", "moduli_rns_resident_driver.c")


def gcc():
    """The path of the compiler, or None."""
    return next((found for triple in TRIPLES if (found := shutil.which(f"{triple}-gcc"))), None)


def words(value, count):
    return ", ".join(f"0x{value >> 32 * k & 0xFFFFFFFF:08x}u" for k in range(count))


def cores(name, width, channels, place):
    """Writes both cores: that of the curve, and that of the order of its points."""
    curve = Core(name, width, channels, ("weierstrass",), ("--curve", name, "--blinding", str(BLINDING[name])))
    order = Arithmetic(f"{CURVES[name][3]:x}", width, channels, "binary-ternary", contexts=4, blind=True)
    write(curve, place / "curve")
    run([MODULI, "hdl", *order.choice(), *order.generated(), "--rtl", HDL / "rtl", "--prefix", "order", "-o", place / "order", "--force"])


def constants(name, given):
    """The application's header with the constants of the curve."""
    n, bits = CURVES[name][3], BLINDING[name]
    size = (n.bit_length() + 31) // 32
    x, y = GENERATORS[name]
    return "\n".join([
        f"/* {name}. Written by soc.py. */", "#include <stdint.h>", f'#define CURVE_NAME "{name}"', f"#define WORDS {size}u",
        f"#define BLINDING_WORDS {bits // 32}u", f"#define SIGNATURES {given.signatures}u", f"#define BATCH {given.batch}u",
        f"/* The lowest word of what the core adds to a blinded scalar, in multiples of the order. */",
        f"#define COMPLETION 0x{completion(n, bits)[0] & 0xFFFFFFFF:08x}u",
        *(f"static const uint32_t {label}[WORDS] = {{{words(value, size)}}};" for label, value in (("ORDER", n), ("GENERATOR_X", x), ("GENERATOR_Y", y))),
    ]) + "\n"


def system(given, place):
    """Builds the system with LiteX."""
    from litex.build.generic_platform import Pins, Subsignal
    from litex.build.io import CRG
    from litex.build.sim import SimPlatform
    from litex.soc.integration.common import get_mem_data
    from litex.soc.integration.soc_core import SoCCore
    from moduli_litex import Modular, Programs, RandomWords, SimulationWords, connect

    class Platform(SimPlatform):
        """Builds only Verilog. The sockets and terminals that LiteX's own simulation links are not needed."""

        def __init__(self):
            byte = [Subsignal(f"{way}_{name}", Pins(size)) for way in ("source", "sink") for name, size in (("valid", 1), ("ready", 1), ("data", 8))]
            SimPlatform.__init__(self, "SIM", [("sys_clk", 0, Pins(1)), ("serial", 0, *byte)])

        def build(self, fragment, build_dir, build_name="sim", **options):
            before = os.getcwd()
            os.chdir(build_dir)
            try:
                self.finalize(fragment)
                output = self.get_verilog(fragment, name=build_name)
                output.write(f"{build_name}.v")
            finally:
                os.chdir(before)
            return output.ns

    class System(SoCCore):
        def __init__(self):
            platform = Platform()
            SoCCore.__init__(self, platform, clk_freq=CLOCK, cpu_type="vexriscv", cpu_variant=given.cpu_variant, integrated_rom_size=0x10000,
                             integrated_sram_size=0x4000, uart_name="sim", timer_uptime=True, ident="moduli")
            self.crg = CRG(platform.request("sys_clk"))
            self.words = SimulationWords(given.seed)
            self.random = RandomWords(cores=1)
            self.curve = Programs(platform, place / "curve")
            self.order = Modular(platform, place / "order", prefix="order")
            self.comb += [self.words.source.connect(self.random.sink), self.random.sources[0].connect(self.curve.random)]
            connect(self, "curve", CURVE_ORIGIN)
            connect(self, "order", ORDER_ORIGIN)

        def init_mems(self, **options):
            """LiteX needs the contents of the ROM here. The headers exist by now, so the application can be compiled."""
            self.init_rom("rom", get_mem_data(str(application(self, given, place)), data_width=32, endianness=self.cpu.endianness))

    return System()


def application(soc, given, place):
    """Compiles app/ and the driver with LiteX's start-up code, linker script and headers."""
    import litex.soc

    software = Path(litex.soc.__path__[0]) / "software"
    processor = software.parent / "cores/cpu/vexriscv"
    headers = place / "software/include"
    (headers / "curve.h").write_text(constants(given.curve, given))
    binary, compile_with = place / "application", gcc()
    options = [*soc.cpu.gcc_flags.split(), "-std=gnu11", "-O2", "-g", "-Wall", "-Wextra", "-Werror", "-ffreestanding", "-fno-builtin", "-ffunction-sections",
               *(f"-I{path}" for path in (headers, HDL / "sw", HERE / "app", software / "include", processor))]
    # The linker script puts the file with this name first.
    start = place / "crt0.o"
    run([compile_with, *options, "-c", "-o", start, processor / "crt0.S"])
    sources = [*(HERE / "app" / name for name in APPLICATION), *(HDL / "sw" / name for name in DRIVER)]
    run([compile_with, *options, "-nostdlib", "-Wl,--gc-sections", "-T", software / "bios/linker.ld", f"-L{headers}", "-o", f"{binary}.elf", start, *sources, "-lgcc"])
    run([compile_with.removesuffix("gcc") + "objcopy", "-O", "binary", f"{binary}.elf", f"{binary}.bin"])
    return binary.with_suffix(".bin")


def build(given):
    """Builds the simulator."""
    from litex.soc.integration.builder import Builder

    logging.disable(logging.INFO)

    place = BUILD / f"soc-{given.curve}"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    cores(given.curve, given.width, given.channels, place)
    soc = system(given, place)
    builder = Builder(soc, output_dir=str(place), compile_software=False, compile_gateware=False)
    builder.build(build_name="sim")
    if given.build_only:
        return None
    sources = [str(source[0]) for source in soc.platform.sources]
    packages = [name for name in sources if name.endswith("_pkg.sv")]
    rest = [name for name in sources if name not in packages and not name.endswith(".init")]
    run([verilator(), "--cc", "--exe", "--build", "-O3", "--assert", "-Wno-fatal", "--x-assign", "fast", "--x-initial", "unique", "--output-split", "0", "-j", "2",
         *compiler(), "--Mdir", place / "obj", "-o", place / "simulator", "--top-module", "sim", *packages, *rest, place / "gateware/sim.v", HERE / "main.cpp"],
        env={**os.environ, **object_cache()}, cwd=place / "gateware")
    return place


def main():
    if sys.argv[1:] == ["find"]:
        return 0 if gcc() else 1
    if sys.argv[1:] == ["check"]:
        return report.check()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=("test", "page"))
    parser.add_argument("--curve", choices=GENERATORS, default="P-256")
    parser.add_argument("--width", type=int, default=33, help="bits of a channel")
    parser.add_argument("--channels", type=int, default=8)
    parser.add_argument("--cpu-variant", default="standard")
    parser.add_argument("--signatures", type=int, default=3)
    parser.add_argument("--batch", type=int, default=12, help="inversions")
    parser.add_argument("--seed", type=lambda text: int(text, 0), default=0x6D6F6475, help="of the words that stand in for random ones")
    parser.add_argument("--build-only", action="store_true")
    given = parser.parse_args()
    if not gcc():
        raise Failed(f"no compiler for RISC-V is on PATH: one of {', '.join(f'{triple}-gcc' for triple in TRIPLES)}")
    place = build(given)
    if place is None:
        return 0
    said = run([place / "simulator"], cwd=place / "gateware", timeout=1200)
    (place / "said").write_text(said)
    found = report.read(said, given.curve, given.signatures, given.batch)
    import words_test

    for right, what in words_test.right():
        found.check(right, what)
    if found.run:
        found.run |= {"width": given.width, "channels": given.channels}
        if given.what == "page" and all(right for right, _ in found.checks):
            report.write(found)
        elif given.what == "test":
            report.agree(found)
    passed, failed = found.told()
    return told(passed, failed)


if __name__ == "__main__":
    program(main)
