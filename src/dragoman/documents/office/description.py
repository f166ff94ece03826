"""What a picture shows, for those who do not see it: a text in an attribute."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape

from dragoman.documents.edit import Edit
from dragoman.documents.markup import attributes
from dragoman.documents.office.element import Element
from dragoman.documents.office.slot import FORBIDDEN, Slot
from dragoman.documents.segment import has_words, text_of
from dragoman.documents.xml_tree import unescape

ESCAPES = {'"': "&quot;", "'": "&apos;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}


@dataclass(slots=True)
class Description:
    begin: int
    end: int
    slot: Slot

    @classmethod
    def of(cls, element: Element, attribute: str, raw: str) -> Description:
        value, begin, end = attributes(raw, element.mark, html=False).get(attribute, ("", 0, 0))
        return cls(begin, end, Slot([], {}, (unescape(value),)))

    @property
    def text(self) -> str:
        return text_of(self.slot.segment)

    def slots(self) -> Iterator[Slot]:
        if has_words(self.slot.segment):
            yield self.slot

    def edits(self, raw: str) -> list[Edit]:
        if self.slot.translation is None or not self.slot.changes:
            return []
        text = FORBIDDEN.sub("", text_of(self.slot.translation))
        return [(self.begin, self.end, escape(text, ESCAPES))]
