"""Android's strings.xml: strings, arrays of strings and plurals, but those that say translatable="false".

`<xliff:g>` encloses what is not to be translated. In text a backslash escapes, white space is one space unless it
stands in double quotes, and `@string/name` is another string's; all this is read and written as aapt does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from dragoman.documents.encoding import whole_characters
from dragoman.documents.segment import DocumentLimits, Piece, Segment
from dragoman.documents.tables.table import Slot, TableDocument
from dragoman.documents.tables.xml_text import XmlText, xml_text
from dragoman.documents.xml_tree import XmlNode, read_xml, tree_of
from dragoman.errors import InputError

TOKEN = re.compile(r"\\u([0-9a-fA-F]{4})|\\(.)|(\")|([ \t\r\n\f]+)|([^\\\" \t\r\n\f]+)", re.DOTALL)
PLAIN = {"n": "\n", "t": "\t"}
REFERENCE = re.compile(r"\s*(?:@(?:null|empty|\+?(?:[\w.]+:)?\w+/[\w.:]+)|\?(?:[\w.]+:)?(?:\w+/)?[\w.]+)\s*")
BLANK = " \t\r\n\f"


class AndroidText:
    """The text of a string as it is read, and how a translation is written in its place."""

    def __init__(self, xml: XmlText) -> None:
        self._xml = xml
        pieces: list[Piece] = []
        strings = [piece for piece in xml.pieces if isinstance(piece, str)]
        bare = "".join(strings).strip(BLANK)
        # Quotes around all of it are kept; others serve white space alone, for which there are escapes.
        self._quoted = (
            [match.start() for match in TOKEN.finditer(bare) if match.group(3)] == [0, len(bare) - 1]
            and all(isinstance(piece, str) for piece in (xml.pieces[0], xml.pieces[-1]))
        )
        inside = False
        is_begun = False

        def character(match: re.Match[str]) -> str:
            nonlocal inside, is_begun
            number, plain, quote, blank, _ = match.groups()
            if blank and not inside and not is_begun:
                return ""
            is_begun = is_begun or not quote
            if number:
                return chr(int(number, 16))
            if plain:
                return PLAIN.get(plain, plain)
            if quote:
                inside = not inside
                return ""
            if blank and not inside:
                return " "
            return match.group()

        for piece in xml.pieces:
            if isinstance(piece, str):
                piece = whole_characters(TOKEN.sub(character, piece))
            else:
                is_begun = True
            pieces.append(piece)
        self.read = replace(xml, pieces=pieces)
        self.is_closed = not inside

    def written(self, segment: Segment) -> str:
        pieces: list[Piece] = []
        for at, piece in enumerate(segment):
            if isinstance(piece, str):
                piece = self.escaped(piece, at == 0, at == len(segment) - 1)
            pieces.append(piece)
        text = self._xml.written(tuple(pieces))
        return f'"{text}"' if self._quoted else text

    def escaped(self, text: str, first: bool = False, last: bool = False) -> str:
        text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
        text = re.sub(r"[\x00-\x1f]", lambda match: f"\\u{ord(match.group()):04x}", text)
        if self._quoted:
            return text
        text = re.sub(r"(?<= ) ", r"\\u0020", text.replace("'", "\\'"))
        if first:
            text = re.sub(r"^ ", r"\\u0020", re.sub(r"^(?=[@?])", r"\\", text))
        return re.sub(r" $", r"\\u0020", text) if last else text

    def tag(self, raw: str) -> str:
        return self._xml.tag(self.escaped(raw))


def is_kept(child: XmlNode) -> bool:
    """Whether it is XLIFF's `g`, whatever prefix the file gives that."""
    return child.name == "g" and child.mark.name != "g"


def strings_of(root: XmlNode) -> Iterator[XmlNode]:
    for node in root.elements():
        if node.values.get("translatable") == "false":
            continue
        if node.name == "string" or (node.name == "item" and node.values.get("type") == "string"):
            yield node
        elif node.name in ("string-array", "plurals"):
            yield from node.named("item")


def read_android(data: bytes, name: str, limits: DocumentLimits, target_lang: str = "") -> TableDocument:
    source = read_xml(data, name, limits)
    root = tree_of(source.text)
    if root is None or root.name != "resources":
        raise InputError(f"{name}: is XML, but not Android's; its outermost element is not <resources>")
    document = TableDocument(source, limits, references=True)
    for node in strings_of(root):
        xml = trimmed(source.text, xml_text(source, node, is_kept))
        if REFERENCE.fullmatch(source.text, xml.begin, xml.end) or not xml.pieces:
            continue
        android = AndroidText(xml)
        if not android.is_closed:
            document.leave(xml.begin, "a text with a double quote that is never closed")
            continue
        message = document.message(xml.begin, *android.read.flat(), android.tag, printf=True)
        if message is not None:
            document.add(Slot(xml.begin, xml.end, message, android.written))
    return document


def trimmed(text: str, xml: XmlText) -> XmlText:
    """Without the white space around it, which is nobody's and stays."""
    raw = text[xml.begin : xml.end]
    begin = xml.begin + len(raw) - len(raw.lstrip(BLANK))
    end = max(begin, xml.end - len(raw) + len(without_last_blanks(raw)))
    pieces = list(xml.pieces)
    if pieces and isinstance(pieces[0], str):
        pieces[0] = pieces[0].lstrip(BLANK)
    if pieces and isinstance(pieces[-1], str):
        pieces[-1] = without_last_blanks(pieces[-1])
    return replace(xml, begin=begin, end=end, pieces=[piece for piece in pieces if piece != ""])


def without_last_blanks(text: str) -> str:
    """But for one that a backslash escapes."""
    bare = text.rstrip(BLANK)
    is_escaped = (len(bare) - len(bare.rstrip("\\"))) % 2 == 1
    return text[: len(bare) + is_escaped]
