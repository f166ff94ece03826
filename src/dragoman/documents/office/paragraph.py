"""A paragraph as segments, and written again with their translations.

Tabs and line breaks end a segment. Of the formats in one, that of most characters is its ground, in which words stand
that belong nowhere else; every other stretch of one format is a pair of tags, just as markup writes it: `<w:r>` with
its properties, and `</w:r>`. So formats travel as the tags of HTML do. Where nothing changes in a paragraph, no byte of
it does.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from dragoman.documents.edit import Edit, spliced_part
from dragoman.documents.office.content import NO_RUN, Content
from dragoman.documents.office.description import Description
from dragoman.documents.office.direction import Turn
from dragoman.documents.office.element import Element
from dragoman.documents.office.inline import Atom, Group, Item, Role, Run, atoms, unbroken
from dragoman.documents.office.slot import FORBIDDEN, Slot
from dragoman.documents.segment import Piece, Segment, Tag, has_words


@dataclass(slots=True)
class Paragraph:
    begin: int
    end: int
    # What is kept and what is translated, in order.
    parts: list[Atom | Slot]
    within: list[Paragraph | Description] = field(default_factory=list)
    turn: Turn | None = None

    @classmethod
    def of(cls, element: Element, content: Content, raw: str) -> Paragraph:
        items = unbroken(content.items(element))
        inner = [readable(child, content, raw) for atom in atoms(items) for child in atom.within]
        return cls(element.inner, element.inner_end, list(cut(items, raw)), inner, content.turn(element))

    @property
    def text(self) -> str:
        whole = (atoms(part.items) if isinstance(part, Slot) else (part,) for part in self.parts)
        return "".join(atom.text for items in whole for atom in items)

    def slots(self) -> Iterator[Slot]:
        """Those of paragraphs within come last."""
        yield from (part for part in self.parts if isinstance(part, Slot))
        for other in self.within:
            yield from other.slots()

    def edits(self, raw: str) -> list[Edit]:
        """What the translations change."""
        inner = [edit for other in self.within for edit in other.edits(raw)]
        if not any(isinstance(part, Slot) and part.changes for part in self.parts):
            return inner
        writer = Writer(raw, self.parts, inner)
        for part in self.parts:
            if isinstance(part, Atom):
                writer.keep(part)
            elif part.translation is not None and part.changes:
                writer.translate(part, part.translation)
            else:
                for atom in atoms(part.items):
                    writer.keep(atom)
        text = writer.text()
        # Properties come first, and nothing else is known to be theirs.
        if self.turn is not None and text.startswith(self.turn[0]):
            text = self.turn[1] + text.removeprefix(self.turn[0])
        return [(self.begin, self.end, text)]


def readable(element: Element, content: Content, raw: str) -> Paragraph | Description:
    """What an element is that holds text."""
    attribute = content.dialect.described.get(element.name)
    return Description.of(element, attribute, raw) if attribute else Paragraph.of(element, content, raw)


def cut(items: Sequence[Item], raw: str) -> Iterator[Atom | Slot]:
    """Segments, and what is none."""
    stretch: list[Item] = []
    for item in (*items, None):
        if item is not None and not (isinstance(item, Atom) and item.role is Role.BREAK):
            stretch.append(item)
            continue
        yield from segmented(stretch, raw)
        stretch = []
        if item is not None:
            yield from atoms([item])


def segmented(stretch: list[Item], raw: str) -> Iterator[Atom | Slot]:
    """The segment of a stretch between what stands around all of its text."""
    before: list[Item] = []
    after: list[Item] = []
    first, last = 0, len(stretch)
    while first < last:
        head, tail = stretch[first], stretch[last - 1]
        if isinstance(head, Atom) and head.role is Role.MARKER:
            before.append(head)
            first += 1
        elif isinstance(tail, Atom) and tail.role is Role.MARKER:
            after.append(tail)
            last -= 1
        elif isinstance(head, Group) and head is tail:
            before.append(head.opening)
            after.append(head.closing)
            stretch, first, last = head.items, 0, len(head.items)
        else:
            break
    stretch = stretch[first:last]
    yield from atoms(before)
    slot = slot_of(stretch, raw)
    if has_words(slot.segment):
        yield slot
    else:
        yield from atoms(stretch)
    yield from atoms(after[::-1])


def slot_of(items: list[Item], raw: str) -> Slot:
    sizes: Counter[str] = Counter()
    looks: dict[str, Run] = {}
    for atom in atoms(items):
        if atom.role is Role.TEXT:
            sizes[atom.run.look] += len(atom.text)
            looks.setdefault(atom.run.look, atom.run)
    ground = looks[max(sizes, key=lambda look: sizes[look])] if sizes else NO_RUN
    pieces = Pieces(raw, ground)
    pieces.add(items)
    return Slot(items, pieces.runs, tuple(pieces.pieces), ground)


class Pieces:
    """Items as text and tags."""

    def __init__(self, raw: str, ground: Run) -> None:
        self.pieces: list[Piece] = []
        self.runs: dict[str, Run] = {}
        self._raw = raw
        self._ground = ground
        self._numbers = 0

    def number(self) -> int:
        self._numbers += 1
        return self._numbers

    def add(self, items: Sequence[Item]) -> None:
        current = self._ground
        pair = 0
        for item in items:
            if isinstance(item, Group) or (item.role is Role.TEXT and item.run.look != current.look):
                if pair:
                    self.pieces.append(Tag(current.end, pair, True))
                current, pair = self._ground, 0
            if isinstance(item, Group):
                self.add_group(item)
            elif item.role is Role.TEXT:
                if item.run.look != current.look:
                    current, pair = item.run, self.number()
                    self.runs[current.start] = current
                    self.pieces.append(Tag(current.start, pair))
                self.pieces.append(item.text)
            elif item.role is Role.OBJECT:
                self.pieces.append(Tag(item.raw(self._raw)))
            else:
                number = self.number()
                self.pieces += (Tag(item.raw(self._raw), number), Tag("", number, True))
        if pair:
            self.pieces.append(Tag(current.end, pair, True))

    def add_group(self, group: Group) -> None:
        number = self.number()
        self.pieces.append(Tag(group.opening.raw(self._raw), number))
        self.add(group.items)
        self.pieces.append(Tag(group.closing.raw(self._raw), number, True))


class Writer:
    """Puts runs around text and between other things; what follows each other in one run is one run."""

    def __init__(self, raw: str, parts: Sequence[Atom | Slot], inner: Sequence[Edit]) -> None:
        self._raw = raw
        self._parts: list[str] = []
        self._run = NO_RUN
        # What ends the text element that is open, if one is.
        self._text_end: str | None = None
        # Things with paragraphs within them, as they were and as they have become.
        self._renewed: dict[str, str] = {}
        starts = [begin for begin, _, _ in inner]
        for atom in (atom for part in parts for atom in (atoms(part.items) if isinstance(part, Slot) else (part,))):
            if atom.within:
                edits = inner[bisect_left(starts, atom.begin) : bisect_left(starts, atom.end)]
                whole = spliced_part(raw, atom.begin, atom.end, edits)
                self._renewed[atom.raw(raw)] = atom.run.start + whole + atom.last_run.end

    def text(self) -> str:
        self.between("")
        return "".join(self._parts)

    def keep(self, atom: Atom) -> None:
        if atom.role is Role.TEXT or atom.text:
            self.say(atom.text, atom.run)
        elif atom.run.start and atom.run is atom.last_run and not atom.within:
            self.enter(atom.run)
            self.leave_text()
            self._parts.append(self._raw[atom.begin : atom.end])
        else:
            self.between(atom.raw(self._raw))

    def translate(self, slot: Slot, translation: Segment) -> None:
        ends = {piece.pair: piece.raw for piece in translation if isinstance(piece, Tag) and piece.closing}
        runs = [slot.ground]
        formats: set[int] = set()
        for piece in translation:
            if isinstance(piece, str):
                doubled = runs[-1].doubled
                self.say(piece.replace(doubled, 2 * doubled) if doubled else piece, runs[-1])
            elif piece.closing and piece.pair in formats:
                runs.pop()
            elif piece.pair and piece.raw in slot.runs and ends[piece.pair] == slot.runs[piece.raw].end:
                runs.append(slot.runs[piece.raw])
                formats.add(piece.pair)
            else:
                self.between(piece.raw)

    def say(self, text: str, run: Run) -> None:
        if not text:
            return
        self.enter(run)
        if self._text_end is None:
            self._parts.append(run.text_start)
            self._text_end = run.text_end
        self._parts.append(escape(FORBIDDEN.sub("", text), {"\r": "&#13;"}))

    def between(self, raw: str) -> None:
        """Something that stands in no run."""
        self.enter(NO_RUN)
        self.leave_text()
        self._parts.append(self._renewed.get(raw, raw))

    def enter(self, run: Run) -> None:
        if run is not self._run:
            self.leave_text()
            self._parts += (self._run.end, run.start)
            self._run = run

    def leave_text(self) -> None:
        if self._text_end is not None:
            self._parts.append(self._text_end)
            self._text_end = None
