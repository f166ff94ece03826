"""What the elements of a kind of XML mean, by their names without prefix: prefixes are free, and OOXML has two sets of
namespaces for one vocabulary.

An element that no table names is kept where it is: as a word of the sentence if it shows characters, else as a mark
that keeps close to the word before it. Paragraphs within it are found.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from dragoman.documents.markup import BLANKS, names


@dataclass(frozen=True, slots=True)
class Dialect:
    paragraphs: frozenset[str]
    # Elements with a format, and text in elements of its own; without any, text stands anywhere.
    runs: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()
    # Whether text elements say with xml:space that white space at their ends counts.
    says_space: bool = False
    # What ends a text within its characters, as line feeds do in cells; elsewhere they are spaces. By paragraph, or
    # under no name for all. What matches as `word` is read as one, and kept.
    cuts: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    # Paragraphs in which a character begins a code, and is doubled where it means itself.
    doubled: Mapping[str, str] = field(default_factory=dict)
    # What does not make two formats differ for a reader: languages, marks of spelling checkers.
    noise: re.Pattern[str] = re.compile(r"(?!)")
    # Elements around text; some have their text in a child of this name.
    wrappers: frozenset[str] = frozenset()
    contents: Mapping[str, str] = field(default_factory=dict)
    # Elements that end a text; elements that are characters.
    breaks: frozenset[str] = frozenset()
    characters: Mapping[str, str] = field(default_factory=dict)
    # Elements that begin and end something between them: the end's name and the attribute that both share.
    ranges: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    # Elements around results that a program computes, and marks that say where such a field begins, where its code
    # ends, and where it ends. What a field shows is translated only if it has letters.
    fields: frozenset[str] = frozenset()
    field_marks: frozenset[str] = frozenset()
    # Elements that are never words, whatever they hold.
    silent: frozenset[str] = frozenset()
    # Elements with nothing to translate in them: what was deleted.
    skipped: frozenset[str] = frozenset()
    # What describes the letters of a text, and goes with them: marks of a spelling checker, where pages ended.
    dropped: frozenset[str] = frozenset()
    # Elements with an attribute that says what a picture shows.
    described: Mapping[str, str] = field(default_factory=dict)
    # Paragraphs that have a direction, and whether an element says so or else an attribute.
    directed: frozenset[str] = frozenset()
    directed_by_element: bool = False
    # Cells, whose own paragraphs show a value unless they hold plain text.
    cells: frozenset[str] = frozenset()

    @property
    def mixed(self) -> bool:
        return not self.texts


PICTURES = {"docPr": "descr", "cNvPr": "descr"}
WORD = Dialect(
    paragraphs=names("p"),
    runs=names("r"),
    texts=names("t"),
    says_space=True,
    noise=re.compile(r"<(?:\w+:)?(?:lang|noProof)\b[^<>]*/>"),
    wrappers=names("hyperlink ins moveTo smartTag sdt customXml dir bdo fldSimple"),
    contents={"sdt": "sdtContent"},
    breaks=names("br cr tab ptab"),
    characters={"noBreakHyphen": "\u2011"},
    ranges={
        start: (end, "id")
        for start, end in (
            ("bookmarkStart", "bookmarkEnd"),
            ("commentRangeStart", "commentRangeEnd"),
            ("permStart", "permEnd"),
            ("moveToRangeStart", "moveToRangeEnd"),
        )
    },
    fields=names("fldSimple"),
    field_marks=names("fldChar"),
    silent=names("drawing pict object instrText"),
    skipped=names("del moveFrom"),
    dropped=names("proofErr lastRenderedPageBreak"),
    described=PICTURES,
    directed=names("p"),
    directed_by_element=True,
)
# Text in shapes, charts and slides.
DRAWING = Dialect(
    paragraphs=names("p text"),
    runs=names("r"),
    texts=names("t"),
    noise=re.compile(r"""\s(?:lang|altLang|dirty|err|smtClean|noProof)=(?:"[^"]*"|'[^']*')"""),
    breaks=names("br"),
    described=PICTURES,
    directed=names("p"),
)
# Where a page's header is divided, what is put into it, and how it looks.
HEADERS = tuple(f"{pages}{place}" for pages in ("odd", "even", "first") for place in ("Header", "Footer"))
HEADER_CODES = re.compile(
    r"""(?P<word>&[PNDTZFA](?:[+-]\d+)?|&&)|&(?:"[^"]*"|\d+|K[0-9A-Fa-f]{6}|K\d\d[+-]\d{3}|.?)|\r\n?|\n"""
)
SHEET = Dialect(
    paragraphs=names("si is text") | {*HEADERS},
    runs=names("r"),
    texts=names("t"),
    says_space=True,
    cuts={"": re.compile(r"\r\n?|\n|_x000[ADad]_"), **dict.fromkeys(HEADERS, HEADER_CODES)},
    doubled=dict.fromkeys(HEADERS, "&"),
    dropped=names("rPh"),
)
OPEN_DOCUMENT = Dialect(
    paragraphs=names("p h desc header-decl footer-decl"),
    wrappers=names("span a meta"),
    breaks=names("tab line-break"),
    characters={"s": " "},
    ranges={
        "bookmark-start": ("bookmark-end", "name"),
        "reference-mark-start": ("reference-mark-end", "name"),
        "change-start": ("change-end", "change-id"),
        "annotation": ("annotation-end", "name"),
    },
    silent=names("note annotation frame number"),
    skipped=names("tracked-changes"),
    dropped=names("soft-page-break"),
    cells=names("table-cell covered-table-cell"),
)
SPACE = re.compile(f"[{BLANKS}]+")
