"""Draws how something grows, as SVG: one panel for each axis, a logarithmic scale for what is counted.

    text = chart("States of Paxos", [("acceptors", [1, 2, 3], {"all": [33, 481, 100989], "up to renaming": [33, 257, 17809]})])
    text = bars("Paths to the bug", ["cass_1"], {"dfs": [(200000, False)], "flymc": [(664, True)]})
"""
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 300, 240  # of a panel
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 56, 44
COLOURS = ["#1f5fa8", "#b3541e", "#3d7a37", "#7a4a99", "#b8922a", "#c2477f", "#3a9a9a", "#7d7d7d", "#84613f",
           "#d9363e"]
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


def grid(left, right, low, high, down):
    parts = []
    for power in range(low, high + 1):
        y = down(10.0**power)
        parts.append(f'<line class="grid" x1="{left}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{spelled(10.0**power)}</text>')
    return parts


def panel(left, top, width, axis, steps, series):
    low, high = decades(series)
    inner = (width - LEFT - RIGHT, HEIGHT - TOP - BOTTOM)
    bottom = top + inner[1]
    across = lambda i: left + LEFT + inner[0] * (i / max(len(steps) - 1, 1))
    down = lambda value: top + inner[1] * (high - math.log10(value)) / (high - low)
    parts = grid(left + LEFT, left + width - RIGHT, low, high, down)
    for i, step in enumerate(steps):
        parts.append(f'<text x="{across(i):.1f}" y="{bottom + 18}" text-anchor="middle">{step}</text>')
    middle = left + LEFT + inner[0] / 2
    parts.append(f'<text x="{middle:.1f}" y="{bottom + BOTTOM - 8}" text-anchor="middle">{escape(axis)}</text>')
    for colour, line in zip(COLOURS, series.values()):
        points = [(across(i), down(value)) for i, value in enumerate(line) if value]
        way = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
    return parts


def legend(names, width):
    """And how much lower than TOP all else begins, for there may be more than one line of it."""
    parts, x, y = [], LEFT, 32
    for colour, name in zip(COLOURS, names):
        if x > LEFT and x + 24 + 7 * len(name) > width:
            x, y = LEFT, y + 18
        parts.append(f'<rect x="{x}" y="{y}" width="12" height="4" fill="{colour}"/>')
        parts.append(f'<text x="{x + 18}" y="{y + 6}">{escape(name)}</text>')
        x += 34 + 7 * len(name)
    return parts, y - 32


def drawn(width, height, parts):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}"><style>{STYLE}</style>\n' + "\n".join(parts) + "\n</svg>\n")


def chart(title, panels, panel_width=WIDTH):
    """`panels`: (axis, its steps, {name: values}); a value of None is not drawn."""
    width = panel_width * len(panels)
    names, lower = legend(panels[0][2], width)
    parts = [f'<text class="title" x="{LEFT}" y="20">{escape(title)}</text>', *names]
    for number, (axis, steps, series) in enumerate(panels):
        parts += panel(number * panel_width, TOP + lower, panel_width, axis, steps, series)
    return drawn(width, HEIGHT + lower, parts)


def bars(title, groups, series, bar=7):
    """`series`: {name: (value, whether it is one, or only how much was tried) of each group}."""
    step = bar * (len(series) + 2)
    width = LEFT + RIGHT + step * len(groups)
    names, lower = legend(series, width)
    parts = [f'<text class="title" x="{LEFT}" y="20">{escape(title)}</text>', *names]
    _, high = decades({name: [value for value, _ in line] for name, line in series.items()})
    inner, top = HEIGHT - TOP - BOTTOM, TOP + lower
    down = lambda value: top + inner * (high - math.log10(max(value, 1))) / high
    parts += grid(LEFT, width - RIGHT, 0, high, down)
    for i, group in enumerate(groups):
        left = LEFT + bar + i * step
        parts.append(f'<text x="{left + (step - 2 * bar) / 2:.1f}" y="{top + inner + 18}" '
                     f'text-anchor="middle">{escape(group)}</text>')
        for j, (colour, line) in enumerate(zip(COLOURS, series.values())):
            value, reached = line[i]
            y = min(down(value), top + inner - 2)  # 1 is seen, too
            parts.append(f'<rect x="{left + j * bar}" y="{y:.1f}" width="{bar - 1}" height="{top + inner - y:.1f}" '
                         f'fill="{colour}" opacity="{1 if reached else 0.35}"/>')
    return drawn(width, HEIGHT + lower, parts)
