"""Qt's .ts: messages without a translation get one, which stays unfinished until somebody has read it.

Messages with forms of the plural get the same text in each form that the file has room for. What is translated,
vanished or obsolete is not touched.
"""

from __future__ import annotations

from dataclasses import replace
from xml.sax.saxutils import escape

from dragoman.documents.edit import Edit
from dragoman.documents.markup import Kind
from dragoman.documents.segment import DocumentLimits, Segment
from dragoman.documents.stated_languages import StatedLanguages
from dragoman.documents.tables.table import Slot, TableDocument
from dragoman.documents.tables.xml_text import XmlText, xml_text
from dragoman.documents.xml_tree import XmlNode, attribute_edit, indent, read_xml, tree_of
from dragoman.errors import InputError

UNFINISHED = 'type="unfinished"'


def escaped(text: str) -> str:
    """As Linguist writes it."""
    return escape(text, {'"': "&quot;", "'": "&apos;"})


class QtTable:
    """Finds the slots of a document: the places of translations, with the text of their sources."""

    def __init__(self, document: TableDocument, root: XmlNode) -> None:
        self.document = document
        self.text = document.source.text
        messages = [child for context in (root, *root.named("context")) for child in context.named("message")]
        # How many forms the language has, other messages show.
        forms = (len(target.named("numerusform")) for message in messages if (target := message.child("translation")))
        self.forms = max(forms, default=0) or 2
        for message in messages:
            self.take(message)

    def take(self, message: XmlNode) -> None:
        source, target = message.child("source"), message.child("translation")
        if source is None:
            return
        # Characters that XML cannot hold are elements, <byte value="x1b"/>.
        xml = replace(xml_text(self.document.source, source, lambda child: True), cdata=False)
        forms = self.forms if message.values.get("numerus") == "yes" else 0
        if target is None:
            *_, last = message.elements()
            opening = f"{indent(self.text, last)}<translation {UNFINISHED}>"
            self.add(xml, (last.end, last.end), (opening, "</translation>"), forms)
            return
        places = target.named("numerusform")
        if any(xml_text(self.document.source, place).plain().strip() for place in (target, *places)):
            return
        if target.values.get("type", "unfinished") != "unfinished" or target.named("lengthvariant"):
            return
        marks = () if "type" in target.values else (attribute_edit(target, UNFINISHED),)
        for place in places or (target,):
            if place.mark.kind is Kind.EMPTY:
                around = (">", f"</{place.mark.name}>")
                self.add(xml, (place.mark.end - 2, place.mark.end), around, 0 if places else forms, marks)
            else:
                self.add(xml, (place.mark.end, place.inner_end), ("", ""), 0 if places else forms, marks)
            marks = ()

    def add(
        self,
        xml: XmlText,
        span: tuple[int, int],
        around: tuple[str, str],
        forms: int,
        marks: tuple[Edit, ...] = (),
    ) -> None:
        """A slot for a text between `around`, so many times as a form of the plural, or once as it is."""

        def written(segment: Segment) -> str:
            inner = xml.written(segment, escaped)
            return around[0] + (f"<numerusform>{inner}</numerusform>" * forms or inner) + around[1]

        message = self.document.message(xml.begin, *xml.flat(), escaped, accelerator="&")
        if message is not None:
            self.document.add(Slot(*span, message, written, marks, beside=True))


def read_qt(data: bytes, name: str, limits: DocumentLimits, target_lang: str = "") -> TableDocument:
    source = read_xml(data, name, limits)
    root = tree_of(source.text)
    if root is None or root.name != "TS":
        raise InputError(f"{name}: is XML, but not Qt's; its outermost element is not <TS>")
    document = TableDocument(source, limits, references=True)
    QtTable(document, root)
    document.stated.append(StatedLanguages(root.values.get("sourcelanguage", ""), root.values.get("language", "")))
    if target_lang and "language" not in root.values:
        document.fix(*attribute_edit(root, f'language="{target_lang}"'))
    return document
