"""Directives of C's printf, `%s` and `%d`, in messages that have several: a translation may change their order.

Without numbers, arguments go by order, so each is numbered (`%1$s`) before translation. Where they come out in their
old order the numbers go again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dragoman.documents.segment import Piece, Tag

DIRECTIVE = re.compile(r"%%|%(?!\d+\$)([-+ #0']*\d*(?:\.\d+)?(?:hh|h|ll|l|q|L|j|z|t)?[diouxXeEfFgGaAcsCSpn@])")
NUMBERED = re.compile(r"%(\d+)\$(.+)", re.DOTALL)
# What must not be renumbered: numbers are there already, or a width is an argument too.
TAKEN = re.compile(r"%\d+\$|%[-+ #0']*\*|%[^%\s]*\.\*")


def numbered(pieces: Sequence[Piece]) -> list[Piece]:
    """Text whose directives are numbered tags, if there are several and none has a number."""
    text = "".join(piece if isinstance(piece, str) else piece.raw for piece in pieces)
    if sum(1 for match in DIRECTIVE.finditer(text) if match.group(1)) < 2 or TAKEN.search(text):
        return list(pieces)
    numbered: list[Piece] = []
    number = 0
    for piece in pieces:
        if isinstance(piece, Tag):
            numbered.append(piece)
            continue
        at = 0
        for match in DIRECTIVE.finditer(piece):
            if match.group(1):
                number += 1
                numbered += (piece[at : match.start()], Tag(f"%{number}${match.group(1)}"))
                at = match.end()
        numbered.append(piece[at:])
    return [piece for piece in numbered if piece != ""]


def renumbered(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Without numbers where the order is the old one."""
    places = [int(match.group(1)) for piece in pieces if (match := directive(piece))]
    if places != list(range(1, len(places) + 1)):
        return pieces
    return tuple(Tag(f"%{match.group(2)}") if (match := directive(piece)) else piece for piece in pieces)


def directive(piece: Piece) -> re.Match[str] | None:
    return NUMBERED.fullmatch(piece.raw) if isinstance(piece, Tag) else None
