"""A document as sentences: the text of its segments in order, each segment a paragraph, without its markup."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

from dragoman import _core
from dragoman.corpus.languages import canonical
from dragoman.documents import BILINGUAL, Columns, DocumentLimits, Segment, Tag, format_of, read_document
from dragoman.documents.encoding import decoded
from dragoman.errors import InputError
from dragoman.pairing.beads import Sentences

# No-break spaces stay: they are part of how a language is written.
SPACES = re.compile(r"[ \t\n\r\f\v]+")
BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
ELEMENT = re.compile(r"<[^<>]*>")
# Elements of office files have prefixes; of theirs only tabs and line ends are text.
SPACE_TAG = re.compile(r"<(?:[\w.-]+:)?(?:tab|ptab|br|cr|line-break|s)\b")
HTML_ELEMENT = re.compile(r"<\w+[\s>]")
PLACEHOLDER = re.compile(r"\{[^\\{}]*\}|[%$][^\s]+")
CODE = re.compile(r"`+([^`]+)`+")


def read_sentences(
    path: Path,
    lang: str,
    wrapped: bool = False,
    limits: DocumentLimits | None = None,
    columns: Columns | None = None,
) -> Sentences:
    """The sentences of a file. `wrapped`: in plain text a line may end anywhere, and an empty one ends a paragraph.

    `columns` are those of a CSV file that hold the text.
    """
    limits = limits or DocumentLimits()
    kind = format_of(str(path))
    if kind in BILINGUAL:
        raise InputError(f"{path} holds both languages already; there is nothing to pair")
    with path.open("rb") as stream:
        data = stream.read(limits.max_bytes + 1)
    if wrapped and kind == "text":
        paragraphs = BLANK_LINE.split(decoded(data, str(path)).text)
    else:
        document = read_document(data, str(path), kind, limits, columns=columns)
        paragraphs = [segment_text(segment) for segment in document.segments]
    return split_sentences(paragraphs, lang)


def split_sentences(paragraphs: list[str], lang: str) -> Sentences:
    splitter = _core.SentenceSplitter(canonical(lang), "space")
    normal = [_core.normalise(paragraph)[0] for paragraph in paragraphs]
    texts: list[str] = []
    begins: list[int] = []
    for sentences in splitter.split(normal):
        plain = [text for sentence in sentences if (text := SPACES.sub(" ", sentence).strip())]
        if plain:
            begins.append(len(texts))
            texts += plain
    return Sentences(texts, begins)


def segment_text(segment: Segment) -> str:
    return "".join(tag_text(piece) if isinstance(piece, Tag) else piece for piece in segment)


def tag_text(tag: Tag) -> str:
    """What a reader sees of a tag by itself: code, a placeholder, the space of a tab; of everything else nothing."""
    if tag.pair:
        return ""
    if SPACE_TAG.match(tag.raw):
        return " "
    if HTML_ELEMENT.match(tag.raw):
        return unescape(ELEMENT.sub("", tag.raw))
    if PLACEHOLDER.fullmatch(tag.raw):
        return tag.raw
    code = CODE.fullmatch(tag.raw)
    return code.group(1) if code else ""
