"""A completion goes on from what was typed, whatever that is, and never changes it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dragoman import Translator
from dragoman.config import DecodeOptions
from tests.unit.learn.support import make_model
from tests.unit.translate.support import PAIRS

DECODERS = ("phrase-based", "hierarchical")
WORDS = sorted({word for source, target, _ in PAIRS for word in f"{source} {target}".split()})
SENTENCES = st.lists(st.sampled_from([*WORDS, "zorglub", "Maison", "{name}", "42"]), min_size=1, max_size=9)
TYPED = st.one_of(
    st.text(max_size=20),
    st.lists(st.sampled_from([*WORDS, "quux", "  ", "The", "ho", "{na", "\u00a0", "é"]), max_size=9).map(" ".join),
)


@pytest.fixture(scope="module")
def translator(tmp_path_factory: pytest.TempPathFactory) -> Translator:
    return Translator.load(make_model(tmp_path_factory.mktemp("model") / "fr-en.model"))


@pytest.mark.parametrize("decoder", DECODERS)
@settings(max_examples=60, deadline=None)
@given(source=SENTENCES.map(" ".join), prefix=TYPED, k=st.integers(1, 4))
@example(source="la maison bleue . le chat noir dort .", prefix="The house. The b", k=2)
@example(source="le chat\nla maison", prefix="the cat\nthe", k=1)
@example(source="", prefix="the", k=1)
@example(source="la maison", prefix="the cat sees the house . and the dog and the red car", k=2)
def test_it_begins_with_what_was_typed(translator: Translator, decoder: str, source: str, prefix: str, k: int) -> None:
    options = DecodeOptions(decoder=decoder)
    found = translator.complete(source, prefix, k, options)
    assert 1 <= len(found) <= k
    assert all(str(each) == prefix + each.rest and each.prefix == prefix for each in found)
    assert len({each.rest for each in found}) == len(found)
    assert all(each.rest.startswith(each.next_words) for each in found)
    # The same again, whatever was asked before.
    assert translator.complete(source, prefix, k, options) == found


@pytest.mark.parametrize("decoder", DECODERS)
@settings(max_examples=40, deadline=None)
@given(source=SENTENCES.map(" ".join))
def test_without_a_prefix_it_is_the_translation(translator: Translator, decoder: str, source: str) -> None:
    options = DecodeOptions(decoder=decoder)
    assert translator.complete(source, "", 1, options)[0].rest == translator.translate(source, options).text


@pytest.mark.parametrize("decoder", DECODERS)
@settings(max_examples=40, deadline=None)
@given(source=SENTENCES.map(" ".join), share=st.floats(0, 1))
def test_the_models_own_translation_goes_on_as_it_is(
    translator: Translator, decoder: str, source: str, share: float
) -> None:
    options = DecodeOptions(decoder=decoder)
    text = translator.translate(source, options).text
    typed = text[: round(share * len(text))]
    assert str(translator.complete(source, typed, 1, options)[0]) == text
    # As somebody types who writes no capitals: the search itself must find the way.
    other = typed.swapcase()
    assert str(translator.complete(source, other, 1, options)[0]).startswith(other)


@pytest.mark.parametrize("decoder", DECODERS)
@pytest.mark.parametrize(
    ("source", "prefix", "wanted"),
    [
        # Half a word.
        ("La maison bleue.", "THE BL", "THE BLue house."),
        ("Le chat noir dort.", "the bla", "the black cat sleeps."),
        # A word that nobody knows stands for the next word of the source.
        ("La maison bleue.", "Ye ", "Ye blue house."),
        # Two sentences: the second as always.
        ("La maison. Le chat noir dort.", "THE", "THE house. The black cat sleeps."),
        ("La maison. Le chat noir dort.", "THE HOUSE. ", "THE HOUSE. The black cat sleeps."),
    ],
)
def test_what_is_left_is_translated(
    translator: Translator, decoder: str, source: str, prefix: str, wanted: str
) -> None:
    assert str(translator.complete(source, prefix, 1, DecodeOptions(decoder=decoder))[0]) == wanted


def test_a_lesson_is_known_at_once(translator: Translator, tmp_path: Path) -> None:
    taught = Translator.load(make_model(tmp_path / "fr-en.model"))
    taught.add("la guérite est vide .", "the sentry box is empty .", "memo")
    assert "sentry box" in str(taught.complete("la guérite est vide .", "A ")[0])
    taught.remove("memo")
    assert "sentry" not in str(taught.complete("la guérite est vide .", "A ")[0])


def test_terms_hold_and_placeholders_are_typed_once(translator: Translator) -> None:
    terms = {"maison": "Villa"}
    assert "Villa" in str(translator.complete("la maison bleue .", "A ", glossary=terms)[0])
    assert str(translator.complete("la maison bleue .", "A Vil", glossary=terms)[0]).startswith("A Villa")
    whole = str(translator.complete("la maison {name} .", "A {name} ")[0])
    assert whole.count("{name}") == 1


@pytest.mark.parametrize("decoder", DECODERS)
def test_what_is_remembered_of_a_sentence_ends_with_a_lesson(tmp_path: Path, decoder: str) -> None:
    path = make_model(tmp_path / "fr-en.model")
    options = DecodeOptions(decoder=decoder)
    translator = Translator.load(path)
    sources = ["la maison bleue .", "le chat noir dort .", "un bidule .", "zorglub"]

    def typed(by: Translator) -> list[str]:
        asked = [(source, prefix) for source in sources for prefix in ("", "the ", "The b", "a ", "quux ")]
        # Twice, the second time from memory.
        return [str(each) for source, prefix in asked * 2 for each in by.complete(source, prefix, 2, options)]

    before = typed(translator)
    translator.add("un bidule .", "a gizmo .", id="one")
    # A sentence that is a lesson itself, and one that only has its words.
    translator.add("la maison bleue .", "the azure home .", id="two")
    after = typed(translator)
    assert after == typed(Translator.load(path)) != before
    assert "a gizmo." in after
    translator.remove("one")
    translator.remove("two")
    assert typed(translator) == before
