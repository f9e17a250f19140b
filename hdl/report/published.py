"""Tables of our methods of inversion, and of those that others published."""

from results import FAMILIES, MAIN, METHODS, ORDER, table, with_range

FIXED = {"fermat": "yes, but 0", "divstep": "yes"}
# Design, device, operation, cycles, µs, cells, whether the time is the same for every operand, and the source of the figures. A
# dash means that no accessible source gives the value.
OTHERS = (
    ("BMI, Bigou and Tisserand, CHES 2013", "Virtex-5", "inversion, RNS", "–", "–", "–", "no",
     "abstract: 6 to 10 times faster than FLT in a similar area; the paper of 2016 says 6 to 12. Its cycles could not be verified"),
    ("BTMI, Bigou and Tisserand, TC 2016", "Virtex-5", "inversion, RNS", "–", "–", "2 to 4 % above BMI", "no",
     "text and Table IV: 30 % faster than BMI at the same clock; its Figure 5 has no numbers"),
    ("CT-IMI", "FPGA, part not verified", "inversion, integers", "–", "2.56", "4.2k LUT, 1.8k FF", "yes",
     "preprint *High-Performance Accelerator for Constant-Time Cross-Domain Integer and Montgomery Inversion on FPGA*, abstract"),
    ("CT-CMMI", "FPGA, part not verified", "inversion, Montgomery forms", "–", "2.45", "2.7k LUT, 1.6k FF", "yes", "the same"),
    ("Sreedhar, Horowitz, Torng, TCHES 2022/4", "16 nm ASIC, 4.55 GHz", "inversion, 255 bits", "399", "0.088", "0.059 mm²", "yes",
     "table of the authors' repository `kavyasreedhar/sreedhar-xgcd-hardware-ches2022`; the abstract says 85 ns"),
    ("Guillermin, CHES 2010", "–", "scalar multiplication, RNS, inversion by FLT", "–", "–", "–", "–",
     "what it does is cited from the paper of 2016; its figures could not be verified"),
)


def side_by_side(results):
    """The table of methods at the main shape, placed on ECP5 and as counted by Yosys."""
    rows = []
    prime, channels, width = MAIN
    for method in ORDER:
        entry = results.core(256, channels, width, method)
        if not entry:
            continue
        core, area = results.placement(entry), results.whole().get(method, {})
        mhz = [run["mhz"] for run in core["runs"]] if core else []
        used = core["runs"][0]["used"] if core else {}
        rows.append([
            METHODS[method], f"{entry['cycles']:.0f}", with_range(core["median_mhz"], mhz, 0) if core else "–",
            with_range(entry["cycles"] / core["median_mhz"], [entry["cycles"] / each for each in mhz]) if core else "–",
            " / ".join(str(area[family]["total"]["lut"]) if family in area else "–" for family, _ in FAMILIES),
            used.get("TRELLIS_COMB", "–"), used.get("MULT18X18D", "–"), used.get("DP16KD", "–"), FIXED.get(method, "no"),
        ])
    names = ", ".join(name for _, name in FAMILIES)
    head = ["method", "cycles", "MHz", "µs", f"LUT: {names}", "COMB", "DSP", "block RAM", "constant-time"]
    return table(head, rows)


def others(results):
    rows = []
    cycles = results.memories.get("programs", {}).get("weierstrass")
    resident = results.resident and results.resident["results"]
    if cycles and resident and resident.get("runs"):
        used = resident["runs"][0]["used"]
        rows.append(["ours for programs, beside the last line", f"ECP5, {with_range(resident['median_mhz'], [run['mhz'] for run in resident['runs']], 0)} MHz",
                     "scalar multiplication, P-256, RNS", cycles, f"{cycles / resident['median_mhz']:.0f}",
                     f"{used['TRELLIS_COMB']} COMB, {used['MULT18X18D']} DSP, {used['DP16KD']} block RAM", "yes",
                     "formula of `../model`, to which the tests hold every run; `../syn/results/resident.json`"])
    head = ["design", "device", "what", "cycles", "µs", "cells", "constant-time", "source"]
    return table(head, [*rows, *OTHERS])
