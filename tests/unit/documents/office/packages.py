"""Office documents made by hand: the least that programs open, with something of everything in it."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"
WPS = "http://schemas.microsoft.com/office/word/2010/wordprocessingShape"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "application/vnd.openxmlformats-officedocument"


def archive(parts: Mapping[str, str | bytes], stored: tuple[str, ...] = ()) -> bytes:
    """A zip archive with these parts in this order."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in parts.items():
            info = zipfile.ZipInfo(name, (2020, 2, 3, 4, 5, 6))
            info.compress_type = zipfile.ZIP_STORED if name in stored else zipfile.ZIP_DEFLATED
            made.writestr(info, content)
    return stream.getvalue()


def relationships(*entries: tuple[str, str, str]) -> str:
    made = "".join(f'<Relationship Id="{i}" Type="{R}/{kind}" Target="{target}"/>' for i, kind, target in entries)
    return f'{DECLARATION}<Relationships xmlns="{RELATIONSHIPS}">{made}</Relationships>'


def open_xml(parts: Mapping[str, tuple[str, str]], more: Mapping[str, str | bytes] | None = None) -> bytes:
    """Parts with the ends of their content types; the first one is the main part."""
    overrides = "".join(
        f'<Override PartName="/{name}" ContentType="{OFFICE}.{kind}+xml"/>' for name, (kind, _) in parts.items()
    )
    types = (
        f'{DECLARATION}<Types xmlns="{TYPES}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-'
        f'package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>{overrides}</Types>'
    )
    return archive(
        {
            "[Content_Types].xml": types,
            "_rels/.rels": relationships(("rId1", "officeDocument", next(iter(parts)))),
            **{name: content for name, (_, content) in parts.items()},
            **(more or {}),
        }
    )


def word(body: str, **others: str) -> bytes:
    """`others`: header, footer, footnotes and the like, by their content."""
    namespaces = f'xmlns:w="{W}" xmlns:r="{R}" xmlns:mc="{MC}" xmlns:wps="{WPS}" mc:Ignorable="wps"'
    main = f"{DECLARATION}<w:document {namespaces}><w:body>{body}<w:sectPr/></w:body></w:document>"
    parts = {"word/document.xml": ("wordprocessingml.document.main", main)}
    roots = {"header": "hdr", "footer": "ftr"}
    for name, content in others.items():
        root = roots.get(name, name)
        parts[f"word/{name}.xml"] = (f"wordprocessingml.{name}", f"<w:{root} {namespaces}>{content}</w:{root}>")
    entries = [(f"rId{n}", name, f"{name}.xml") for n, name in enumerate(others, 1)]
    return open_xml(parts, {"word/_rels/document.xml.rels": relationships(*entries)})


def slides(slide: str, notes: str = "", comments: str = "") -> bytes:
    namespaces = f'xmlns:a="{A}" xmlns:r="{R}" xmlns:p="{P}"'
    shape = (
        '<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'
        '<p:sp><p:nvSpPr><p:cNvPr id="2" name="un"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm>'
        '<a:off x="914400" y="914400"/><a:ext cx="7315200" cy="3657600"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/>'
        "</a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:lstStyle/>{}</p:txBody></p:sp></p:spTree></p:cSld>"
    )
    parts = {
        "ppt/presentation.xml": (
            "presentationml.presentation.main",
            f'<p:presentation {namespaces}><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst>'
            '<p:sldSz cx="9144000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>',
        ),
        "ppt/slides/slide1.xml": ("presentationml.slide", f"<p:sld {namespaces}>{shape.format(slide)}</p:sld>"),
        "ppt/notesSlides/notesSlide1.xml": (
            "presentationml.notesSlide",
            f"<p:notes {namespaces}>{shape.format(notes or '<a:p/>')}</p:notes>",
        ),
        "ppt/comments/comment1.xml": (
            "presentationml.comments",
            f'<p:cmLst {namespaces}><p:cm authorId="0" idx="1"><p:pos x="1" y="1"/><p:text>{comments}</p:text></p:cm>'
            "</p:cmLst>",
        ),
    }
    entry = ("rId1", "slide", "slides/slide1.xml")
    return open_xml(parts, {"ppt/_rels/presentation.xml.rels": relationships(entry)})


def workbook(strings: str = "", rows: str = "", comments: str = "", columns: str = "") -> bytes:
    """`strings`: shared strings; `rows`: of the sheet; `columns`: of a table."""
    parts = {
        "xl/workbook.xml": (
            "spreadsheetml.sheet.main",
            f'<workbook xmlns="{S}" xmlns:r="{R}"><sheets><sheet name="une feuille" sheetId="1" r:id="rId1"/></sheets>'
            "<definedNames><definedName name=\"homme\">'une feuille'!$A$1</definedName></definedNames></workbook>",
        ),
        "xl/worksheets/sheet1.xml": (
            "spreadsheetml.worksheet",
            f'<worksheet xmlns="{S}"><sheetData>{rows}</sheetData></worksheet>',
        ),
        "xl/sharedStrings.xml": ("spreadsheetml.sharedStrings", f'<sst xmlns="{S}">{strings}</sst>'),
        "xl/comments1.xml": (
            "spreadsheetml.comments",
            f'<x:comments xmlns:x="{S}"><x:authors><x:author>un</x:author></x:authors><x:commentList>'
            f'<x:comment ref="A1" authorId="0"><x:text>{comments}</x:text></x:comment></x:commentList></x:comments>',
        ),
        "xl/tables/table1.xml": (
            "spreadsheetml.table",
            f'<table xmlns="{S}" id="1" name="T" displayName="T" ref="A1:B2"><tableColumns>{columns}</tableColumns>'
            "</table>",
        ),
    }
    entries = (("rId1", "worksheet", "worksheets/sheet1.xml"), ("rId2", "sharedStrings", "sharedStrings.xml"))
    return open_xml(parts, {"xl/_rels/workbook.xml.rels": relationships(*entries)})


OPEN_DOCUMENT = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in (
        ("office", "office"),
        ("text", "text"),
        ("table", "table"),
        ("draw", "drawing"),
        ("style", "style"),
        ("presentation", "presentation"),
        ("svg", "svg-compatible"),
        ("fo", "xsl-fo-compatible"),
    )
)
OPEN_DOCUMENT += ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'


def open_document(kind: str, body: str, master: str = "", manifest: str = "") -> bytes:
    """`kind`: text, presentation or spreadsheet; `master`: what is in styles.xml."""
    mimetype = f"application/vnd.oasis.opendocument.{kind}"
    entries = "".join(
        f'<manifest:file-entry manifest:full-path="{path}" manifest:media-type="{media}"/>'
        for path, media in (("/", mimetype), ("content.xml", "text/xml"), ("styles.xml", "text/xml"))
    )
    return archive(
        {
            "mimetype": mimetype,
            "content.xml": f'{DECLARATION}<office:document-content {OPEN_DOCUMENT} office:version="1.2"><office:body>'
            f"<office:{kind}>{body}</office:{kind}></office:body></office:document-content>",
            "styles.xml": f'{DECLARATION}<office:document-styles {OPEN_DOCUMENT} office:version="1.2">{master}'
            "</office:document-styles>",
            "META-INF/manifest.xml": '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest'
            f':1.0" manifest:version="1.2">{entries}{manifest}</manifest:manifest>',
        },
        stored=("mimetype",),
    )


def part(data: bytes, name: str) -> str:
    with zipfile.ZipFile(io.BytesIO(data)) as made:
        return made.read(name).decode()
