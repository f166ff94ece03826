"""HTML through the server's parser: whatever comes in, nothing is lost and nothing is made up."""

from __future__ import annotations

import html
import html.parser
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("uvicorn", reason="the server's packages are not installed: pip install dragoman[serve]")

from dragoman.serve.html_segments import segments_of
from dragoman.serve.html_text import html_job
from dragoman.serve.html_tokens import Kind, tokens_of
from dragoman.translator import Alternative, SentenceTranslation, Translation

PIECES = st.sampled_from(
    "<b> </b> <i> </i> <p> </p> <br> <br/> <code> </code> <pre> </pre> <a href='x'> <a href=\"a>b\"> </a> <img src=x>"
    " <!-- c --> <!--> <script> </script> <span translate=no> </span> < > & &lt; &amp;lt; &#60; ' \" = / la maison chat ."
    " x0 <x0> <x1/> \n é 😀 <b <a\x20href=' </ <!x> <? <title> </title>".split(" ")
)
SOUP = st.lists(PIECES, max_size=25).map(" ".join) | st.lists(PIECES, max_size=25).map("".join) | st.text(max_size=60)


def shuffled(line: str, seed: int) -> Translation:
    """A translation that only reorders words, and links each to itself."""
    words = line.split()
    order = list(range(len(words)))
    random.Random(seed).shuffle(order)
    target = [words[place] for place in order]
    sentence = SentenceTranslation(
        line, " ".join(target), 0.0, {}, words, target, [(place, at) for at, place in enumerate(order)], [], 0, 0, False
    )
    return Translation(sentence.text, [Alternative(sentence.text, 0.0, {})], [sentence] if words else [])


def run(source: str, seed: int) -> str:
    job = html_job(source)
    try:
        lines = next(job)
        while True:
            lines = job.send([shuffled(line, seed) for line in lines])
    except StopIteration as finished:
        return str(finished.value)


@given(SOUP)
def test_tokens_put_together_are_the_input(source: str) -> None:
    assert "".join(token.raw for token in tokens_of(source)) == source
    runs = segments_of(source)
    assert "".join(each if isinstance(each, str) else "".join(t.raw for t in each) for each in runs) == source


@given(SOUP, st.integers(0, 5))
def test_tags_are_kept_and_none_appear(source: str, seed: int) -> None:
    made = run(source, seed)
    tags = Counter(token.raw for token in tokens_of(source) if token.kind is not Kind.TEXT)
    assert Counter(token.raw for token in tokens_of(made) if token.kind is not Kind.TEXT) == tags


@given(SOUP, st.integers(0, 5))
def test_words_are_kept_and_stay_escaped(source: str, seed: int) -> None:
    def words(text: str) -> Counter[str]:
        runs = [html.unescape(token.raw) for token in tokens_of(text) if token.kind is Kind.TEXT]
        return Counter(character for run in runs for character in run if not character.isspace())

    assert words(run(source, seed)) == words(source)


class Oracle(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.seen: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.append(("open", tag))

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        self.seen.append(("open", tag))

    def handle_endtag(self, tag: str) -> None:
        self.seen.append(("close", tag))


NAMES = st.sampled_from(["b", "p", "div", "a", "br", "h1", "x-y"])
VALUES = st.text(st.characters(blacklist_characters="\x00\r", blacklist_categories=["Cs"]), max_size=8)
ATTRIBUTES = st.lists(st.tuples(st.sampled_from(["id", "href", "data-x"]), VALUES), max_size=2, unique_by=lambda x: x[0])
TAGS = st.tuples(NAMES, ATTRIBUTES).map(
    lambda each: "<" + " ".join([each[0], *(f'{name}="{html.escape(value)}"' for name, value in each[1])]) + ">"
)
WELL_FORMED = st.lists(TAGS | NAMES.map(lambda name: f"</{name}>") | VALUES.map(html.escape), max_size=12).map("".join)


@given(WELL_FORMED)
def test_tags_are_those_the_standard_library_sees(source: str) -> None:
    oracle = Oracle()
    oracle.feed(source)
    oracle.close()
    ours = [
        ("close" if token.kind is Kind.CLOSE else "open", token.name)
        for token in tokens_of(source)
        if token.kind is not Kind.TEXT
    ]
    assert ours == oracle.seen
