"""Which format a document is in, by its name or as the user says, and what cannot be translated at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath

from dragoman.documents import gettext, html, markdown, plain, subtitles, xliff
from dragoman.documents.office import document as office
from dragoman.documents.segment import Document, DocumentLimits
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
}
FORMATS = tuple(READERS)
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
}
# Formats in which a file holds both languages, so that its translation may take its place.
BILINGUAL = frozenset(("po", "xliff"))
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
        if wanted not in READERS:
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
    data: bytes, name: str, format_name: str = "auto", limits: DocumentLimits | None = None, target_lang: str = ""
) -> Document:
    """A parsed document; InputError where the bytes are none of that format."""
    limits = limits or DocumentLimits()
    if len(data) > limits.max_bytes:
        raise InputError(f"{name}: has {len(data):,} bytes, more than the {limits.max_bytes:,} allowed; split it")
    format_name = format_of(name, format_name)
    for start, what in FOREIGN.items():
        if data.startswith(start) and not (start == ZIP and format_name in office.READERS):
            raise InputError(f"{name}: {what}")
    return READERS[format_name](data, name, limits, target_lang)
