"""A part of an archive that holds text: XML in which nothing changes but the content of some paragraphs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from dragoman.documents.edit import Edit, spliced
from dragoman.documents.encoding import Encoded
from dragoman.documents.markup import Kind, scan
from dragoman.documents.office.content import Content
from dragoman.documents.office.description import Description
from dragoman.documents.office.dialect import Dialect
from dragoman.documents.office.element import paragraphs
from dragoman.documents.office.paragraph import Paragraph, readable
from dragoman.documents.segment import DocumentLimits, Segment
from dragoman.documents.xml_tree import read_xml
from dragoman.errors import InputError


class Part:
    """Paragraphs are read twice, for their segments and to be written, and not kept: they take far more memory."""

    def __init__(
        self,
        source: Encoded,
        dialect: Dialect,
        is_name: Callable[[str], bool],
        name: str,
        most: int,
        rtl: bool | None = None,
    ) -> None:
        self._source = source
        self._dialect = dialect
        self._rtl = rtl
        self._is_name = is_name
        self.segments: list[Segment] = []
        for paragraph in self.paragraphs():
            self.segments += [slot.segment for slot in paragraph.slots()]
            if len(self.segments) > most:
                raise InputError(f"{name}: holds more than {most:,} texts to translate; split it")

    def paragraphs(self) -> Iterator[Paragraph | Description]:
        text = self._source.text
        content = Content(text, self._dialect, self._rtl)
        for element in paragraphs(text, self._dialect):
            paragraph = readable(element, content, text)
            if not self._is_name(paragraph.text):
                yield paragraph

    def write(self, translations: Sequence[Segment | None]) -> bytes:
        left = iter(translations)
        edits: list[Edit] = []
        for paragraph in self.paragraphs():
            for slot in paragraph.slots():
                slot.translation = next(left)
            edits += paragraph.edits(self._source.text)
        return self._source.encoded(spliced(self._source.text, edits), references=True)


def read_part(data: bytes, name: str, limits: DocumentLimits, paragraphs: frozenset[str] = frozenset()) -> Encoded:
    """Well-formed XML without any document type, which office documents never have."""
    source = read_xml(data, name, limits, paragraphs)
    for mark in scan(source.text, html=False):
        if mark.kind in (Kind.OPEN, Kind.EMPTY):
            break
        if source.text.startswith("<!DOCTYPE", mark.begin):
            raise InputError(f"{name}: has a DOCTYPE, which office documents never have; save it again")
    return source
