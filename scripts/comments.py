"""Keeps comments within the width that .editorconfig gives for their language.

    comments.py            wraps the comments that have longer lines
    comments.py --check    fails if a comment has one

A line is long only if it could be broken: addresses and other long words stay. Comments after code, and examples
in comments, are not looked at.
"""

import fnmatch
import re
import subprocess
import sys
from pathlib import Path

from prose import broken

ROOT = Path(__file__).resolve().parents[1]
# The comments of each language that begin a line, or are within /* and */.
MARKS = dict.fromkeys(("rs", "sv", "v", "c", "h", "cpp", "js", "mjs", "ts", "go", "java"), re.compile(r"(\s*)(//[/!]?|\*|/\*\*?)( +)(?=\S)"))
MARKS |= dict.fromkeys(("py", "sh", "toml", "yml"), re.compile(r"(\s*)(#)( +)(?=\S)"))
# Lines that begin an item of a list, a table or code.
ALONE = re.compile(r"[-|@<>]| {2,}|\d+\.|```")
# Lines with columns.
COLUMNS = re.compile(r"\S {3,}\S")


def widths():
    """The width of each pattern of names, the last that fits first."""
    pattern, found = None, []
    for line in (ROOT / ".editorconfig").read_text().splitlines():
        if section := re.fullmatch(r"\[(.*)\]", line):
            pattern = section[1]
        elif width := re.fullmatch(r"max_line_length = (\d+)", line):
            found.insert(0, (pattern, int(width[1])))
    return found


def is_long(line, mark, width):
    """Whether it is a comment that is too long, and has a blank where it can be broken."""
    match = mark.match(line)
    return bool(match) and len(line) > width and " " in line[match.end() : width + 1] and not COLUMNS.search(line) and line[match.end()] != "|"


def wrapped(line, rest, mark, width):
    """The lines of a comment that is too long, with as many of the lines after it as it runs into; and how many these are."""
    indent, opening, blanks = mark.match(line).groups()
    following = {"/*": " *", "/**": " *"}.get(opening, opening)
    words, used = line[len(indent + opening + blanks) :].split(), 0
    closes = words[-1] == "*/"
    for other in rest:
        match = mark.match(other)
        if closes or not match or match.groups() != (indent if following == opening else indent + " ", following.strip(), blanks):
            break
        text = other[match.end() :]
        if ALONE.match(text) or text.startswith("*/"):
            break
        words, used = words + text.split(), used + 1
        closes = words[-1] == "*/"
    if closes:
        words[-2:] = [" ".join(words[-2:])]
    return broken(words, indent + opening + blanks, indent + following + blanks, width), used


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    names = subprocess.run(["git", "-C", str(ROOT), "ls-files"], check=True, capture_output=True, text=True).stdout.split("\n")
    known, wrong = widths(), 0
    for name in names:
        mark, path = MARKS.get(name.rsplit(".", 1)[-1]), ROOT / name
        if not mark or not path.exists():
            continue
        width = next(width for pattern, width in known if fnmatch.fnmatch(path.name, pattern))
        lines, out, number, is_code = path.read_text().split("\n"), [], 0, False
        while number < len(lines):
            line = lines[number]
            number += 1
            match = mark.match(line)
            is_code = bool(match) and is_code != line[match.end() :].startswith("```")
            if is_code or not is_long(line, mark, width):
                out.append(line)
                continue
            wrong += 1
            print(f"{name}:{number}: a comment of {len(line)} characters; {width} are allowed")
            made, used = wrapped(line, lines[number:], mark, width)
            out += made
            number += used
        if not sys.argv[1:] and out != lines:
            path.write_text("\n".join(out))
    return 1 if wrong and sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
