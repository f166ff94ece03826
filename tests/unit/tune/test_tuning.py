"""The tuning loop on a model of a few sentences, and learning where the answer is known."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from dragoman import _core
from dragoman.config import DecodeOptions, TuneOptions
from dragoman.errors import ConfigError, FormatError, InputError
from dragoman.model.directory import ModelDirectory
from dragoman.model.weights import DEFAULT_WEIGHTS, read_weights
from dragoman.tune import TuneRound, TuningInterrupted, tune_model, write_tuned
from tests.unit.translate.support import make_model

SOURCE = ["La maison rouge.", "Le chat bleu voit une voiture noire.", "Est-ce une maison ?", "Le chien dort."]
TARGET = ["The red house.", "The blue cat sees a black car.", "Is it a house?", "The dog sleeps."]
SMALL = TuneOptions(rounds=4, kbest=20, passes=5)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("tune") / "fr-en.model")


def separable_pool() -> _core.TuningPool:
    """Good translations have more of the first feature; the second misleads, and the third says nothing."""
    sentences, values, bleu = [], [], []
    for sentence in range(20):
        for candidate in range(6):
            matched = 10 - candidate
            sentences.append(sentence)
            values.append([float(matched), 3.0 * candidate + sentence % 3, 1.0])
            bleu.append([10, 10, matched, matched - 1, matched - 2, matched - 3, 10, 9, 8, 7])
    pool = _core.TuningPool(20, 3)
    assert pool.add(_core.testing.candidates(sentences, values, bleu)) == len(sentences)
    assert pool.add(_core.testing.candidates(sentences, values, bleu)) == 0
    return pool


@pytest.mark.parametrize("seed", range(3))
def test_mira_separates_what_can_be_separated(seed: int) -> None:
    pool = separable_pool()
    start = [0.0, 1.0, 5.0]
    assert _core.bleu_score(_core.testing.best_statistics(pool, start)) < 0.5
    weights, bleu = pool.mira(start, passes=30, shuffles=2, clip=0.01, decay=0.99, seed=seed)
    assert bleu == pytest.approx(1.0)
    assert weights[0] > 3 * weights[1]
    assert weights[2] == pytest.approx(5.0)


@pytest.mark.parametrize("seed", range(3))
def test_mert_separates_it_too_and_keeps_the_scale(seed: int) -> None:
    start = [0.0, 1.0, 5.0]
    weights, bleu = separable_pool().mert(start, starts=3, directions=5, seed=seed)
    assert bleu == pytest.approx(1.0)
    assert sum(map(abs, weights[:2])) == pytest.approx(1.0)
    assert weights[2] == 5.0


def test_what_is_fixed_is_the_scale_of_the_others() -> None:
    """Three of the misleading feature outweigh one of the first whose weight is not more than three times as large."""
    weights, bleu = separable_pool().mert([0.1, 1.0, 5.0], starts=3, directions=5, seed=1, fixed=[1, 2])
    assert bleu == pytest.approx(1.0)
    assert weights[0] > 3.0 and weights[1:] == [1.0, 5.0]


@pytest.mark.parametrize("decoder", ["hierarchical", "phrase-based"])
@pytest.mark.parametrize("method", ["mira", "mert"])
def test_rounds_are_reported_and_the_best_is_kept(model: Path, decoder: str, method: str) -> None:
    seen: list[TuneRound] = []
    options = TuneOptions(method=method, rounds=4, kbest=20, passes=5, starts=2)
    result = tune_model(model, SOURCE, TARGET, options, decode=DecodeOptions(decoder=decoder), on_round=seen.append)
    assert seen == result.rounds
    assert result.bleu == max(each.bleu for each in seen) >= seen[0].bleu
    assert result.weights == seen[result.best_round - 1].weights
    assert set(DEFAULT_WEIGHTS) < set(result.weights)
    assert [each.number for each in seen] == list(range(1, len(seen) + 1))
    assert all(each.fresh > 0 for each in seen[:1])
    assert json.dumps(result.as_json())


def test_the_same_seed_gives_the_same_weights_on_any_number_of_threads(model: Path) -> None:
    first, second = (tune_model(model, SOURCE, TARGET, SMALL, threads=threads) for threads in (1, 3))
    assert first == second


def test_remembered_rules_change_nothing(model: Path) -> None:
    without = TuneOptions(rounds=4, kbest=20, passes=5, rule_megabytes=0)
    assert tune_model(model, SOURCE, TARGET, SMALL).rounds == tune_model(model, SOURCE, TARGET, without).rounds


def stopping_after(rounds: int) -> Callable[[TuneRound], None]:
    def stop(made: TuneRound) -> None:
        if made.number == rounds:
            raise KeyboardInterrupt

    return stop


def test_a_stopped_run_goes_on_to_the_same_end(model: Path, tmp_path: Path) -> None:
    whole = tune_model(model, SOURCE, TARGET, SMALL)
    assert len(whole.rounds) > 1
    for stop in range(1, len(whole.rounds)):
        with pytest.raises(TuningInterrupted) as interrupted:
            tune_model(model, SOURCE, TARGET, SMALL, state=tmp_path / "state", on_round=stopping_after(stop))
        assert interrupted.value.result is not None
        assert interrupted.value.result.rounds == whole.rounds[:stop]
    assert tune_model(model, SOURCE, TARGET, SMALL, state=tmp_path / "state") == whole


def test_a_stop_before_the_first_round_has_no_result(model: Path) -> None:
    def at_once(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(TuningInterrupted) as interrupted:
        tune_model(model, SOURCE, TARGET, SMALL, progress=at_once)
    assert interrupted.value.result is None


def test_a_state_of_something_else_is_refused(model: Path, tmp_path: Path) -> None:
    tune_model(model, SOURCE, TARGET, SMALL, state=tmp_path)
    with pytest.raises(ConfigError, match="another model, text or options"):
        tune_model(model, SOURCE[:3], TARGET[:3], SMALL, state=tmp_path)
    (tmp_path / "round-01.bin").write_bytes(b"rubbish")
    with pytest.raises(FormatError, match="round-01"):
        tune_model(model, SOURCE, TARGET, SMALL, state=tmp_path)
    (tmp_path / "tuning.json").write_text("{")
    with pytest.raises(FormatError, match="JSON"):
        tune_model(model, SOURCE, TARGET, SMALL, state=tmp_path)


def test_weights_get_into_the_model(tmp_path: Path) -> None:
    path = make_model(tmp_path / "fr-en.model")
    result = tune_model(path, SOURCE, TARGET, SMALL)
    write_tuned(path, result)
    opened = ModelDirectory.open(path, verify=True)
    assert read_weights(path / "weights.txt") == result.weights
    assert opened.manifest.options["tune"]["seed"] == 1
    assert opened.manifest.scores["tune"]["bleu"] == pytest.approx(result.bleu, abs=1e-4)


@pytest.mark.parametrize(
    ("source", "target", "what"),
    [
        ([], [], "no text"),
        (["a"], ["b", "c"], "1 lines and the target 2"),
        (["a\nb"], ["c"], "line 1"),
        (["\ud800"], ["c"], "surrogate"),
    ],
)
def test_text_that_cannot_be_tuned_on(model: Path, source: list[str], target: list[str], what: str) -> None:
    with pytest.raises(InputError, match=what):
        tune_model(model, source, target, SMALL)


@pytest.mark.parametrize("name", ["rounds", "kbest", "passes", "shuffles", "starts", "patience"])
def test_options_that_cannot_be_used(model: Path, name: str) -> None:
    with pytest.raises(ConfigError, match=name):
        tune_model(model, SOURCE, TARGET, TuneOptions(**{name: 0}))


def test_further_references_count(model: Path) -> None:
    """What no translation can be like is no harm beside what it can be like."""
    strange = ["x y z"] * len(SOURCE)
    alone = tune_model(model, SOURCE, strange, SMALL)
    both = tune_model(model, SOURCE, strange, SMALL, further=[TARGET])
    assert alone.bleu < 10 < both.bleu
    assert both.bleu == pytest.approx(tune_model(model, SOURCE, TARGET, SMALL, further=[strange]).bleu)


def test_further_references_must_correspond(model: Path) -> None:
    with pytest.raises(InputError, match="first reference has 4 lines and reference 2 has 3"):
        tune_model(model, SOURCE, TARGET, SMALL, further=[TARGET[1:]])


def test_another_reference_is_another_tuning(model: Path, tmp_path: Path) -> None:
    tune_model(model, SOURCE, TARGET, SMALL, state=tmp_path)
    with pytest.raises(ConfigError):
        tune_model(model, SOURCE, TARGET, SMALL, further=[TARGET], state=tmp_path)


def test_empty_lines_are_no_trouble(model: Path) -> None:
    result = tune_model(model, ["", *SOURCE], ["", *TARGET], SMALL)
    assert result.bleu > 0
