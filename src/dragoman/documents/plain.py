"""Plain text, line by line. Lines stay lines; there is nowhere to mark that a machine translated them."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.documents.encoding import Encoded, decoded
from dragoman.documents.segment import DocumentLimits, Segment, split_lines, text_of


class PlainDocument:
    def __init__(self, source: Encoded) -> None:
        self._source = source
        self._lines = split_lines(source.text)
        self._wanted = [number for number, line in enumerate(self._lines) if line.strip()]

    @property
    def segments(self) -> Sequence[Segment]:
        return [(self._lines[number].rstrip("\r\n"),) for number in self._wanted]

    def write(self, translations: Sequence[Segment | None]) -> bytes:
        lines = list(self._lines)
        for number, translation in zip(self._wanted, translations, strict=True):
            if translation is not None:
                bare = lines[number].rstrip("\r\n")
                lines[number] = text_of(translation) + lines[number][len(bare) :]
        return self._source.encoded("".join(lines))


def read_plain(data: bytes, name: str, limits: DocumentLimits, target_lang: str = "") -> PlainDocument:
    return PlainDocument(decoded(data, name))
