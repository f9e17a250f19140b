"""What every integration hands back, and what they share."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


class Unavailable(Exception):
    """A package could not be installed, or a tool is missing."""


@dataclass
class Result:
    """What became of one."""

    before: str
    after: str
    faster: str
    baseline: str
    wrong: str = ""


def compared(before, after, baseline):
    """The result of tests as the package is and with moduli: for each how many passed and the names of the others."""
    result = Result(told(before), told(after), "", baseline)
    if before != after:
        result.wrong = f"as it is: {before}; with moduli: {after}"
    return result


def told(outcome):
    passed, failed = outcome
    if not passed and not failed:
        return "none"
    return f"{passed} ({len(failed)} fail)" if failed else str(passed)


def change(file, pairs):
    """Replaces texts in a file, each of which has to be there once."""
    text = file.read_text(encoding="utf-8")
    for old, new in pairs:
        if text.count(old) != 1:
            raise SystemExit(f"integrations: {file} has {text.count(old)} times: {old}")
        text = text.replace(old, new)
    file.write_text(text, encoding="utf-8")


def ratios(found):
    """Text of the times faster: the median and the distance of the quartiles of each operation."""
    return ", ".join(f"{name} {ratio:.1f} ± {spread:.1f}" for name, (ratio, spread) in found.items())


def environment():
    """That of the programs here, with one thread for moduli: the others have one."""
    return {**os.environ, "RAYON_NUM_THREADS": "1"}


def last_line(text):
    """Of what a tool said why it failed."""
    return (re.sub(r"\x1b\[[0-9;]*m", "", text).strip().splitlines() or ["it said nothing"])[-1]
