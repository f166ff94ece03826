"""The text of one entry of a string table: what of it is translated, and how the parts come together again.

Most messages are one text with tags and placeholders in it; paragraphs and cells of HTML in it are texts of their own.
Messages of ICU's kind (`{n, plural, one {…} other {…}}`) hold several texts within a structure, which stays. Whether a
file's messages are of that kind, nothing but the messages says: one that has a plural or a select in it makes it so for
all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from dragoman.documents.accelerator import restored, stripped
from dragoman.documents.inline_tags import inline_pieces, with_codes
from dragoman.documents.printf import numbered, renumbered
from dragoman.documents.segment import Piece, Segment, Tag, paired

# Stands for a code that is known already; a NUL is in no text that is translated.
KNOWN = "\0{}\0"
SIGN = re.compile(r"\0(\d+)\0")
# Placeholders that are no words and that the tokenizer does not know: %{name}, %#@name@, $NAME$, $t(key), %L1, @:key.
CODES = with_codes(
    r"\0\d+\0|%\{[^{}\s]{1,80}\}|%(?:\d{1,2}\$)?#@\w{1,80}@|\$\w{1,80}\$|\$t\([^()\n]{1,200}\)|%L\d{1,2}\b"
    r"|@(?:\.\w{1,20})?:[\w.]{1,80}"
)
# Paragraphs, cells and their like, as HTML has them.
BLOCK = re.compile(
    r"(?:<|&lt;)/?(?:address|article|blockquote|caption|center|dd|div|dl|dt|h[1-6]|hr|li|ol|p|section|table|tbody|td|tfoot|th"
    r"|thead|tr|ul)(?![\w:.-])",
    re.IGNORECASE,
)


class MessageError(Exception):
    """A message whose structure cannot be followed."""


class Message(Protocol):
    @property
    def segments(self) -> Sequence[Segment]: ...

    def joined(self, translations: Sequence[Segment]) -> Segment:
        """The whole text, of one translation for each segment."""
        ...


def same(raw: str) -> str:
    return raw


def message_pieces(text: str, codes: Sequence[Tag] = (), written: Callable[[str], str] = same) -> list[Piece]:
    """Text and tags. KNOWN signs in the text stand for `codes`; `written` is how the file writes tags of the text."""
    pieces: list[Piece] = []
    for piece in inline_pieces(text, CODES):
        if isinstance(piece, str):
            pieces.append(piece)
        elif piece.raw.startswith("\0"):
            pieces.append(codes[int(piece.raw.strip("\0"))])
        else:
            raw = SIGN.sub(lambda match: codes[int(match.group(1))].raw, written(piece.raw))
            pieces.append(Tag(raw, piece.pair, piece.closing))
    return pieces


@dataclass(frozen=True, slots=True)
class PlainMessage:
    """One text. `sign` is the shortcut key's that was taken off."""

    segment: Segment
    sign: str = ""

    @property
    def segments(self) -> Sequence[Segment]:
        return (self.segment,)

    def joined(self, translations: Sequence[Segment]) -> Segment:
        pieces = renumbered(translations[0])
        for at, piece in enumerate(pieces) if self.sign else ():
            if isinstance(piece, str) and (signed := restored(piece, self.sign)) != piece:
                return (*pieces[:at], signed, *pieces[at + 1 :])
        return pieces


@dataclass(frozen=True, slots=True)
class BlockMessage:
    """Several texts, each in a paragraph or cell of its own, and the tags around them."""

    parts: tuple[Tag | Segment, ...]

    @property
    def segments(self) -> Sequence[Segment]:
        return [part for part in self.parts if not isinstance(part, Tag)]

    def joined(self, translations: Sequence[Segment]) -> Segment:
        left = iter(translations)
        return renumbered(
            tuple(piece for part in self.parts for piece in ((part,) if isinstance(part, Tag) else next(left)))
        )


def plain_message(
    text: str,
    max_depth: int,
    codes: Sequence[Tag] = (),
    written: Callable[[str], str] = same,
    *,
    accelerator: str = "",
    printf: bool = False,
) -> Message:
    """`accelerator`: the sign before the letter of a shortcut key. `printf`: directives without a number go by their
    order, so several are numbered."""
    bare, sign = stripped(text) if accelerator and not BLOCK.search(text) else (text, "")
    if sign != accelerator:
        bare, sign = text, ""
    pieces = message_pieces(bare, codes, written)
    if printf:
        pieces = numbered(pieces)
    parts = tuple(in_blocks(pieces, max_depth))
    if any(isinstance(part, Tag) for part in parts):
        return BlockMessage(parts)
    return PlainMessage(paired(pieces, max_depth), sign)


def in_blocks(pieces: Sequence[Piece], max_depth: int) -> Iterator[Tag | Segment]:
    """Tags of blocks, and the texts between them."""
    between: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, Tag) and BLOCK.match(piece.raw):
            if between:
                yield paired(between, max_depth)
            yield Tag(piece.raw)
            between = []
        else:
            between.append(piece)
    if between:
        yield paired(between, max_depth)
