"""Translated HTML runs in the direction of the language it was translated into."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.documents import read_document
from dragoman.documents.segment import Tag


def page_in(page: str, target_lang: str, same: str = "") -> str:
    """With all words in capitals but those that stay the `same`."""
    document = read_document(page.encode(), "a.html", target_lang=target_lang)
    translations = [
        tuple(piece if isinstance(piece, Tag) else raised(piece, same) for piece in segment)
        for segment in document.segments
    ]
    return document.write(translations).decode()


def raised(text: str, same: str) -> str:
    return same.join(part.upper() for part in text.split(same)) if same else text.upper()


@pytest.mark.parametrize(
    ("page", "target", "wanted"),
    [
        ('<html lang="en" dir="ltr"><p>a b</p>', "ar", '<html lang="ar" dir="rtl"><p>A B</p>'),
        ('<html lang="en"><p>a b</p>', "he", '<html dir="rtl" lang="he"><p>A B</p>'),
        ("<html><p>a b</p>", "fa-IR", '<html dir="rtl"><p>A B</p>'),
        ("<body><p>a b</p></body>", "ur", '<body dir="rtl"><p>A B</p></body>'),
        ('<html lang="ar" dir="rtl"><p>a b</p>', "en", '<html lang="en" dir="ltr"><p>A B</p>'),
        ("<html LANG=ar DIR=rtl dir=rtl><p>a b</p>", "en", "<html LANG=en DIR=ltr dir=rtl><p>A B</p>"),
        ('<html lang="fr"><p>a b</p>', "en", '<html lang="en"><p>A B</p>'),
        ('<html lang="fr" dir="auto"><p>a b</p>', "ar", '<html lang="ar" dir="auto"><p>A B</p>'),
        # Parts in the page's own language go with it; parts in others, and what runs on its own within a line, stay.
        ('<html lang="ar"><p dir="rtl">a</p>', "en", '<html lang="en"><p dir="ltr">A</p>'),
        ('<html lang="en"><div lang="en-GB" dir="ltr">a</div>', "ar",
         '<html dir="rtl" lang="ar"><div lang="ar" dir="rtl">A</div>'),
        ('<html lang="en"><p lang="ar" dir="rtl">a</p>', "fr", '<html lang="fr"><p lang="ar" dir="rtl">A</p>'),
        ('<html lang="en"><p>a <b dir="ltr">+1 2</b> c</p>', "ar",
         '<html dir="rtl" lang="ar"><p>A <b dir="ltr">+1 2</b> C</p>'),
        ('<html lang="en"><p>a <span lang="en" title="d e">b</span> c</p>', "ar",
         '<html dir="rtl" lang="ar"><p>A <span lang="ar" title="D E">B</span> C</p>'),
        ('<html lang="en"><p>a <bdo dir="ltr">b</bdo></p>', "ar",
         '<html dir="rtl" lang="ar"><p>A <bdo dir="ltr">B</bdo></p>'),
        ('<html dir="rtl"><p>a <code>%s</code> b</p>', "ar", '<html dir="rtl"><p>A <code dir="ltr">%s</code> B</p>'),
        ("<html><p><KBD id=x>x</KBD></p><pre>a</pre>", "he",
         '<html dir="rtl"><p><KBD dir="ltr" id=x>x</KBD></p><pre dir="ltr">a</pre>'),
        ('<html><p>a <code dir="auto">%s</code></p>', "ar", '<html dir="rtl"><p>A <code dir="auto">%s</code></p>'),
        ("<html><p>a <code>%s</code></p>", "en", "<html><p>A <code>%s</code></p>"),
        ("<html lang><p>a</p>", "ar", '<html dir="rtl" lang><p>A</p>'),
    ],
)  # fmt: skip
def test_direction_of_a_page(page: str, target: str, wanted: str) -> None:
    assert page_in(page, target) == wanted


@pytest.mark.parametrize(
    "placeholder",
    ["%s", "%1$s", "%(name)s", "%.2f", "{0}", "{}", "{name}", "{{ name }}", "${x}", "%{count}", "%ld"],
)
def test_placeholders_run_by_themselves(placeholder: str) -> None:
    """In text and in attributes; they are the same and as many, and a page that is translated again has no more."""

    def around(word: str, isolated: str) -> str:
        return f'<p title="{word} {isolated}">{word} <b>{isolated}</b>, {isolated} {word}</p>'

    page = "<html>" + around("a", placeholder)
    made = page_in(page, "he", same=placeholder)
    assert made == '<html dir="rtl">' + around("A", f"\u2068{placeholder}\u2069")
    assert page_in(made, "ar", same=placeholder) == made
    assert page_in(page, "de", same=placeholder) == "<html>" + around("A", placeholder)


@pytest.mark.parametrize("text", ["50% dab", "a {b c} d", "a%sb", "100 % sure", "%%s", "x{0}y"])
def test_what_is_no_placeholder_gets_no_marks(text: str) -> None:
    made = page_in(f"<html><p>a {text}</p>", "ar", same=text)
    assert "\u2068" not in made


class Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        # Of attributes of one name the first counts.
        self.seen.append((tag, dict(reversed(attrs))))


ATTRIBUTE = st.sampled_from(
    ['lang="en"', "lang=en", "lang", 'dir="ltr"', "dir=rtl", "DIR=ltr", "dir", 'xml:lang="en"', "id=x"]
)
TAG = st.builds(
    lambda name, given: f"<{name} {' '.join(given)}>",
    st.sampled_from(["p", "div", "span", "b", "code", "pre"]),
    st.lists(ATTRIBUTE),
)


@given(st.lists(ATTRIBUTE), st.lists(st.tuples(TAG, st.sampled_from(["a b", "", "</p>", "</b> c"]))), st.booleans())
def test_any_page_runs_in_its_new_direction(given_there: list[str], parts: list[tuple[str, str]], arabic: bool) -> None:
    page = f"<html {' '.join(given_there)}><body>" + "".join(tag + text for tag, text in parts)
    made = page_in(page, "ar" if arabic else "de")
    before, after = Tags(page).seen, Tags(made).seen
    assert sorted(tag for tag, _ in before) == sorted(tag for tag, _ in after)
    root = after[0][1]
    if arabic:
        assert root.get("dir") in ("rtl", None if "dir" in before[0][1] else "rtl")
    elif before[0][1].get("dir"):
        assert root["dir"] == "ltr"
    if before[0][1].get("lang"):
        assert root["lang"] == ("ar" if arabic else "de")
