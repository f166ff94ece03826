"""A fragment of HTML on its way through the workers: first its lines, later what was made of them.

Parsing, and carrying tags to the translation, is the work of dragoman.documents; this only takes apart what
`translate_markup` does in one go, so that the lines of all texts of a request can share the threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dragoman.documents.encoding import Encoded
from dragoman.documents.engine import trim
from dragoman.documents.html import HtmlDocument
from dragoman.documents.projection import Flattened
from dragoman.documents.segment import DocumentLimits, Segment, has_words, text_of
from dragoman.translation import Translation


class MarkupJob:
    """One text; `lines` go out, `finish` takes their translations."""

    def __init__(self, source: str, limits: DocumentLimits | None = None) -> None:
        self._document = HtmlDocument(Encoded(source), limits or DocumentLimits())
        self._trimmed = [trim(segment) for segment in self._document.segments]
        self._flat = [Flattened(core) if has_words(core) else None for _, core, _ in self._trimmed]

    @property
    def lines(self) -> list[str]:
        return [flat.text for flat in self._flat if flat is not None]

    def finish(self, translations: Sequence[Translation]) -> str:
        left = iter(translations)

        def segments() -> Iterator[Segment | None]:
            for (before, _, after), flat in zip(self._trimmed, self._flat, strict=True):
                yield None if flat is None else (*before, *flat.translated(next(left)), *after)

        return self._document.write(list(segments())).decode()


def readable(source: str) -> str:
    """The text of HTML that people read, for telling its language."""
    return "\n".join(text_of(segment) for segment in HtmlDocument(Encoded(source), DocumentLimits()).segments)
