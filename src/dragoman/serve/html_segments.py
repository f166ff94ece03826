"""HTML as runs of text and inline tags between what stays as it is.

Running text between block-level tags is one segment, however many inline tags it holds. Nothing here recurses: nesting
costs what its length costs.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dragoman.serve.html_tokens import Kind, Token, tokens_of

INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite del dfn em font i img ins label mark q rp rt ruby s small span strike strong"
    " sub sup time u wbr".split()
)
# Elements whose content is not language.
VERBATIM = frozenset(
    "audio canvas code embed iframe kbd math noembed noframes object samp script style svg template textarea tt var"
    " video xmp".split()
)
# Mentions, hashtags and addresses, whatever tags they are made of.
NAME = re.compile(r"([@#]|https?://|www\.)\S+")


@dataclass(frozen=True, slots=True)
class Piece:
    """Text, or an inline tag with the place of its mate, or (mate -1) something that stands alone.

    Half an element, such as a `</b>` that closes nothing here, stands alone too.
    """

    raw: str
    text: str | None = None
    mate: int = -1
    half: bool = False


def is_verbatim(token: Token) -> bool:
    attributes = token.attributes or {}
    return (
        token.name in VERBATIM
        or attributes.get("translate", "").lower() == "no"
        or "notranslate" in attributes.get("class", "").lower().split()
    )


def end_of_element(tokens: Sequence[Token], at: int) -> int:
    """Behind the tag that closes the element opened at `at`; behind all tokens if none does."""
    depth = 0
    for place in range(at, len(tokens)):
        if tokens[place].name == tokens[at].name:
            depth += {Kind.OPEN: 1, Kind.CLOSE: -1}.get(tokens[place].kind, 0)
        if depth == 0:
            return place + 1
    return len(tokens)


def segments_of(source: str) -> Iterator[str | list[Token]]:
    """What stays as it is, and runs of inline tokens; an element that is kept whole is one token of kind OTHER."""
    tokens = list(tokens_of(source))
    run: list[Token] = []
    lines = 0  # depth of elements in which line ends mean something
    at = 0
    while at < len(tokens):
        token = tokens[at]
        at += 1
        if token.kind is Kind.OPEN and is_verbatim(token):
            end = end_of_element(tokens, at - 1)
            raw = "".join(each.raw for each in tokens[at - 1 : end])
            at = end
            inline = token.name in INLINE or token.name in VERBATIM - {"script", "style", "template"}
            token = Token(Kind.OTHER, raw, token.name if not inline else "")
        elif token.name == "pre":
            lines = max(0, lines + (1 if token.kind is Kind.OPEN else -1))
        if token.kind is Kind.TEXT and lines:
            for line in token.raw.splitlines(keepends=True):
                run.append(Token(Kind.TEXT, line))
                if line.endswith(("\n", "\r")):
                    yield run
                    run = []
        elif token.kind is Kind.TEXT or token.name in INLINE or (token.kind is Kind.OTHER and not token.name):
            run.append(token)
        else:
            if run:
                yield run
                run = []
            yield token.raw
    if run:
        yield run


def pieces_of(run: Sequence[Token]) -> list[Piece]:
    """Tokens with tags matched; a name or address is kept whole."""
    pieces: list[Piece] = []
    open_at: dict[str, list[int]] = {}
    for token in run:
        if token.kind is Kind.TEXT:
            pieces.append(Piece(token.raw, html.unescape(token.raw)))
        elif token.kind is Kind.OPEN:
            open_at.setdefault(token.name, []).append(len(pieces))
            pieces.append(Piece(token.raw, half=True))
        elif token.kind is Kind.CLOSE and open_at.get(token.name):
            begin = open_at[token.name].pop()
            if begin == len(pieces) - 1:
                # An element without content, such as an icon.
                pieces[begin] = Piece(pieces[begin].raw + token.raw)
                continue
            # What was opened inside and not closed there stands alone.
            for places in open_at.values():
                while places and places[-1] > begin:
                    places.pop()
            pieces[begin] = Piece(pieces[begin].raw, mate=len(pieces))
            pieces.append(Piece(token.raw, mate=begin))
        else:
            pieces.append(Piece(token.raw, half=token.kind is Kind.CLOSE))
    return keep_names(pieces)


def keep_names(pieces: list[Piece]) -> list[Piece]:
    """Replaces an element that is a name or an address by one piece that is not translated."""
    made: list[Piece] = []
    moved: dict[int, int] = {}
    at = 0
    while at < len(pieces):
        piece = pieces[at]
        # Names are short; the outermost element that is one is looked at once, so this stays linear.
        if piece.text is None and at < piece.mate <= at + 16:
            inside = pieces[at : piece.mate + 1]
            content = "".join(each.text for each in inside if each.text)
            if len(content) < 2000 and NAME.fullmatch(content):
                made.append(Piece("".join(each.raw for each in inside)))
                at = piece.mate + 1
                continue
        moved[at] = len(made)
        made.append(piece)
        at += 1
    return [Piece(each.raw, each.text, moved.get(each.mate, -1), each.half) for each in made]


def core_of(pieces: Sequence[Piece]) -> tuple[int, int]:
    """The span without the tags and blanks around it: from the first text to the last, with the mates of all inside."""

    def says_something(piece: Piece) -> bool:
        return bool(piece.text and not piece.text.isspace())

    begin = next((place for place, piece in enumerate(pieces) if says_something(piece)), len(pieces))
    end = next((place + 1 for place in range(len(pieces) - 1, begin, -1) if says_something(pieces[place])), begin + 1)
    inside = list(range(begin, min(end, len(pieces))))
    while inside:
        mate = pieces[inside.pop()].mate
        if 0 <= mate < begin:
            inside.extend(range(mate, begin))
            begin = mate
        elif mate >= end:
            inside.extend(range(end, mate + 1))
            end = mate + 1
    return begin, min(end, len(pieces))
