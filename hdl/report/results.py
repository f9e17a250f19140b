"""Reads the committed results, and formats them."""

import json
from pathlib import Path

HERE = Path(__file__).resolve().parent
SYNTHESIS = HERE.parent / "syn/results"
NAMES = {
    "fermat": "FLT, best window", "fermat-binary": "FLT, square and multiply", "binary": "BMI", "binary-ternary": "BTMI",
    "wide": "wide, Q = 144", "divstep": "division steps",
}
METHODS = {**NAMES, "fermat": "FLT"}
ORDER = ("fermat", "binary", "binary-ternary", "wide", "divstep")
FIELDS = (192, 256, 384, 521)
MAIN = ("P-256", 8, 33)
KINDS = ("lut", "ff", "carry", "lutram", "dsp", "bram")
FAMILIES = (("xc5v", "Virtex-5"), ("xc7", "7 series"), ("ecp5", "ECP5"))
MISSING = "not measured"


def load(path):
    return json.loads(path.read_text()) if path.exists() else None


def table(head, rows):
    line = lambda cells: "| " + " | ".join(str(cell) for cell in cells) + " |"
    return "\n".join([line(head), line(["---"] * len(head)), *map(line, rows)]) + "\n"


class Results:
    def __init__(self):
        self.cycles = load(HERE / "cycles.json") or []
        self.mod3 = load(SYNTHESIS / "mod3.json")
        self.memories = load(HERE / "memories.json") or {}
        self.area = load(SYNTHESIS / "area.json")
        self.resident = load(SYNTHESIS / "resident.json")
        self.protected = load(SYNTHESIS / "protected.json")
        self.placed = {}
        for path in sorted(SYNTHESIS.glob("ecp5-*.json")):
            run = load(path)
            self.placed[run["results"]["core"]] = {**run["results"], "commit": run["commit"]}

    def core(self, bits, channels, width, method, contexts=1):
        wanted = (bits, channels, width, method, contexts)
        keys = ("bits", "channels", "width", "method", "contexts")
        return next((entry for entry in self.cycles if tuple(entry[key] for key in keys) == wanted), None)

    def shape(self, prime, channels, width, multiply=True):
        """{method: areas} of the complete cores of a shape, or of those that only invert."""
        rows = self.area["results"] if self.area else []
        return {row["method"]: row for row in rows if row["multiply"] == multiply and (row["prime"], row["channels"], row["width"]) == (prime, channels, width)}

    def whole(self, multiply=True):
        """{method: areas} of the main shape."""
        return self.shape(*MAIN, multiply)

    def shapes(self):
        """The shapes with results for both BMI and BTMI."""
        rows = self.area["results"] if self.area else []
        found = dict.fromkeys((row["prime"], row["channels"], row["width"]) for row in rows if row["multiply"])
        return sorted((shape for shape in found if {"binary", "binary-ternary"} <= self.shape(*shape).keys()),
                      key=lambda shape: (int(shape[0].removeprefix("P-")), shape[1]))

    def mhz(self, entry):
        placed = self.placement(entry)
        return placed and placed["median_mhz"]

    def placement(self, entry):
        """The results of placement of the core itself, or None."""
        inversion = "fermat" if entry["method"].startswith("fermat") else entry["method"]
        name = f"{entry['prime']}-{entry['channels']}x{entry['width']}-{inversion}"
        name += f"-contexts{entry['contexts']}" if entry["contexts"] > 1 else ""
        return self.placed.get(name)


def span(values, digits=1):
    return f"{values[0]:.{digits}f}" if len(values) == 1 else f"{min(values):.{digits}f} to {max(values):.{digits}f}"


def seeds_of(core):
    count = len(core["runs"])
    return "one seed" if count == 1 else f"{count} seeds"


def with_range(middle, values, digits=1):
    """A median as text, with the range if there are several values."""
    return f"{middle:.{digits}f}" + (f" ({span(values, digits)})" if len(values) > 1 else "")
