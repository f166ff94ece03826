"""Tags that stand in text which is no markup itself, as in messages and subtitles: `<b>`, `</i>`, `{\\an8}`."""

from __future__ import annotations

import re

from dragoman.documents.segment import Piece, Tag

# A name directly after the bracket, and values in quotes or none: `a < b and c > d` holds no tag.
TAG = re.compile(
    r"""</?(?P<name>[A-Za-z][\w:.-]{0,40})"""
    r"""(?:\s{1,20}[\w:.-]{1,40}(?:=(?:"[^"<>]{0,1000}"|'[^'<>]{0,1000}'|[^\s"'<>=]{1,200}))?){0,20}\s{0,20}/?>"""
)


def with_codes(codes: str) -> re.Pattern[str]:
    """A pattern of tags and further codes, which stand for themselves."""
    return re.compile(f"{codes}|{TAG.pattern}")


def inline_pieces(text: str, pattern: re.Pattern[str] = TAG) -> list[Piece]:
    """Text and tags; a closing tag goes with the last one of its name that is open."""
    pieces: list[Piece] = []
    open_tags: dict[str, list[int]] = {}
    numbers = 0
    at = 0
    for match in pattern.finditer(text):
        pieces.append(text[at : match.start()])
        at = match.end()
        raw, name = match.group(), (match.group("name") or "").lower().partition(".")[0]
        if name and raw.startswith("</"):
            opened = open_tags.get(name)
            pieces.append(Tag(raw, opened.pop(), True) if opened else Tag(raw))
        elif name and not raw.endswith("/>"):
            numbers += 1
            open_tags.setdefault(name, []).append(numbers)
            pieces.append(Tag(raw, numbers))
        else:
            pieces.append(Tag(raw))
    pieces.append(text[at:])
    return [piece for piece in pieces if piece != ""]
