"""Draws block diagrams of the core, of a Rower and of the core for programs as SVG, from the descriptions below. `missing` compares
these with the sources."""

from html import escape

import chart
import rtl

LINE = 14


class Box:
    """A unit of a module, or a part without a module, at x and y from the corner of the box around it. `inner` are the units in it, `instead`
    modules that can replace it. Wires refer to it by the end of its module's name, or by `name`."""

    def __init__(self, module, x, y, width, height, *notes, inner=(), instead=(), name=None):
        self.modules = [f"moduli_rns{each}" for each in ([] if module is None else [module, *instead])]
        self.width, self.height, self.notes, self.inner = width, height, notes, inner
        self.x, self.y, self.name = x, y, name if module is None else name or module
        for box in inner:
            box.move(x, y)

    def move(self, x, y):
        self.x, self.y = self.x + x, self.y + y
        for box in self.inner:
            box.move(x, y)

    def all(self):
        yield self
        for box in self.inner:
            yield from box.all()

    def side(self, where, part):
        """A point on an edge, at `part` of its length from the left or the top."""
        across = self.x + part * self.width, self.y + part * self.height
        return {"top": (across[0], self.y), "bottom": (across[0], self.y + self.height),
                "left": (self.x, across[1]), "right": (self.x + self.width, across[1])}[where]


def row(y, height, width, *units, x=8):
    """Boxes for units side by side, each given as (module, note, …)."""
    step = (width - 2 * x) / len(units)
    return [Box(name, x + k * step, y, step - 6 * (k < len(units) - 1), height, *notes) for k, (name, *notes) in enumerate(units)]


# A wire has the two ports that it joins (empty for a part without ports), the unit and edge where it begins and those where it
# ends, the place of its middle part, and its label, with a position relative to its begin if the usual one does not fit.
def channels(y):
    """The boxes of the Rowers and of the Cox."""
    return [
        Box("_rower", 20, y + 20, 150, 60, "channel 0"), Box("_rower", 194, y + 20, 150, 60, "channel 1", name="second"),
        Box(None, 348, y + 32, 24, 30, "…"), Box("_rower", 380, y + 20, 150, 60, "channel n − 1", name="last"),
        Box("_cox", 644, y, 240, 100, "quotient; value modulo 2^A2, 3^A3", inner=row(52, 36, 240, ("_mod3",), ("_mod9",))),
    ]


def unloader(x, y):
    return Box("_unloader", x, y, 420, 90, "Σ digit · M_i − q · M: an integer again", inner=[
        Box("_rom_out", 8, 42, 160, 40), Box("_digit_product", 176, 42, 236, 40, inner=[Box("_tile", 150, 6, 78, 28)])])


