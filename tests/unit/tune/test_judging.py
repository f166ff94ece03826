"""The judge's weights: learned last, by themselves, and only for something."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("numpy")

from dragoman import _core
from dragoman.config import DecodeOptions, TuneOptions
from dragoman.model.directory import ModelDirectory, component_output
from dragoman.model.weights import JUDGE_WEIGHTS, read_weights
from dragoman.tune import TuneRound, TuningInterrupted, tune_model, write_tuned
from dragoman.tune.decoding import Decoded, DevSet
from dragoman.tune.judging import judged_set, tune_judge
from tests.unit.judge.small_judge import random_network, write
from tests.unit.translate.support import make_model
from tests.unit.tune.test_tuning import SMALL, SOURCE, TARGET

DECODE = DecodeOptions(judged=15)


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """One with a judge that knows nothing, and one without."""
    folder = tmp_path_factory.mktemp("judging")
    judged, plain = make_model(folder / "judged.model"), make_model(folder / "plain.model")
    network, shape = random_network(1)
    with component_output(judged, "judge.bin") as path:
        write(Path(path), network, shape, "int8")
    return judged, plain


def test_all_other_weights_are_those_of_a_model_without_it(models: tuple[Path, Path]) -> None:
    judged, plain = (tune_model(model, SOURCE, TARGET, SMALL, decode=DECODE) for model in models)
    assert set(judged.weights) == {*plain.weights, *JUDGE_WEIGHTS}
    assert {name: judged.weights[name] for name in plain.weights} == plain.weights
    assert judged.rounds == plain.rounds
    assert plain.unjudged_bleu is None and "unjudged_bleu" not in plain.as_json()
    # Even one that knows nothing can be left alone.
    assert judged.unjudged_bleu == plain.bleu <= judged.bleu
    assert judged.as_json()["unjudged_bleu"] == plain.bleu


def test_left_out_it_keeps_its_weights(models: tuple[Path, Path]) -> None:
    given = {**read_weights(models[1] / "weights.txt"), "Judge": 0.25, "JudgePieces": -0.5}
    result = tune_model(models[0], SOURCE, TARGET, SMALL, decode=dataclasses.replace(DECODE, judged=0), weights=given)
    assert result.unjudged_bleu is None
    assert {name: result.weights[name] for name in JUDGE_WEIGHTS} == {"Judge": 0.25, "JudgePieces": -0.5}


def test_interrupted_it_keeps_them_too(models: tuple[Path, Path]) -> None:
    def stop(tune_round: TuneRound) -> None:
        raise KeyboardInterrupt

    with pytest.raises(TuningInterrupted) as stopped:
        tune_model(models[0], SOURCE, TARGET, SMALL, decode=DECODE, on_round=stop)
    assert stopped.value.result is not None and JUDGE_WEIGHTS.keys() <= stopped.value.result.weights.keys()


def test_the_number_of_threads_changes_nothing(models: tuple[Path, Path]) -> None:
    first, second = (tune_model(models[0], SOURCE, TARGET, SMALL, decode=DECODE, threads=each) for each in (1, 3))
    assert first == second


def test_what_was_tuned_is_written(models: tuple[Path, Path]) -> None:
    result = tune_model(models[0], SOURCE, TARGET, TuneOptions(rounds=1, kbest=10), decode=DECODE)
    write_tuned(models[0], result)
    model = ModelDirectory.open(models[0])
    assert read_weights(model.file("weights.txt")) == result.weights
    assert model.manifest.scores["tune"]["unjudged_bleu"] == round(result.unjudged_bleu or 0, 4)


def made_up(good: float) -> tuple[DevSet, Decoded]:
    """Ten lines with two translations each: the search likes the first better by 1, and the second is right, to which
    the judge says `good`; to the other it says nothing."""
    dev = judged_set(DevSet(["x"] * 10, ["y"] * 10, [], {}, ["Other"], "13a"), DECODE)
    sentences, values, bleu = [], [], []
    for line in range(10):
        for right in (False, True):
            sentences.append(line)
            values.append([float(not right), good if right else 0.0, 2.0])
            matches = [8, 7, 6, 5] if right else [4, 2, 1, 0]
            bleu.append([8, 8, *matches, 8, 7, 6, 5])
    candidates = _core.testing.candidates(sentences, values, bleu)
    return dev, (candidates, bleu[0], 0)


@pytest.mark.parametrize("good", [0.01, 1.0, 300.0, -1.0])
def test_the_scale_is_that_of_the_search(good: float) -> None:
    """However loud the judge is, and even where it has to be turned round."""
    dev, decoded = made_up(good)
    tuned = tune_judge(lambda weights: decoded, dev, {"Other": 1.0}, JUDGE_WEIGHTS, TuneOptions(), 1)
    assert tuned.bleu == pytest.approx(100)
    assert tuned.weights["Judge"] * good > 1
    assert set(tuned.weights) == set(JUDGE_WEIGHTS)


def test_a_judge_that_is_no_help_gets_nothing() -> None:
    dev, (_, row, _) = made_up(1.0)
    candidates = _core.testing.candidates(
        [0, 0], [[1.0, -1.0, 2.0], [0.0, 3.0, 2.0]], [[8, 8, 8, 7, 6, 5, 8, 7, 6, 5], list(row)]
    )
    tuned = tune_judge(
        lambda weights: (candidates, row, 0), dev, {"Other": 1.0}, {"Judge": 0.1, "JudgePieces": 0.0}, TuneOptions(), 1
    )
    assert tuned.bleu == pytest.approx(100)
    assert 4 * tuned.weights["Judge"] < 1
