"""Draws what benchmarks/growth.py measured: CPU time and peak memory of each stage by the number of pairs.

    python -m benchmarks.growth_plot docs/results/growth.json --out-svg docs/results/growth.svg

Both scales are logarithmic, so that a stage which takes time in proportion to the text is a line that rises by one
decade in one. The exponent beside a name is the slope of the straight line nearest to the points (least squares); it
is printed too.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.measure import report

COLOURS = {
    "prepare": "#1b6ca8",
    "tokenize": "#2a9d8f",
    "align": "#c1121f",
    "index": "#e09f3e",
    "sources": "#7f7f7f",
    "lm": "#6a4c93",
}
PANELS = (("cpu_seconds", "CPU seconds", (0.1, 1, 10, 100, 1000)), ("peak_mb", "peak MB", (30, 100, 300, 1000)))
WIDTH, HEIGHT, LEFT, TOP, BOTTOM, NAMES = 460, 400, 50, 44, 44, 120
LEAST_DISTANCE = 15.0

Point = tuple[float, float]


def points_of(rows: dict[str, Any], stage: str, quantity: str) -> list[Point]:
    """Logarithms of pairs and of the quantity."""
    points = [
        (math.log10(row["pairs"]), math.log10(row["stages"][stage][quantity]))
        for row in rows.values()
        if row["stages"].get(stage, {}).get(quantity)
    ]
    return sorted(points)


def slope(points: Sequence[Point]) -> float:
    across = sum(x for x, _ in points) / len(points)
    up = sum(y for _, y in points) / len(points)
    return sum((x - across) * (y - up) for x, y in points) / sum((x - across) ** 2 for x, _ in points)


def exponents(rows: dict[str, Any]) -> dict[str, dict[str, float]]:
    return {
        quantity: {stage: round(slope(points_of(rows, stage, quantity)), 2) for stage in COLOURS}
        for quantity, _, _ in PANELS
    }


def scale(low: float, high: float, begin: float, end: float) -> Callable[[float], float]:
    return lambda value: begin + (value - low) / (high - low) * (end - begin)


def apart(wanted: dict[str, float]) -> dict[str, float]:
    """Heights for names near where they belong, none over another."""
    heights: dict[str, float] = {}
    last = -math.inf
    for name in sorted(wanted, key=lambda name: wanted[name]):
        last = heights[name] = max(wanted[name], last + LEAST_DISTANCE)
    return heights


def pairs_text(pairs: float) -> str:
    return f"{pairs / 1e6:.3g} M" if pairs >= 1e6 else f"{pairs / 1e3:.0f} k"


def panel(rows: dict[str, Any], quantity: str, title: str, marks: Sequence[float], left: float) -> Iterator[str]:
    lines = {stage: points_of(rows, stage, quantity) for stage in COLOURS}
    sizes = sorted({x for points in lines.values() for x, _ in points})
    x = scale(sizes[0], sizes[-1], left + LEFT, left + WIDTH - NAMES)
    y = scale(math.log10(marks[0]), math.log10(marks[-1]), HEIGHT - BOTTOM, TOP)
    yield f'<text x="{left + LEFT}" y="{TOP - 18}" font-weight="bold">{title}</text>'
    for mark in marks:
        at = y(math.log10(mark))
        yield f'<path d="M{left + LEFT} {at:.1f}H{left + WIDTH - NAMES}" stroke="#ddd"/>'
        yield f'<text x="{left + LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{mark:,g}</text>'
    for size in sizes:
        yield f'<path d="M{x(size):.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#eee"/>'
        yield f'<text x="{x(size):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{pairs_text(10**size)}</text>'
    heights = apart({stage: y(points[-1][1]) + 4 for stage, points in lines.items()})
    for stage, points in lines.items():
        colour = COLOURS[stage]
        spots = [(x(across), y(up)) for across, up in points]
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in spots)
        yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
        yield from (f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in spots)
        name = f"{stage}, exponent {slope(points):.2f}"
        yield f'<text x="{spots[-1][0] + 8:.1f}" y="{heights[stage]:.1f}" fill="{colour}">{name}</text>'


def plot(rows: dict[str, Any]) -> str:
    width = len(PANELS) * WIDTH + 40
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" font-family="sans-serif" '
        'font-size="12">',
        f'<rect width="{width}" height="{HEIGHT}" fill="white"/>',
    ]
    for number, (quantity, title, marks) in enumerate(PANELS):
        parts += panel(rows, quantity, title, marks, number * WIDTH)
    parts.append(f'<text x="{width / 2}" y="{HEIGHT - 8}" text-anchor="middle">pairs</text>')
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measured", type=Path, help="what growth.py wrote")
    parser.add_argument("--out-svg", type=Path, required=True)
    given = parser.parse_args()
    rows = json.loads(given.measured.read_text(encoding="utf-8"))
    given.out_svg.write_text(plot(rows), encoding="utf-8")
    report(exponents(rows))


if __name__ == "__main__":
    main()
