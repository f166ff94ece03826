"""Apple's tables: .strings, lines of `"key" = "value";`, and .stringsdict, XML with forms of plurals.

A .strings file is in UTF-16 as often as in UTF-8, with or without a byte-order mark. Of a .stringsdict, every string
is a text but those that name a rule or the type of a number.
"""

from __future__ import annotations

import re

from dragoman.documents.encoding import MARKS, Encoded, decoded, whole_characters
from dragoman.documents.segment import DocumentLimits
from dragoman.documents.tables.table import TableDocument
from dragoman.documents.tables.xml_text import add_xml_text, xml_text
from dragoman.documents.xml_tree import XmlNode, read_xml, tree_of
from dragoman.errors import InputError

SPACE = re.compile(r"(?:[\s\ufeff]++|/\*.*?\*/|//[^\r\n\u2028\u2029]*+)*+", re.DOTALL)
QUOTED = r'"(?:[^"\\]++|\\.)*+"'
BARE = r"[\w$/:.+-]++"
KEY = re.compile(rf"{QUOTED}|'(?:[^'\\]++|\\.)*+'|{BARE}", re.DOTALL)
VALUE = re.compile(rf"(?P<text>{QUOTED})|'(?:[^'\\]++|\\.)*+'|{BARE}|<[0-9a-fA-F\s]*+>", re.DOTALL)
EQUALS_OR_END, END = re.compile("[=;]"), re.compile(";")
ESCAPE = re.compile(r"\\(?:[Uu]([0-9a-fA-F]{4})|([0-7]{1,3})|(.))", re.DOTALL)
PLAIN = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
ESCAPED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
NO_TEXT = ("NSStringFormatSpecTypeKey", "NSStringFormatValueTypeKey")


def unescaped(raw: str) -> str:
    def character(match: re.Match[str]) -> str:
        number, octal, plain = match.groups()
        if number:
            return chr(int(number, 16))
        return chr(int(octal, 8)) if octal else PLAIN.get(plain, plain)

    return whole_characters(ESCAPE.sub(character, raw))


def quoted(text: str) -> str:
    written = "".join(ESCAPED.get(character, character) for character in text)
    return re.sub(r"[\x00-\x1f\x7f]", lambda match: f"\\U{ord(match.group()):04x}", written)


def decoded_strings(data: bytes, name: str) -> Encoded:
    """A file without a mark begins with a quote, a comment or white space, so its zero bytes say which UTF-16 it is."""
    if data.startswith(b"bplist"):
        raise InputError(f"{name}: is a compiled table; translate its source, or convert it with `plutil -convert`")
    if not any(data.startswith(mark) for mark, _ in MARKS) and len(data) > 1 and 0 in data[:2]:
        return decoded(data, name, "utf-16-be" if data[0] == 0 else "utf-16-le")
    return decoded(data, name)


def read_strings(data: bytes, name: str, limits: DocumentLimits, target_lang: str = "") -> TableDocument:
    source = decoded_strings(data, name)
    if source.text.lstrip().startswith("<"):
        raise InputError(f"{name}: is a property list in XML; convert it with `plutil -convert strings`")
    document = TableDocument(source, limits)
    text = source.text
    at = 0

    def skipped() -> int:
        match = SPACE.match(text, at)
        return match.end() if match else at

    def taken(what: re.Pattern[str], missing: str) -> re.Match[str]:
        nonlocal at
        at = skipped()
        match = what.match(text, at)
        if match is None:
            line = text.count("\n", 0, at) + 1
            raise InputError(f"{name}, line {line}: {missing} is missing; check the file with `plutil -lint`", line)
        at = match.end()
        return match

    while (at := skipped()) < len(text):
        taken(KEY, "a name in quotes")
        if taken(EQUALS_OR_END, "an equals sign").group() == ";":
            # A name alone is its own text, for which there is no place.
            continue
        value = taken(VALUE, "a text in quotes")
        taken(END, "a semicolon")
        if value["text"] is None:
            continue
        begin, end = value.start("text") + 1, value.end("text") - 1
        document.add_text(begin, end, unescaped(text[begin:end]), quoted, printf=True)
    return document


def read_stringsdict(data: bytes, name: str, limits: DocumentLimits, target_lang: str = "") -> TableDocument:
    if data.startswith(b"bplist"):
        raise InputError(f"{name}: is a compiled table; convert it with `plutil -convert xml1` first")
    source = read_xml(data, name, limits)
    root = tree_of(source.text)
    if root is None or root.name != "plist":
        raise InputError(f"{name}: is XML but no property list; its outermost element is not <plist>")
    document = TableDocument(source, limits, references=True)

    def walk(node: XmlNode) -> None:
        key = ""
        for child in node.elements():
            if child.name == "key":
                key = xml_text(source, child).plain()
            elif child.name == "string" and key not in NO_TEXT:
                add_xml_text(document, xml_text(source, child), printf=True)
            else:
                walk(child)

    walk(root)
    return document
