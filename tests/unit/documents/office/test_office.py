"""Each kind of office document: what is translated, what stays, and where formats go."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest

from dragoman.documents import read_document, translate_document
from dragoman.documents.segment import text_of
from tests.reference.office_text import paragraphs
from tests.unit.documents.office.packages import archive, open_document, part, slides, word, workbook
from tests.unit.documents.support import Identity, Wordwise


def r(text: str, properties: str = "") -> str:
    """A run of a Word document."""
    return f'<w:r>{properties and f"<w:rPr>{properties}</w:rPr>"}<w:t xml:space="preserve">{text}</w:t></w:r>'


def body(content: str, translator: Any = None) -> str:
    """The paragraph with this content, translated."""
    made = translate_document(word(f"<w:p>{content}</w:p>"), "a.docx", translator or Wordwise())
    text = part(made, "word/document.xml")
    return text[text.index("<w:p>") + 5 : text.rindex("</w:p>")]


BOLD, ITALIC = "<w:b/>", "<w:i/>"
BEGIN, SEPARATE, END = (f'<w:r><w:fldChar w:fldCharType="{part}"/></w:r>' for part in ("begin", "separate", "end"))
FIELD = f"{BEGIN}<w:r><w:instrText>REF un homme</w:instrText></w:r>{SEPARATE}"
LINK, LINKED = '<w:hyperlink r:id="x">', "</w:hyperlink>"
NOTE = '<w:r><w:footnoteReference w:id="2"/></w:r>'
COMMENT, COMMENTED = '<w:commentRangeStart w:id="1"/>', '<w:commentRangeEnd w:id="1"/>'
CONTROL, CONTROLLED = '<w:sdt><w:sdtPr><w:tag w:val="un"/></w:sdtPr><w:sdtContent>', "</w:sdtContent></w:sdt>"
DELETED = (
    '<w:del w:id="2"><w:r><w:delText>un</w:delText></w:r></w:del><w:moveFrom w:id="3">' + r("un") + "</w:moveFrom>"
)
NUMBER, NUMBERED = '<w:fldSimple w:instr="PAGE un">', "</w:fldSimple>"
TAB = "<w:r><w:tab/></w:r>"
TEXT = '<w:t xml:space="preserve">{}</w:t>'


@pytest.mark.parametrize(
    ("content", "forward", "backward"),
    [
        (r("un ") + r("homme", BOLD) + r(" dort"), r("UN ") + r("HOMME", BOLD) + r(" DORT"),
         r("DORT ") + r("HOMME", BOLD) + r(" UN")),
        # One format in several runs is one run; languages and spelling do not count.
        (r("un ") + '<w:proofErr w:type="spellStart"/>' + r("hom", '<w:lang w:val="fr"/>') + r("me"),
         r("UN HOMME"), r("HOMME UN")),
        # The format of most characters is the ground.
        (r("un ") + r("homme dort", BOLD), r("UN") + r(" HOMME DORT", BOLD), r("DORT HOMME ", BOLD) + r("UN")),
        # Tabs and breaks end a text.
        ("<w:r><w:t>un homme</w:t><w:tab/><w:t>une femme</w:t><w:br/></w:r>",
         f"<w:r>{TEXT.format('UN HOMME')}<w:tab/>{TEXT.format('UNE FEMME')}<w:br/></w:r>",
         f"<w:r>{TEXT.format('HOMME UN')}<w:tab/>{TEXT.format('FEMME UNE')}<w:br/></w:r>"),
        # A link, and formats in it.
        (r("voir ") + LINK + r("la ") + r("page", BOLD) + LINKED + r(" ici"),
         r("VOIR ") + LINK + r("LA ") + r("PAGE", BOLD) + LINKED + r(" ICI"),
         r("ICI ") + LINK + r("PAGE", BOLD) + r(" LA") + LINKED + r(" VOIR")),
        # A link across a tab: its tags stay where they are.
        (r("a ") + LINK + r("b") + TAB + r("c") + LINKED + r(" d"),
         r("A ") + LINK + r("B") + TAB + r("C") + LINKED + r(" D"), None),
        # What was deleted or moved away stays, what was inserted is translated.
        (r("un ") + '<w:ins w:id="1">' + r("homme") + "</w:ins>" + DELETED,
         r("UN ") + '<w:ins w:id="1">' + r("HOMME") + "</w:ins>" + DELETED, None),
        # A field: its code stays, its result goes with its words; one without letters is a word.
        (r("un ") + FIELD + r("homme") + END, r("UN ") + FIELD + r("HOMME") + END, FIELD + r("HOMME") + END + r(" UN")),
        (r("page ") + FIELD + r("3") + END, r("PAGE ") + FIELD + r("3") + END, FIELD + r("3") + END + r(" PAGE")),
        (NUMBER + r("3") + NUMBERED + r(" pages"), NUMBER + r("3") + NUMBERED + r(" PAGES"), None),
        # Fields in a field's code are code.
        (BEGIN + BEGIN + SEPARATE + r("un") + END + SEPARATE + r("homme") + END,
         BEGIN + BEGIN + SEPARATE + r("un") + END + SEPARATE + r("HOMME") + END, None),
        # A field that ends in another paragraph, and the end of one.
        (END + r("un ") + FIELD + r("homme"), END + r("UN") + FIELD + r(" HOMME"), None),
        # A note keeps to its word; a comment and a bookmark to theirs.
        (r("un homme") + NOTE + r(" dort"), r("UN HOMME") + NOTE + r(" DORT"), r("DORT HOMME") + NOTE + r(" UN")),
        (r("un ") + COMMENT + r("homme") + COMMENTED + r(" dort"),
         r("UN ") + COMMENT + r("HOMME") + COMMENTED + r(" DORT"),
         r("DORT ") + COMMENT + r("HOMME") + COMMENTED + r(" UN")),
        # Content controls with their properties.
        (r("un ") + CONTROL + r("homme") + CONTROLLED, r("UN ") + CONTROL + r("HOMME") + CONTROLLED,
         CONTROL + r("HOMME") + CONTROLLED + r(" UN")),
        # White space at the ends counts only where the file says so; a hyphen that does not break is a character.
        ("<w:r><w:t> un </w:t><w:t>homme</w:t></w:r>", r("UNHOMME"), None),
        ("<w:r><w:t>porte</w:t><w:noBreakHyphen/><w:t>clé &lt; 3</w:t></w:r>", r("PORTE\u2011CLÉ &lt; 3"), None),
        # Nothing to translate.
        (r("12") + "<w:r/>", r("12") + "<w:r/>", r("12") + "<w:r/>"),
    ],
)  # fmt: skip
def test_word_paragraphs(content: str, forward: str, backward: str | None) -> None:
    assert body(content) == forward
    if backward is not None:
        assert body(content, Wordwise(backwards=True)) == backward


def test_other_parts_of_word_documents() -> None:
    paragraph = f"<w:p>{r('un homme')}</w:p>"
    others = dict.fromkeys(("header", "footer", "comments"), paragraph)
    others |= {f"{kind}s": f'<w:{kind} w:id="1">{paragraph}</w:{kind}>' for kind in ("footnote", "endnote")}
    data = word(f"<w:tbl><w:tr><w:tc>{paragraph}</w:tc></w:tr></w:tbl>", **others, styles=paragraph)
    made = translate_document(data, "a.docx", Wordwise())
    for name in ("document", *others):
        assert "UN HOMME" in part(made, f"word/{name}.xml")
        assert part(made, f"word/{name}.xml").lower() == part(data, f"word/{name}.xml").lower()
    assert part(made, "word/styles.xml") == part(data, "word/styles.xml")


def test_text_boxes() -> None:
    """They are in a run of the paragraph that they are anchored in, twice: for programs new and old."""
    box = "<wps:txbx><w:txbxContent><w:p>" + r("une femme") + "</w:p></w:txbxContent></wps:txbx>"
    shape = (
        f'<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing>{box}</w:drawing></mc:Choice><mc:Fallback>'
        f"<w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    content = r("un ") + shape + r("homme", BOLD)
    assert body(content) == r("UN") + shape.replace("une femme", "UNE FEMME") + r(" HOMME", BOLD)
    assert body(shape) == shape.replace("une femme", "UNE FEMME")
    assert body(shape + r("12")) == (shape + r("12")).replace("une femme", "UNE FEMME")


def test_descriptions_of_pictures() -> None:
    picture = '<wp:docPr xmlns:wp="x" name="un" descr="{}"/><a:cNvPr xmlns:a="x" descr=\'{}\'/>'
    picture = f"<w:r><w:drawing>{picture}</w:drawing></w:r>"
    old = picture.format("un &lt;mot&gt;", "&quot;un&quot;&#10;mot")
    new = picture.format("UN &lt;MOT&gt;", "&quot;UN&quot;&#10;MOT")
    assert body(old) == new
    assert body(r("un ") + old + r("homme")) == r("UN") + new + r(" HOMME")
    slide = slides("<a:p/>")
    text = part(slide, "ppt/slides/slide1.xml").replace('name="un"', 'name="un" descr="une image"')
    with zipfile.ZipFile(io.BytesIO(slide)) as before:
        parts: dict[str, str | bytes] = {name: before.read(name) for name in before.namelist()}
    made = translate_document(archive({**parts, "ppt/slides/slide1.xml": text}), "a.pptx", Wordwise())
    assert part(made, "ppt/slides/slide1.xml") == text.replace("une image", "UNE IMAGE")


def test_other_prefixes_and_encodings() -> None:
    data = word(f"<w:p>{r('un homme')}</w:p>")
    with zipfile.ZipFile(io.BytesIO(data)) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    main = parts["word/document.xml"].decode().replace("w:", "ns0:").replace(":w=", ":ns0=").replace("UTF-8", "UTF-16")
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as new:
        for name, content in parts.items():
            new.writestr(name, main.encode("utf-16") if name == "word/document.xml" else content)
    with zipfile.ZipFile(io.BytesIO(translate_document(stream.getvalue(), "a.docx", Wordwise()))) as made:
        assert made.read("word/document.xml").decode("utf-16") == main.replace("un homme", "UN HOMME")


def test_slides() -> None:
    bold = '<a:rPr lang="fr-FR" b="1"/>'
    slide = (
        f'<a:p><a:pPr algn="ctr"/><a:r><a:rPr lang="fr-FR" dirty="0"/><a:t>un </a:t></a:r><a:r>{bold}<a:t>homme</a:t>'
        '</a:r><a:r><a:rPr lang="en-US"/><a:t> dort</a:t></a:r><a:br><a:rPr/></a:br><a:r><a:t>page </a:t></a:r>'
        '<a:fld id="{1}" type="slidenum"><a:rPr/><a:t>un</a:t></a:fld><a:endParaRPr lang="fr-FR"/></a:p>'
    )
    notes = "<a:p><a:r><a:t>une femme</a:t></a:r></a:p>"
    made = translate_document(slides(slide, notes, "un chien"), "a.pptx", Wordwise(backwards=True))
    assert part(made, "ppt/slides/slide1.xml").count(
        f'<a:p><a:pPr algn="ctr"/><a:r><a:rPr lang="fr-FR" dirty="0"/><a:t>DORT </a:t></a:r><a:r>{bold}<a:t>HOMME</a:t>'
        '</a:r><a:r><a:rPr lang="fr-FR" dirty="0"/><a:t> UN</a:t></a:r><a:br><a:rPr/></a:br>'
        '<a:fld id="{1}" type="slidenum"><a:rPr/><a:t>un</a:t></a:fld><a:r><a:t> PAGE</a:t></a:r>'
        '<a:endParaRPr lang="fr-FR"/></a:p>'
    )
    assert "<a:t>FEMME UNE</a:t>" in part(made, "ppt/notesSlides/notesSlide1.xml")
    assert "<p:text>CHIEN UN</p:text>" in part(made, "ppt/comments/comment1.xml")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.dotx", "openxmlformats-officedocument.wordprocessingml.template.main"),
        ("a.docm", "ms-word.document.macroEnabled.main"),
        ("a.dotm", "ms-word.template.macroEnabledTemplate.main"),
    ],
)
def test_templates_and_macros(name: str, kind: str) -> None:
    data = word(f"<w:p>{r('un homme')}</w:p>")
    with zipfile.ZipFile(io.BytesIO(data)) as old:
        parts: dict[str, str | bytes] = {each: old.read(each) for each in old.namelist()}
    main = "openxmlformats-officedocument.wordprocessingml.document.main"
    parts["[Content_Types].xml"] = part(data, "[Content_Types].xml").replace(main, kind)
    parts["word/vbaProject.bin"] = bytes(range(256))
    made = translate_document(archive(parts), name, Wordwise())
    assert "UN HOMME" in part(made, "word/document.xml")
    with zipfile.ZipFile(io.BytesIO(made)) as new:
        assert new.read("word/vbaProject.bin") == bytes(range(256))


def test_headers_of_sheets() -> None:
    header = "<headerFooter><oddHeader>{}</oddHeader><evenFooter>{}</evenFooter></headerFooter>"
    font = '&amp;L&amp;"Arial,Bold"&amp;12'
    old = header.format(f"{font}un homme&amp;CPage &amp;P de &amp;N", "R&amp;&amp;D &amp;D")
    new = header.format(f"{font}HOMME UN&amp;C&amp;N DE &amp;P PAGE", "&amp;D D &amp;&amp; R")
    data = workbook(rows=old)
    made = part(translate_document(data, "a.xlsx", Wordwise(backwards=True)), "xl/worksheets/sheet1.xml")
    assert made == part(data, "xl/worksheets/sheet1.xml").replace(old, new)
    # A sign that begins codes is none where a translation has it.
    made = part(translate_document(workbook(rows=header.format("un &amp;P", "")), "a.xlsx", Wordwise(lambda _: "R&D")),
                "xl/worksheets/sheet1.xml")  # fmt: skip
    assert "<oddHeader>R&amp;&amp;D &amp;P</oddHeader>" in made


def test_escaped_line_ends_in_cells() -> None:
    made = translate_document(workbook("<si><t>un_x000D_&#10;homme</t></si>"), "a.xlsx", Wordwise())
    assert '<si><t xml:space="preserve">UN_x000D_\nHOMME</t></si>' in part(made, "xl/sharedStrings.xml")


def test_sheets() -> None:
    strings = (
        "<si><t>un homme</t></si><si><t>12</t></si>"
        '<si><r><t xml:space="preserve">un </t></r><r><rPr><b/></rPr><t>chien</t></r>'
        '<rPh sb="0" eb="1"><t>un</t></rPh></si>'
        "<si><t>une\nfemme</t></si><si><t>nom\nde colonne</t></si>"
    )
    rows = (
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><f>IF(A1="un","un","une")</f><v>3</v></c>'
        '<c r="C1" t="inlineStr"><is><t>un chien</t></is></c><c r="D1" t="str"><f>homme</f><v>un homme</v></c></row>'
    )
    data = workbook(strings, rows, "<x:r><x:t>un avis</x:t></x:r>", '<tableColumn id="1" name="nom_x000a_de colonne"/>')
    made = translate_document(data, "a.xlsx", Wordwise(backwards=True))
    keep = ' xml:space="preserve"'
    assert part(made, "xl/sharedStrings.xml").endswith(
        f"<si><t{keep}>HOMME UN</t></si><si><t>12</t></si>"
        f"<si><r><rPr><b/></rPr><t{keep}>CHIEN </t></r><r><t{keep}>UN</t></r></si>"
        f"<si><t{keep}>UNE\nFEMME</t></si><si><t>nom\nde colonne</t></si></sst>"
    )
    sheet = part(data, "xl/worksheets/sheet1.xml")
    assert part(made, "xl/worksheets/sheet1.xml") == sheet.replace("<t>un chien<", f"<t{keep}>CHIEN UN<")
    assert f"<x:text><x:r><x:t{keep}>AVIS UN</x:t></x:r></x:text>" in part(made, "xl/comments1.xml")
    for name in ("xl/workbook.xml", "xl/tables/table1.xml", "[Content_Types].xml"):
        assert part(made, name) == part(data, name)


FRAME = (
    '<draw:frame draw:name="un"><draw:text-box><text:p>{}</text:p></draw:text-box><svg:desc>{}</svg:desc></draw:frame>'
)


def commented(before: str, comment: str, text: str, after: str) -> str:
    start = (
        f'<office:annotation office:name="1"><dc:creator>un</dc:creator><text:p>{comment}</text:p></office:annotation>'
    )
    return f'{before} {start}{text}<office:annotation-end office:name="1"/> {after}'


def span(text: str, style: str = "T1") -> str:
    return f'<text:span text:style-name="{style}">{text}</text:span>'


@pytest.mark.parametrize(
    ("content", "backward"),
    [
        ("un " + span("homme") + " dort", "DORT " + span("HOMME") + " UN"),
        ("un<text:s/>homme\n   dort<text:tab/>la<text:s text:c='4'/>femme<text:line-break/>ici là",
         "DORT HOMME UN<text:tab/>LA<text:s text:c='4'/>FEMME<text:line-break/>LÀ ICI"),
        (span("un homme"), span("HOMME UN")),
        ('un <text:a xlink:href="un">' + span("homme") + "</text:a> dort",
         'DORT <text:a xlink:href="un">' + span("HOMME") + "</text:a> UN"),
        # A note with its text; a field; a bookmark; a comment on a stretch of text.
        ('un homme<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>'
         "<text:p>un chien</text:p></text:note-body></text:note> dort",
         'DORT HOMME<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>'
         "<text:p>CHIEN UN</text:p></text:note-body></text:note> UN"),
        ("page <text:page-number>3</text:page-number> dort", "DORT <text:page-number>3</text:page-number> PAGE"),
        ('<text:bookmark-start text:name="a"/>un<text:bookmark-end text:name="a"/> homme',
         'HOMME <text:bookmark-start text:name="a"/>UN<text:bookmark-end text:name="a"/>'),
        (commented("un", "un avis", "homme", "dort"), commented("DORT", "AVIS UN", "HOMME", "UN")),
        (FRAME.format("une femme", "un mot") + "un homme", FRAME.format("FEMME UNE", "MOT UN") + "HOMME UN"),
        ("un &amp; <!-- un --><![CDATA[<b>]]>", None),
    ],
)  # fmt: skip
def test_open_document_paragraphs(content: str, backward: str | None) -> None:
    data = open_document("text", f"<text:h>{content}</text:h>")
    made = part(translate_document(data, "a.odt", Wordwise(backwards=True)), "content.xml")
    if backward is not None:
        assert made[made.index("<text:h>") + 8 : made.index("</text:h>")] == backward


def test_open_document_text() -> None:
    deleted = (
        '<text:tracked-changes><text:changed-region text:id="1"><text:deletion><text:p>un homme</text:p>'
        "</text:deletion></text:changed-region></text:tracked-changes>"
    )
    master = (
        '<office:master-styles><style:master-page style:name="S" style:page-layout-name="L"><style:header>'
        "<text:p>un chien</text:p></style:header></style:master-page></office:master-styles>"
    )
    data = open_document("text", f"{deleted}<text:p>un homme</text:p>", master)
    made = translate_document(data, "a.odt", Wordwise())
    assert f"{deleted}<text:p>UN HOMME</text:p>" in part(made, "content.xml")
    assert "<text:p>UN CHIEN</text:p>" in part(made, "styles.xml")
    assert made.startswith(data[:50]) and made[30:38] == b"mimetype"


def test_open_document_sheets_and_slides() -> None:
    cell = '<table:table-cell office:value-type="{}"{}><text:p>un an</text:p></table:table-cell>'
    note = "<office:annotation><text:p>un avis</text:p></office:annotation>"
    row = (
        cell.format("string", "")
        + cell.format("float", ' office:value="1"').replace("<text:p>un an", f"{note}<text:p>un an")
        + cell.format("string", ' table:formula="of:=1"')
        + cell.format("date", "")
    )
    table = f'<table:table table:name="une feuille"><table:table-row>{row}</table:table-row></table:table>'
    made = translate_document(open_document("spreadsheet", table), "a.ods", Wordwise())
    expected = table.replace("un an", "UN AN", 1).replace("un avis", "UN AVIS")
    assert expected in part(made, "content.xml")
    page = (
        '<presentation:footer-decl presentation:name="un">un pied</presentation:footer-decl><draw:page><draw:frame>'
        "<draw:text-box><text:list><text:list-item><text:p>un an</text:p></text:list-item></text:list></draw:text-box>"
        "</draw:frame><presentation:notes><draw:frame><draw:text-box><text:p>un mot</text:p></draw:text-box>"
        "</draw:frame></presentation:notes></draw:page>"
    )
    made = translate_document(open_document("presentation", page, "<text:p>un</text:p>"), "a.odp", Wordwise())
    for text in ("un pied", "un an", "un mot"):
        page = page.replace(text, text.upper())
    assert page in part(made, "content.xml")
    assert "<text:p>un</text:p>" in part(made, "styles.xml")


def test_identity_gives_the_same_bytes() -> None:
    data = word(f"<w:p>{r('un ')}{r('homme', BOLD)}</w:p>")
    assert translate_document(data, "a.docx", Identity()) == data
    document = read_document(data, "a.docx")
    assert document.write([None] * len(document.segments)) == data
    assert [text_of(segment) for segment in document.segments] == ["un homme"]


def test_the_reference_reads_what_is_there() -> None:
    text = part(word(f"<w:p>{r('a')}{r('b', BOLD + ITALIC)}</w:p>"), "word/document.xml")
    ((plain, both),) = paragraphs(text)
    assert plain == ("a", ()) and both[0] == "b" and "<w:b>" in both[1][0] and "<w:i>" in both[1][0]
