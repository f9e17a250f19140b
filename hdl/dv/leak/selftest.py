"""Tests the harness: it counts all registers, finds a planted leak where it is, and flips bits with the right effect."""

import random
import shutil
from statistics import NormalDist

from bench import build, measure
from experiments import Blinded, Product, assess, run
from registers import ALL
from simulate import BUILD, HDL, OPERATIONS, Failed
from welch import CERTAIN, t_value, threshold

# Sixteen flip-flops that toggle in each cycle if A is odd, and one that stores whether it is.
PLANTED = """
  (* keep *) logic [15:0] planted_q;
  logic odd_q;
  always_ff @(posedge clk_i) begin
    if (accepted) odd_q <= req_a_i[0];
    planted_q <= planted_q ^ {16{odd_q}};
    if (wipe_i) {planted_q, odd_q} <= '0;
  end
endmodule
"""
PLANTED_BITS = 17


def arithmetic(findings):
    """Compares Welch's t and the threshold with values that were computed by hand."""
    one, other = [3, 5, 7, 5], [1, 2, 1, 4]
    sums = [(len(values), sum(values), sum(value * value for value in values)) for values in (one, other)]
    # Means 5 and 2, variances 8/3 and 2: 3 / sqrt(2/3 + 1/2).
    findings.check(abs(t_value(*sums) - 3 / (7 / 6) ** 0.5) < 1e-12, "Welch's t of two small sets")
    same = (5, 10, 20), (5, 15, 45)
    findings.check(t_value(same[0], same[0]) == 0 and t_value(*same) == -CERTAIN, "classes in which all values are the same")
    # Two-sided quantiles of the normal distribution that doc/leakage.md names, and its statement about 4.5.
    right = all(abs(threshold(samples) - value) < 0.005 for samples, value in ((1, 2.576), (2_457, 4.61), (97_412, 5.32)))
    alarm = 1 - (1 - 2 * NormalDist().cdf(-4.5)) ** 97_412
    findings.check(right and round(alarm, 2) == 0.48, f"thresholds of 1, 2,457 and 97,412 samples; of the last, 4.5 is passed in {alarm:.2f} of all null tests")


def counted(bench, findings):
    """Compares Verilator's list of registers with Yosys's count: (core, registers, bits, bits by Yosys)."""
    ours, theirs = bench.bits(), bench.bits_by_yosys()
    groups = sorted({each.register.group for each in bench.registers})
    findings.check(ours == theirs, f"{bench.core.name()}: {len(bench.registers)} registers of {ours} bits in {', '.join(groups)}; {theirs} bits by Yosys")
    return f"{bench.top} {bench.core.prime}", len(bench.registers), ours, theirs


def flip(bench, findings):
    """Flips a bit of a factor as soon as it is in the loader: the answer must be that of the changed factor."""
    chooser, operation = random.Random("flip"), Product(bench)
    (index,) = (k for k, each in enumerate(bench.registers) if each.register.stage == "loader.buffer_q")
    unit, code = pow(bench.product, -1, bench.prime), OPERATIONS["multiply"] | 4
    lines = []
    for bit in range(bench.parameters["L"] - 1):
        first, second = chooser.randrange(bench.prime), operation.secret(chooser)
        lines.append(((0,), f"@{index}.0.{bit}.0 {code} {first:x} {second:x} = {first * (second ^ 1 << bit) * unit % bench.prime:x} 0"))
    measure(bench, lines, "flip")
    findings.check(True, f"{len(lines)} products with a bit of the second factor flipped in the loader are those of the flipped factor")


def planted(bench, findings, each):
    """Plants a register that toggles with A's lowest bit, in a window in which nothing else depends on A."""
    where = BUILD / "leak-planted"
    shutil.rmtree(where / "hdl", ignore_errors=True)
    shutil.copytree(HDL / "rtl", where / "hdl/rtl")
    path = where / "hdl/rtl/moduli_rns_requests.sv"
    text = path.read_text()
    if text.count("\nendmodule\n") != 1:
        raise Failed(f"{path.name} has not one end")
    path.write_text(text.replace("\nendmodule\n", PLANTED))
    other = build(bench.core, where / "hdl", where)
    findings.check(other.bits() == bench.bits() + PLANTED_BITS, f"a register that was planted is counted: {other.bits()} bits")
    operation = Blinded(other)
    operation.name += ", a leak planted"
    measured, chosen, _ = run(operation, each, ("1",), stages=True)
    for result in assess(operation, measured, chosen, each, ("inside", "inside, from the end")):
        over = {name: len(result.tested.over(name)) for name in result.tested.curves if name != ALL}
        cycles = len(result.tested.curves[ALL][0])
        seen, others = over.pop("requests.planted_q"), sum(over.values())
        wanted = cycles if result.secret == "1" else 0
        findings.check((seen, others) == (wanted, 0), f"{operation.name}, {result.window.name}, secret {result.secret}: {seen} of {cycles} samples of it, "
                                                      f"{others} of other registers; {wanted} and 0 wanted")
