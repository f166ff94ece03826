"""Which format a document is in, by its name or as the user says, and what cannot be translated at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath

from dragoman.documents import gettext, html, markdown, plain, subtitles, xliff
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
}
# Formats in which a file holds both languages, so that its translation may take its place.
BILINGUAL = frozenset(("po", "xliff"))
# First bytes of files that hold no text.
FOREIGN = {
    b"PK\x03\x04": "is a zip archive (as office documents are); unpack or export it as text first",
    b"\x1f\x8b": "is compressed; decompress it first",
    b"\xfd7zXZ": "is compressed; decompress it first",
    b"BZh": "is compressed; decompress it first",
    b"%PDF": "is a PDF; export its text first",
    b"\xd0\xcf\x11\xe0": "is an old office document; export it as text first",
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
    for start, what in FOREIGN.items():
        if data.startswith(start):
            raise InputError(f"{name}: {what}")
    return READERS[format_of(name, format_name)](data, name, limits, target_lang)
