"""An alignment as a matrix to look at: source words down the side, target words across the top, links filled in."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from html import escape

CELL = 22
FONT = 13


def columns(text: str) -> int:
    """Columns a terminal gives to a text."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def terminal(source: Sequence[str], target: Sequence[str], links: Sequence[tuple[int, int]]) -> str:
    """Target words stand upright above their columns; every fourth row and column is marked for the eye."""
    linked = set(links)
    width = max((columns(word) for word in source), default=0)
    height = max((len(word) for word in target), default=0)
    lines = []
    for row in range(height):
        marks = [word[row - height + len(word)] if row >= height - len(word) else " " for word in target]
        lines.append(" " * width + "  " + "".join(mark + " " * (2 - columns(mark)) for mark in marks))
    for s, word in enumerate(source):
        cells = ["■ " if (s, t) in linked else "┼ " if s % 4 == 0 and t % 4 == 0 else "· " for t in range(len(target))]
        lines.append(" " * (width - columns(word)) + word + "  " + "".join(cells))
    return "".join(line.rstrip() + "\n" for line in lines)


def svg(source: Sequence[str], target: Sequence[str], links: Sequence[tuple[int, int]]) -> str:
    """A drawing that needs nothing but a browser."""
    letter = FONT * 0.62
    left = round(max((columns(word) for word in source), default=0) * letter) + 16
    # Target words lean at 45 degrees, so their height and their reach to the right are 0.71 of their length.
    slant = round(max((columns(word) for word in target), default=0) * letter * 0.71)
    top = slant + 24
    grid_width, grid_height = len(target) * CELL, len(source) * CELL
    width, height = left + grid_width + slant + 16, top + grid_height + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="{FONT}">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for t in range(len(target) + 1):
        x = left + t * CELL
        parts.append(f'<path d="M{x} {top}v{grid_height}" stroke="#d8dee6"/>')
    for s in range(len(source) + 1):
        y = top + s * CELL
        parts.append(f'<path d="M{left} {y}h{grid_width}" stroke="#d8dee6"/>')
    for t, word in enumerate(target):
        x, y = left + t * CELL + CELL // 2, top - 8
        parts.append(f'<text x="{x}" y="{y}" transform="rotate(-45 {x} {y})" fill="#1c2733">{escape(word)}</text>')
    for s, word in enumerate(source):
        y = top + s * CELL + CELL // 2 + FONT // 3
        parts.append(f'<text x="{left - 8}" y="{y}" text-anchor="end" fill="#1c2733">{escape(word)}</text>')
    for s, t in sorted(set(links)):
        x, y = left + t * CELL + 3, top + s * CELL + 3
        title = escape(f"{source[s]} – {target[t]}")
        parts.append(
            f'<rect x="{x}" y="{y}" width="{CELL - 6}" height="{CELL - 6}" rx="3" fill="#1f6feb">'
            f"<title>{title}</title></rect>"
        )
    return "\n".join([*parts, "</svg>", ""])
