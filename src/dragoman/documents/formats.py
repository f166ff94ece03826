"""Which format a document is in, by its name or as the user says, and what cannot be translated at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath

from dragoman.documents import gettext, html, markdown, plain, subtitles, xliff
from dragoman.documents.office import document as office
from dragoman.documents.segment import Document, DocumentLimits
from dragoman.documents.tables import android, apple, csv, json, properties, qt, resx, yaml
from dragoman.documents.tables.csv import Columns
from dragoman.documents.tables.pair import PairDocument
from dragoman.documents.tables.table import TableDocument
from dragoman.documents.xml_tree import read_xml
from dragoman.errors import ConfigError, InputError

Reader = Callable[[bytes, str, DocumentLimits, str], Document]
READERS: dict[str, Reader] = {
    "po": gettext.read_po,
    "xliff": xliff.read_xliff,
    "html": html.read_html,
    "markdown": markdown.read_markdown,
    "srt": subtitles.read_srt,
    "vtt": subtitles.read_vtt,
    "text": plain.read_plain,
    **office.READERS,
    "json": json.read_json,
    "arb": json.read_arb,
    "yaml": yaml.read_yaml,
    "properties": properties.read_properties,
    "android": android.read_android,
    "strings": apple.read_strings,
    "stringsdict": apple.read_stringsdict,
    "qt": qt.read_qt,
    "resx": resx.read_resx,
}
# Those with a file for each language, of which the second can be filled.
PAIRED = frozenset(("android", "resx"))
# The one in which somebody must say what is text.
CSV = "csv"
FORMATS = (*READERS, CSV)
BY_EXTENSION = {
    ".po": "po",
    ".pot": "po",
    ".xlf": "xliff",
    ".xliff": "xliff",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".srt": "srt",
    ".vtt": "vtt",
    ".txt": "text",
    **office.BY_EXTENSION,
    ".json": "json",
    ".arb": "arb",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".properties": "properties",
    ".xml": "android",
    ".strings": "strings",
    ".stringsdict": "stringsdict",
    ".ts": "qt",
    ".resx": "resx",
    ".resw": "resx",
    ".csv": CSV,
    ".tsv": CSV,
}
# Formats in which a file holds both languages, so that its translation may take its place.
BILINGUAL = frozenset(("po", "xliff", "qt"))
PDF = (
    "is a PDF, in which text cannot be replaced; translate what `pdftotext -layout FILE.pdf` gives, or open it in a "
    "word processor and save it as .docx"
)
OLD_OFFICE = (
    "is an office document of the old kind, or one with a password; save it as .docx, .xlsx or .pptx without one"
)
# Files that are known by their names to be no text.
UNREADABLE = {".pdf": PDF, ".doc": OLD_OFFICE, ".xls": OLD_OFFICE, ".ppt": OLD_OFFICE}
ZIP = b"PK\x03\x04"
# First bytes of files that hold no text.
FOREIGN = {
    ZIP: "is a zip archive; unpack it first, or name it .docx, .odt or what else it is",
    b"\x1f\x8b": "is compressed; decompress it first",
    b"\xfd7zXZ": "is compressed; decompress it first",
    b"BZh": "is compressed; decompress it first",
    b"%PDF": PDF,
    b"\xd0\xcf\x11\xe0": OLD_OFFICE,
    b"\xde\x12\x04\x95": "is a compiled catalogue; translate the .po file it was made of",
    b"\x95\x04\x12\xde": "is a compiled catalogue; translate the .po file it was made of",
}


def format_of(name: str, wanted: str = "auto") -> str:
    """The format's name; ConfigError where there is none."""
    if wanted != "auto":
        if wanted not in FORMATS:
            raise ConfigError(f"--format: {wanted} is not known; use one of {', '.join(FORMATS)}", "format")
        return wanted
    suffix = PurePath(name).suffix.lower()
    if suffix in UNREADABLE:
        raise InputError(f"{name}: {UNREADABLE[suffix]}")
    if suffix not in BY_EXTENSION:
        known = ", ".join(BY_EXTENSION)
        raise ConfigError(f"{name}: its format is not known by its name ({known} are); say it with --format", "format")
    return BY_EXTENSION[suffix]


def read_document(
    data: bytes,
    name: str,
    format_name: str = "auto",
    limits: DocumentLimits | None = None,
    target_lang: str = "",
    columns: Columns | None = None,
    so_far: bytes | None = None,
) -> Document:
    """A parsed document; InputError where the bytes are none of that format.

    `columns` are those of a CSV file; `so_far` is the file of the translation, for formats with one for each language.
    """
    limits = limits or DocumentLimits()
    if len(data) > limits.max_bytes:
        raise InputError(f"{name}: has {len(data):,} bytes, more than the {limits.max_bytes:,} allowed; split it")
    kind = format_of(name, format_name)
    for start, what in FOREIGN.items():
        if data.startswith(start) and not (start == ZIP and kind in office.READERS):
            raise InputError(f"{name}: {what}")
    if kind == CSV:
        return csv.read_csv(data, name, limits, columns or Columns())
    document = READERS[kind](data, name, limits, target_lang)
    if so_far is not None and isinstance(document, TableDocument):
        return PairDocument(document, read_xml(so_far, f"{name}, its translation so far", limits), name)
    return document