AROUND = [
    ("_rower.top_o", "_cox.tops_i", ("last", "right", .22), ("_cox", "left", .332), None, ("top bits", 6, -4)),
    ("_rower.low_o", "_cox.lows_i", ("last", "right", .52), ("_cox", "left", .512), None, ("low bits", 6, -4)),
    ("_rower.threes_o", "_cox.threes_i", ("last", "right", .82), ("_cox", "left", .692), None, ("mod 3, 9", 6, -4)),
    ("_rower.ring_o", "_rower.ring_i", ("second", "left", .5), ("_rower", "right", .5), None, ""),
    ("_rower.ring_o", "_rower.ring_i", ("_rower", "bottom", .8), ("last", "bottom", .5), None, "ring: each to the one before, the first to the last"),
    ("_rower.ring_o", "_unloader.digit_i", ("_rower", "bottom", .6), ("_unloader", "top", .2143), None, ("digits", 6, 44)),
]
# The wrappers with ports around the core.
WRAPPERS = sorted(outer.removeprefix("moduli_rns") for outer, inner in rtl.instances() if inner == "moduli_rns")
PICTURES = {
    "figure-3": ("The core. Names without moduli_rns_ before them", Box(WRAPPERS[0], 12, 34, 936, 840, "in builds that want another port", instead=WRAPPERS[1:], inner=[
        Box("", 16, 44, 904, 780, inner=[
            Box("_requests", 20, 36, 568, 76, "one operation after the other,", "and what follows an inversion", inner=[
                Box("_arrival", 214, 12, 158, 52, "operands as they came"), Box("_loader", 380, 12, 172, 52, "reduces; digits, top first")]),
            Box("_clear", 690, 36, 194, 50, "wipes registers"),
            Box("_control", 16, 128, 872, 252, inner=[
                Box("_inverter", 8, 38, 272, 104, "plus-minus steps: BMI, BTMI, wide",
                    inner=row(46, 50, 272, ("_decide", "divisor, swap"), ("_addend", "address of it"))),
                Box("_division_steps", 300, 38, 272, 104, "in its place: division steps",
                    inner=row(46, 50, 272, ("_words", "low words"), ("_matrix", "of a jump"))),
                Box("_products", 592, 38, 272, 104, "Montgomery products, powers, Fermat",
                    inner=row(46, 50, 272, ("_product_issues", "schedule"), ("_rom_program", "P − 2"))),
                Box("_product_twin", 364, 158, 208, 86, "with a guard: must do the same", inner=[Box("_products", 24, 40, 160, 40, "control alone", name="twin")]),
            ]),
            *channels(456),
            Box("_responses", 16, 582, 872, 182, inner=[
                unloader(4, 46),
                Box("_redundant", 624, 12, 240, 92, "an option: modulo 2^w − 1, checks", inner=row(44, 40, 240, ("_multiply",), ("_reduce",), ("_rom_ext",))),
                Box("_release", 624, 130, 240, 44, "looks at results before they leave"),
            ]),
        ]),
        Box("_axi_port", 560, 4, 180, 36, "handshakes of AXI4-Lite")]), [
        ("moduli_rns.req_a_i", "_requests.req_a_i", ("", "left", .07), ("_requests", "left", .085), None, ""),
        ("_requests.digit_o", "_rower.digit_i", ("_requests", "left", .7), ("_rower", "left", .3), 38, ("digits", -4, 34)),
        ("_requests.load_valid_o", "_inverter.load_valid_i", ("_requests", "bottom", .1268), ("_inverter", "top", .25), None, ""),
        ("_requests.load_valid_o", "_division_steps.load_valid_i", ("_requests", "bottom", .6408), ("_division_steps", "top", .25), None, "operand ready"),
        ("_requests.load_valid_o", "_products.load_valid_i", ("_requests", "bottom", .88), ("_products", "top", .25), None, ""),
        ("_inverter.issue_o", "_rower.issue_i", ("_inverter", "bottom", .2), ("_rower", "top", .3893), None, "issue, addend"),
        ("_division_steps.jump_o", "_rower.jump_i", ("_division_steps", "bottom", .04), ("second", "top", .9), 474, ("issue, jump", -70, 16)),
        ("_products.product_o", "_rower.product_i", ("_products", "bottom", .15), ("last", "top", .5), 510, ("issue, product", 6, 20)),
        ("_cox.twos_o", "_inverter.twos_i", ("_cox", "top", .1), ("_inverter", "bottom", .8), 490, ""),
        ("_cox.quotient_o", "_products.quotient_i", ("_cox", "top", .567), ("_products", "bottom", .6323), None, ("q; value modulo Q", -112, -100)),
        *AROUND,
        ("_unloader.data_o", "moduli_rns.rsp_data_o", ("_unloader", "right", .75), ("", "right", .8917), None, ("response", 100, -5)),
        ("_redundant.residue_o", "_release.residue_i", ("_redundant", "bottom", .9), ("_release", "top", .9), None, ""),
        ("_unloader.lowest_o", "_release.digit_i", ("_unloader", "right", .95), ("_release", "left", .25), 540, ""),
        ("_unloader.data_o", "_requests.data_i", ("_unloader", "right", .3), ("_requests", "right", .5), 628, "to be checked or multiplied"),
    ]),
    "figure-4": ("A Rower, one of n", Box("_rower", 12, 34, 900, 440, inner=[
        Box(None, 20, 36, 160, 62, "files A and B", "U1, V1, U3, V3, …", name="files"),
        Box(None, 240, 36, 160, 62, "x", "A, B, A + B or A − B", name="x"),
        Box("_multiply", 630, 36, 250, 88, "x · constant, summed up", inner=[Box("_tile", 128, 42, 112, 38, "18 × 18")]),
        Box("_rom_mul", 240, 118, 160, 50, "inverses of divisors"),
        Box("_rom_ext", 420, 180, 160, 50, "of base extensions"),
        Box("_rom_add", 420, 246, 160, 50, "addends of divisions"),
        Box("_reduce", 630, 204, 250, 100, "folds 2^w to r", inner=row(44, 48, 250, ("_tile", "by r"), ("_times", "few bits by r"))),
        Box("_mod3", 630, 364, 120, 54, "modulo 3: BTMI"),
        Box("_mod9", 760, 364, 120, 54, "or modulo 9: wide"),
        Box(None, 20, 204, 160, 46, "the ring", name="ring"),
        Box(None, 20, 276, 160, 46, "= 1, = −1 ?", name="compare"),
    ]), [
        ("_rower.issue_i", "", ("_rower", "top", .11), ("files", "top", .494), None, ""),
        ("", "", ("files", "right", .5), ("x", "left", .5), None, ""),
        ("", "_multiply.x_i", ("x", "right", .3), ("_multiply", "left", .2114), None, "x below 2^(w+1)"),
        ("_rom_mul.data_o", "_multiply.constant_i", ("_rom_mul", "right", .3), ("_multiply", "left", .6), 560, ("constant", 6, -5)),
        ("_rom_ext.data_o", "_multiply.constant_i", ("_rom_ext", "right", .5), ("_multiply", "left", .85), 606, ""),
        ("_rom_add.data_o", "_reduce.addend_i", ("_rom_add", "right", .3), ("_reduce", "left", .57), None, ""),
        ("_multiply.sums_o", "_reduce.sums_i", ("_multiply", "bottom", .3), ("_reduce", "top", .3), None, "sums"),
        ("_reduce.wide_o", "_mod3.x_i", ("_reduce", "bottom", .24), ("_mod3", "top", .5), None, "below 2^(w+1)"),
        ("_reduce.wide_o", "_mod9.x_i", ("_reduce", "bottom", .76), ("_mod9", "top", .5), None, ""),
        ("_reduce.wide_o", "_rower.top_o", ("_reduce", "right", .5), ("_rower", "right", .577), None, ""),
        ("_mod9.r_o", "_rower.threes_o", ("_mod9", "right", .5), ("_rower", "right", .889), None, ""),
        ("_reduce.digit_o", "", ("_reduce", "left", .95), ("compare", "right", .5), 300, ("digit below 2^w", -340, -5)),
        ("_reduce.digit_o", "", ("_reduce", "left", .95), ("ring", "right", .5), 210, ""),
        ("_reduce.digit_o", "", ("_reduce", "left", .95), ("files", "right", .8), 210, ""),
    ]),
    "programs": ("The core for programs over resident residues", Box("_resident_axi", 12, 34, 936, 674, "in builds that want a port", inner=[
      Box("_axi_port", 560, 4, 180, 36, "handshakes of AXI4-Lite"),
      Box("_resident", 16, 48, 904, 610, inner=[
        Box("_resident_sequencer", 20, 36, 420, 92, "microcode; products interleaved", inner=[Box("_rom_words", 250, 30, 160, 50, "the programs")]),
        Box("_resident_scalar", 460, 36, 180, 92, "bits of a secret scalar"),
        Box("_clear", 690, 36, 194, 50, "wipes registers"),
        Box("_loader", 690, 100, 194, 50, "reduces; digits, top first"),
        Box("_resident_guard", 500, 160, 384, 102, "an option: must do the same, and end in time", inner=[
            Box("_resident_sequencer", 8, 42, 180, 48, "a second one", name="twin"), Box("_resident_scalar", 196, 42, 180, 48, "a second one", name="scalar")]),
        *channels(340),
        unloader(20, 490),
      ])]), [
        ("_resident_scalar.bit_o", "_resident_sequencer.bit_i", ("_resident_scalar", "left", .7), ("_resident_sequencer", "right", .7), None, ""),
        ("_resident_sequencer.issue_o", "_rower.issue_i", ("_resident_sequencer", "bottom", .15), ("_rower", "top", .42), None, "issue, product, addend"),
        ("_loader.digit_o", "_rower.digit_i", ("_loader", "left", .8), ("last", "top", .7), None, ("digits", -180, 15)),
        ("_cox.quotient_o", "_resident_sequencer.quotient_i", ("_cox", "top", .3), ("_resident_sequencer", "bottom", .8), 364, "quotient"),
        *AROUND,
        ("_unloader.data_o", "_resident.result_o", ("_unloader", "right", .5), ("_resident", "right", .877), None, ("result", 400, -5)),
    ]),
}


