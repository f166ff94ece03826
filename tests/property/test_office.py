"""Office documents of random structure: whatever the translator does, words keep their formats and nothing is lost."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from dragoman.documents import translate_document
from tests.reference.office_text import Character, characters, paragraphs, parsed, skeleton
from tests.unit.documents.office.packages import open_document, part, slides, word, workbook
from tests.unit.documents.support import Identity, Wordwise

WORDS = ("un", "Homme", "été", "rue", "x", "12", "Ça", "&amp;", "l")
LOOKS = ("", "<w:b/>", "<w:i/>", '<w:b/><w:lang w:val="fr-FR"/>', '<w:lang w:val="en-GB"/>', '<w:sz w:val="40"/>')
DRAWN = ("", '<a:rPr b="1"/>', '<a:rPr i="1" dirty="0"/>', '<a:rPr lang="fr-FR"/>', '<a:rPr b="1" lang="en-US"/>')
BOXES = "<w:r><w:pict><w:txbxContent><w:p>{}</w:p></w:txbxContent></w:pict></w:r>"
NUMBERS = iter(range(10**9))


def words(rng: random.Random) -> str:
    """Whole words, with a space behind each, so that no word has two formats."""
    return "".join(f"{rng.choice(WORDS)} " for _ in range(rng.randrange(1, 4)))


def field(code: str, result: str) -> str:
    begin, separate, end = (f'<w:r><w:fldChar w:fldCharType="{part}"/></w:r>' for part in ("begin", "separate", "end"))
    return f"{begin}<w:r><w:instrText>{code}</w:instrText></w:r>{separate}{result}{end}"


def word_content(rng: random.Random, depth: int = 0) -> str:
    parts = []
    for _ in range(rng.randrange(1, 7)):
        kind = rng.random()
        inner = (lambda: word_content(rng, depth + 1)) if depth < 3 else (lambda: "")
        number = next(NUMBERS)
        if kind < 0.6:
            look = rng.choice(LOOKS)
            space = rng.choice(("", "<w:proofErr/>", "\n  "))
            properties = look and f"<w:rPr>{look}</w:rPr>"
            parts.append(f'<w:r>{properties}<w:t xml:space="preserve">{words(rng)}</w:t></w:r>{space}')
        elif kind < 0.65:
            parts.append(f'<w:hyperlink r:id="rId{number}">{inner()}</w:hyperlink>')
        elif kind < 0.7:
            parts.append(f'<w:ins w:id="{number}">{inner()}</w:ins>')
        elif kind < 0.75:
            parts.append(f'<w:bookmarkStart w:id="{number}"/>{inner()}<w:bookmarkEnd w:id="{number}"/>')
        elif kind < 0.79:
            parts.append(field(words(rng), rng.choice((inner, lambda: "", lambda: "<w:r><w:t>7</w:t></w:r>"))()))
        elif kind < 0.83:
            parts.append(f"<w:sdt><w:sdtPr/><w:sdtContent>{inner()}</w:sdtContent></w:sdt>")
        elif kind < 0.87:
            parts.append(BOXES.format(inner()))
        elif kind < 0.9:
            parts.append(f"<w:del><w:r><w:delText>{words(rng)}</w:delText></w:r></w:del>")
        elif kind < 0.94:
            parts.append(f'<w:r><w:rPr><w:b/></w:rPr><w:footnoteReference w:id="{number}"/></w:r>')
        else:
            parts.append(rng.choice(("<w:r><w:tab/></w:r>", "<w:r><w:br/><w:cr/></w:r>", "<w:r/>", "<!-- a -->")))
    return "".join(parts)


def word_document(rng: random.Random) -> bytes:
    return word("".join(f"<w:p><w:pPr/>{word_content(rng)}</w:p>" for _ in range(rng.randrange(1, 4))))


def slide_document(rng: random.Random) -> bytes:
    def content() -> str:
        run = "<a:r>{}<a:t>{}</a:t></a:r>"
        texts = [run.format(rng.choice(DRAWN), words(rng)) for _ in range(rng.randrange(1, 6))]
        for _ in range(rng.randrange(3)):
            other = rng.choice(("<a:br/>", '<a:fld id="{1}"><a:t>12</a:t></a:fld>'))
            texts.insert(rng.randrange(len(texts) + 1), other)
        return "".join(texts)

    return slides("".join(f"<a:p>{content()}<a:endParaRPr/></a:p>" for _ in range(rng.randrange(1, 4))))


def sheet_document(rng: random.Random) -> bytes:
    def string() -> str:
        if rng.random() < 0.4:
            return f"<si><t>{rng.choice(('', '&#10;')).join((words(rng), words(rng)))}</t></si>"
        looks = ("", "<rPr><b/></rPr>", "<rPr><i/></rPr>")
        run = '<r>{}<t xml:space="preserve">{}</t></r>'
        return f"<si>{''.join(run.format(rng.choice(looks), words(rng)) for _ in range(rng.randrange(1, 5)))}</si>"

    return workbook("".join(string() for _ in range(rng.randrange(1, 5))))


def open_content(rng: random.Random, depth: int = 0) -> str:
    parts = []
    for _ in range(rng.randrange(1, 6)):
        kind = rng.random()
        inner = open_content(rng, depth + 1) if depth < 3 else words(rng)
        number = next(NUMBERS)
        if kind < 0.5:
            parts.append(words(rng))
        elif kind < 0.65:
            parts.append(f'<text:span text:style-name="T{number}">{inner}</text:span>')
        elif kind < 0.7:
            parts.append(f'<text:a office:name="{number}">{inner}</text:a>')
        elif kind < 0.75:
            name = f'text:name="{number}"'
            parts.append(f"<text:bookmark-start {name}/>{inner}<text:bookmark-end {name}/>")
        elif kind < 0.8:
            parts.append(f"<text:note><text:note-body><text:p>{inner}</text:p></text:note-body></text:note>")
        elif kind < 0.85:
            parts.append(f"<draw:frame><draw:text-box><text:p>{inner}</text:p></draw:text-box></draw:frame>")
        else:
            parts.append(rng.choice(("<text:tab/>", "<text:line-break/>", '<text:s text:c="3"/>', "<!-- a -->")))
    return "".join(parts)


def open_text(rng: random.Random) -> bytes:
    return open_document("text", "".join(f"<text:p>{open_content(rng)}</text:p>" for _ in range(rng.randrange(1, 4))))


KINDS: dict[str, tuple[Callable[[random.Random], bytes], str]] = {
    "a.docx": (word_document, "word/document.xml"),
    "a.pptx": (slide_document, "ppt/slides/slide1.xml"),
    "a.xlsx": (sheet_document, "xl/sharedStrings.xml"),
    "a.odt": (open_text, "content.xml"),
}
randoms = st.randoms(use_true_random=True)


def swapped(found: list[list[Character]]) -> list[list[Character]]:
    return [[(character.swapcase(), formats) for character, formats in paragraph] for paragraph in found]


@pytest.mark.parametrize("name", KINDS)
@given(random=randoms)
def test_words_keep_their_formats(name: str, random: random.Random) -> None:
    """Every character, with its format, where each word becomes one word; and as it was after a second time."""
    make, where = KINDS[name]
    data = make(random)
    before = paragraphs(part(data, where))
    once = translate_document(data, name, Wordwise(str.swapcase))
    assert readable(paragraphs(part(once, where))) == readable(swapped(before))
    twice = translate_document(once, name, Wordwise(str.swapcase))
    assert readable(paragraphs(part(twice, where))) == readable(before)


def readable(found: list[list[Character]]) -> list[list[Character]]:
    """Results of fields are kept or translated as a whole; signs belong to no word, so their format may be either."""
    return [[entry for entry in paragraph if entry[0].isalpha()] for paragraph in found]


def spelled(xml: str) -> list[str]:
    """The letters of each paragraph, and the paragraphs, in any order."""
    return sorted("".join(sorted(entry[0].upper() for entry in paragraph)) for paragraph in paragraphs(xml))


@pytest.mark.parametrize("name", KINDS)
@given(random=randoms, backwards=st.booleans(), linked=st.booleans())
def test_nothing_is_lost(name: str, random: random.Random, backwards: bool, linked: bool) -> None:
    """All words and all elements are there once, whatever order and links are; begins stand before ends."""
    make, where = KINDS[name]
    data = make(random)
    made = translate_document(data, name, Wordwise(str.upper, backwards=backwards, linked=linked))
    before, after = part(data, where), part(made, where)
    assert skeleton(after) == skeleton(before)
    # Notes and boxes go where their words go.
    assert spelled(after) == spelled(before)
    seen: set[str] = set()
    depth = 0
    for element in parsed(after).iter("*"):
        tag = etree.QName(element).localname
        key = str(sorted(element.attrib.values()))
        if tag in ("bookmarkStart", "bookmark-start"):
            seen.add(key)
        elif tag in ("bookmarkEnd", "bookmark-end"):
            assert key in seen
        elif tag == "fldChar":
            depth += {"['begin']": 1, "['separate']": 0, "['end']": -1}[key]
            assert depth >= 0
    with zipfile.ZipFile(io.BytesIO(data)) as old_archive, zipfile.ZipFile(io.BytesIO(made)) as new_archive:
        assert new_archive.namelist() == old_archive.namelist()
        for each in old_archive.namelist():
            if each != where:
                assert new_archive.read(each) == old_archive.read(each)


@pytest.mark.parametrize("name", KINDS)
@given(random=randoms)
def test_identity_gives_the_same_bytes(name: str, random: random.Random) -> None:
    data = KINDS[name][0](random)
    assert translate_document(data, name, Identity()) == data


def test_the_reference_sees_formats() -> None:
    run = '<w:r><w:rPr><w:b/><w:lang w:val="fr"/></w:rPr><w:t>a</w:t></w:r>'
    text = f"<w:p>{run}<w:del>{run}</w:del></w:p>"
    (paragraph,) = parsed(part(word(text), "word/document.xml")).iter("{*}p")
    ((character, (look,)),) = characters(paragraph)
    assert character == "a" and "<w:b>" in look and "lang" not in look
