"""XML with the places of its elements, once a real parser has found it well-formed and harmless."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from dragoman.documents.edit import Edit
from dragoman.documents.encoding import Encoded, decoded
from dragoman.documents.markup import Kind, Mark, attributes, scan
from dragoman.documents.segment import DocumentLimits
from dragoman.errors import InputError

ENCODING = re.compile(rb"""^<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9_.:-]{1,40})["']""")
REFERENCE = re.compile(r"&(?:#([0-9]+)|#x([0-9a-fA-F]+)|(\w+));")
NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
CDATA_BEGIN, CDATA_END = "<![CDATA[", "]]>"
CHARACTERS = (Kind.TEXT, Kind.CDATA)
# Elements take memory, and no format has this many around each of its texts.
ELEMENTS_FOR_A_TEXT = 5


def unescape(raw: str) -> str:
    """Unlike that of HTML, a number means its character, and there are five names."""

    def character(match: re.Match[str]) -> str:
        decimal, hexadecimal, name = match.groups()
        return NAMED.get(name, match.group()) if name else chr(int(decimal) if decimal else int(hexadecimal, 16))

    return REFERENCE.sub(character, raw) if "&" in raw else raw


def characters(text: str, mark: Mark) -> str:
    """What a mark of one of the kinds CHARACTERS says."""
    raw = text[mark.begin : mark.end]
    return raw[len(CDATA_BEGIN) : -len(CDATA_END)] if mark.kind is Kind.CDATA else unescape(raw)


@dataclass(slots=True)
class XmlNode:
    """A tag with content: marks of the whole and of what is inside."""

    mark: Mark
    values: dict[str, str]
    children: list[XmlNode | Mark] = field(default_factory=list)
    inner_end: int = 0
    end: int = 0

    @property
    def name(self) -> str:
        return self.mark.name.rpartition(":")[2]

    def elements(self) -> Iterator[XmlNode]:
        return (child for child in self.children if isinstance(child, XmlNode))

    def child(self, name: str) -> XmlNode | None:
        return next(iter(self.named(name)), None)

    def named(self, name: str) -> list[XmlNode]:
        return [child for child in self.elements() if child.name == name]


def attribute_edit(node: XmlNode, attribute: str) -> Edit:
    """What gives an element one more attribute."""
    end = node.mark.end - (2 if node.mark.kind is Kind.EMPTY else 1)
    return end, end, f" {attribute}"


def indent(text: str, node: XmlNode) -> str:
    """The white space before an element, so that the next one stands like it."""
    begin = node.mark.begin
    while begin > 0 and text[begin - 1] in " \t":
        begin -= 1
    if begin > 0 and text[begin - 1] in "\r\n":
        begin -= 2 if text[begin - 2 : begin] == "\r\n" else 1
        return text[begin : node.mark.begin]
    return ""


def tree_of(text: str) -> XmlNode | None:
    """Elements of a document that is known to be well-formed."""
    root: XmlNode | None = None
    stack: list[XmlNode] = []
    for mark in scan(text, html=False):
        if mark.kind in (Kind.OPEN, Kind.EMPTY):
            values = {key: unescape(value) for key, (value, _, _) in attributes(text, mark, html=False).items()}
            node = XmlNode(mark, values, [], mark.end, mark.end)
            if stack:
                stack[-1].children.append(node)
            root = root or node
            if mark.kind is Kind.OPEN:
                stack.append(node)
        elif mark.kind is Kind.CLOSE and stack:
            element = stack.pop()
            element.inner_end, element.end = mark.begin, mark.end
        elif stack:
            stack[-1].children.append(mark)
    return root


def check_xml(data: bytes, name: str, limits: DocumentLimits, paragraphs: frozenset[str] = frozenset()) -> None:
    """InputError unless the bytes are well-formed XML that declares no entities and is not too deep, with no more
    elements of these names than there may be texts: reading each takes much longer than counting it."""
    parser = expat.ParserCreate()
    depth = elements = texts = 0

    def start(tag: str, values: dict[str, str]) -> None:
        nonlocal depth, elements, texts
        depth, elements = depth + 1, elements + 1
        if tag.rpartition(":")[2] in paragraphs:
            texts += 1
            if texts > limits.max_segments:
                raise InputError(f"{name}: holds more than {limits.max_segments:,} paragraphs; split it")
        if elements > ELEMENTS_FOR_A_TEXT * limits.max_segments:
            raise InputError(f"{name}: holds more than {elements - 1:,} elements; split it")
        if depth > limits.max_depth:
            line = parser.CurrentLineNumber
            raise InputError(f"{name}, line {line}: elements are nested more than {limits.max_depth} deep", line)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1

    def entity(*declaration: object) -> None:
        raise InputError(
            f"{name} declares XML entities of its own, which is how XML bombs are made; remove them from its DOCTYPE"
        )

    def skipped(entity_name: str, is_parameter: bool) -> None:
        raise InputError(f"{name} uses the entity &{entity_name};, which it does not declare; write the text instead")

    parser.SkippedEntityHandler = skipped
    parser.StartElementHandler, parser.EndElementHandler, parser.EntityDeclHandler = start, end, entity
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        what = expat.ErrorString(error.code)
        raise InputError(
            f"{name}, line {error.lineno}: not well-formed XML ({what}); repair it or export it again", error.lineno
        ) from None
    except (LookupError, ValueError) as error:
        raise InputError(f"{name}: the XML cannot be read ({error})") from None


def read_xml(data: bytes, name: str, limits: DocumentLimits, paragraphs: frozenset[str] = frozenset()) -> Encoded:
    """The text of an XML file that may be taken apart by tree_of."""
    check_xml(data, name, limits, paragraphs)
    match = ENCODING.match(data)
    return decoded(data, name, match.group(1).decode() if match else "utf-8")