def missing():
    """Messages about units and wires that the pictures lack, or that the sources do not have."""
    boxes = [box for _, whole, _ in PICTURES.values() for box in whole.all()]
    known = rtl.modules()
    # A module that can replace another has some of its units.
    nested = [{(outer, within) for outer in box.modules for within in inner.modules} for box in boxes for inner in box.inner]
    drawn = {each for pairs in nested for each in pairs & rtl.instances() or pairs}
    named = {module for box in boxes for module in box.modules}
    found = [f"{name} is no module" for name in sorted(named - known.keys())]
    found += [f"{outer} has no {inner}" for outer, inner in sorted(drawn - rtl.instances())]
    found += [f"{inner} of {outer} is not drawn" for outer, inner in sorted(rtl.instances() - drawn)]
    found += [f"{name} is not drawn" for name in sorted(known.keys() - named)]
    for _, _, wires in PICTURES.values():
        for port in {port for wire in wires for port in wire[:2]} - {""}:
            module, _, name = ("moduli_rns" + port.removeprefix("moduli_rns")).partition(".")
            if module not in known or name not in rtl.ports(module):
                found.append(f"{module} has no port {name}")
    return found


def corners(start, side, end, other, middle):
    """The corners of an orthogonal line between two edges."""
    upright = [where in ("top", "bottom") for where in (side, other)]
    (x, y), (x2, y2) = start, end
    if all(upright) and abs(x - x2) < 3:
        return [start, (x, y2)]
    if not any(upright) and abs(y - y2) < 3:
        return [start, (x2, y)]
    if side == other == "bottom":
        between = [(x, max(y, y2) + 28), (x2, max(y, y2) + 28)]
    elif all(upright):
        between = [(x, middle), (x2, middle)] if middle is not None else [(x, (y + y2) / 2), (x2, (y + y2) / 2)]
    elif not any(upright):
        between = [(middle, y), (middle, y2)] if middle is not None else [((x + x2) / 2, y), ((x + x2) / 2, y2)]
    else:
        between = [(x, y2)] if upright[0] else [(x2, y)]
    return [start, *between, end]


