"""What all formats share: a document gives segments to translate and takes their translations.

A segment is text with inline markup: strings, unescaped, and tags, exactly as the file writes them. Tags in pairs
enclose text; every other tag stands for itself, like a placeholder. A translation is a segment again, with every tag of
the source in it once. What a document does not give as segments it keeps byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class Tag:
    """Inline markup. `pair` is the same number for an opening tag and its closing one, and 0 for a tag by itself."""

    raw: str
    pair: int = 0
    closing: bool = False


Piece = str | Tag
Segment = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class DocumentLimits:
    """What a document from anywhere may ask for. Beyond it there is an error, not a slow death."""

    max_bytes: int = 64 << 20
    max_segments: int = 1_000_000
    max_depth: int = 200
    max_segment_characters: int = 200_000


class Document(Protocol):
    """A parsed file. `segments` are what is to be translated; `write` takes one translation for each."""

    @property
    def segments(self) -> Sequence[Segment]: ...

    def write(self, translations: Sequence[Segment | None]) -> bytes:
        """The file with these translations; where one is None the source stays, unmarked."""
        ...


@runtime_checkable
class HoldsTranslations(Protocol):
    """A document that has translations already which somebody vouches for: pairs of text, in order."""

    @property
    def confirmed(self) -> Sequence[tuple[str, str]]: ...


def text_of(segment: Segment) -> str:
    return "".join(piece for piece in segment if isinstance(piece, str))


def serialised(segment: Segment, escaped: Callable[[str], str] = str) -> str:
    """The text with its tags in it, as a file has them."""
    return "".join(piece.raw if isinstance(piece, Tag) else escaped(piece) for piece in segment)


def has_words(segment: Segment) -> bool:
    """Whether there is anything to translate: a letter outside of tags."""
    return any(character.isalpha() for piece in segment if isinstance(piece, str) for character in piece)


def paired(pieces: Sequence[Piece], max_depth: int) -> Segment:
    """Checks nesting: a tag whose partner is missing, or crosses another pair, stands for itself."""
    open_tags: list[int] = []
    partner: dict[int, int] = {}
    for at, piece in enumerate(pieces):
        if not isinstance(piece, Tag) or not piece.pair:
            continue
        if not piece.closing:
            # What is nested deeper than anybody writes is not worth carrying along.
            if len(open_tags) < max_depth:
                open_tags.append(at)
            continue
        match = next((place for place in reversed(open_tags) if pieces[place].pair == piece.pair), None)  # type: ignore[union-attr]
        if match is not None:
            partner[match], partner[at] = at, match
            while open_tags.pop() != match:
                pass
    return tuple(
        Tag(piece.raw) if isinstance(piece, Tag) and piece.pair and at not in partner else piece
        for at, piece in enumerate(pieces)
    )


def split_lines(text: str) -> list[str]:
    """Lines with their ends; unlike str.splitlines, only a line feed ends one."""
    return [line for line in re.split(r"(?<=\n)", text) if line]
