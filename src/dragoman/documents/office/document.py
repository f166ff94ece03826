"""An office document: an archive of parts, some of which hold text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from dragoman.corpus.languages import direction_of
from dragoman.documents.markup import Kind, scan
from dragoman.documents.office.archive import Archive
from dragoman.documents.office.dialect import Dialect
from dragoman.documents.office.element import local, values_of
from dragoman.documents.office.kinds import KINDS, OPEN_XML, OfficeKind
from dragoman.documents.office.part import Part, read_part
from dragoman.documents.segment import Document, DocumentLimits, Segment
from dragoman.documents.xml_tree import check_xml
from dragoman.errors import InputError

CONTENT_TYPES = "[Content_Types].xml"
MANIFEST = "META-INF/manifest.xml"
SIGNATURE = re.compile(r"_xmlsignatures/|META-INF/[^/]*signatures|(?:.*/)?vbaProjectSignature", re.IGNORECASE)
# How sheets write a character that XML cannot hold, or that an attribute would lose.
ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")


class OfficeDocument:
    def __init__(
        self, archive: Archive, kind: OfficeKind, name: str, limits: DocumentLimits, target_lang: str = ""
    ) -> None:
        self._archive = archive
        self._name = name
        self._limits = limits
        for part in archive.names:
            if SIGNATURE.match(part):
                raise InputError(f"{name}: is signed, and a translation would break the signature; remove it first")
        types = self.open_xml_types() if kind in OPEN_XML.values() else self.open_document_types()
        if not any(said.endswith(kind.signs) for said in types.values()):
            raise InputError(f"{name}: is not {kind.title}; give it the name that goes with what it is")
        names = {normal(column_name) for part, said in types.items() for column_name in self.names_in(part, said, kind)}

        def is_name(text: str) -> bool:
            return normal(text) in names

        rtl = direction_of(target_lang) == "rtl" if target_lang else None
        self._parts: dict[str, Part] = {}
        for part, said in types.items():
            dialect = dialect_of(said, kind)
            if dialect is not None and part in archive:
                source = read_part(archive.read(part), f"{name}, part {part}", limits, dialect.paragraphs)
                self._parts[part] = Part(source, dialect, is_name, name, limits.max_segments, rtl)

    @property
    def segments(self) -> Sequence[Segment]:
        return [segment for part in self._parts.values() for segment in part.segments]

    def write(self, translations: Sequence[Segment | None]) -> bytes:
        changed: dict[str, bytes] = {}
        at = 0
        for name, part in self._parts.items():
            ours = translations[at : at + len(part.segments)]
            at += len(part.segments)
            if any(new not in (None, old) for old, new in zip(part.segments, ours, strict=True)):
                changed[name] = part.write(ours)
        return self._archive.replaced(changed)

    def open_xml_types(self) -> dict[str, str]:
        """What each part is, as the archive's list of content types says."""
        if CONTENT_TYPES not in self._archive:
            raise InputError(f"{self._name}: is a zip archive, but no office document; unpack it first")
        text = read_part(self._archive.read(CONTENT_TYPES), f"{self._name}, part {CONTENT_TYPES}", self._limits).text
        named: dict[str, str] = {}
        by_ending: dict[str, str] = {}
        for element, values in elements(text):
            if element == "Override":
                named[values.get("PartName", "").lstrip("/").lower()] = values.get("ContentType", "")
            elif element == "Default":
                by_ending[values.get("Extension", "").lower()] = values.get("ContentType", "")
        return {
            part: named.get(part.lower()) or by_ending.get(part.lower().rpartition(".")[2], "")
            for part in self._archive.names
        }

    def open_document_types(self) -> dict[str, str]:
        """The archive's own type, and parts by their names."""
        if "mimetype" not in self._archive:
            raise InputError(f"{self._name}: is a zip archive, but no OpenDocument; unpack it first")
        if MANIFEST in self._archive:
            manifest = self._archive.read(MANIFEST)
            # Old programs give it a DOCTYPE.
            check_xml(manifest, f"{self._name}, part {MANIFEST}", self._limits)
            if any(element == "encryption-data" for element, _ in elements(manifest.decode("utf-8", "replace"))):
                raise InputError(f"{self._name}: is encrypted; save it without a password first")
        types = {part: part for part in self._archive.names}
        types["mimetype"] = self._archive.read("mimetype").decode("ascii", "replace").strip()
        return types

    def names_in(self, part: str, said: str, kind: OfficeKind) -> Iterator[str]:
        for ending, wanted in kind.names.items():
            if said.endswith(ending):
                text = read_part(self._archive.read(part), f"{self._name}, part {part}", self._limits).text
                for element, values in elements(text):
                    if element == wanted:
                        yield values.get("name", "")


def dialect_of(said: str, kind: OfficeKind) -> Dialect | None:
    return next((dialect for ending, dialect in kind.parts.items() if said.endswith(ending)), None)


def elements(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Names and attributes of all elements."""
    for mark in scan(text, html=False):
        if mark.kind in (Kind.OPEN, Kind.EMPTY):
            yield local(mark), values_of(text, mark)


def normal(text: str) -> str:
    """A name as it is compared: characters for their escapes, and white space of one kind."""
    return " ".join(ESCAPED.sub(lambda match: chr(int(match[1], 16)), text).split())


def reader(kind: str) -> Callable[[bytes, str, DocumentLimits, str], Document]:
    def read(data: bytes, name: str, limits: DocumentLimits, target_lang: str = "") -> OfficeDocument:
        return OfficeDocument(Archive(data, name, limits), KINDS[kind], name, limits, target_lang)

    return read


READERS = {kind: reader(kind) for kind in KINDS}
BY_EXTENSION = {ending: kind for kind, described in KINDS.items() for ending in described.endings}
