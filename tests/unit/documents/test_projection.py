"""Tags find their words again: every tag once, nested as it was, around the words it stood around."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.documents.encoding import Encoded
from dragoman.documents.engine import translate_segments, trim
from dragoman.documents.html import HtmlDocument
from dragoman.documents.inline_tags import inline_pieces
from dragoman.documents.projection import Flattened
from dragoman.documents.segment import DocumentLimits, Segment, Tag, paired
from tests.unit.documents.support import Wordwise, translation


def segment(text: str) -> Segment:
    return paired(inline_pieces(text), 100)


def written(made: Segment | None) -> str:
    assert made is not None
    return "".join(piece if isinstance(piece, str) else piece.raw for piece in made)


def project(source: str, target: str, links: list[tuple[int, int]]) -> str:
    flat = Flattened(segment(source))
    return written(flat.translated(translation(flat.text, flat.text.split(), target.split(), links)))


@pytest.mark.parametrize(
    ("source", "target", "links", "expected"),
    [
        ("la <b>maison</b> bleue", "the blue house", [(0, 0), (1, 2), (2, 1)], "the blue <b>house</b>"),
        ("la <b>maison bleue</b> dort", "the blue house sleeps", [(0, 0), (1, 2), (2, 1), (3, 3)],
         "the <b>blue house</b> sleeps"),
        # All words of the pair, with a word between that is linked to nothing.
        ("<i>ne dort</i> pas", "does not at all sleep", [(0, 1), (1, 4), (2, 0)], "does <i>not at all sleep</i>"),
        ("<i>il y</i> va", "he of it goes", [(0, 0), (1, 2), (2, 3)], "<i>he of it</i> goes"),
        # A pair around everything goes around everything, links or not.
        ("<b>la maison</b>", "the house", [], "<b>the house</b>"),
        # Nested.
        ("<a>la <b>maison</b></a> dort", "sleeps the house", [(0, 1), (1, 2), (2, 0)],
         "sleeps <a>the <b>house</b></a>"),
        # Side by side, turned around.
        ("<a>noir</a> <b>chat</b>", "cat black", [(0, 1), (1, 0)], "<b>cat</b> <a>black</a>"),
        # Nothing is linked to what it holds: it stays behind the word before it.
        ("la <b>donc</b> maison", "the house", [(0, 0), (2, 1)], "the<b></b> house"),
        # Tags by themselves are words.
        ("la <x/> maison", "house {_1} the", [(0, 2), (1, 1), (2, 0)], "house <x/> the"),
        ("un<b>believ</b>able", "unbelievable!", [(0, 0)], "<b>unbelievable!</b>"),
    ],
)  # fmt: skip
def test_cases(source: str, target: str, links: list[tuple[int, int]], expected: str) -> None:
    assert project(source, target, links) == expected


@pytest.mark.parametrize(("target", "expected"), [("a b", "a b<x/><y/>"), ("{_2} a {_2} b", "<y/> a  b<x/>")])
def test_lost_and_repeated_placeholders(target: str, expected: str) -> None:
    assert project("A <x/> <y/> B", target, []) == expected


def test_text_that_looks_like_a_placeholder() -> None:
    flat = Flattened(segment("{_1} is <x/>"))
    assert flat.text == "{_1} is {__1}"


def test_white_space_stays_outside() -> None:
    assert trim(("  a ", Tag("<x>"), " ")) == (["  "], ("a ", Tag("<x>")), [" "])
    assert trim((" ",)) == ([" "], (), [])


def random_markup(rng: random.Random, depth: int = 0) -> str:
    parts = []
    for _ in range(rng.randrange(1, 4)):
        kind = rng.random()
        if kind < 0.5 or depth > 3:
            parts.append(" ".join(rng.choices("abcdefgh", k=rng.randrange(4))))
        elif kind < 0.6:
            parts.append(f"<x{rng.randrange(99)}/>")
        else:
            name = rng.choice("bi")
            parts.append(f"<{name} n={rng.randrange(99)}>{random_markup(rng, depth + 1)}</{name}>")
    return rng.choice(("", " ")).join(parts)


@given(st.randoms(use_true_random=True), st.booleans(), st.booleans())
def test_every_tag_once_and_nested(random: random.Random, backwards: bool, linked: bool) -> None:
    source = segment(random_markup(random))
    (made,) = translate_segments([source], Wordwise(backwards=backwards, linked=linked))
    if made is None:
        return
    tags = [piece for piece in made if isinstance(piece, Tag)]
    assert sorted(tags, key=str) == sorted((piece for piece in source if isinstance(piece, Tag)), key=str)
    stack: list[int] = []
    for tag in tags:
        if tag.pair and not tag.closing:
            stack.append(tag.pair)
        elif tag.closing:
            assert stack.pop() == tag.pair
    assert not stack


@given(st.randoms(use_true_random=True))
def test_words_keep_their_markup_when_links_say_all(random: random.Random) -> None:
    """Each word has one tag around it: wherever the word goes, its tag goes."""
    words = [f"w{number}" for number in range(random.randrange(1, 8))]
    order = random.sample(range(len(words)), len(words))
    source = " ".join(f"<t{n}>{word}</t{n}>" for n, word in enumerate(words))
    target = " ".join(words[s].upper() for s in order)
    made = project(source, target, [(s, t) for t, s in enumerate(order)])
    assert made == " ".join(f"<t{s}>{words[s].upper()}</t{s}>" for s in order)


def test_deep_and_wide_markup_is_quick() -> None:
    deep = "<b>" * 10_000 + "word" + "</b>" * 10_000
    wide = "<b>w</b> " * 4_000
    broken = "<a '\"" * 10_000 + ">"
    gaps = "<a" + " /" * 200_000 + ">word</a>"
    for text in (deep, wide, broken, "<" * 40_000, "<b>" * 20_000, "</i>" * 20_000, "<a b='" * 6_000, gaps):
        document = HtmlDocument(Encoded(text), DocumentLimits())
        made = translate_segments(document.segments, Wordwise())
        assert len(document.write(made)) >= len(text)


def test_every_text_is_translated_once() -> None:
    translator = Wordwise()
    made = translate_segments([("a b",), (" a b ",), ("1 2",), ("",), ("a b",)], translator)
    assert translator.seen == ["a b"]
    assert made == [("A B",), (" ", "A B", " "), None, None, ("A B",)]
    assert list(itertools.chain(*(m or () for m in made)))
