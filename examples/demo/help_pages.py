"""Paragraphs of LibreOffice's help pages, and pairs of them from two languages.

The help is written once and translated paragraph by paragraph, so the pages of two languages hold the same `<p>` and
`<h*>` elements under the same ids; that is all the alignment there is. One pass over each page, linear in its size;
libxml2 sees to unclosed and stray tags.

What a reader of the page would see is what is kept. Inline tags go and their text stays. A page carries every wording
of a passage that differs between systems or modules: inside a paragraph one of them is taken (the default, or else the
first that is not the Mac's), the same on both sides, and whole paragraphs for the Mac are left out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from lxml import etree

PARAGRAPHS = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6"})
# Text that is not prose, and the frame round each page, which names the page in an untranslated way.
SKIPPED = frozenset({"script", "style", "noscript", "template", "pre", "header", "footer", "aside", "nav", "head"})
# What HTML collapses. No-break spaces are not among it: they are typography, and French needs them.
WHITE_SPACE = re.compile(r"[ \t\n\r\f]+")
MAC = "MAC"
INLINE_SWITCH = "switchinline"


@dataclass(slots=True)
class PageNode:
    """An open element: where its text goes, and what that text is for."""

    identifier: str = ""
    is_mac: bool = False
    is_default: bool = False
    text: list[str] = field(default_factory=list)
    # Only for an inline switch: the alternatives that were closed so far, as (rank, text); the smallest rank wins.
    alternatives: list[tuple[int, str]] | None = None


class PageReader:
    """Collects (id, text) of the paragraphs of one page, in order, from what an HTML parser sees of it."""

    def __init__(self) -> None:
        self.paragraphs: list[tuple[str, str]] = []
        self._open: list[PageNode] = []
        self._skipped_depth = 0
        self._mac_depth = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        classes = attributes.get("class", "").split()
        identifier = attributes.get("id", "")
        element = PageNode(identifier, is_mac=MAC in classes, is_default=identifier.startswith("default"))
        if INLINE_SWITCH in classes:
            element.alternatives = []
        self._open.append(element)
        self._skipped_depth += tag in SKIPPED
        self._mac_depth += element.is_mac

    def data(self, data: str) -> None:
        if self._open:
            self._open[-1].text.append(data)

    def close(self) -> None:
        """The parser wants to call this."""

    def end(self, tag: str) -> None:
        element = self._open.pop()
        self._skipped_depth -= tag in SKIPPED
        self._mac_depth -= element.is_mac
        if element.alternatives:
            text = min(element.alternatives, key=lambda alternative: alternative[0])[1]
        else:
            text = " " if tag == "br" else "".join(element.text)
        if tag in PARAGRAPHS:
            clean = WHITE_SPACE.sub(" ", text).strip()
            if element.identifier and clean and not self._skipped_depth and not self._mac_depth:
                self.paragraphs.append((element.identifier, clean))
        elif self._open:
            parent = self._open[-1]
            if element.is_mac or tag in SKIPPED:
                return
            if parent.alternatives is None:
                parent.text.append(text)
            else:
                parent.alternatives.append((0 if element.is_default else 1, text))


def paragraphs(page: str) -> list[tuple[str, str]]:
    """(id, text) of every paragraph and heading of a page that has both, in the page's order."""
    if not page.strip():
        return []
    reader: Any = PageReader()
    etree.fromstring(page.encode(), etree.HTMLParser(target=reader, encoding="utf-8", huge_tree=True))
    return cast(PageReader, reader).paragraphs


def paired(source_page: str, target_page: str) -> Iterator[tuple[str, str, str]]:
    """(id, source text, target text) for every id of both pages, in the source page's order.

    A page that repeats a passage repeats its id, which gives one pair. An id that stands for different texts, because
    pages that happen to share it were merged into one, is left out: their order differs between languages.
    """
    source = texts_by_id(source_page)
    target = texts_by_id(target_page)
    for identifier, texts in source.items():
        others = target.get(identifier, set())
        if len(texts) == 1 and len(others) == 1:
            yield identifier, next(iter(texts)), next(iter(others))


def texts_by_id(page: str) -> dict[str, set[str]]:
    texts: dict[str, set[str]] = defaultdict(set)
    for identifier, text in paragraphs(page):
        texts[identifier].add(text)
    return texts
