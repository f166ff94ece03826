"""XLIFF 1.2 and 2.x: a target is written where there is none, and nothing else is touched.

1.2: `target` after `source` (or `seg-source`, segment by segment), state="needs-review-translation" and
state-qualifier="mt-suggestion". 2.x: `target` in the segment, whose state becomes "translated" with
subState="dragoman:mt". A unit that has a target with text is translated already, unless its state says that it is not
and the text is still the source's. Inline codes go into the target as they are in the source.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from dragoman.documents.edit import Edit, spliced, spliced_part
from dragoman.documents.encoding import Encoded
from dragoman.documents.markup import Kind, Mark
from dragoman.documents.segment import DocumentLimits, Piece, Segment, Tag, has_words, paired, serialised, text_of
from dragoman.documents.stated_languages import StatedLanguages
from dragoman.documents.xml_tree import CHARACTERS, XmlNode, attribute_edit, characters, indent, read_xml, tree_of
from dragoman.errors import InputError

# Elements around text; elements that hold the code of another format; 1.2's and 2.x's halves of pairs.
ENCLOSING = frozenset(("g", "pc", "mrk"))
CODES = frozenset(("ph", "it", "bpt", "ept", "x", "bx", "ex", "sc", "ec", "sm", "em", "cp"))
OPENING_HALF = {"bpt": "ept", "bx": "ex", "sc": "ec", "sm": "em"}
CLOSING_HALF = {closing: opening for opening, closing in OPENING_HALF.items()}
UNTRANSLATED_STATES = frozenset(("new", "needs-translation", "initial"))
VOUCHED_STATES = frozenset(("translated", "signed-off", "final", "reviewed"))
MACHINE_1 = ' state="needs-review-translation" state-qualifier="mt-suggestion"'
MACHINE_2 = ' state="translated" subState="dragoman:mt"'
STATE_ATTRIBUTE = re.compile(r"""\s(?:state|state-qualifier|subState)\s*=\s*("[^"]*"|'[^']*')""")


@dataclass(slots=True)
class UnitElements:
    """Where a target goes: the edits it takes are made from the translations of some segments."""

    element: XmlNode  # source, or seg-source
    target: XmlNode | None
    owner: XmlNode  # trans-unit, or segment
    first: int
    count: int
    second: bool


