"""The chart of README: the time of x^e mod p in moduli, GMP, OpenSSL and crypto-bigint, as `make bench` measured it."""

from html import escape

# In pixels: width of the longest bar, width of the labels left of the bars, height of a bar, space between groups. It fits a
# phone.
BAR, LEFT, HEIGHT, GAP = 190, 92, 16, 12
COLOURS = {"moduli": "#0b6e4f", "GMP": "#8a8f98", "OpenSSL": "#a9adb5", "crypto-bigint": "#c8cbd1"}


def milliseconds(time):
    """A time such as "420 µs", as a number."""
    number, unit = time.split()
    return float(number) * {"ns": 1e-6, "µs": 1e-3, "ms": 1, "s": 1e3}[unit]


def text(x, y, what, *, anchor="start", weight="normal", size=12):
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-weight="{weight}" font-size="{size}">{escape(what)}</text>'


def chart(groups):
    """The chart as an SVG. A group of bars is (title, [(name, time)]) and has its own scale."""
    parts, y, said = [], 24, []
    for title, bars in groups:
        parts.append(text(12, y, title, weight="bold", size=13))
        y += 8
        most = max(milliseconds(time) for _, time in bars)
        for name, time in bars:
            width = max(1, round(BAR * milliseconds(time) / most))
            parts.append(text(LEFT - 8, y + HEIGHT - 4, name, anchor="end", weight="bold" if name == "moduli" else "normal"))
            parts.append(f'<rect x="{LEFT}" y="{y}" width="{width}" height="{HEIGHT - 2}" fill="{COLOURS[name]}"/>')
            parts.append(text(LEFT + width + 6, y + HEIGHT - 4, time))
            y += HEIGHT
        y += GAP + 12
        said.append(f"{title}: " + ", ".join(f"{name} {time}" for name, time in bars))
    width, height = LEFT + BAR + 68, y - 12
    label = "Time of a power x^e mod p on one core; a shorter bar is faster. All but GMP's are constant-time. " + ". ".join(said) + "."
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{escape(label, quote=True)}" font-family="sans-serif" fill="#1d2129">\n'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    ), label
