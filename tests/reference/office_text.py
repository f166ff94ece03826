"""What a reader of an office document sees, by lxml and the plainest code: each character with its format."""

from __future__ import annotations

from typing import Any

from lxml import etree

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
S = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
SPACE = "{http://www.w3.org/XML/1998/namespace}space"
PARAGRAPHS = {W + "p", A + "p", S + "si", S + "is", S + "text", TEXT + "p", TEXT + "h"}
RUNS = {W + "r", A + "r", S + "r"}
TEXTS = {W + "t", A + "t", S + "t"}
DELETED = {W + "del", W + "moveFrom", TEXT + "tracked-changes"}
# Of no interest to a reader.
NOISE_ELEMENTS = {W + "lang", W + "noProof"}
NOISE_ATTRIBUTES = {"lang", "dirty", "err", "smtClean", "noProof"}
PROOFS = {W + "proofErr", W + "lastRenderedPageBreak", S + "rPh", TEXT + "soft-page-break"}

Character = tuple[str, tuple[str, ...]]


def parsed(xml: str | bytes) -> Any:
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    return etree.fromstring(xml.encode() if isinstance(xml, str) else xml, parser)


def look(properties: Any) -> str:
    copy = etree.fromstring(etree.tostring(properties, with_tail=False))
    for child in list(copy):
        if child.tag in NOISE_ELEMENTS:
            copy.remove(child)
    for name in NOISE_ATTRIBUTES:
        copy.attrib.pop(name, None)
    return str(etree.tostring(copy, method="c14n").decode()) if len(copy) or copy.attrib else ""


def tag_of(element: Any) -> str:
    return f"{element.tag} {sorted(element.attrib.items())}"


def characters(paragraph: Any) -> list[Character]:
    """All that can be read in a paragraph, without what is in paragraphs within it; white space is left out."""
    found: list[Character] = []

    def add(text: str | None, formats: tuple[str, ...]) -> None:
        found.extend((character, formats) for character in text or "" if not character.isspace())

    def walk(element: Any, formats: tuple[str, ...], readable: bool) -> None:
        if readable:
            add(element.text, formats)
        for child in element:
            tag = child.tag
            if isinstance(tag, str) and tag not in PARAGRAPHS | DELETED | PROOFS:
                if tag in RUNS:
                    properties = [look(each) for each in child if etree.QName(each).localname == "rPr"]
                    walk(child, (*formats, *filter(None, properties)), False)
                elif tag in TEXTS:
                    add("".join(child.itertext()), formats)
                elif tag.startswith(TEXT):
                    wraps = tag in (TEXT + "span", TEXT + "a")
                    walk(child, (*formats, tag_of(child)) if wraps else formats, True)
                else:
                    wraps = tag == W + "hyperlink"
                    walk(child, (*formats, tag_of(child)) if wraps else formats, False)
            if readable:
                add(child.tail, formats)

    walk(paragraph, (), paragraph.tag.startswith(TEXT))
    return found


def paragraphs(xml: str | bytes) -> list[list[Character]]:
    """Of a part, in order, without what was deleted."""
    return [
        characters(element)
        for element in parsed(xml).iter(*PARAGRAPHS)
        if not any(ancestor.tag in DELETED for ancestor in element.iterancestors())
    ]


def skeleton(xml: str | bytes) -> list[str]:
    """Everything but runs, texts and marks of spelling checkers, in any order."""
    elements = []
    for element in parsed(xml).iter("*"):
        names = [etree.QName(each).localname for each in (element, *element.iterancestors())]
        if element.tag not in RUNS | TEXTS | PROOFS and "rPr" not in names:
            elements.append(tag_of(element))
    return sorted(elements)
