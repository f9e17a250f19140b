"""The result of an integration, and functions that the integrations share."""

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
    """The results of tests before and after, the speed-ups, the baseline, and what is wrong."""

    before: str
    after: str
    faster: str
    baseline: str
    wrong: str = ""


def compared(before, after, baseline):
    """The Result of tests without and with moduli, each given as the number that passed and the names that failed."""
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
    """Replaces texts in a file. Each must occur exactly once."""
    text = file.read_text(encoding="utf-8")
    for old, new in pairs:
        if text.count(old) != 1:
            raise SystemExit(f"integrations: {file} has {text.count(old)} times: {old}")
        text = text.replace(old, new)
    file.write_text(text, encoding="utf-8")


def ratios(found):
    """Text that says how many times faster each operation is: the median and the distance of the quartiles."""
    return ", ".join(f"{name} {ratio:.1f} ± {spread:.1f}" for name, (ratio, spread) in found.items())


def environment():
    """The environment of the programs. moduli gets one thread, because the other libraries use one."""
    return {**os.environ, "RAYON_NUM_THREADS": "1"}


def last_line(text):
    """The last line of a failed tool's output, which usually has the reason."""
    return (re.sub(r"\x1b\[[0-9;]*m", "", text).strip().splitlines() or ["it said nothing"])[-1]
