"""The text inside of an XML element: as pieces to translate, and written back, in CDATA where it was in CDATA."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from xml.sax.saxutils import escape

from dragoman.documents.encoding import Encoded
from dragoman.documents.markup import Kind, Mark
from dragoman.documents.segment import Piece, Segment, Tag, serialised, text_of
from dragoman.documents.tables.message import KNOWN
from dragoman.documents.tables.table import Slot, TableDocument
from dragoman.documents.xml_tree import CDATA_BEGIN, CDATA_END, CHARACTERS, XmlNode, characters

BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")


@dataclass(frozen=True, slots=True)
class XmlText:
    """text[begin:end] of a file: strings, unescaped, and elements as tags."""

    begin: int
    end: int
    pieces: list[Piece]
    cdata: bool
    encoding: str

    def flat(self) -> tuple[str, list[Tag]]:
        """One text with a sign for each tag, and those, as messages take them."""
        tags = [piece for piece in self.pieces if isinstance(piece, Tag)]
        signs = (KNOWN.format(number) for number in range(len(tags)))
        return "".join(piece if isinstance(piece, str) else next(signs) for piece in self.pieces), tags

    def plain(self) -> str:
        return text_of(tuple(self.pieces))

    def written(self, segment: Segment, escaped: Callable[[str], str] = escape) -> str:
        """`escaped`: how text is written outside of CDATA."""
        if not self.cdata:
            return serialised(segment, escaped)
        text = serialised(segment).replace(CDATA_END, f"]]{CDATA_END}{CDATA_BEGIN}>")
        try:
            text.encode(self.encoding)
        except UnicodeEncodeError:
            # Characters that become references mean something outside of CDATA alone.
            return BEYOND_ASCII.sub(rf"{CDATA_END}\g<0>{CDATA_BEGIN}", text)
        return text

    def tag(self, raw: str) -> str:
        """How a tag that is text of the element is written."""
        return raw if self.cdata else escape(raw)


def xml_text(source: Encoded, node: XmlNode, is_opaque: Callable[[XmlNode], bool] = lambda child: False) -> XmlText:
    """What an element holds; an opaque one in it is a single tag, any other a pair around its text."""
    text = source.text
    only = [child for child in node.children if not is_blank(text, child)]
    if len(only) == 1 and isinstance(only[0], Mark) and only[0].kind is Kind.CDATA:
        begin, end = only[0].begin + len(CDATA_BEGIN), only[0].end - len(CDATA_END)
        return XmlText(begin, end, [text[begin:end]], True, source.encoding)
    pieces: list[Piece] = []

    def add(parent: XmlNode) -> None:
        for child in parent.children:
            if isinstance(child, Mark):
                if child.kind in CHARACTERS:
                    pieces.append(characters(text, child))
                else:
                    raw = text[child.begin : child.end]
                    # Not to be read, so not to be translated with: it keeps close to the word before it.
                    pieces.extend((Tag(raw, pair_of(child.begin)), Tag("", pair_of(child.begin), True)))
            elif child.mark.kind is Kind.EMPTY or is_opaque(child):
                pieces.append(Tag(text[child.mark.begin : child.end]))
            else:
                pair = pair_of(child.mark.begin)
                pieces.append(Tag(text[child.mark.begin : child.mark.end], pair))
                add(child)
                pieces.append(Tag(text[child.inner_end : child.end], pair, True))

    add(node)
    return XmlText(node.mark.end, node.inner_end, pieces, False, source.encoding)


def add_xml_text(document: TableDocument, xml: XmlText, *, accelerator: str = "", printf: bool = False) -> None:
    """Takes the text of an element that has no rules of its own."""
    message = document.message(xml.begin, *xml.flat(), xml.tag, accelerator=accelerator, printf=printf)
    if message is not None:
        document.add(Slot(xml.begin, xml.end, message, xml.written))


def pair_of(place: int) -> int:
    """A number that no pair of tags within the text has, which are counted from one."""
    return -1 - place


def is_blank(text: str, child: XmlNode | Mark) -> bool:
    return isinstance(child, Mark) and child.kind is Kind.TEXT and text[child.begin : child.end].isspace()
