"""Paragraphs of LibreOffice's help pages, and pairs of them from two languages.

The help is written once and translated paragraph by paragraph, so the pages of two languages hold the same `<p>` and
`<h*>` elements under the same ids; that is all the alignment there is. One pass over each page, linear in its size.

What a reader of the page would see is what is kept. Inline tags go and their text stays. A page carries every wording
of a passage that differs between systems or modules: inside a paragraph one of them is taken (the default, or else the
first that is not the Mac's), the same on both sides, and whole paragraphs for the Mac are left out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

PARAGRAPHS = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6"})
VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})
# Text that is not prose, and the frame round each page, which names the page in an untranslated way.
SKIPPED = frozenset({"script", "style", "noscript", "template", "pre", "header", "footer", "aside", "nav", "head"})
# Elements that begin and end inside a paragraph, so that a stray end tag of theirs cannot end it.
INLINE = frozenset({"a", "b", "code", "em", "i", "small", "span", "strong", "sub", "sup", "u"})
# What HTML collapses. No-break spaces are not among it: they are typography, and French needs them.
WHITE_SPACE = re.compile(r"[ \t\n\r\f]+")
MAC = "MAC"
INLINE_SWITCH = "switchinline"


@dataclass(slots=True)
class Element:
    """An open element: where its text goes, and what that text is for."""

    tag: str
    identifier: str = ""
    is_mac: bool = False
    is_default: bool = False
    text: list[str] = field(default_factory=list)
    # Only for an inline switch: the alternatives that were closed so far, as (rank, text); the smallest rank wins.
    alternatives: list[tuple[int, str]] | None = None


class PageParser(HTMLParser):
    """Collects (id, text) of the paragraphs of one page, in order; unclosed and stray tags are survived."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.paragraphs: list[tuple[str, str]] = []
        self._open: list[Element] = []
        self._skipped_depth = 0
        self._mac_depth = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            if tag == "br":
                self.handle_data(" ")
            return
        if tag in PARAGRAPHS:
            # A paragraph never holds another: an open one was left unclosed.
            self._close(PARAGRAPHS)
        values = dict(attributes)
        classes = (values.get("class") or "").split()
        identifier = values.get("id") or ""
        element = Element(tag, identifier, is_mac=MAC in classes, is_default=identifier.startswith("default"))
        if INLINE_SWITCH in classes:
            element.alternatives = []
        self._open.append(element)
        self._skipped_depth += tag in SKIPPED
        self._mac_depth += element.is_mac

    def handle_endtag(self, tag: str) -> None:
        if tag in INLINE:
            for element in reversed(self._open):
                if element.tag == tag:
                    break
                if element.tag in PARAGRAPHS:
                    return
        self._close(frozenset({tag}))

    def handle_data(self, data: str) -> None:
        if self._open:
            self._open[-1].text.append(data)

    def close(self) -> None:
        super().close()
        while self._open:
            self._finish(self._open.pop())

    def _close(self, tags: frozenset[str]) -> None:
        """Closes the innermost open element of these tags with all that is open inside it; ignores a stray end."""
        if any(element.tag in tags for element in self._open):
            while self._open:
                element = self._open.pop()
                self._finish(element)
                if element.tag in tags:
                    break

    def _finish(self, element: Element) -> None:
        self._skipped_depth -= element.tag in SKIPPED
        self._mac_depth -= element.is_mac
        if element.alternatives:
            text = min(element.alternatives, key=lambda alternative: alternative[0])[1]
        else:
            text = "".join(element.text)
        if element.tag in PARAGRAPHS:
            clean = WHITE_SPACE.sub(" ", text).strip()
            if element.identifier and clean and not self._skipped_depth and not self._mac_depth:
                self.paragraphs.append((element.identifier, clean))
        elif self._open:
            parent = self._open[-1]
            if parent.alternatives is not None:
                rank = 2 if element.is_mac else 0 if element.is_default else 1
                parent.alternatives.append((rank, text))
            elif not element.is_mac and element.tag not in SKIPPED:
                parent.text.append(text)


def paragraphs(page: str) -> list[tuple[str, str]]:
    """(id, text) of every paragraph and heading of a page that has both, in the page's order."""
    parser = PageParser()
    parser.feed(page)
    parser.close()
    return parser.paragraphs


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
