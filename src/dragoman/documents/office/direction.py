"""The direction of a paragraph, which changes when it is translated into a language that is written the other way.

Word has an element for it among a paragraph's properties, and takes left and right for its beginning and its end then;
slides have an attribute, and left and right are what they are, so both change places.
"""

from __future__ import annotations

from dragoman.documents.edit import Edit, spliced_part
from dragoman.documents.markup import Kind, attributes, names
from dragoman.documents.office.element import Element, values_of

PROPERTIES = "pPr"
BIDI = "bidi"
# Properties that come before the direction, in the order that the standard wants.
BEFORE_BIDI = names(
    "pStyle keepNext keepLines pageBreakBefore framePr widowControl numPr suppressLineNumbers pBdr shd tabs"
    " suppressAutoHyphens kinsoku wordWrap overflowPunct topLinePunct autoSpaceDE autoSpaceDN"
)
RTL, ALIGNMENT = "rtl", "algn"
MIRRORED = {"l": "r", "r": "l"}
OFF = ("0", "false", "off")

# What the properties of a paragraph are, which stand at its beginning, and what they become.
Turn = tuple[str, str]


def turned_by_element(raw: str, paragraph: Element, rtl: bool) -> Turn | None:
    """As Word does it; none where nothing changes."""
    prefix = paragraph.prefix
    bidi = f"<{prefix}{BIDI}/>" if rtl else f'<{prefix}{BIDI} {prefix}val="0"/>'
    properties = properties_of(paragraph)
    if properties is None or properties.mark.kind is Kind.EMPTY:
        old = "" if properties is None else raw[properties.begin : properties.end]
        return (old, f"<{prefix}{PROPERTIES}>{bidi}</{prefix}{PROPERTIES}>") if rtl else None
    place = properties.inner
    for child in properties.elements():
        if child.name == BIDI:
            said = values_of(raw, child.mark).get("val", "1") not in OFF
            return None if said == rtl else replaced(raw, properties, [(child.begin, child.end, bidi)])
        if child.name in BEFORE_BIDI:
            place = child.end
    return replaced(raw, properties, [(place, place, bidi)]) if rtl else None


def turned_by_attribute(raw: str, paragraph: Element, rtl: bool) -> Turn | None:
    """As slides do it."""
    properties = properties_of(paragraph)
    if properties is None:
        return ("", f'<{paragraph.prefix}{PROPERTIES} {RTL}="1"/>') if rtl else None
    said = attributes(raw, properties.mark, html=False)
    value, begin, end = said.get(RTL, ("0", 0, 0))
    if (value not in OFF) == rtl:
        return None
    name_end = properties.begin + 1 + len(properties.mark.name)
    edits = [(begin, end, str(int(rtl))) if RTL in said else (name_end, name_end, f' {RTL}="1"')]
    value, begin, end = said.get(ALIGNMENT, ("", 0, 0))
    if value in MIRRORED:
        edits.append((begin, end, MIRRORED[value]))
    return replaced(raw, properties, edits)


def properties_of(paragraph: Element) -> Element | None:
    first = next(paragraph.elements(), None)
    return first if first is not None and first.name == PROPERTIES else None


def replaced(raw: str, properties: Element, edits: list[Edit]) -> Turn:
    return raw[properties.begin : properties.end], spliced_part(raw, properties.begin, properties.end, edits)
