"""Casing on random text: the counts agree with plain counting, and restoring changes nothing but case."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference.casing import commonest_forms

from dragoman._core import Casing, lowercase

WORDS = st.sampled_from(["house", "House", "HOUSE", "iPhone", "the", "The", "élan", "Élan", "nato", "NATO", ".", "?"])
# A small long word in every line keeps it from being a heading.
LINES = st.lists(st.lists(WORDS, max_size=8).map(lambda words: " ".join([*words, "ordinary"])), min_size=1, max_size=12)
ANY_LINE = st.lists(st.text(min_size=1, max_size=8).filter(lambda word: not any(c.isspace() for c in word)), max_size=8)


@settings(max_examples=200, deadline=None)
@given(lines=LINES)
def test_forms_are_the_commonest(lines: list[str]) -> None:
    casing = Casing.learn("\n".join(lines).encode(), threads=1)
    expected = commonest_forms(lines)
    assert dict(zip(expected, casing.forms(list(expected)), strict=True)) == expected


@settings(max_examples=200, deadline=None)
@given(tokens=ANY_LINE, source=ANY_LINE, links=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=9))
def test_restoring_keeps_the_tokens(tokens: list[str], source: list[str], links: list[tuple[int, int]]) -> None:
    def clean(words: list[str]) -> str:
        text = " ".join(words).encode("utf-8", "replace").decode().replace("\0", "")
        return " ".join(text.split())

    surface, source_line = clean(tokens), clean(source)
    casing = Casing.learn(surface.encode(), threads=1)
    model = lowercase([surface])
    restored = casing.restore(model, [links], [source_line])[0]
    assert len(restored.split(" ")) == len(model[0].split(" "))
    truecased = casing.truecase([surface])[0]
    assert truecased.casefold() == surface.casefold() or lowercase([truecased]) == model
