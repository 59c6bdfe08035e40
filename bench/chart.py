"""Draws how something grows, as SVG: one panel for each axis, a logarithmic scale for what is counted.

    text = chart("States of Paxos", [("acceptors", [1, 2, 3], {"all": [33, 481, 100989], "up to renaming": [33, 257, 17809]})])
"""
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 300, 240  # of a panel
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 56, 44
COLOURS = ["#1f5fa8", "#b3541e", "#3d7a37", "#7a4a99"]
STYLE = ("text{font:12px sans-serif;fill:#333}.title{font-size:14px;font-weight:bold}.grid{stroke:#ddd}"
         "@media(prefers-color-scheme:dark){text{fill:#ddd}.grid{stroke:#444}}")


def spelled(number):
    for unit, size in (("M", 10**6), ("k", 10**3)):
        if number >= size:
            return f"{number / size:g}{unit}"
    return f"{number:g}"


def decades(series):
    """The powers of ten between which all values lie."""
    values = [value for line in series.values() for value in line if value]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return low, max(high, low + 1)


def panel(left, axis, steps, series):
    low, high = decades(series)
    inner = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM)
    across = lambda i: left + LEFT + inner[0] * (i / max(len(steps) - 1, 1))
    down = lambda value: TOP + inner[1] * (high - math.log10(value)) / (high - low)
    parts = []
    for power in range(low, high + 1):
        y = down(10.0**power)
        parts.append(f'<line class="grid" x1="{left + LEFT}" x2="{left + WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{left + LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{spelled(10.0**power)}</text>')
    for i, step in enumerate(steps):
        parts.append(f'<text x="{across(i):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{step}</text>')
    middle = left + LEFT + inner[0] / 2
    parts.append(f'<text x="{middle:.1f}" y="{HEIGHT - 8}" text-anchor="middle">{escape(axis)}</text>')
    for colour, line in zip(COLOURS, series.values()):
        points = [(across(i), down(value)) for i, value in enumerate(line) if value]
        way = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
    return parts


def legend(names):
    parts, x = [], LEFT
    for colour, name in zip(COLOURS, names):
        parts.append(f'<rect x="{x}" y="32" width="12" height="4" fill="{colour}"/>')
        parts.append(f'<text x="{x + 18}" y="38">{escape(name)}</text>')
        x += 34 + 7 * len(name)
    return parts


def chart(title, panels):
    """`panels`: (axis, its steps, {name: values}); a value of None is not drawn."""
    parts = [f'<text class="title" x="{LEFT}" y="20">{escape(title)}</text>', *legend(panels[0][2])]
    for number, (axis, steps, series) in enumerate(panels):
        parts += panel(number * WIDTH, axis, steps, series)
    width = WIDTH * len(panels)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT}" '
            f'viewBox="0 0 {width} {HEIGHT}"><style>{STYLE}</style>\n' + "\n".join(parts) + "\n</svg>\n")
