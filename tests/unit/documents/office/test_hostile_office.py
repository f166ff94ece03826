"""Office documents from anywhere: refused with a sentence or translated, within limits, and nothing is fetched."""

from __future__ import annotations

import io
import random
import socket
import zipfile
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

import pytest

from dragoman.documents import DocumentLimits, read_document, translate_document
from dragoman.errors import InputError
from tests.unit.documents.office.packages import DECLARATION, W, archive, open_document, part, slides, word, workbook
from tests.unit.documents.support import Wordwise

GOOD = word("<w:p><w:r><w:t>un homme</w:t></w:r></w:p>")
TEXT = open_document("text", "<text:p>un homme</text:p>")


def changed(data: bytes, parts: dict[str, str | bytes]) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as old:
        return archive({**{name: old.read(name) for name in old.namelist()}, **parts})


def document(declarations: str, content: str = "un homme") -> dict[str, str | bytes]:
    body = f"<w:body><w:p><w:r><w:t>{content}</w:t></w:r></w:p></w:body>"
    return {"word/document.xml": f'{declarations}<w:document xmlns:w="{W}">{body}</w:document>'}


MAIN = "word/document.xml"
LOCKED = '<manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry>'
HOSTILE: dict[str, tuple[str, bytes, str]] = {
    "entities": ("a.docx", changed(GOOD, document('<!DOCTYPE x [<!ENTITY a "un">]>', "&a;")), "XML bombs"),
    "external entity": (
        "a.docx",
        changed(GOOD, document('<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>', "&a;")),
        "XML bombs",
    ),
    "document type": ("a.docx", changed(GOOD, document('<!DOCTYPE x SYSTEM "http://localhost/x.dtd">')), "DOCTYPE"),
    "unknown entity": (
        "a.docx",
        changed(GOOD, document("", "&nbsp;")),
        "part word/document.xml, line 1: not",
    ),
    "types with entities": (
        "a.docx",
        changed(GOOD, {"[Content_Types].xml": '<!DOCTYPE x [<!ENTITY a "un">]><x/>'}),
        "XML bombs",
    ),
    "broken part": ("a.docx", changed(GOOD, {MAIN: "<a><b></a>"}), "not well-formed"),
    "deep part": ("a.docx", changed(GOOD, {MAIN: "<p>" * 300 + "</p>" * 300}), "nested more than"),
    "signed": ("a.docx", changed(GOOD, {"_xmlsignatures/origin.sigs": b""}), "is signed"),
    "signed macros": ("a.docx", changed(GOOD, {"word/vbaProjectSignature.bin": b""}), "is signed"),
    "signed text": ("a.odt", changed(TEXT, {"META-INF/documentsignatures.xml": b"<a/>"}), "is signed"),
    "encrypted": ("a.odt", open_document("text", "<text:p>un</text:p>", manifest=LOCKED), "encrypted"),
    "another kind": ("a.xlsx", GOOD, "not an XLSX workbook"),
    "another open document": ("a.odp", TEXT, "not an OpenDocument presentation"),
    "any archive": ("a.docx", archive({"a.txt": "x"}), "no office document"),
    "any archive as text": ("a.odt", archive({"a.txt": "x"}), "no OpenDocument"),
    "not named so": ("a.html", GOOD, "is a zip archive"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_files(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_network(*anything: object) -> None:
        raise AssertionError("something was fetched")

    monkeypatch.setattr(socket.socket, "connect", no_network)
    name, data, said = HOSTILE[case]
    with pytest.raises(InputError, match=said) as caught:
        translate_document(data, name, Wordwise())
    assert str(caught.value).startswith(name)
    assert "\n" not in str(caught.value)


def test_bombs_are_not_unpacked() -> None:
    bomb = changed(GOOD, {MAIN: b"<a>" + b" " * 5_000_000 + b"</a>"})
    assert len(bomb) < 50_000
    with pytest.raises(InputError, match="unpacks to more than the 1,000,000 bytes"):
        translate_document(bomb, "a.docx", Wordwise(), limits=DocumentLimits(max_bytes=1_000_000))


def test_links_to_elsewhere_are_kept_and_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(*anything: object) -> None:
        raise AssertionError("a file was opened")

    link = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1"'
        ' Type="x/attachedTemplate" Target="file:///etc/passwd" TargetMode="External"/></Relationships>'
    )
    data = changed(GOOD, {"word/_rels/settings.xml.rels": link, "word/media/a.png": bytes(range(256))})
    monkeypatch.setattr(Path, "open", closed)
    made = translate_document(data, "a.docx", Wordwise())
    assert part(made, "word/_rels/settings.xml.rels") == link
    assert "UN HOMME" in part(made, MAIN)


def test_what_xml_cannot_hold_is_left_out() -> None:
    made = translate_document(GOOD, "a.docx", Wordwise(lambda word: f"{word}\x0b\ufffe<&>\ud800"))
    assert '<w:t xml:space="preserve">un&lt;&amp;&gt; homme&lt;&amp;&gt;</w:t>' in part(made, MAIN)


def test_limits() -> None:
    many = word("<w:p><w:r><w:t>un</w:t><w:br/><w:t>un</w:t></w:r></w:p>" * 2)
    with pytest.raises(InputError, match="more than 3 texts"):
        read_document(many, "a.docx", limits=DocumentLimits(max_segments=3))


def test_paragraphs_are_counted_before_any_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    # 160 kB of an archive can hold 1.6 million paragraphs, and each takes far longer to read than to count.
    many = word("<w:p><w:r><w:t>un</w:t></w:r></w:p>" * 400)

    def read(*anything: object) -> NoReturn:
        raise AssertionError("a paragraph was read")

    monkeypatch.setattr("dragoman.documents.office.part.paragraphs", read)
    with pytest.raises(InputError, match="more than 399 paragraphs; split it"):
        read_document(many, "a.docx", limits=DocumentLimits(max_segments=399))
    with pytest.raises(AssertionError):
        read_document(many, "a.docx", limits=DocumentLimits(max_segments=401))


START, STOP = '<w:fldChar w:fldCharType="{}"/>', '<w:bookmark{} w:id="{}"/>'
MANY = {
    "fields": "".join(f"<w:r>{START.format('begin')}</w:r>" for _ in range(20_000)),
    "field ends": "".join(f"<w:r>{START.format('end')}</w:r>" for _ in range(20_000)),
    "ranges": "".join(STOP.format("Start", n) for n in range(20_000)),
    "crossing": "".join(STOP.format(end, n) for end in ("Start", "End") for n in range(9_000)),
    "runs": "".join(f"<w:r><w:rPr><w:sz w:val='{n}'/></w:rPr><w:t>un </w:t></w:r>" for n in range(5_000)),
    "boxes": "<w:r><w:pict><w:p><w:r><w:t>un</w:t></w:r></w:p></w:pict></w:r>" * 5_000,
    "links": "<w:hyperlink>" * 150 + "<w:r><w:t>un</w:t></w:r>" + "</w:hyperlink>" * 150,
    "tabs": "<w:r><w:t>un</w:t><w:tab/></w:r>" * 10_000,
}  # fmt: skip


@pytest.mark.parametrize("case", MANY)
def test_much_of_anything_is_quick(case: str) -> None:
    data = word(f"<w:p>{MANY[case]}<w:r><w:t>un homme</w:t></w:r></w:p>")
    for backwards in (False, True):
        made = translate_document(data, "a.docx", Wordwise(backwards=backwards))
        assert "HOMME" in part(made, MAIN) or case in ("fields",)


def test_damaged_parts_are_read_or_refused() -> None:
    """Whatever comes out is well-formed."""
    samples = {
        "a.docx": (word("<w:p><w:r><w:t>un </w:t><w:tab/></w:r><w:hyperlink><w:r><w:rPr><w:b/></w:rPr><w:t>homme</w:t>"
                        "</w:r></w:hyperlink></w:p>"), MAIN),
        "a.pptx": (slides("<a:p><a:r><a:t>un</a:t></a:r><a:br/><a:r><a:rPr b='1'/><a:t>homme</a:t></a:r></a:p>"),
                   "ppt/slides/slide1.xml"),
        "a.xlsx": (workbook("<si><r><rPr/><t>un</t></r><r><t>homme</t></r></si>"), "xl/sharedStrings.xml"),
        "a.odt": (open_document("text", "<text:p>un <text:span>homme</text:span><text:tab/><text:s/></text:p>"),
                  "content.xml"),
    }  # fmt: skip
    rng = random.Random(6)
    pieces = [
        b"",
        b"<",
        b">",
        b'"',
        b"&",
        b"/",
        b"<w:p>",
        b"</w:r>",
        b"\xff",
        b"]]>",
        b"<w:t/>",
        b"<a:p/>",
        b"<!--x-->",
    ]
    for _ in range(400):
        name, (data, target) = rng.choice(list(samples.items()))
        content = bytearray(part(data, target).encode())
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(content))
            content[at : at + rng.randrange(3)] = rng.choice(pieces)
        broken = changed(data, {target: bytes(content)})
        try:
            made = translate_document(broken, name, Wordwise(backwards=True))
        except InputError:
            continue
        expat.ParserCreate().Parse(part(made, target).encode(), True)


@pytest.mark.parametrize(
    "content",
    [
        "<w:r><w:hyperlink><w:t>un</w:t></w:hyperlink><w:t>deux</w:t></w:r>",
        "<w:r><w:r><w:rPr><w:b/></w:rPr><w:t>un</w:t></w:r><w:ins><w:r><w:t>deux</w:t></w:r></w:ins></w:r>",
        "<w:r><w:t>un<w:t>deux</w:t></w:t></w:r><w:t>trois</w:t>",
        "<w:p><w:r><w:t>un</w:t></w:r></w:p>deux<w:r>trois</w:r>",
        "<w:sdt><w:sdtContent/><w:r><w:t>un</w:t></w:r></w:sdt><w:sdt><w:sdtPr/></w:sdt>",
    ],
)
def test_elements_where_they_do_not_belong(content: str) -> None:
    data = word(f"<w:p>{content}<w:r><w:t>un homme</w:t></w:r></w:p>")
    for backwards in (False, True):
        made = part(translate_document(data, "a.docx", Wordwise(backwards=backwards)), MAIN)
        expat.ParserCreate().Parse(made, True)
        assert "HOMME" in made


def test_declaration_stays() -> None:
    assert part(translate_document(GOOD, "a.docx", Wordwise()), MAIN).startswith(DECLARATION)
