"""Any text: a line out for each line in, every protected token once, no crash, whatever the markup."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.config import DecodeOptions
from dragoman.errors import InputError
from dragoman.translator import Translator
from tests.unit.translate.support import make_model

WORDS = "la maison . , <b> </b> <keep> </keep> </t> <zone> </zone> <wall/> {0} %s http://a.b/c xyzzy ? ! “ ” [X,1] é 中"
pieces = st.sampled_from([*WORDS.split(), " ", "  ", "\t", "\u200f", '<t to="x|y">'])
texts = st.one_of(st.lists(pieces, max_size=25).map("".join), st.text(max_size=40))


@pytest.fixture(scope="module")
def translator(tmp_path_factory: pytest.TempPathFactory) -> Translator:
    return Translator.load(make_model(tmp_path_factory.mktemp("model") / "fr-en.model"))


@settings(max_examples=150, deadline=None)
@given(
    lines=st.lists(texts, max_size=3), decoder=st.sampled_from(["hierarchical", "phrase-based"]), markup=st.booleans()
)
def test_nothing_is_lost(translator: Translator, lines: list[str], decoder: str, markup: bool) -> None:
    options = DecodeOptions(decoder=decoder, markup=markup, pop_limit=10, max_sentence_words=12)
    try:
        results = translator.translate(lines, options)
    except InputError:
        return
    assert len(results) == len(lines)
    for line, result in zip(lines, results, strict=True):
        assert result.text.count("\n") == line.count("\n")
        assert bool(result.text.strip()) == bool(line.strip()) or markup
        assert result.text.count("xyzzy") == line.count("xyzzy")
        for sentence in result.sentences:
            assert sentence.protected_in == sentence.protected_out


signs = st.sampled_from(
    ["{", "}", "{d", "{d0}", "{{", "}}", "$", "%", "#", "<", ">", "[", "]", "&", "a", "la", " ", ".", "'"]
)
around = st.lists(signs, max_size=6).map("".join)


@settings(max_examples=100, deadline=None)
@given(around, around, around, st.sampled_from(["hierarchical", "phrase-based"]))
def test_given_text_is_known_by_its_place(
    translator: Translator, before: str, between: str, after: str, decoder: str
) -> None:
    """Whatever stands around it, and whatever else looks like what stands for it inside the program."""
    line = f'{before}<keep>Kept. One</keep>{between}<t to="x">maison</t>{after} xyzzy'
    made = translator.translate(line, DecodeOptions(decoder=decoder, markup=True, pop_limit=10)).text
    assert made.count("Kept. One") == 1 and made.count("x") == 2
    alone = [text for text in (before, between, after) if text == "{d0}"]
    assert made.count("{d0}") >= len(alone)
    assert made.count("{d") <= (before + between + after).replace(" ", "").count("{d")
