"""RESX and RESW, the resources of .NET: the value of each `data` that is a string.

Data with a type or a mimetype is an object; names that begin with `>>` are the designer's own. Comments stay.
"""

from __future__ import annotations

from dragoman.documents.segment import DocumentLimits
from dragoman.documents.tables.table import TableDocument
from dragoman.documents.tables.xml_text import add_xml_text, xml_text
from dragoman.documents.xml_tree import XmlNode, read_xml, tree_of
from dragoman.errors import InputError


def is_string(node: XmlNode) -> bool:
    values = node.values
    own = values.get("name", "").startswith(">>")
    return node.name == "data" and not own and not values.keys() & {"type", "mimetype"}


def read_resx(data: bytes, name: str, limits: DocumentLimits, target_lang: str = "") -> TableDocument:
    source = read_xml(data, name, limits)
    root = tree_of(source.text)
    if root is None or root.name != "root":
        raise InputError(f"{name}: is XML but no RESX; its outermost element is not <root>")
    document = TableDocument(source, limits, references=True)
    for node in root.elements():
        value = node.child("value") if is_string(node) else None
        if value is not None:
            add_xml_text(document, xml_text(source, value), accelerator="&")
    return document
