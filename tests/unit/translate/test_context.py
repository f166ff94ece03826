"""Consistency within a document: what became of a word before is preferred, exactly as far as the definition says."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman import _core
from dragoman.document_context import MOST_PAIRS
from dragoman.errors import ConfigError, InputError
from dragoman.translator import Translator
from tests.reference.consistency import Memory
from tests.unit.translate.ambiguous import COMMON, TERMS, make_ambiguous_model


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_ambiguous_model(tmp_path_factory.mktemp("context") / "model")


@pytest.fixture(scope="module")
def translator(model: Path) -> Translator:
    return Translator.load(model)


@pytest.mark.parametrize("term", TERMS)
@pytest.mark.parametrize("choice", [0, 1])
def test_a_word_becomes_what_it_became(translator: Translator, term: str, choice: int) -> None:
    meant = TERMS[term][choice]
    context = [(f"mot1 {term}.", f"word1 {meant}.")]
    for text in (f"mot5 {term} mot7.", term, f"{term} {term}"):
        made = translator.translate(text, context=context).text.lower()
        assert made.split().count(meant) == text.split().count(term)
        assert TERMS[term][1 - choice] not in made


def test_what_it_became_most_often_counts_most(translator: Translator) -> None:
    context = [("une pile", "a stack"), ("la pile", "the battery"), ("cette pile", "this stack")]
    assert "stack" in translator.translate("mot3 pile", context=context).text.lower()
    # An inflected form is the same word.
    assert "stack" in translator.translate("mot3 pile", context=[("pile mot2", "stacks word2")]).text.lower()


def test_without_a_context_nothing_is_otherwise(translator: Translator) -> None:
    texts = [f"mot{at} pile carte" for at in range(5)]
    plain = translator.translate(texts, explain=True)
    assert translator.translate(texts, explain=True, context=[]) == plain
    # Words that nobody asks about, words without letters in common, nothing at all.
    for context in ([("mot120", "word120")], [("", "x")], [("x", "")], [("…", "?")]):
        assert translator.translate(texts, explain=True, context=context) == plain


def test_threads_and_turns_change_nothing(translator: Translator) -> None:
    texts = [f"mot{at} pile carte grue" for at in range(20)]
    context = [("pile carte", "stack card"), ("grue", "heron")]
    one = translator.translate(texts, context=context)
    assert translator.translate(texts, context=context, threads=2) == one
    assert [translator.translate(text, context=context) for text in texts] == one


def test_only_the_latest_pairs_count(translator: Translator) -> None:
    old, later = [("pile", "stack")], [("pile", "battery")] * MOST_PAIRS
    assert translator.translate("pile", context=old + later) == translator.translate("pile", context=later)


@pytest.mark.parametrize("context", ["pile", [("a",)], [("a", 1)], ["ab"], 5, [None]])
def test_what_is_no_context_is_refused(translator: Translator, context: object) -> None:
    with pytest.raises(ConfigError, match="context must be pairs of text and translation"):
        translator.translate("pile", context=context)  # type: ignore[arg-type]


def test_links_to_no_word_are_refused(translator: Translator) -> None:
    for link in ((1, 0), (0, 1)):
        with pytest.raises(InputError, match="names a word that its pair does not have"):
            translator.opened.core.consistent_with([(["pile"], ["stack"], [link])])


def test_a_weight_of_nothing_turns_it_off(model: Path, translator: Translator) -> None:
    assert translator.keeps_context
    off = Translator.load(model, weights={**translator.weights, "Consistency": 0.0})
    assert not off.keeps_context
    for meant in TERMS["pile"]:
        assert off.translate("pile", context=[("pile", meant)]).text == off.translate("pile").text


words = st.sampled_from([*TERMS, "mot1", "mot3", "mot115", "mot125", "zut"])
outcomes = st.sampled_from([each for both in TERMS.values() for each in both] + ["word1", "word115", "word125", "hum"])


@settings(deadline=None, max_examples=60)
@given(
    context=st.lists(st.tuples(st.lists(words, min_size=1, max_size=4), st.lists(outcomes, min_size=1, max_size=4))),
    text=st.lists(words, min_size=1, max_size=6),
)
def test_the_feature_is_what_the_definition_says(
    translator: Translator, context: list[tuple[list[str], list[str]]], text: list[str]
) -> None:
    pairs = [(" ".join(source), " ".join(target)) for source, target in context][-MOST_PAIRS:]
    vocabulary = str(translator.model.file("vocab.bin"))
    known = [set(_core.vocabulary_words(vocabulary, side, 1 << 20)) for side in ("source", "target")]
    common = [set(_core.vocabulary_words(vocabulary, side, COMMON)) for side in ("source", "target")]
    strange = {word for source, target in context for word in (*source, *target)} | set(text)
    memory = Memory(common[0] | (strange - known[0]), common[1] | (strange - known[1]))
    for pair in pairs:
        linked = translator.overlay.linked(*pair)
        assert linked is not None
        memory.add(*linked)
    (sentence,) = translator.translate(" ".join(text), context=pairs).sentences
    target = [token.lower() for token in sentence.target_tokens]
    wanted = memory.agreement([token.lower() for token in sentence.source_tokens], target, sentence.alignment)
    assert sentence.features.get("Consistency", 0.0) == pytest.approx(wanted, abs=1e-5)
