"""String tables: files of names and texts. A text is a stretch of the file; it is replaced, and nothing else changes.

What reads a format finds its slots; this is what they have in common. A slot whose translation equals its source keeps
its own bytes, unless it is the place for a translation beside the source.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from dragoman.documents.encoding import Encoded
from dragoman.documents.html import spliced
from dragoman.documents.segment import DocumentLimits, Piece, Segment, Tag, has_words
from dragoman.documents.tables.icu import Apostrophes, message_of
from dragoman.documents.tables.message import Message, MessageError
from dragoman.errors import InputError

Edit = tuple[int, int, str]
MAX_NOTES = 100
NO_CHARACTER = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a text stands, and how one is written there; `marks` are edits that a translation brings along."""

    begin: int
    end: int
    message: Message
    written: Callable[[Segment], str]
    marks: tuple[Edit, ...] = ()
    # Whether this is a place beside the source, which is to be filled even with an equal text.
    beside: bool = False


@dataclass(slots=True)
class TableDocument:
    """A file with its slots. `fixed` are edits that come with any translation, such as the name of the language."""

    source: Encoded
    limits: DocumentLimits
    # Whether the format can say any character by its number, as XML can.
    references: bool = False
    slots: list[Slot] = field(default_factory=list)
    fixed: list[Edit] = field(default_factory=list)
    # What was left as it is and why, a sentence each.
    notes: list[str] = field(default_factory=list)

    @property
    def segments(self) -> Sequence[Segment]:
        return [segment for slot in self.slots for segment in slot.message.segments]

    def add_text(
        self,
        begin: int,
        end: int,
        text: str,
        quoted: Callable[[str], str],
        apostrophes: Sequence[Apostrophes] = (),
    ) -> None:
        """Takes a text that is no markup; see message_of for `apostrophes`."""
        if not self.is_readable(begin, text):
            return
        try:
            message = message_of(text, self.limits.max_depth, apostrophes)
        except MessageError as error:
            self.leave(begin, f"a message that cannot be followed ({error})")
        else:
            self.add(Slot(begin, end, message, as_text(quoted)))

    def add(self, slot: Slot) -> None:
        """Takes a slot, if there is anything in it to translate."""
        if any(map(has_words, slot.message.segments)):
            self.slots.append(slot)
            self.check_size(len(self.slots))

    def fix(self, begin: int, end: int, text: str) -> None:
        """Takes an edit that comes with any translation."""
        self.fixed.append((begin, end, text))
        self.check_size(len(self.fixed))

    def check_size(self, texts: int) -> None:
        if texts > self.limits.max_segments:
            raise InputError(f"the file holds more than {self.limits.max_segments:,} texts to translate; split it")

    def is_readable(self, begin: int, text: str) -> bool:
        """Whether a text can be translated at all; notes where it cannot."""
        if len(text) > self.limits.max_segment_characters:
            self.leave(begin, f"a text of more than {self.limits.max_segment_characters:,} characters")
            return False
        if NO_CHARACTER.search(text):
            self.leave(begin, "a text with a NUL or half a character")
            return False
        return True

    def leave(self, begin: int, what: str) -> None:
        if len(self.notes) < MAX_NOTES:
            line = self.source.text.count("\n", 0, begin) + 1
            self.notes.append(f"line {line}: {what} was left as it is")
        elif len(self.notes) == MAX_NOTES:
            self.notes.append("and there are more")

    def write(self, translations: Sequence[Segment | None]) -> bytes:
        edits = list(self.fixed) if any(translation is not None for translation in translations) else []
        at = 0
        for slot in self.slots:
            parts = translations[at : at + len(slot.message.segments)]
            at += len(parts)
            changed = any(part not in (None, own) for part, own in zip(parts, slot.message.segments, strict=True))
            if changed or (slot.beside and any(part is not None for part in parts)):
                edits += self.edits(slot, parts)
        return self.source.encoded(spliced(self.source.text, edits), references=self.references)

    def edits(self, slot: Slot, parts: Sequence[Segment | None]) -> list[Edit]:
        """What puts the translations of a slot into the file; nothing, and a note, where they cannot be."""
        chosen = [own if part is None else part for part, own in zip(parts, slot.message.segments, strict=True)]
        try:
            text = slot.written(merged(slot.message.joined(chosen)))
        except MessageError as error:
            self.leave(slot.begin, f"a message whose translation would not fit its place ({error})")
            return []
        return [(slot.begin, slot.end, text), *slot.marks]


def merged(segment: Segment) -> Segment:
    """With strings that stand beside each other as one, so that the ends of a text are seen to be."""
    pieces: list[Piece] = []
    for piece in segment:
        if pieces and isinstance(piece, str) and isinstance(pieces[-1], str):
            pieces[-1] += piece
        else:
            pieces.append(piece)
    return tuple(pieces)


def as_text(quoted: Callable[[str], str]) -> Callable[[Segment], str]:
    """A writer for formats without markup of their own: tags are part of the text."""
    return lambda segment: quoted("".join(piece.raw if isinstance(piece, Tag) else piece for piece in segment))
