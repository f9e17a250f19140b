"""Line charts as SVG, without a library."""

from html import escape
from math import ceil, floor, log10

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 70, 150, 40, 50
COLOURS = ("#1b5e9b", "#c0392b", "#1e8449", "#7d3c98", "#b9770e", "#34495e")


def ticks(least, most):
    """Powers of ten and their halves and doubles that enclose a range."""
    steps = [factor * 10.0**power for power in range(floor(log10(least)), ceil(log10(most)) + 1) for factor in (1, 2, 5)]
    below = [step for step in steps if step <= least] or steps[:1]
    above = [step for step in steps if step >= most] or steps[-1:]
    return [step for step in steps if below[-1] <= step <= above[0]]


def linear(most):
    """Round numbers from 0."""
    step = 10.0 ** floor(log10(most))
    step = next(step * factor for factor in (0.2, 0.5, 1, 2) if most / (step * factor) <= 8)
    return [step * k for k in range(ceil(most / step) + 1)]


def lines(title, across, up, series, logarithmic=False):
    """A chart of {name: [(x, y), ...]}; every x that occurs is marked."""
    xs = sorted({x for points in series.values() for x, _ in points})
    ys = [y for points in series.values() for _, y in points]
    marks = ticks(min(ys), max(ys)) if logarithmic else linear(max(ys))
    scale = log10 if logarithmic else float

    def at(x, y):
        left = LEFT + (x - xs[0]) / ((xs[-1] - xs[0]) or 1) * (WIDTH - LEFT - RIGHT)
        part = (scale(y) - scale(marks[0])) / (scale(marks[-1]) - scale(marks[0]))
        return left, HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="20" font-size="14">{escape(title)}</text>',
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">{escape(across)}</text>',
        f'<text x="16" y="{HEIGHT / 2}" text-anchor="middle" transform="rotate(-90 16 {HEIGHT / 2})">{escape(up)}</text>',
    ]
    for mark in marks:
        _, y = at(xs[0], mark)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{mark:g}</text>')
    for x in xs:
        left, _ = at(x, marks[0])
        parts.append(f'<text x="{left:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{x:g}</text>')
    for (name, points), colour in zip(series.items(), COLOURS):
        places = [at(x, y) for x, y in sorted(points)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places]
        parts.append(f'<text x="{places[-1][0] + 8:.1f}" y="{places[-1][1] + 4:.1f}" fill="{colour}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>\n"])
