"""Lines of one column over another as SVG, for the report; colours come from its style sheet."""

from __future__ import annotations

import math
from html import escape

from benchmarks.harness.table import Chart, Rows, Table

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 300, 52, 40, 14, 150
COLOURS = ("var(--ours)", "var(--theirs)", "var(--open)", "var(--good)", "var(--bad)")
Point = tuple[float, float]


# Where no page gives colours.
STYLE = """<style>svg { --ours: #1f6feb; --theirs: #9a6700; --good: #1a7f37; --bad: #b3261e; --open: #6e5494; }
text { fill: #1d2126; font: 12px system-ui, sans-serif; } .axis { stroke: #d8dee4; }
polyline { fill: none; stroke-width: 2; }</style><rect width="100%" height="100%" fill="#fff"/>"""


def points(chart: Chart, rows: Rows, beginning: str) -> list[Point]:
    places = []
    for name in rows:
        if not name.startswith(beginning):
            continue
        x, y = (rows[name].get(column) for column in (chart.x, chart.y))
        if isinstance(x, int | float) and isinstance(y, int | float) and (x > 0 or not chart.logarithmic):
            places.append((float(x), float(y)))
    return sorted(places)


def ticks(low: float, high: float, *, logarithmic: bool = False) -> list[float]:
    """Round numbers between two ends."""
    if logarithmic:
        powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        return [step * 10.0**power for power in powers for step in (1, 2, 5) if low <= step * 10.0**power <= high]
    step = 10.0 ** math.floor(math.log10((high - low) / 2))
    step *= next(times for times in (1, 2, 5, 10) if (high - low) / (step * times) <= 6)
    first = math.ceil(low / step)
    return [number * step for number in range(first, math.floor(high / step) + 1)]


def picture(table: Table, rows: Rows) -> str:
    """A file of its own, for pages; empty where there is nothing to draw."""
    drawn = svg(table, rows)
    opening, _, rest = drawn.partition(">")
    return f'{opening} xmlns="http://www.w3.org/2000/svg">\n{STYLE}\n{rest}\n' if drawn else ""


def svg(table: Table, rows: Rows) -> str:
    chart = table.chart
    if chart is None:
        return ""
    lines = {title: points(chart, rows, beginning) for title, beginning in chart.lines.items()}
    every = [point for line in lines.values() for point in line]
    if len(every) < 2 or len({x for x, _ in every}) < 2 or len({y for _, y in every}) < 2:
        return ""
    scale = math.log10 if chart.logarithmic else float
    low_x, high_x = min(x for x, _ in every), max(x for x, _ in every)
    low_y, high_y = min(y for _, y in every), max(y for _, y in every)
    margin = (high_y - low_y) * 0.08
    low_y, high_y = low_y - margin, high_y + margin

    def across(x: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (scale(x) - scale(low_x)) / (scale(high_x) - scale(low_x))

    def down(y: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high_y - y) / (high_y - low_y)

    titles = {column.name: column.title for column in table.columns}
    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(titles[chart.y])}">']
    floor = HEIGHT - BOTTOM
    for y in ticks(low_y, high_y):
        parts.append(f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{down(y):.1f}" y2="{down(y):.1f}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{down(y) + 4:.1f}" text-anchor="end">{y:g}</text>')
    for x in ticks(low_x, high_x, logarithmic=chart.logarithmic):
        parts.append(f'<line class="axis" x1="{across(x):.1f}" x2="{across(x):.1f}" y1="{TOP}" y2="{floor}"/>')
        parts.append(f'<text x="{across(x):.1f}" y="{floor + 16}" text-anchor="middle">{x:g}</text>')
    parts.append(f'<text x="{LEFT}" y="{HEIGHT - 6}">{escape(f"{titles[chart.y]}, against {titles[chart.x]}")}</text>')
    for number, (title, line) in enumerate(lines.items()):
        colour = COLOURS[number % len(COLOURS)]
        places = " ".join(f"{across(x):.1f},{down(y):.1f}" for x, y in line)
        parts.append(f'<polyline points="{places}" style="stroke: {colour}"/>')
        for x, y in line:
            parts.append(f'<circle cx="{across(x):.1f}" cy="{down(y):.1f}" r="3.5" style="fill: {colour}">')
            parts.append(f"<title>{x:g}, {y:g}</title></circle>")
        at = TOP + 14 + 18 * number
        parts.append(f'<rect x="{WIDTH - RIGHT + 10}" y="{at - 9}" width="10" height="10" style="fill: {colour}"/>')
        parts.append(f'<text x="{WIDTH - RIGHT + 25}" y="{at}">{escape(title)}</text>')
    return "".join([*parts, "</svg>"])
