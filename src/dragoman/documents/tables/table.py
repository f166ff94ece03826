"""String tables: files of names and texts. A text is a stretch of the file; it is replaced, and nothing else changes.

What reads a format finds its slots; this is what they have in common. A slot whose translation equals its source keeps
its own bytes, unless it is the place for a translation beside the source.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from dragoman.documents.edit import Edit, spliced
from dragoman.documents.encoding import Encoded
from dragoman.documents.segment import DocumentLimits, Piece, Segment, Tag, has_words, serialised
from dragoman.documents.stated_languages import StatedLanguages
from dragoman.documents.tables.icu import Apostrophes, is_structured, message_of
from dragoman.documents.tables.message import Message, MessageError, plain_message, same
from dragoman.errors import InputError

MAX_NOTES = 100
HALF_CHARACTER = re.compile("[\ud800-\udfff]")


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
    # What the file says of its languages, where its format can.
    stated: list[StatedLanguages] = field(default_factory=list)

    @property
    def segments(self) -> Sequence[Segment]:
        return [segment for slot in self.slots for segment in slot.message.segments]

    def message(
        self,
        begin: int,
        text: str,
        codes: Sequence[Tag] = (),
        written: Callable[[str], str] = same,
        *,
        apostrophes: Sequence[Apostrophes] = (),
        accelerator: str = "",
        printf: bool = False,
    ) -> Message | None:
        """A text as a message, see message_of and plain_message; None, and a note, where it cannot be translated."""
        depth = self.limits.max_depth
        problem = self.problem(text, codes)
        if problem:
            pass
        elif not apostrophes and not is_structured(text):
            return plain_message(text, depth, codes, written, accelerator=accelerator, printf=printf)
        elif codes:
            problem = "a message of several texts with elements in it"
        else:
            try:
                return message_of(text, depth, apostrophes or (Apostrophes.ICU, Apostrophes.PLAIN))
            except MessageError as error:
                problem = f"a message that cannot be followed ({error})"
        self.leave(begin, problem)
        return None

    def add_text(
        self,
        begin: int,
        end: int,
        text: str,
        quoted: Callable[[str], str],
        *,
        apostrophes: Sequence[Apostrophes] = (),
        printf: bool = False,
    ) -> None:
        """Takes a text that is no markup."""
        message = self.message(begin, text, apostrophes=apostrophes, printf=printf)
        if message is not None:
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

    def problem(self, text: str, codes: Sequence[Tag]) -> str:
        """What keeps a text from being translated, nothing if it can be."""
        if len(text) > self.limits.max_segment_characters:
            return f"a text of more than {self.limits.max_segment_characters:,} characters"
        # Signs of codes are between two NULs each.
        if text.count("\0") != 2 * len(codes) or HALF_CHARACTER.search(text):
            return "a text with a NUL or half a character"
        return ""

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
    return lambda segment: quoted(serialised(segment))
