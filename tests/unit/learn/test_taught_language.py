"""The language model of a translator learns with each pair, and forgets with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman import Translator
from dragoman.config import DecodeOptions
from dragoman.learn.compaction import compact
from dragoman.learn.lesson_query import LessonQuery
from dragoman.learn.new_pairs import NewPair
from tests.unit.learn.support import make_model

PAIRS = [
    NewPair("Le zorglub voit la maison bleue.", "The Snark sees the azure house.", "1"),
    NewPair("Le chat noir dort.", "The black tomcat sleeps.", "2"),
    NewPair("Milou dort.", "McSnowy sleeps.", "3"),
    NewPair("Le chien et le zorglub", "The dog and the SNARK", "4"),
]
# With words of either side that pass through, written in several ways.
TEXTS = ["Le chat noir voit la maison.", "snark dort.", "Le SNARK voit McSnowy.", "mcsnowy et Azure", "La maison."]


@pytest.mark.parametrize("decoder", ["hierarchical", "phrase-based"])
@pytest.mark.parametrize("weight", [1, 10])
def test_when_all_is_removed_translations_and_scores_are_those_before(
    tmp_path: Path, decoder: str, weight: int
) -> None:
    model = make_model(tmp_path / "model", weight=weight)
    options = DecodeOptions(decoder=decoder)
    fresh = Translator.load(model).translate(TEXTS, options, nbest=5, explain=True)
    translator = Translator.load(model)
    translator.add_pairs(PAIRS)
    assert translator.translate(TEXTS, options, nbest=5, explain=True) != fresh
    for pair in PAIRS:
        assert pair.id is not None and translator.remove(pair.id)
    assert translator.translate(TEXTS, options, nbest=5, explain=True) == fresh
    assert Translator.load(model).translate(TEXTS, options, nbest=5, explain=True) == fresh


@pytest.mark.parametrize("decoder", ["hierarchical", "phrase-based"])
def test_when_all_is_removed_nothing_is_left_of_memories_weights_and_words(tmp_path: Path, decoder: str) -> None:
    """With lessons in memories, weights that follow, new words with accents and case, and spaces before marks."""
    model = make_model(tmp_path / "model", live={"follow_weights": True})
    options = DecodeOptions(decoder=decoder)
    texts = [*TEXTS, "Où est l'élan ?", "ou est l'elan ?", "La maison : « ici »", "Un chien et un chat."]

    def known(translator: Translator) -> object:
        # Whatever a model says of texts, scores and features included, and what it would go on with.
        return (
            dict(translator.weights),
            translator.translate(texts, options, nbest=5, explain=True),
            [translator.complete(text, "The ho", 3, options) for text in texts],
            [translator.matches(text, k=3, at_least=1) for text in texts],
        )

    fresh = known(Translator.load(model))
    translator = Translator.load(model)
    for number, (memory, source, target) in enumerate(
        [
            ("default", "Où est l'élan ?", "Where is the ELAN ?"),
            ("acme", "Où est l'élan ?", "Where is the moose?"),
            ("acme", "La maison : « ici »", "The house : « here »"),
            ("legal", "Une maison bleue et un chat.", "One house and one blue cat."),
            ("legal", "La maison bleue dort.", "The house blue sleeps."),
            ("legal", "Le McSnowy dort.", "The iDog sleeps."),
        ]
    ):
        translator.add(source, target, f"lesson-{number}", memory=memory, force=True)
    taught = known(translator)
    assert taught != fresh
    assert dict(translator.weights) != translator.opened.tuned
    for memory in ("legal", "default", "acme"):
        assert translator.remove_lessons(LessonQuery(memory=memory))
    assert known(translator) == fresh
    assert known(Translator.load(model)) == fresh
    compact(model)
    assert known(Translator.load(model)) == fresh


def test_what_was_taught_becomes_likelier(tmp_path: Path) -> None:
    """In sentences that share words with the lessons and are none of them."""
    model = make_model(tmp_path / "model", weight=10)
    translator = Translator.load(model)

    def score() -> float:
        best = translator.translate("Le chien voit la maison.", nbest=1).alternatives[0]
        assert best.text == "The dog sees the house."
        return best.features["LanguageModel"]

    before = score()
    translator.add("Le chien voit le chat.", "The dog sees the cat.", id="1")
    once = score()
    translator.add("Un chien voit une voiture.", "A dog sees the house.", id="2")
    assert before < once < score()