def draw(title, whole, wires):
    width, height = whole.x + whole.width + 12, whole.y + whole.height + 12
    parts = [chart.opening(width, height), f'<text class="ink" x="12" y="22" font-size="14">{escape(title)}</text>',
             '<defs><marker id="end" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
             '<path class="head" d="M0 0 8 4 0 8z"/></marker></defs>']
    boxes = {}
    for box in whole.all():
        boxes.setdefault(box.name, box)
        shown = [" or ".join(module.removeprefix("moduli_rns_") for module in box.modules)] * bool(box.modules)
        if shown or box.name:
            kind = "outer" if box.inner else "unit" if shown else "part"
            parts.append(f'<rect class="{kind}" x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{box.height:g}" rx="4"/>')
        for k, line in enumerate([*shown, *(note for note in box.notes if note)]):
            weight = ' font-weight="bold"' if k < len(shown) else ""
            parts.append(f'<text class="ink" x="{box.x + 8:g}" y="{box.y + 17 + LINE * k:g}"{weight}>{escape(line)}</text>')
    for _, _, (name, side, part), (other, edge, share), middle, label in wires:
        start, end = boxes[name].side(side, part), boxes[other].side(edge, share)
        way = corners(start, side, end, edge, middle)
        parts.append(f'<polyline class="wire" points="{" ".join(f"{x:g},{y:g}" for x, y in way)}" marker-end="url(#end)"/>')
        if isinstance(label, tuple):
            parts.append(f'<text class="ink" x="{start[0] + label[1]:g}" y="{start[1] + label[2]:g}">{escape(label[0])}</text>')
        elif label:
            (x, y), (x2, y2) = max(zip(way, way[1:]), key=lambda pair: abs(pair[0][0] - pair[1][0]))
            at = (min(x, x2) + 6, y - 5) if y == y2 and x != x2 else (x + 6, (y + y2) / 2 + 4)
            parts.append(f'<text class="ink" x="{at[0]:g}" y="{at[1]:g}">{escape(label)}</text>')
    return "\n".join([*parts, "</svg>\n"])
