"""HTML cut into tags, text and what is neither, so that the pieces put together are the input again, byte for byte.

The standard library's parser gives no exact spans and, in some versions, takes quadratic time for hostile input; this
one follows the tokenizer of the HTML standard where it matters here (quoted attributes, raw text elements, comments,
tags that never end) and looks at every character a bounded number of times.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

# Their content is no markup; of these, title holds text for people.
RAW_TEXT = frozenset({"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"})
VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())

TAG_NAME = re.compile(r"</?([A-Za-z][^\s/>\x00]*)")
# One attribute, or what stands between attributes. A quote is one only behind an equals sign.
ATTRIBUTE = re.compile(
    r"""[\s/]+ | (?P<name>=?[^\s/>=]+) (?: \s*=\s* (?: "(?P<double>[^"]*)" | '(?P<single>[^']*)'
        | (?P<bare>[^\s>"'][^\s>]*) )? )? """,
    re.VERBOSE,
)
OPEN_QUOTE = re.compile(r"\s*=\s*[\"']")


class Kind(Enum):
    TEXT = "text"
    OPEN = "open"
    CLOSE = "close"
    # Comments, declarations, and elements without content.
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Token:
    kind: Kind
    raw: str
    name: str = ""
    attributes: dict[str, str] | None = None


def read_tag(text: str, at: int) -> tuple[int, dict[str, str]] | None:
    """Where the tag whose name ends at `at` ends, and its attributes; None if it never does."""
    attributes: dict[str, str] = {}
    while at < len(text):
        if text[at] == ">":
            return at + 1, attributes
        found = ATTRIBUTE.match(text, at)
        if found is None or found.end() == at:
            at += 1
            continue
        at = found.end()
        name = found["name"]
        if name is None:
            continue
        # An opening quote that the pattern could not close is never closed.
        if found["double"] is None and found["single"] is None and found["bare"] is None:
            if OPEN_QUOTE.match(text, found.end("name")):
                return None
            if text[at : at + 1] in ('"', "'") and text[at - 1] == "=":
                return None
        value = found["double"] or found["single"] or found["bare"] or ""
        attributes.setdefault(name.lower(), html.unescape(value))
    return None


def end_of_other(text: str, at: int) -> int:
    """The end of a comment, declaration or processing instruction that begins at `at`; the end of the text if open."""
    if text.startswith("<!--", at):
        if text.startswith((">", "->"), at + 4):
            return text.index(">", at + 4) + 1
        end = text.find("-->", at + 4)
        return len(text) if end < 0 else end + 3
    if text.startswith("<![CDATA[", at):
        end = text.find("]]>", at)
        return len(text) if end < 0 else end + 3
    end = text.find(">", at)
    return len(text) if end < 0 else end + 1


def tokens_of(text: str) -> Iterator[Token]:
    """The tokens; a tag that never ends makes the rest of the text something no browser shows, and stays as it is."""
    at = begin = 0
    while True:
        at = text.find("<", at)
        if at < 0:
            break
        following = text[at + 1 : at + 2]
        if following in ("!", "?") or (following == "/" and not TAG_NAME.match(text, at)):
            if begin < at:
                yield Token(Kind.TEXT, text[begin:at])
            begin = end_of_other(text, at)
            yield Token(Kind.OTHER, text[at:begin])
            at = begin
            continue
        name_match = TAG_NAME.match(text, at)
        if name_match is None:
            at += 1
            continue
        if begin < at:
            yield Token(Kind.TEXT, text[begin:at])
        tag = read_tag(text, name_match.end())
        if tag is None:
            yield Token(Kind.OTHER, text[at:])
            return
        begin, attributes = tag
        name = name_match[1].lower()
        raw = text[at:begin]
        if following == "/":
            yield Token(Kind.CLOSE, raw, name)
        elif name in VOID:
            yield Token(Kind.OTHER, raw, name, attributes)
        else:
            yield Token(Kind.OPEN, raw, name, attributes)
            if name in RAW_TEXT:
                close = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(text, begin)
                end = close.start() if close else len(text)
                if begin < end:
                    yield Token(Kind.TEXT if name == "title" else Kind.OTHER, text[begin:end])
                begin = end
        at = begin
    if begin < len(text):
        yield Token(Kind.TEXT, text[begin:])
