"""Tags and text of XML and HTML with their places, in one pass over the text, linear whatever it holds.

This is no validating parser: XML is checked by a real one first, and HTML has no errors. Its tags end where the
tokenizer of the HTML standard ends them: a quote means something behind an equals sign alone, and what is not closed by
the end of the text is no text. So each piece is the same wherever it is moved to, whatever stands around it.
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


# What the HTML standard calls white space; that of XML is among it.
BLANKS = " \t\n\f\r"
HTML_NAME = re.compile(rf"</?([A-Za-z][^{BLANKS}/>]*+)")
XML_NAME = re.compile(rf"</?([A-Za-z_:\u0080-\U0010ffff][^{BLANKS}/>]*+)")
# A value whose quote is never closed reaches to the end of the text.
VALUE = rf"""("[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^{BLANKS}>]*+)"""
# What stands before it, the name, and in the last group the value with its quotes. One at a time: a pattern for all of
# them would keep a note of each.
ATTRIBUTE = re.compile(rf"[{BLANKS}/]*+([^{BLANKS}/>][^{BLANKS}/>=]*+)(?:[{BLANKS}]*+=[{BLANKS}]*+{VALUE})?")
TAG_END = re.compile(rf"[{BLANKS}/]*+>")
# What is neither text nor a tag. An end tag without a name is a comment, and so is any instruction.
HTML_OTHER = re.compile(
    r"<!--(?:-?>|.*?(?:--!?>|\Z))|(?P<cdata><!\[CDATA\[.*?(?:\]\]>|\Z))|<(?:[!?]|/(?![A-Za-z]|\Z))[^>]*+>?", re.DOTALL
)
XML_OTHER = re.compile(
    r"<!--.*?-->|(?P<cdata><!\[CDATA\[.*?\]\]>)|<\?.*?\?>|<!(?:[^>\[]*+\[[^\]]*+\])?[^>]*+>", re.DOTALL
)


def names(text: str) -> frozenset[str]:
    return frozenset(text.split())


VOID = names("area base br col embed hr img input link meta param source track wbr")
# Elements whose content is no markup.
RAW_TEXT = frozenset(("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "plaintext"))


def scan(text: str, *, html: bool) -> Iterator[Mark]:
    """All of the text, piece by piece."""
    begin = at = 0
    while True:
        at = text.find("<", at)
        if at < 0:
            break
        mark = other(text, at, html) or tag(text, at, html)
        if mark is None:
            at += 1
            continue
        if begin < at:
            yield Mark(Kind.TEXT, begin, at)
        yield mark
        begin = at = mark.end
        if html and mark.kind is Kind.OPEN and mark.name in RAW_TEXT:
            # Up to its own end tag there is only text.
            closing = re.compile(f"</{mark.name}(?=[{BLANKS}/>])", re.IGNORECASE).search(text, at)
            end = closing.start() if closing and mark.name != "plaintext" else len(text)
            if at < end:
                yield Mark(Kind.TEXT, at, end)
            begin = at = end
    if begin < len(text):
        yield Mark(Kind.TEXT, begin, len(text))


def other(text: str, at: int, html: bool) -> Mark | None:
    match = (HTML_OTHER if html else XML_OTHER).match(text, at)
    if match is None:
        return None
    return Mark(Kind.CDATA if match["cdata"] else Kind.OTHER, at, match.end())


def tag(text: str, at: int, html: bool) -> Mark | None:
    match = (HTML_NAME if html else XML_NAME).match(text, at)
    if match is None:
        return None
    end = match.end()
    for attribute in raw_attributes(text, match):
        end = attribute.end()
    ending = TAG_END.match(text, end)
    if ending is None:
        return Mark(Kind.OTHER, at, len(text))
    name = match[1].lower() if html else match[1]
    if text.startswith("</", at):
        return Mark(Kind.CLOSE, at, ending.end(), name)
    # In HTML only void elements are empty, whatever slash they carry; foreign content may close itself.
    closed = ending[0].endswith("/>") and (not html or name in FOREIGN)
    return Mark(Kind.EMPTY if closed or (html and name in VOID) else Kind.OPEN, at, ending.end(), name)


FOREIGN = names("circle ellipse g image line path polygon polyline rect stop svg text tspan use x bx ex ph")


def raw_attributes(text: str, last: re.Match[str]) -> Iterator[re.Match[str]]:
    """All that follow the name of a tag, or another attribute."""
    while match := ATTRIBUTE.match(text, last.end()):
        yield match
        last = match


def attributes(text: str, mark: Mark, *, html: bool) -> dict[str, tuple[str, int, int]]:
    """Attributes of a tag: name, in lower case for HTML -> raw value and its place, quotes not included; the first of a
    name counts."""
    values: dict[str, tuple[str, int, int]] = {}
    tag_name = XML_NAME.match(text, mark.begin)
    assert tag_name is not None
    for attribute in raw_attributes(text, tag_name):
        name = attribute.group(1).lower() if html else attribute.group(1)
        if not attribute.group(2):
            values.setdefault(name, ("", attribute.end(), attribute.end()))
            continue
        a, b = attribute.span(2)
        if text[a] in "\"'":
            a, b = a + 1, b - 1
        values.setdefault(name, (text[a:b], a, b))
    return values
