"""A part of an archive that holds text: XML in which nothing changes but the content of some paragraphs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from dragoman.documents.encoding import Encoded, decoded
from dragoman.documents.html import spliced
from dragoman.documents.markup import Kind, scan
from dragoman.documents.office.content import Content
from dragoman.documents.office.dialect import Dialect
from dragoman.documents.office.element import paragraphs
from dragoman.documents.office.paragraph import Paragraph, Slot
from dragoman.documents.segment import DocumentLimits, Segment
from dragoman.documents.xliff import ENCODING, check_xml
from dragoman.errors import InputError


class Part:
    def __init__(self, source: Encoded, dialect: Dialect, is_name: Callable[[str], bool]) -> None:
        self._source = source
        self._paragraphs: list[Paragraph] = []
        content = Content(source.text, dialect)
        for element in paragraphs(source.text, dialect):
            paragraph = Paragraph.of(element, content, source.text)
            if any(paragraph.slots()) and not is_name(paragraph.text):
                self._paragraphs.append(paragraph)
        self.slots: Sequence[Slot] = [slot for paragraph in self._paragraphs for slot in paragraph.slots()]

    def write(self, translations: Mapping[int, Segment]) -> bytes:
        """With translations by the identity of their slots."""
        text = self._source.text
        edits = [edit for paragraph in self._paragraphs for edit in paragraph.edits(text, translations)]
        return self._source.encoded(spliced(text, edits), references=True)


def read_xml(data: bytes, name: str, limits: DocumentLimits) -> Encoded:
    """Well-formed XML without any document type, which office documents never have."""
    check_xml(data, name, limits)
    match = ENCODING.match(data)
    source = decoded(data, name, match.group(1).decode() if match else "utf-8")
    for mark in scan(source.text, html=False):
        if mark.kind in (Kind.OPEN, Kind.EMPTY):
            break
        if source.text.startswith("<!DOCTYPE", mark.begin):
            raise InputError(f"{name}: has a DOCTYPE, which office documents never have; save it again")
    return source
