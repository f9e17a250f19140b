"""Checks figures that hand-written pages repeat: each must be there with the value of the committed results."""

import statistics

import decided
from results import FAMILIES, HERE, Results

HDL = HERE.parent
README, CHOOSING, FAULTS, THEORY, GUIDE, PAGE, CHANGES = (
    HDL / "README.md", HDL / "doc/choosing.md", HDL / "doc/faults.md", HDL / "doc/theory.md", HDL / "doc/programmers-guide.md", HERE / "page.md",
    HDL.parent / "CHANGELOG.md",
)


def sentences(results):
    """Yields (page, text that it must contain)."""
    entry = {method: results.core(256, 8, 33, method) for method in ("binary", "binary-ternary", "wide", "divstep", "fermat")}
    cycles = {method: each["cycles"] for method, each in entry.items()}
    placed = {method: results.placement(each) for method, each in entry.items()}
    micros = {method: cycles[method] / each["median_mhz"] for method, each in placed.items()}
    total = lambda method, family, multiply=True: results.whole(multiply)[method][family]["total"]
    more = lambda ours, base: f"{100 * (ours / base - 1):.1f} % more"
    lut = lambda method, family, multiply=True: total(method, family, multiply)["lut"]
    comb = lambda method: placed[method]["runs"][0]["used"]["TRELLIS_COMB"]
    over = {family: f"{100 * (lut('binary-ternary', family) / lut('binary', family) - 1):.1f} %" for family, _ in FAMILIES}
    count = lambda core: {3: "three", 5: "five"}.get(len(core["runs"]), str(len(core["runs"])))
    for method, each in placed.items():
        used = [f"{each['runs'][0]['used'][kind]:,}" for kind in ("TRELLIS_COMB", "TRELLIS_FF", "MULT18X18D", "DP16KD")]
        yield README, f"| `{method}` | {cycles[method]:,.0f} | {each['median_mhz']:.0f} | {' | '.join(used)} |"
    yield CHOOSING, f"takes {cycles['binary-ternary']:,.0f} cycles on average by binary-ternary steps"
    yield CHOOSING, f"and {cycles['divstep']:,.0f} by division steps"
    yield CHOOSING, f"a binary-ternary inversion takes {results.core(256, 8, 33, 'binary-ternary', 4)['cycles_overall']:.0f} cycles on average"
    yield CHOOSING, f"by {over['xc5v']} of the LUTs on Virtex-5 and {over['ecp5']} on ECP5"
    yield CHOOSING, f"On ECP5 it takes {more(lut('divstep', 'ecp5'), lut('binary-ternary', 'ecp5'))} LUT than binary-ternary"
    yield CHOOSING, f"takes {more(comb('divstep'), comb('binary-ternary'))} logic cells"
    yield CHOOSING, (f"inversion alone, it takes {more(lut('divstep', 'ecp5', False), lut('binary-ternary', 'ecp5', False))} LUT than binary-ternary on ECP5, "
                     f"and {total('divstep', 'ecp5', False)['bram']} block RAMs instead of {total('binary-ternary', 'ecp5', False)['bram']}")
    rams = {total(method, family)["bram"] for method in entry for family, _ in FAMILIES}
    rams |= {of["runs"][0]["used"]["DP16KD"] for of in placed.values()}
    alone = {total(method, family, False)["bram"] for method in ("binary", "binary-ternary") for family, _ in FAMILIES}
    yield CHOOSING, f"{min(rams)} to {max(rams)} block RAMs. A core built for inversion alone by `binary` or `binary-ternary` needs {' or '.join(map(str, sorted(alone)))}"
    yield CHOOSING, (f"placed on ECP5 at {placed['wide']['median_mhz']:.0f} MHz (median of {count(placed['wide'])} seeds), an inversion takes "
                     f"{micros['wide']:.1f} µs; with `binary-ternary` it takes {micros['binary-ternary']:.1f} µs at {placed['binary-ternary']['median_mhz']:.0f} MHz "
                     f"(median of {count(placed['binary-ternary'])} seeds). On ECP5, with ROMs from files, it takes {more(lut('wide', 'ecp5'), lut('binary-ternary', 'ecp5'))} "
                     f"LUT than `binary-ternary`, and {total('wide', 'ecp5')['bram']} block RAMs instead of {total('binary-ternary', 'ecp5')['bram']}")
    yield CHOOSING, f"| {cycles['fermat'] / cycles['binary']:.1f} times its cycles |"
    yield CHOOSING, f"| {cycles['divstep'] / cycles['binary']:.2f} of its cycles |"
    found = {shape: each for shape, each in decided.ends(results).items()}
    tops, all_runs = ([sum(len(mhz) for what, mhz in each.items() if what in wanted) for each in found.values()]
                      for wanted in ((decided.ENDS[0][0],), [what for what, _ in decided.ENDS]))
    yield CHOOSING, f"in {sum(tops)} of {sum(all_runs)} placements with 12 and 16 channels"
    requests = [sum(len(each[what]) for what, _ in decided.ENDS[1:3]) for each in found.values()]
    yield CHOOSING, f"in {sum(requests)} of them it ends in the requests, their loader or the unloader"
    saved, shapes = decided.saved_by_moduli(results)
    yield CHOOSING, f"at most {100 * saved:.1f} % of a core's LUTs in any of {shapes} shapes"
    parts = {part: (ours - base, base) for part, base, ours in decided.alone(results)}
    yield CHOOSING, (f"of {parts['LUT'][0]:,} LUTs more on ECP5, {parts['eight Rowers'][0]:,} are in the Rowers, {parts['of which the matrix'][0]} are the matrix and "
                     f"{parts['of which sums of words'][0]} the sums of words")
    yield CHOOSING, (f"{parts['block RAM of constants of base extensions'][0]} block RAMs hold the constants of base extensions, and "
                     f"{-parts['block RAM of addends'][0]} of addends are not needed")
    plain, channel, guard = ({"lut": row["total"]["lut"], "ff": row["total"]["ff"], **row} for row in results.protected["results"][:3])
    cost = lambda core, kind: more(core[kind], plain[kind])
    yield FAULTS, (f"which has {plain['lut']:,} LUTs, a channel takes {cost(channel, 'lut')} LUTs, {cost(channel, 'ff')} flip-flops, "
                   f"{channel['total']['dsp'] - plain['total']['dsp']} multipliers in addition to {plain['total']['dsp']} and "
                   f"{channel['total']['bram'] - plain['total']['bram']} block RAMs in addition to {plain['total']['bram']}")
    yield FAULTS, f"it is {cost(guard, 'lut')} LUTs and {cost(guard, 'ff')} flip-flops"
    yield FAULTS, f"a multiplication in Montgomery form takes {channel['cycles']} in place of {plain['cycles']} cycles"
    present = {row["core"]: row["total"] for row in results.protected["results"]}
    grown = [f"{100 * (present[f'P-256-8x33-{method}']['lut'] / lut(method, 'ecp5') - 1):.1f}" for method in ("fermat", "binary-ternary")]
    yield PAGE, f"FLT and BTMI, now have {' and '.join(grown)} % more LUTs"
    yield GUIDE, f"in place of {cycles['binary-ternary']:,.0f}"
    programs = results.memories["programs"]
    yield CHOOSING, f"{programs['weierstrass']:,} cycles for a scalar multiplication, and {programs['power']:,} for an exponentiation"
    yield THEORY, f"| {programs['weierstrass']:,}, for every scalar |"
    resident = results.resident["results"]
    cells = lambda of: f"{of['lut']:,} | {of['ff']:,} | {of['dsp']} | {of['bram']}"
    yield THEORY, f"| scalar multiplication and exponentiation | {cells(resident['ecp5']['total'])}, of which"
    yield THEORY, f"| `moduli_rns` with `fermat` | {cells(total('fermat', 'ecp5'))} |"
    mhz = [run["mhz"] for run in resident["runs"]]
    middle = statistics.median(mhz)
    yield THEORY, (f"with {count(resident)} seeds, the first core reaches {min(mhz):.0f} to {max(mhz):.0f} MHz, with a median of {middle:.0f} MHz. "
                   f"At the median, a scalar multiplication takes {programs['weierstrass'] / middle / 1000:.2f} ms.")
    yield CHANGES, f"reaches {min(mhz):.0f} to {max(mhz):.0f} MHz on ECP5"
    yield CHANGES, f"the same number of cycles for every operand ({cycles['divstep']:,.0f} for P-256"
    yield THEORY, f"| Fermat, best window, P-256 over 8 × 33 | {cycles['fermat']:,.0f} |"
    yield THEORY, f"| multiply, P-256 over 8 × 33 | {entry['binary']['multiply_cycles']} |"
    off = max(abs(run["mhz"] / core["median_mhz"] - 1) for core in results.placed.values() for run in core["runs"])
    yield PAGE, f"the farthest from its median is {100 * off:.1f} % off"


def wrong(results=None):
    """Messages about texts that a page lacks. Line ends do not matter."""
    joined = lambda page: " ".join(page.read_text().split())
    return [f"{page.relative_to(HDL.parent)} is to say: {words}" for page, words in sentences(results or Results()) if words not in joined(page)]
