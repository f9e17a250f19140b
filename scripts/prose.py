"""Keeps prose within 100 characters per line, in paragraphs and lists of all pages.

    prose.py            wraps paragraphs and lists that have longer lines
    prose.py --check    fails if one of them has

Leaves code, tables, headings, and pages that other commands write unchanged.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WIDTH = 100
# Pages that commands write. Those commands determine their layout.
WRITTEN = re.compile(r"docs/(benchmarks|reproduction)/|docs/(trust|integrations|python-benchmarks)\.md|hdl/report/|hdl/doc/(resident-)?registers\.md")
FENCE = re.compile(r"\s*(```|~~~)")
# Lines that end a paragraph and are not wrapped: headings, tables, quotations, comments, link definitions, pictures.
ALONE = re.compile(r"\s*(#|\||>|<|\[[^\]]+\]:|!\[|---+$|\$\$)")
ITEM = re.compile(r"(\s*)([-*+]|\d+[.)]) +")
# Words that would begin a list, a heading or a quotation at the start of a line.
STARTS = re.compile(r"([-*+>=]|#+|\d+[.)]|\|.*)$")


def broken(words, first, rest, width=WIDTH):
    """Breaks words into lines of at most `width` characters. The first begins with `first`, the others with `rest`."""
    lines, line = [], first
    is_empty = True
    for index, word in enumerate(words):
        # A word that must not begin a line stays with the one before it.
        glued = word
        follows = index + 1
        while follows < len(words) and STARTS.match(words[follows]):
            glued += " " + words[follows]
            follows += 1
        if not is_empty and len(line) + 1 + len(glued) > width and not STARTS.match(word):
            lines.append(line)
            line, is_empty = rest, True
        line += word if is_empty else " " + word
        is_empty = False
    return [*lines, line]


def paragraphs(text):
    """The parts of a page: lines to be kept, or (first indent, other indents, lines) to be broken."""
    lines, part, fence, written = text.split("\n"), None, None, False
    for line in lines:
        opened = FENCE.match(line)
        if fence or opened or written:
            if part:
                yield part
            part = None
            if opened and not written:
                fence = None if fence and opened[1] == fence else fence or opened[1]
            written = written and not re.match(r"<!-- (.*\bend\b|to here)", line)
            yield line
            continue
        item = ITEM.match(line)
        if not line.strip() or ALONE.match(line):
            if part:
                yield part
            part = None
            written = bool(re.match(r"<!-- .*(written by|begin -->)", line))
            yield line
        elif item:
            if part:
                yield part
            part = (item[0], " " * len(item[0]), [line[len(item[0]) :]])
        elif part:
            part[2].append(line)
        else:
            indent = line[: len(line) - len(line.lstrip())]
            part = (indent, indent, [line])
    if part:
        yield part


def page(text):
    lines = []
    for part in paragraphs(text):
        if isinstance(part, str):
            lines.append(part)
            continue
        first, rest, inner = part
        whole = [first + inner[0].lstrip() if first.strip() else inner[0], *inner[1:]]
        # Two blanks at the end of a line are a line break in Markdown.
        if all(len(line) <= WIDTH for line in whole) or any(line.endswith("  ") for line in inner):
            lines += whole
        else:
            lines += broken(" ".join(line.strip() for line in inner).split(), first, rest)
    return "\n".join(lines)


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    names = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    wrong = []
    for name in names:
        path = ROOT / name
        if WRITTEN.match(name) or not path.exists():
            continue
        text = path.read_text(encoding="utf-8")
        made = page(text)
        if made != text:
            wrong.append(name)
            if not sys.argv[1:]:
                path.write_text(made, encoding="utf-8")
    if sys.argv[1:] and wrong:
        sys.exit(f"lines of more than {WIDTH} characters in {', '.join(wrong)}: run scripts/prose.py")
    print(f"{len(names)} pages: {'broken anew: ' + ', '.join(wrong) if wrong else 'no line too long'}")


if __name__ == "__main__":
    main()
