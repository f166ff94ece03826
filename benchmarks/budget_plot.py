"""Draws BLEU against megabytes: our models within their budgets, and what a user would train instead.

    python -m benchmarks.budget_plot docs/results/megabytes.json --out-svg docs/results/megabytes.svg

The file has panels, each with a title and lines: `{"panels": [{"title": …, "lines": [{"name": …, "points":
[{"megabytes": …, "bleu": …, "resident": …}]}]}]}`. A point stands at its `megabytes`; where that is less than what a
whole process takes, as the weights of a rival are, `resident` says so, and a thin line leads there. The points of a
line with `"joined": false` are not joined. Megabytes are logarithmic. Printed are the points that no other of a panel
beats.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.growth_plot import apart, scale
from benchmarks.measure import report

COLOURS = ("#1b6ca8", "#c1121f", "#2a9d8f", "#e09f3e", "#6a4c93", "#7f7f7f")
WIDTH, HEIGHT, LEFT, TOP, BOTTOM, NAMES = 520, 400, 50, 44, 44, 150
MARKS = (8, 16, 32, 64, 128, 256, 512, 1024)

Panel = dict[str, Any]
Point = dict[str, float]


def points_of(panel: Panel) -> list[Point]:
    return [point for line in panel["lines"] for point in line["points"]]


def bounds(values: Sequence[float], step: float) -> tuple[float, float]:
    """Whole steps around all of them."""
    return math.floor(min(values) / step) * step, math.ceil(max(values) / step) * step


def unbeaten(panel: Panel) -> list[str]:
    """Points without another that has as much BLEU in fewer megabytes, or more in as many; a process counts whole."""

    def size(point: Point) -> float:
        return point.get("resident") or point["megabytes"]

    def beats(one: Point, other: Point) -> bool:
        as_good = one["bleu"] >= other["bleu"] and size(one) <= size(other)
        return as_good and (one["bleu"], size(one)) != (other["bleu"], size(other))

    every = points_of(panel)
    return [
        f"{line['name']}, {size(point):g} MB: {point['bleu']:g}"
        for line in panel["lines"]
        for point in line["points"]
        if not any(beats(other, point) for other in every)
    ]


def drawn(panel: Panel, left: float) -> Iterator[str]:
    every = points_of(panel)
    sizes = [math.log2(size) for point in every for size in (point["megabytes"], point.get("resident")) if size]
    x = scale(*bounds(sizes, 1), left + LEFT, left + WIDTH - NAMES)
    low, high = bounds([point["bleu"] for point in every], 1)
    y = scale(low, high if high > low else low + 1, HEIGHT - BOTTOM, TOP)
    yield f'<text x="{left + LEFT}" y="{TOP - 18}" font-weight="bold">{panel["title"]}</text>'
    for mark in range(int(low), int(high) + 1):
        yield f'<path d="M{left + LEFT} {y(mark):.1f}H{left + WIDTH - NAMES}" stroke="#ddd"/>'
        yield f'<text x="{left + LEFT - 6}" y="{y(mark) + 4:.1f}" text-anchor="end">{mark}</text>'
    first, last = bounds(sizes, 1)
    for size in MARKS:
        if first <= math.log2(size) <= last:
            at = x(math.log2(size))
            yield f'<path d="M{at:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#eee"/>'
            yield f'<text x="{at:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{size}</text>'
    ends = {line["name"]: max(line["points"], key=lambda point: point["megabytes"]) for line in panel["lines"]}
    heights = apart({name: y(point["bleu"]) + 4 for name, point in ends.items()})
    for line, colour in zip(panel["lines"], COLOURS, strict=False):
        spots = sorted((x(math.log2(point["megabytes"])), y(point["bleu"])) for point in line["points"])
        if line.get("joined", True):
            path = " ".join(f"{a:.1f},{b:.1f}" for a, b in spots)
            yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
        yield from (f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in spots)
        furthest = spots[-1][0]
        for point in line["points"]:
            if point.get("resident"):
                begin, end, height = x(math.log2(point["megabytes"])), x(math.log2(point["resident"])), y(point["bleu"])
                furthest = max(furthest, end)
                yield f'<path d="M{begin:.1f} {height:.1f}H{end:.1f}" stroke="{colour}" stroke-dasharray="3 3"/>'
                yield f'<circle cx="{end:.1f}" cy="{height:.1f}" r="3" fill="white" stroke="{colour}"/>'
        yield f'<text x="{furthest + 8:.1f}" y="{heights[line["name"]]:.1f}" fill="{colour}">{line["name"]}</text>'


def plot(panels: Sequence[Panel]) -> str:
    width = len(panels) * WIDTH + 40
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" font-family="sans-serif" '
        'font-size="12">',
        f'<rect width="{width}" height="{HEIGHT}" fill="white"/>',
    ]
    for number, panel in enumerate(panels):
        parts += drawn(panel, number * WIDTH)
    parts.append(f'<text x="{width / 2}" y="{HEIGHT - 8}" text-anchor="middle">megabytes</text>')
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measured", type=Path, help="panels of lines of points")
    parser.add_argument("--out-svg", type=Path, required=True)
    given = parser.parse_args()
    panels = json.loads(given.measured.read_text(encoding="utf-8"))["panels"]
    given.out_svg.write_text(plot(panels), encoding="utf-8")
    report({panel["title"]: {"no other is as good with less": unbeaten(panel)} for panel in panels})


if __name__ == "__main__":
    main()
