"""Tags and text of XML and HTML with their places, in one pass over the text, linear whatever it holds.

This is no validating parser: XML is checked by a real one first, and HTML has no errors. Everything the scanner does
not understand is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto


class Kind(Enum):
    TEXT = auto()
    OPEN = auto()
    CLOSE = auto()
    EMPTY = auto()
    CDATA = auto()
    # Comments, instructions, declarations: nothing anybody reads.
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Mark:
    """text[begin:end]; `name` is that of a tag, in lower case for HTML."""

    kind: Kind
    begin: int
    end: int
    name: str = ""


NAME = re.compile(r"[A-Za-z_:\u0080-\U0010ffff][^\s/><\"'=]*")
ATTRIBUTE = re.compile(r"""([^\s"'<>/=]+)(?:(\s*=\s*)("[^"]*"|'[^']*'|[^\s"'<>=]+))?""")


def names(text: str) -> frozenset[str]:
    return frozenset(text.split())


VOID = names("area base br col embed hr img input link meta param source track wbr")
# Elements whose content is no markup.
RAW_TEXT = frozenset(("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "plaintext"))
BRACKETED = (("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"))


def scan(text: str, *, html: bool) -> Iterator[Mark]:
    """All of the text, piece by piece."""
    last_quote = {quote: text.rfind(quote) for quote in "\"'"}
    last_end = text.rfind(">")
    begin = at = 0
    while True:
        at = text.find("<", at)
        if at < 0:
            break
        mark = special(text, at, html) or (tag(text, at, html, last_quote) if at < last_end else None)
        if mark is None:
            at += 1
            continue
        if begin < at:
            yield Mark(Kind.TEXT, begin, at)
        yield mark
        begin = at = mark.end
        if html and mark.kind is Kind.OPEN and mark.name in RAW_TEXT:
            # Up to its own end tag there is only text.
            closing = re.compile(f"</{mark.name}(?=[\\s/>]|$)", re.IGNORECASE).search(text, at)
            end = closing.start() if closing and mark.name != "plaintext" else len(text)
            if at < end:
                yield Mark(Kind.TEXT, at, end)
            begin = at = end
    if begin < len(text):
        yield Mark(Kind.TEXT, begin, len(text))


def special(text: str, at: int, html: bool) -> Mark | None:
    for opening, closing in BRACKETED:
        if text.startswith(opening, at):
            if html and opening == "<?":
                closing = ">"
            end = text.find(closing, at + len(opening))
            # A comment that never ends comments out the rest, as browsers have it.
            end = len(text) if end < 0 else end + len(closing)
            return Mark(Kind.CDATA if opening == "<![CDATA[" else Kind.OTHER, at, end)
    if text.startswith("<!", at):
        return Mark(Kind.OTHER, at, declaration_end(text, at))
    return None


def declaration_end(text: str, at: int) -> int:
    """<!DOCTYPE x [ ... ]>: brackets may hold further declarations."""
    end = text.find(">", at)
    bracket = text.find("[", at, end if end >= 0 else len(text))
    if bracket >= 0:
        closed = text.find("]", bracket)
        end = text.find(">", closed) if closed >= 0 else -1
    return len(text) if end < 0 else end + 1


def tag(text: str, at: int, html: bool, last_quote: dict[str, int]) -> Mark | None:
    closing = text.startswith("</", at)
    match = NAME.match(text, at + 1 + closing)
    if match is None:
        return None
    end = tag_end(text, match.end(), last_quote)
    if end is None:
        return None
    name = match.group()
    if html:
        name = name.lower()
    if closing:
        return Mark(Kind.CLOSE, at, end, name)
    # In HTML only void elements are empty, whatever slash they carry; foreign content may close itself.
    empty = name in VOID if html else False
    if not empty and text[end - 2] == "/":
        empty = not html or name in FOREIGN
    return Mark(Kind.EMPTY if empty else Kind.OPEN, at, end, name)


FOREIGN = names("circle ellipse g image line path polygon polyline rect stop svg text tspan use x bx ex ph")


def tag_end(text: str, begin: int, last_quote: dict[str, int]) -> int | None:
    """Behind the > that closes a tag, quotes minded where they come in pairs."""
    at = begin
    while end := NEXT.search(text, at):
        at = end.end()
        if end.group() == ">":
            return at
        if at <= last_quote[end.group()]:
            at = text.index(end.group(), at) + 1
    # Quotes are in disorder. From here on they mean nothing, or the search would come here again for every tag.
    last_quote.update(dict.fromkeys(last_quote, -1))
    place = text.find(">", begin)
    return None if place < 0 else place + 1


NEXT = re.compile("[>\"']")


def attributes(text: str, mark: Mark) -> dict[str, tuple[str, int, int]]:
    """Attributes of a tag: name -> raw value and its place, quotes not included; the first of a name counts."""
    values: dict[str, tuple[str, int, int]] = {}
    begin = mark.begin + 1 + len(mark.name)
    for match in ATTRIBUTE.finditer(text, begin, mark.end - 1):
        name = match.group(1)
        if match.group(3) is None:
            values.setdefault(name, ("", match.end(), match.end()))
            continue
        a, b = match.span(3)
        if text[a] in "\"'":
            a, b = a + 1, b - 1
        values.setdefault(name, (text[a:b], a, b))
    return values
