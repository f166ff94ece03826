"""Tables in pairs, a file for each language: what the translation has stays, what it lacks is added at its end.

An entry is an element of the outermost one, and is told from others by its kind and its name. One that holds no text to
translate is not added: whoever reads the pair takes it from the source.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import quoteattr

from dragoman.documents.edit import Edit, spliced, spliced_part
from dragoman.documents.encoding import Encoded
from dragoman.documents.markup import Kind
from dragoman.documents.segment import Segment
from dragoman.documents.tables.table import Slot, TableDocument
from dragoman.documents.xml_tree import XmlNode, attribute_edit, indent, tree_of
from dragoman.errors import InputError


class PairDocument:
    """A source, and the file of its translation, which is what is written."""

    def __init__(self, source: TableDocument, target: Encoded, name: str) -> None:
        self._source = source
        self._target = target
        source_root, root = tree_of(source.source.text), tree_of(target.text)
        assert source_root is not None
        if root is None or root.name != source_root.name:
            wanted = f"its outermost element is not <{source_root.name}>"
            raise InputError(f"{name}: the translation so far is of another kind; {wanted}")
        self._root = root
        self._declared = [
            attribute_edit(root, f"{key}={quoteattr(value)}")
            for key, value in source_root.values.items()
            if key.startswith("xmlns:") and key not in root.values
        ]
        there = {key_of(node) for node in root.elements()}
        self._added = [(node, slots) for node, slots in entries(source, source_root) if key_of(node) not in there]

    @property
    def notes(self) -> Sequence[str]:
        return self._source.notes

    @property
    def segments(self) -> Sequence[Segment]:
        return [segment for _, slots in self._added for slot in slots for segment in slot.message.segments]

    def write(self, translations: Sequence[Segment | None]) -> bytes:
        text = self._source.source.text
        added: list[str] = []
        at = 0
        for node, slots in self._added:
            edits: list[Edit] = []
            translated = False
            for slot in slots:
                parts = translations[at : at + len(slot.message.segments)]
                at += len(parts)
                if any(part is not None for part in parts):
                    edits += self._source.edits(slot, parts)
                    translated = True
            if translated:
                added.append(indent(text, node) + spliced_part(text, node.mark.begin, node.end, edits))
        if not added:
            return self._target.encoded(self._target.text, references=True)
        return self._target.encoded(
            spliced(self._target.text, [*self._declared, self.insertion("".join(added))]), references=True
        )

    def insertion(self, text: str) -> Edit:
        """Behind the last entry, so that what closes the outermost element stays on its line."""
        root = self._root
        if root.mark.kind is Kind.EMPTY:
            return root.mark.end - 2, root.mark.end, f">{text}\n</{root.mark.name}>"
        end = max((node.end for node in root.elements()), default=root.mark.end)
        return end, end, text


def key_of(node: XmlNode) -> tuple[str, str]:
    return node.name, node.values.get("name", "")


def entries(document: TableDocument, root: XmlNode) -> list[tuple[XmlNode, list[Slot]]]:
    """Elements of the outermost one that hold slots, which are in the same order."""
    holders: list[tuple[XmlNode, list[Slot]]] = []
    left = list(reversed(document.slots))
    for node in root.elements():
        own: list[Slot] = []
        while left and left[-1].begin < node.end:
            own.append(left.pop())
        if own:
            holders.append((node, own))
    return holders
