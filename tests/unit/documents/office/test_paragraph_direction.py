"""A paragraph of an office document runs in the direction of the language it was translated into."""

from __future__ import annotations

from typing import Any

import pytest

from dragoman.documents import read_document
from dragoman.documents.engine import translate_segments
from tests.unit.documents.office.packages import part, slides, word
from tests.unit.documents.support import Identity, Wordwise


def written(data: bytes, name: str, target_lang: str, translator: Any = None) -> bytes:
    document = read_document(data, name, target_lang=target_lang)
    return document.write(translate_segments(document.segments, translator or Wordwise()))


RUN, DONE = "<w:r><w:t>un homme</w:t></w:r>", '<w:r><w:t xml:space="preserve">UN HOMME</w:t></w:r>'


@pytest.mark.parametrize(
    ("before", "target", "after"),
    [
        ("", "ar", "<w:pPr><w:bidi/></w:pPr>"),
        ("", "he-IL", "<w:pPr><w:bidi/></w:pPr>"),
        ("", "de", ""),
        ("", "", ""),
        ("<w:pPr/>", "fa", "<w:pPr><w:bidi/></w:pPr>"),
        # The order of properties is the standard's, and Word refuses others.
        ('<w:pPr><w:pStyle w:val="a"/><w:spacing w:after="1"/><w:jc w:val="right"/></w:pPr>', "ur",
         '<w:pPr><w:pStyle w:val="a"/><w:bidi/><w:spacing w:after="1"/><w:jc w:val="right"/></w:pPr>'),
        ('<w:pPr><w:numPr><w:ilvl w:val="0"/></w:numPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr>', "ar",
         '<w:pPr><w:numPr><w:ilvl w:val="0"/></w:numPr><w:tabs><w:tab w:val="left"/></w:tabs><w:bidi/></w:pPr>'),
        ("<w:pPr><w:rPr><w:b/></w:rPr></w:pPr>", "ar", "<w:pPr><w:bidi/><w:rPr><w:b/></w:rPr></w:pPr>"),
        ("<w:pPr><w:bidi/></w:pPr>", "he", "<w:pPr><w:bidi/></w:pPr>"),
        ('<w:pPr><w:bidi w:val="false"/></w:pPr>', "he", "<w:pPr><w:bidi/></w:pPr>"),
        ('<w:pPr><w:jc w:val="left"/></w:pPr>', "en", '<w:pPr><w:jc w:val="left"/></w:pPr>'),
        ("<w:pPr><w:bidi/></w:pPr>", "en", '<w:pPr><w:bidi w:val="0"/></w:pPr>'),
        # What a paragraph was before somebody changed it is history.
        ("<w:pPr><w:pPrChange><w:pPr><w:bidi/></w:pPr></w:pPrChange></w:pPr>", "ar",
         "<w:pPr><w:bidi/><w:pPrChange><w:pPr><w:bidi/></w:pPr></w:pPrChange></w:pPr>"),
    ],
)  # fmt: skip
def test_paragraphs_of_word(before: str, target: str, after: str) -> None:
    text = part(written(word(f"<w:p>{before}{RUN}</w:p>"), "a.docx", target), "word/document.xml")
    assert f"<w:body><w:p>{after}{DONE}</w:p><w:sectPr/>" in text


def test_what_is_not_translated_does_not_turn() -> None:
    """A paragraph without words, and one that comes back as it was."""
    empty = '<w:p><w:pPr><w:jc w:val="left"/></w:pPr></w:p><w:p><w:r><w:t>12</w:t></w:r></w:p>'
    text = part(written(word(f"{empty}<w:p>{RUN}</w:p>{empty}"), "a.docx", "ar"), "word/document.xml")
    assert text.count(empty) == 2 and text.count("bidi") == 1
    same = word(f"<w:p>{RUN}</w:p>")
    assert written(same, "a.docx", "ar", Identity()) == same


def test_text_boxes_turn_with_their_paragraph_and_without_it() -> None:
    box = "<wps:txbx><w:txbxContent><w:p>{}<w:r><w:t>{}</w:t></w:r></w:p></w:txbxContent></wps:txbx>"
    shape = "<w:r><w:drawing>" + box + "</w:drawing></w:r>"
    turned = "<w:pPr><w:bidi/></w:pPr>"
    for around, wanted in (("", ""), (RUN, turned)):
        data = word(f"<w:p>{around}{shape.format('', 'une femme')}</w:p>")
        text = part(written(data, "a.docx", "ar"), "word/document.xml")
        assert text.count(turned) == 1 + bool(around)
        assert f"<w:body><w:p>{wanted}<w:r>" in text
        inner = shape.format(turned, "UNE FEMME").replace("<w:t>", '<w:t xml:space="preserve">')
        assert inner in text


@pytest.mark.parametrize(
    ("before", "target", "after"),
    [
        ("", "ar", '<a:pPr rtl="1"/>'),
        ("", "en", ""),
        ('<a:pPr lvl="1"/>', "he", '<a:pPr rtl="1" lvl="1"/>'),
        ('<a:pPr algn="l" rtl="0"><a:buNone/></a:pPr>', "ar", '<a:pPr algn="r" rtl="1"><a:buNone/></a:pPr>'),
        ('<a:pPr algn="r"/>', "ar", '<a:pPr rtl="1" algn="l"/>'),
        ('<a:pPr algn="ctr"/>', "ar", '<a:pPr rtl="1" algn="ctr"/>'),
        ('<a:pPr algn="r" rtl="1"/>', "fa", '<a:pPr algn="r" rtl="1"/>'),
        ('<a:pPr algn="r" rtl="1"/>', "fr", '<a:pPr algn="l" rtl="0"/>'),
    ],
)
def test_paragraphs_of_slides(before: str, target: str, after: str) -> None:
    data = slides(f"<a:p>{before}<a:r><a:t>un homme</a:t></a:r></a:p>", comments="une femme")
    made = written(data, "a.pptx", target)
    assert f"<a:p>{after}<a:r><a:t>UN HOMME</a:t></a:r></a:p>" in part(made, "ppt/slides/slide1.xml")
    # Comments are texts without properties.
    assert "<p:text>UNE FEMME</p:text>" in part(made, "ppt/comments/comment1.xml")
