"""The language model of a translator learns with each pair, and forgets with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman import Translator
from dragoman.config import DecodeOptions
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
