"""Draws line charts as SVG, without a library."""

from html import escape
from math import ceil, floor, log10

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 70, 150, 40, 50
# Colours that are legible on white and on black.
COLOURS = ("#2f7fc1", "#d1495b", "#2a9d5c", "#a05cc0", "#c9861a", "#7a8794")
STYLE = """<style>
.paper{fill:#fff}.ink{fill:#1f2328}.grid{stroke:#ddd}.outer{fill:#0969da11;stroke:#57606a}.unit{fill:#0969da22;stroke:#57606a}
.part{fill:none;stroke:#57606a;stroke-dasharray:4}.wire{fill:none;stroke:#57606a}.head{fill:#57606a}
@media(prefers-color-scheme:dark){.paper{fill:#0d1117}.ink{fill:#e6edf3}.grid{stroke:#30363d}.outer{fill:#58a6ff18;stroke:#8b949e}
.unit{fill:#58a6ff30;stroke:#8b949e}.part,.wire{stroke:#8b949e}.head{fill:#8b949e}}
</style>"""


def opening(width, height):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" font-size="12">\n{STYLE}\n'
            f'<rect class="paper" width="{width:g}" height="{height:g}"/>')


def ticks(least, most):
    """Powers of ten and their halves and doubles that enclose a range."""
    steps = [factor * 10.0**power for power in range(floor(log10(least)), ceil(log10(most)) + 1) for factor in (1, 2, 5)]
    below = [step for step in steps if step <= least] or steps[:1]
    above = [step for step in steps if step >= most] or steps[-1:]
    return [step for step in steps if below[-1] <= step <= above[0]]


def linear(most):
    """Round numbers from 0 to at least `most`."""
    step = 10.0 ** floor(log10(most))
    step = next(step * factor for factor in (0.2, 0.5, 1, 2) if most / (step * factor) <= 8)
    return [step * k for k in range(ceil(most / step) + 1)]


def lines(title, across, up, series, logarithmic=False):
    """A chart of {name: [(x, y) or (x, y, least y, largest y), ...]}. Every x is marked on the axis."""
    xs = sorted({x for points in series.values() for x, *_ in points})
    ys = [y for points in series.values() for _, *each in points for y in each]
    marks = ticks(min(ys), max(ys)) if logarithmic else linear(max(ys))
    scale = log10 if logarithmic else float

    def at(x, y):
        left = LEFT + (x - xs[0]) / ((xs[-1] - xs[0]) or 1) * (WIDTH - LEFT - RIGHT)
        part = (scale(y) - scale(marks[0])) / (scale(marks[-1]) - scale(marks[0]))
        return left, HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM)

    parts = [
        opening(WIDTH, HEIGHT),
        f'<text class="ink" x="{LEFT}" y="20" font-size="14">{escape(title)}</text>',
        f'<text class="ink" x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">{escape(across)}</text>',
        f'<text class="ink" x="16" y="{HEIGHT / 2}" text-anchor="middle" transform="rotate(-90 16 {HEIGHT / 2})">{escape(up)}</text>',
    ]
    for mark in marks:
        _, y = at(xs[0], mark)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" class="grid"/>')
        parts.append(f'<text class="ink" x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{mark:g}</text>')
    for x in xs:
        left, _ = at(x, marks[0])
        parts.append(f'<text class="ink" x="{left:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{x:g}</text>')
    labels = []
    for (name, points), colour in zip(series.items(), COLOURS):
        points = sorted(points)
        places = [at(*point[:2]) for point in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places]
        for x, _, *ends in points:
            if ends:
                (left, low), (_, high) = (at(x, end) for end in ends)
                bar = f"M{left:.1f} {low:.1f}V{high:.1f}M{left - 4:.1f} {low:.1f}h8M{left - 4:.1f} {high:.1f}h8"
                parts.append(f'<path d="{bar}" stroke="{colour}" fill="none"/>')
        labels.append((places[-1][1], places[-1][0], name, colour))
    below = 0
    for y, x, name, colour in sorted(labels):
        below = max(y, below + 13)
        parts.append(f'<text x="{x + 8:.1f}" y="{below + 4:.1f}" fill="{colour}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>\n"])
