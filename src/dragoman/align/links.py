"""Links as lists of (source, target) positions from 0, and the Pharaoh format `0-0 1-2`."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman import _core
from dragoman.errors import InputError

Links = list[tuple[int, int]]


def parse_links(line: str, number: int = 0) -> Links:
    """Reads one line of Pharaoh links; `number` names the line in the error."""
    links = []
    for word in line.split():
        source, dash, target = word.partition("-")
        if not (dash and source.isascii() and source.isdigit() and target.isascii() and target.isdigit()):
            where = f"line {number}: " if number else ""
            raise InputError(
                f"{where}'{word[:40]}' is no link; write source-target positions from 0, such as 0-0",
                number,
            )
        links.append((int(source), int(target)))
    return links


def symmetrize(forward: Sequence[str], backward: Sequence[str], how: str = "grow-diag-final-and") -> list[str]:
    """Combines two directional alignments, line by line of Pharaoh links, both written source-target."""
    joined = _core.symmetrize(lines_to_bytes(forward), lines_to_bytes(backward), how)
    return joined.decode().split("\n")[:-1]


def lines_to_bytes(lines: Sequence[str]) -> bytes:
    """One line each; a line break inside one would shift all that follow, so it becomes a space."""
    return "".join(line.replace("\n", " ").replace("\r", " ") + "\n" for line in lines).encode(
        "utf-8", "surrogateescape"
    )
