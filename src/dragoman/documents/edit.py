"""Edits: stretches of a text by their places, and what stands there instead. All else of a file keeps its bytes."""

from __future__ import annotations

from collections.abc import Sequence

Edit = tuple[int, int, str]


def spliced(text: str, edits: Sequence[Edit]) -> str:
    """The text with some stretches replaced; none of them overlap."""
    parts: list[str] = []
    at = 0
    for begin, end, new in sorted(edits):
        parts += (text[at:begin], new)
        at = end
    return "".join((*parts, text[at:]))


def spliced_part(text: str, begin: int, end: int, edits: Sequence[Edit]) -> str:
    """The same for text[begin:end], with places in the whole."""
    return spliced(text[begin:end], [(a - begin, b - begin, new) for a, b, new in edits])
