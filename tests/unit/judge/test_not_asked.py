"""When a judge is not asked: where it has no weight, and of what somebody wrote for the very sentence."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest

from dragoman import _core
from dragoman.config import DecodeOptions
from dragoman.model.directory import component_output
from dragoman.model.weights import DEFAULT_WEIGHTS
from dragoman.translator import Translator
from tests.reference.judge import random_tensors
from tests.unit.translate.support import PAIRS, make_model

SHAPE = {"dimension": 64, "heads": 2, "feedforward": 128, "encoder_layers": 1, "decoder_layers": 1}
SENTENCE = "La maison bleue voit le chat noir."
CORRECTION = "Azure home house sees cat and the black dog a car."


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a judge that knows nothing, and so has no reason to like a correction."""
    path = make_model(tmp_path_factory.mktemp("corrected") / "model")
    words = {word for pair in PAIRS for text in pair[:2] for word in text.split()}
    pieces = _core.learn_pieces([(word, 1) for word in sorted(words)], 80)
    tensors = {name: array("f", values) for name, values in random_tensors(SHAPE, len(pieces), 1).items()}
    with component_output(path, "judge.bin") as out:
        _core.write_judge(str(out), SHAPE, pieces, tensors)
    return path


def test_a_judge_without_weight_is_not_asked(model: Path) -> None:
    silent, absent, heard = (
        Translator.load(model, weights={**DEFAULT_WEIGHTS, **weights}).translate(SENTENCE, nbest=3)
        for weights in ({"Judge": 0.0, "JudgePieces": 0.0}, {}, {"JudgePieces": 0.1})
    )
    assert silent == absent and not any("Judge" in alternative.features for alternative in silent.alternatives)
    assert all(alternative.features["Judge"] < 0 for alternative in heard.alternatives)


@pytest.mark.parametrize("decoder", ["hierarchical", "phrase-based"])
@pytest.mark.parametrize("weight", [1.0, 100.0, -100.0])
def test_a_correction_stands(model: Path, weight: float, decoder: str) -> None:
    translator = Translator.load(model, weights={**DEFAULT_WEIGHTS, "Judge": weight, "JudgePieces": -weight})
    options = DecodeOptions(decoder=decoder)
    before = translator.translate(SENTENCE, options, nbest=3)
    assert all("Judge" in alternative.features for alternative in before.alternatives)
    links = " ".join(f"{place}-{place}" for place in range(8))
    translator.add(SENTENCE, CORRECTION, "lesson", links=links, force=True)
    after = translator.translate(SENTENCE, options)
    assert after.text == CORRECTION
    # Others are judged as ever.
    assert "Judge" in translator.translate("Une maison rouge voit le chien.", options, nbest=2).alternatives[0].features
    translator.remove("lesson")
    assert translator.translate(SENTENCE, options).text == before.text