class XliffDocument:
    def __init__(self, source: Encoded, name: str, limits: DocumentLimits, target_lang: str = "") -> None:
        self._source = source
        self._text = source.text
        self._name = name
        self._limits = limits
        self._target_lang = target_lang
        self._segments: list[Segment] = []
        self._units: list[UnitElements] = []
        self._fixed: list[Edit] = []
        self._stated: list[StatedLanguages] = []
        self._confirmed: list[tuple[str, str]] = []
        root = tree_of(self._text)
        if root is None or root.name != "xliff":
            raise InputError(f"{name}: is XML but no XLIFF; its outermost element is not <xliff>")
        version = root.values.get("version", "")
        self._second = version.startswith("2")
        if not self._second and not version.startswith("1"):
            raise InputError(f"{name}: is XLIFF {version or 'without a version'}; versions 1.x and 2.x are known")
        self.walk(root, True)

    @property
    def segments(self) -> Sequence[Segment]:
        return self._segments

    @property
    def confirmed(self) -> Sequence[tuple[str, str]]:
        return self._confirmed

    @property
    def stated(self) -> Sequence[StatedLanguages]:
        return self._stated

    def walk(self, element: XmlNode, translate: bool) -> None:
        wanted = element.values.get("translate")
        translate = wanted == "yes" if wanted in ("yes", "no") else translate
        if element.name == "alt-trans" or element.name == "matches":
            return
        if element.name in ("file", "xliff"):
            self.name_language(element)
        if element.name == "trans-unit":
            if translate:
                self.take(element, element, element.values.get("approved") == "yes")
            return
        if element.name == "segment":
            if translate:
                self.take(element, element, element.values.get("state") in ("final", "reviewed"))
            return
        for child in element.elements():
            self.walk(child, translate)

    def name_language(self, element: XmlNode) -> None:
        """Notes what a file says; one that does not say yet what it is translated into will."""
        source, key = ("srcLang", "trgLang") if self._second else ("source-language", "target-language")
        if element.name != ("xliff" if self._second else "file"):
            return
        self._stated.append(StatedLanguages(element.values.get(source, ""), element.values.get(key, "")))
        if self._target_lang and key not in element.values:
            self._fixed.append(attribute_edit(element, f'{key}="{self._target_lang}"'))

    def take(self, owner: XmlNode, unit: XmlNode, done: bool) -> None:
        source, target = unit.child("source"), unit.child("target")
        if source is None or (done and target is None):
            return
        pieces = self.pieces(source)
        if target is not None:
            present = text_of(tuple(self.pieces(target)))
            if done or is_vouched_for(target, owner):
                self._confirmed.append((text_of(tuple(pieces)), present))
            if done:
                return
            state = target.values.get("state") or owner.values.get("state") or ""
            pristine = state in UNTRANSLATED_STATES and present == text_of(tuple(pieces))
            if (present.strip() or has_codes(target)) and not pristine:
                return
        segmented = unit.child("seg-source")
        element = source if segmented is None else segmented
        parts = marked_segments(element) if segmented is not None else []
        first = len(self._segments)
        texts = [self.segment(part) for part in parts] or [paired(pieces, self._limits.max_depth)]
        if any(has_words(text) for text in texts):
            self._segments += texts
            self._units.append(UnitElements(element, target, owner, first, len(texts), self._second))
        if len(self._segments) > self._limits.max_segments:
            raise InputError(f"{self._name}: holds more than {self._limits.max_segments:,} texts; split it")

    def segment(self, element: XmlNode) -> Segment:
        return paired(self.pieces(element), self._limits.max_depth)

    def pieces(self, element: XmlNode) -> list[Piece]:
        """Text and codes of an element; halves of pairs find each other by their ids."""
        pieces: list[Piece] = []
        numbers: dict[str, int] = {}

        def number(key: str) -> int:
            return numbers.setdefault(key, len(numbers) + 1)

        def add(parent: XmlNode) -> None:
            for child in parent.children:
                if isinstance(child, Mark):
                    if child.kind in CHARACTERS:
                        pieces.append(characters(self._text, child))
                    else:
                        pair = number(f"<{child.begin}")
                        pieces.extend((Tag(self._text[child.begin : child.end], pair), Tag("", pair, True)))
                    continue
                whole = self._text[child.mark.begin : child.end]
                name = child.name
                if name in ENCLOSING and child.mark.kind is Kind.OPEN and child.values.get("translate") != "no":
                    pair = number(f"<{child.mark.begin}")
                    pieces.append(Tag(self._text[child.mark.begin : child.mark.end], pair))
                    add(child)
                    pieces.append(Tag(self._text[child.inner_end : child.end], pair, True))
                elif name in OPENING_HALF:
                    key = child.values.get("rid") or child.values.get("id") or ""
                    pieces.append(Tag(whole, number(f"{name}{key}")))
                elif name in CLOSING_HALF:
                    ours = child.values.get("startRef") or child.values.get("rid") or child.values.get("id") or ""
                    pieces.append(Tag(whole, number(f"{CLOSING_HALF[name]}{ours}"), True))
                else:
                    pieces.append(Tag(whole))

        add(element)
        return pieces

    def write(self, translations: Sequence[Segment | None]) -> bytes:
        edits = list(self._fixed) if any(translation is not None for translation in translations) else []
        for unit in self._units:
            parts = translations[unit.first : unit.first + unit.count]
            if any(translation is not None for translation in parts):
                edits += self.edits(unit, parts)
        return self._source.encoded(spliced(self._text, edits), references=True)

    def edits(self, unit: UnitElements, translations: Sequence[Segment | None]) -> list[Edit]:
        source = unit.element
        if source.name == "seg-source":
            parts = marked_segments(source)
            inner = [
                (part.mark.end, part.inner_end, serialised(translation, escape))
                for part, translation in zip(parts, translations, strict=True)
                if translation is not None
            ]
            text = spliced_part(self._text, source.mark.end, source.inner_end, inner)
        else:
            text = serialised(translations[0] or (), escape)
        prefix = source.mark.name.rpartition(":")[0]
        name = f"{prefix}:target" if prefix else "target"
        kept = ""
        if unit.target is not None:
            raw = self._text[unit.target.mark.begin : unit.target.mark.end]
            kept = STATE_ATTRIBUTE.sub("", raw[len(unit.target.mark.name) + 1 :].rstrip("/>")).rstrip()
        element = f"<{name}{kept}{'' if unit.second else MACHINE_1}>{text}</{name}>"
        edits = []
        if unit.target is not None:
            edits.append((unit.target.mark.begin, unit.target.end, element))
        else:
            edits.append((source.end, source.end, indent(self._text, source) + element))
        if unit.second:
            mark = unit.owner.mark
            raw = self._text[mark.begin : mark.end - 1]
            edits.append((mark.begin, mark.end - 1, STATE_ATTRIBUTE.sub("", raw).rstrip() + MACHINE_2))
        return edits


def is_vouched_for(target: XmlNode, owner: XmlNode) -> bool:
    """Whether a translation is said to be done, and not by a machine alone."""
    said = target.values | {name: value for name, value in owner.values.items() if name in ("state", "subState")}
    machine = "mt" in said.get("subState", "") or "mt" in said.get("state-qualifier", "")
    return said.get("state", "") in VOUCHED_STATES and not machine


def has_codes(element: XmlNode) -> bool:
    return any(child.name in CODES for child in element.elements())


def marked_segments(element: XmlNode) -> list[XmlNode]:
    """The `mrk mtype="seg"` of a seg-source, however deep."""
    segments: list[XmlNode] = []
    for child in element.elements():
        if child.name == "mrk" and child.values.get("mtype") == "seg" and child.mark.kind is Kind.OPEN:
            segments.append(child)
        else:
            segments += marked_segments(child)
    return segments


def read_xliff(data: bytes, name: str, limits: DocumentLimits, target_lang: str = "") -> XliffDocument:
    return XliffDocument(read_xml(data, name, limits), name, limits, target_lang)
