"""How the budget is divided, what is foretold, and what is said where it does not suffice."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from dragoman.cli.main import run
from dragoman.config import NlmOptions, TrainOptions
from dragoman.demo.phrasebook import phrasebook_path
from dragoman.errors import ConfigError
from dragoman.training import make_job
from dragoman.training.budget import (
    NEURAL_WORKING_BYTES,
    PROCESS_BYTES,
    Budget,
    make_budget,
    needed_memory,
    round_up,
    too_small,
)
from dragoman.training.estimate import estimate
from dragoman.training.growth import extrapolate
from dragoman.training.neural_plan import neural_bytes, plan_neural, wanted_models

MB = 10**6


@pytest.mark.parametrize("memory", [40 * MB, 96 * MB, 200 * MB, 1000 * MB])
def test_the_parts_make_the_whole(memory: int) -> None:
    budget = Budget(memory, None)
    assert budget.mapped_bytes + budget.decoder_bytes + PROCESS_BYTES == memory
    assert budget.decoder_bytes == memory // 4
    limits = budget.decoding()
    assert 2**20 <= limits["scratch_bytes"] <= budget.decoder_bytes
    assert 10 <= limits["max_sentence_words"] <= 100


@pytest.mark.parametrize("mapped", [0, 12_345, 50 * MB])
def test_the_budget_needed_is_the_least_that_does(mapped: int) -> None:
    needed = needed_memory(mapped)
    assert Budget(needed, None).mapped_bytes >= mapped
    assert Budget(needed - 8, None).mapped_bytes <= mapped


@pytest.mark.parametrize(
    ("pairs", "least", "options", "memory"),
    [
        (5_000, 1 * MB, {}, 200 * MB),
        (1_000_000, 100 * MB, {}, 200 * MB),
        (700_000, 170 * MB, {}, 400 * MB),
        (700_000, 170 * MB, {"fit": True}, 200 * MB),
        (2_000_000, 500 * MB, {}, 1000 * MB),
        (5_000, 1 * MB, {"memory": "64MB"}, 64 * MB),
    ],
)
def test_budgets_by_size(pairs: int, least: int, options: dict[str, object], memory: int) -> None:
    assert make_budget(TrainOptions(**options), pairs, least).memory_bytes == memory  # type: ignore[arg-type]


def test_sizes_that_are_none() -> None:
    with pytest.raises(ConfigError, match="memory: 'much' is not a size"):
        make_budget(TrainOptions(memory="much"), 1, 1)


def test_what_would_fit_is_said() -> None:
    message = str(too_small(Budget(100 * MB, None), 100 * MB, 2 * MB, 700_000))
    assert "need a budget of 166.0 MB where 100.0 MB is given" in message and "--memory 166MB" in message
    assert "--fit to use about 357,000" in message
    assert "leaves nothing for text" in str(too_small(Budget(MB, None), 100 * MB, 2 * MB, 700_000))
    assert round_up(157_333_335) == 158 * MB and round_up(12) == MB


def test_neural_models_shrink_to_their_room() -> None:
    side = {"tokens": 2_000_000, "types": 30_000, "type_bytes": 240_000, "singletons": 15_000}
    counts = {"source": side, "target": side}
    options = NlmOptions()

    def dimension(kinds: tuple[str, ...], room: int, options: NlmOptions = options) -> int:
        plan = plan_neural(kinds, counts, options, room + len(kinds) * NEURAL_WORKING_BYTES, 0)
        return plan.dimension if plan.kinds == kinds else 0

    assert dimension(("neural",), 100 * MB) == 128
    assert dimension(("neural",), 6 * MB) == 64
    assert dimension(("neural",), 1 * MB) == 0
    assert dimension(("neural",), 6 * MB, replace(options, dimension=256)) == 0
    both = [neural_bytes(kind, counts, replace(options, dimension=128)) for kind in ("neural", "conditioned")]
    assert dimension(("neural", "conditioned"), sum(both)) == 128
    assert dimension(("neural", "conditioned"), sum(both) - 1) == 64
    # Where there is room for one, it is the one that reads the source.
    alone = plan_neural(("neural", "conditioned"), counts, options, both[1] + NEURAL_WORKING_BYTES, 0)
    assert alone.kinds == ("conditioned",) and alone.dimension == 128
    # Others have half, and what they need at least.
    shared = plan_neural(("neural",), counts, options, 2 * both[0] + NEURAL_WORKING_BYTES, 1)
    assert shared.dimension == 128 and shared.bytes == {"neural": both[0]}
    assert plan_neural(("neural",), counts, options, 2 * both[0] + NEURAL_WORKING_BYTES, both[0] + MB).dimension == 64


def test_language_models_are_chosen_by_name() -> None:
    assert wanted_models(TrainOptions(language_models="ngram"), 10**6) == (("ngram",), "")
    assert wanted_models(TrainOptions(), 100) == (("ngram",), "")
    with pytest.raises(ConfigError, match="'huge' is none of ngram, neural, conditioned"):
        wanted_models(TrainOptions(language_models="ngram+huge"), 10**6)
    # Before anything is read.
    with pytest.raises(ConfigError, match="'huge' is none of"):
        make_job("no such file", source_lang="fr", target_lang="en", out="model", language_models="huge")


@pytest.mark.parametrize("slope", [0.4, 0.7, 1.0])
def test_straight_lines_are_carried_on(slope: float) -> None:
    counts = [round(1000 * part**slope) for part in (1, 2, 4)]
    assert extrapolate(counts, 16) == pytest.approx(1000 * 64**slope, rel=0.01)
    assert extrapolate(counts, 0.5) == pytest.approx(1000 * 2**slope, rel=0.01)


def test_curves_fall_below_their_last_slope() -> None:
    counts = [round(1000 * math.log(1 + n)) for n in (100, 200, 400)]
    straight = counts[2] * (counts[2] / counts[1]) ** 4
    assert counts[2] < extrapolate(counts, 16) < straight


def test_the_command_tells_people(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [str(phrasebook_path()), "--source-lang", "fr", "--target-lang", "en"]
    assert run(["estimate", *arguments, "--memory", "1MB"]) == 0
    shown = capsys.readouterr().out
    assert "498 to train on of 552" in shown and "does not fit: it needs" in shown
    assert run(["estimate", *arguments, "--memory", "much"]) == 2
    assert "'much' is not a size" in capsys.readouterr().err


def test_estimate_of_a_small_text(tmp_path: Path) -> None:
    """Counts are exact where the sample is the whole; the index of this text takes 44 kB."""
    job = make_job([phrasebook_path()], source_lang="fr", target_lang="en", out=tmp_path / "model", memory="1MB")
    made = estimate(job)
    assert made["pairs"] == {"read": 552, "train": 498, "dev": 27, "test": 27}
    assert made["files"]["index"] == pytest.approx(44_600, rel=0.25)
    assert not made["fits"] and made["fitting_pairs"] == 0 and made["needed_memory_bytes"] < 60 * MB
    assert {row["stage"] for row in made["stages"]} >= {"prepare", "align", "index", "lm", "evaluate"}
    assert not list(tmp_path.iterdir())
