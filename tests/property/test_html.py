"""HTML through the server: whatever comes in, no tag or word is lost and none is made up."""

from __future__ import annotations

import html
import html.parser
import random
import re
from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.reference.html_tags import Token, tokens
from tests.unit.documents.samples import HTML
from tests.unit.documents.support import Wordwise, spans_of, translated

pytest.importorskip("uvicorn", reason="the server's packages are not installed: pip install '.[serve]'")

from dragoman.documents.markup import Kind, Mark, scan
from dragoman.serve.markup import MarkupJob
from dragoman.translation import Alternative, SentenceTranslation, Translation

PIECES = st.sampled_from(
    [
        "<b>",
        "</b>",
        "<i>",
        "</i>",
        "<p>",
        "</p>",
        "<br>",
        "<br/>",
        "<code>",
        "</code>",
        "<pre>",
        "</pre>",
        "</a>",
        "<a href='x'>",
        '<a href="a>b">',
        "<img src=x>",
        "<!-- c -->",
        "<!-->",
        "<!--",
        "-->",
        "--!>",
        "<script>",
        "</script>",
        "<title>",
        "</title>",
        "<span translate=no>",
        "<span>",
        "</span>",
        "<img alt='maison'>",
        "<b",
        "<a href='",
        "</",
        "<!x>",
        "<",
        ">",
        "&",
        "&lt;",
        "&amp;lt;",
        "&#60;",
        "'",
        '"',
        "=",
        "/",
        "la",
        "maison",
        "chat",
        ".",
        "x0",
        "<x0>",
        "{_1}",
        "é",
        "😀",
        "\n",
        "<?",
        "@",
        "#tag",
    ]
)
# What may stand in a broken tag, much denser than people write it.
CRUMBS = st.lists(
    st.sampled_from(
        ["<", ">", "</", "<a", "<b>", "</b>", "'", '"', "=", "/", " ", "\n", "-", "!", "<!--", "<!", "x", "é"]
    )
).map("".join)
SOUP = (
    CRUMBS
    | st.lists(PIECES, max_size=25).map(" ".join)
    | st.lists(PIECES, max_size=25).map("".join)
    | st.text(max_size=60)
)


def shuffled(line: str, seed: int) -> Translation:
    """A translation that only reorders words, and links each to itself."""
    words = line.split()
    order = list(range(len(words)))
    random.Random(seed).shuffle(order)
    target = [words[place] for place in order]
    sentence = SentenceTranslation(
        source=line,
        text=" ".join(target),
        score=0.0,
        features={},
        source_span=(0, len(line)),
        target_span=(0, len(" ".join(target))),
        source_tokens=words,
        target_tokens=target,
        source_spans=spans_of(words, line),
        target_spans=spans_of(target, " ".join(target)),
        alignment=[(place, at) for at, place in enumerate(order)],
        oov=[],
        protected_in=0,
        protected_out=0,
        terms=[],
        narrowed=False,
    )
    return Translation(sentence.text, [Alternative(sentence.text, 0.0, {})], [sentence] if words else [])


def run(source: str, seed: int) -> str:
    job = MarkupJob(source)
    return job.finish([shuffled(line, seed) for line in job.lines])


def parts(source: str, *, text: bool) -> list[str]:
    return [source[mark.begin : mark.end] for mark in scan(source, html=True) if (mark.kind is Kind.TEXT) == text]


@given(SOUP)
def test_pieces_put_together_are_the_input(source: str) -> None:
    assert "".join(source[mark.begin : mark.end] for mark in scan(source, html=True)) == source


@given(SOUP)
@example("<a href=' <b> ' &lt;/ la <b>")
@example("<a href=\"x\"y='>'>z</a>")
@example("<b '> la '>")
@example("<!--> la -->")
def test_tags_are_those_of_the_standard(source: str) -> None:
    def token(mark: Mark) -> Token:
        kind = {Kind.OPEN: "start", Kind.EMPTY: "start", Kind.CLOSE: "end"}.get(mark.kind, "comment")
        return Token(kind, mark.begin, mark.end, mark.name)

    wanted = [Token(each.kind or "comment", each.begin, each.end, each.name) for each in tokens(source)]
    assert [token(mark) for mark in scan(source, html=True) if mark.kind is not Kind.TEXT] == wanted


@given(SOUP, st.integers(0, 5))
@example("<a href=' <b> ' &lt;/ la <b>", 0)
@example("' <a href=' </ <b> chat </b>", 4)
@example('" <b> <b " <b> la </ chat <i>', 2)
@example("> maison <b> </b> <b ' <i> ' '", 3)
def test_tags_are_kept_and_none_appear(source: str, seed: int) -> None:
    assert Counter(parts(run(source, seed), text=False)) == Counter(parts(source, text=False))


NAME = re.compile(r"""(?<=[<\s/])[a-z-]+(?==|[\s>])""")


def in_other_case(source: str, chance: random.Random) -> str:
    """The same page, with names of tags and attributes in any case."""

    def changed(match: re.Match[str]) -> str:
        return "".join(chance.choice((letter, letter.upper())) for letter in match.group())

    return "".join(
        raw if mark.kind is Kind.TEXT else NAME.sub(changed, raw)
        for mark in scan(source, html=True)
        for raw in [source[mark.begin : mark.end]]
    )


@given(st.randoms())
def test_the_case_of_names_means_nothing(chance: random.Random) -> None:
    def backwards(source: str) -> str:
        return translated(source, "a.html", Wordwise(lambda word: word[::-1])).lower()

    assert backwards(in_other_case(HTML, chance)) == backwards(HTML)


@given(SOUP, st.integers(0, 5))
def test_words_are_kept_and_stay_escaped(source: str, seed: int) -> None:
    def characters(text: str) -> Counter[str]:
        whole = "".join(html.unescape(part) for part in parts(text, text=True))
        return Counter(character for character in whole if not character.isspace())

    assert characters(run(source, seed)) == characters(source)


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
ATTRIBUTES = st.lists(
    st.tuples(st.sampled_from(["id", "href", "data-x"]), VALUES), max_size=2, unique_by=lambda x: x[0]
)
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
        ("close" if mark.kind is Kind.CLOSE else "open", mark.name)
        for mark in scan(source, html=True)
        if mark.kind is not Kind.TEXT
    ]
    assert ours == oracle.seen
