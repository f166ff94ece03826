"""Documents: files of other programs in, the same files translated out.

>>> from dragoman.documents import translate_document
>>> translated = translate_document(Path("page.html").read_bytes(), "page.html", translator)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dragoman.config import DecodeOptions
from dragoman.documents.encoding import Encoded
from dragoman.documents.engine import TextTranslator, translate_segments
from dragoman.documents.formats import BILINGUAL, BY_EXTENSION, CSV, FORMATS, PAIRED, format_of, read_document
from dragoman.documents.html import HtmlDocument
from dragoman.documents.journal import Journal
from dragoman.documents.segment import Document, DocumentLimits, HoldsTranslations, Segment, Tag, text_of
from dragoman.documents.stated_languages import StatedLanguages, StatesLanguages, require_languages
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
    "StatedLanguages",
    "StatesLanguages",
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
    force: bool = False,
    look: Callable[[Sequence[str]], object] | None = None,
) -> bytes:
    """The bytes of a file with its text translated; structure, tags and placeholders stay.

    `name` tells the format unless `format` does, and is what errors call the file. `progress(done, total)` is called
    between batches and may raise to stop. `columns` are those of a CSV file; `note` is told of texts that were left.
    `so_far` is the file of the translation as it is, for formats with one for each language: it is filled. A file that
    says it is in other languages than the model's is refused, unless `force` is set. `look` is given the texts before
    they are translated.
    """
    source_lang, target_lang = languages_of(translator)
    document = read_document(data, name, format, limits, target_lang, columns, so_far)
    if not force:
        require_languages(document, name, source_lang, target_lang)
    if look is not None:
        look([text_of(segment) for segment in document.segments])
    context = context_of(document, translator)
    if journal is not None and context:
        journal.depend_on(list(context))
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
            context=context,
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


def context_of(document: Document, translator: Any) -> Sequence[tuple[str, str]] | None:
    """What the document has translated already; None where that tells the translator nothing."""
    if not getattr(translator, "keeps_context", False):
        return None
    return document.confirmed if isinstance(document, HoldsTranslations) else ()


def languages_of(translator: Any) -> tuple[str, str]:
    """Codes of the model's languages; empty where the translator has no model that says them."""
    model = getattr(translator, "model", None)
    return ("", "") if model is None else (model.manifest.source_lang, model.manifest.target_lang)
