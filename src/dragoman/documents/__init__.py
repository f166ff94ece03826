"""Documents: files of other programs in, the same files translated out.

>>> from dragoman.documents import translate_document
>>> translated = translate_document(Path("page.html").read_bytes(), "page.html", translator)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dragoman.config import DecodeOptions
from dragoman.documents.encoding import Encoded
from dragoman.documents.engine import TextTranslator, translate_segments
from dragoman.documents.formats import BILINGUAL, BY_EXTENSION, CSV, FORMATS, PAIRED, format_of, read_document
from dragoman.documents.html import HtmlDocument
from dragoman.documents.journal import Journal
from dragoman.documents.segment import Document, DocumentLimits, Segment, Tag
from dragoman.documents.tables.csv import Columns
from dragoman.documents.tables.pair import PairDocument
from dragoman.documents.tables.table import TableDocument
from dragoman.errors import ConfigError, InputError
from dragoman.glossary import GlossaryLike
from dragoman.progress import Progress

__all__ = [
    "BILINGUAL",
    "BY_EXTENSION",
    "CSV",
    "FORMATS",
    "PAIRED",
    "Columns",
    "Document",
    "DocumentLimits",
    "Journal",
    "Segment",
    "Tag",
    "format_of",
    "read_document",
    "translate_document",
    "translate_markup",
]


def translate_document(
    data: bytes,
    name: str,
    translator: TextTranslator,
    *,
    format: str = "auto",
    options: DecodeOptions | None = None,
    glossary: GlossaryLike | None = None,
    threads: int = 1,
    progress: Progress | None = None,
    journal: Journal | None = None,
    limits: DocumentLimits | None = None,
    columns: Columns | None = None,
    note: Callable[[str], None] | None = None,
    so_far: bytes | None = None,
) -> bytes:
    """The bytes of a file with its text translated; structure, tags and placeholders stay.

    `name` tells the format unless `format` does, and is what errors call the file. `progress(done, total)` is called
    between batches and may raise to stop. `columns` are those of a CSV file; `note` is told of texts that were left.
    `so_far` is the file of the translation as it is, for formats with one for each language: it is filled.
    """
    document = read_document(data, name, format, limits, target_language(translator), columns, so_far)
    try:
        translations = translate_segments(
            document.segments,
            translator,
            options=options,
            glossary=glossary,
            threads=threads,
            progress=progress,
            journal=journal,
            limits=limits,
        )
        translated = document.write(translations)
    except (InputError, ConfigError) as error:
        if name in str(error):
            raise
        raise type(error)(f"{name}: {error}") from None
    if note is not None and isinstance(document, TableDocument | PairDocument):
        for sentence in document.notes:
            note(f"{name}, {sentence}")
    return translated


def translate_markup(
    text: str,
    translator: TextTranslator,
    *,
    options: DecodeOptions | None = None,
    glossary: GlossaryLike | None = None,
    threads: int = 1,
    limits: DocumentLimits | None = None,
) -> str:
    """A fragment of HTML with its text translated; what was escaped stays escaped."""
    document = HtmlDocument(Encoded(text), limits or DocumentLimits())
    translations = translate_segments(
        document.segments, translator, options=options, glossary=glossary, threads=threads, limits=limits
    )
    return document.write(translations).decode()


def target_language(translator: Any) -> str:
    model = getattr(translator, "model", None)
    return "" if model is None else str(model.manifest.target_lang)
