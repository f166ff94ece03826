"""The six kinds of office documents: which of their parts hold text, and in which dialect.

Parts of OOXML are known by the end of their content type, which says what they are whatever they are called; parts of
OpenDocument by their names. Slide masters and layouts are design and stay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dragoman.documents.office.dialect import DRAWING, OPEN_DOCUMENT, SHEET, WORD, Dialect


@dataclass(frozen=True, slots=True)
class OfficeKind:
    """`signs` are what the whole says it is: ends of the main part's content type, or the mimetype. `endings` are those
    of file names: of documents, of those with macros, and of templates."""

    title: str
    endings: tuple[str, ...]
    signs: tuple[str, ...]
    parts: Mapping[str, Dialect]
    # Parts with names that cells must go on to have: of columns, to which formulas refer. Content type -> element.
    names: Mapping[str, str] = field(default_factory=dict)


CHARTS = {
    "drawingml.chart+xml": DRAWING,
    "drawingml.chartshapes+xml": DRAWING,
    "drawingml.diagramData+xml": DRAWING,
    "drawingml.diagramDrawing+xml": DRAWING,
}


def signs(markup: str, program: str, kind: str) -> tuple[str, ...]:
    """A document or a template, with macros or without."""
    return (
        f".{markup}.{kind}.main+xml",
        f".{markup}.template.main+xml",
        f".{program}.{kind}.macroEnabled.main+xml",
        f".{program}.template.macroEnabled.main+xml",
        f".{program}.template.macroEnabledTemplate.main+xml",
    )


def open_document(what: str) -> tuple[str, ...]:
    mimetype = f"application/vnd.oasis.opendocument.{what}"
    return (mimetype, f"{mimetype}-template")


WORD_PARTS = ("header", "footer", "footnotes", "endnotes", "comments")
OPEN_XML = {
    "docx": OfficeKind(
        "a DOCX document",
        (".docx", ".docm", ".dotx", ".dotm"),
        signs("wordprocessingml", "ms-word", "document"),
        {
            **dict.fromkeys(signs("wordprocessingml", "ms-word", "document"), WORD),
            **{f"wordprocessingml.{part}+xml": WORD for part in WORD_PARTS},
            **CHARTS,
        },
    ),
    "pptx": OfficeKind(
        "a PPTX presentation",
        (".pptx", ".pptm", ".potx", ".potm", ".ppsx"),
        (*signs("presentationml", "ms-powerpoint", "presentation"), "presentationml.slideshow.main+xml"),
        {
            "presentationml.slide+xml": DRAWING,
            "presentationml.notesSlide+xml": DRAWING,
            "presentationml.comments+xml": DRAWING,
            "ms-powerpoint.comments+xml": DRAWING,
            **CHARTS,
        },
    ),
    "xlsx": OfficeKind(
        "an XLSX workbook",
        (".xlsx", ".xlsm", ".xltx", ".xltm"),
        signs("spreadsheetml", "ms-excel", "sheet"),
        {
            "spreadsheetml.sharedStrings+xml": SHEET,
            "spreadsheetml.worksheet+xml": SHEET,
            "spreadsheetml.comments+xml": SHEET,
            "ms-excel.threadedcomments+xml": SHEET,
            "officedocument.drawing+xml": DRAWING,
            **CHARTS,
        },
        names={
            "spreadsheetml.table+xml": "tableColumn",
            "spreadsheetml.pivotCacheDefinition+xml": "cacheField",
        },
    ),
}
OPEN_DOCUMENTS = {
    "odt": OfficeKind(
        "an OpenDocument text",
        (".odt", ".ott"),
        open_document("text"),
        {"content.xml": OPEN_DOCUMENT, "styles.xml": OPEN_DOCUMENT},
    ),
    "odp": OfficeKind(
        "an OpenDocument presentation", (".odp", ".otp"), open_document("presentation"), {"content.xml": OPEN_DOCUMENT}
    ),
    "ods": OfficeKind(
        "an OpenDocument spreadsheet",
        (".ods", ".ots"),
        open_document("spreadsheet"),
        {"content.xml": OPEN_DOCUMENT, "styles.xml": OPEN_DOCUMENT},
    ),
}
KINDS = {**OPEN_XML, **OPEN_DOCUMENTS}
