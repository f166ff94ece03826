"""How the budget is divided, what is foretold, and what is said where it does not suffice."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from dragoman.cli.main import run
from dragoman.config import NlmOptions, TrainOptions
from dragoman.errors import ConfigError
from dragoman.pipeline.budget import (
    NEURAL_WORKING_BYTES,
    PROCESS_BYTES,
    Budget,
    make_budget,
    needed_memory,
    round_up,
    too_small,
)
from dragoman.pipeline.counts import CorpusCounts, Split, TextCounts
from dragoman.pipeline.forecast import estimate_job
from dragoman.pipeline.growth import extrapolate
from dragoman.pipeline.job import make_job
from dragoman.pipeline.networks import neural_bytes, neural_room, plan_neural, wanted_models
from dragoman.pipeline.plan import make_plan
from dragoman.pipeline.settings import StageOptions
from examples.demo.phrasebook import phrasebook_path

MB = 10**6


@pytest.mark.parametrize(("decoder", "most"), [("hierarchical", 64 * MB), ("phrase-based", 28 * MB)])
@pytest.mark.parametrize("memory", [40 * MB, 96 * MB, 200 * MB, 1000 * MB])
def test_the_parts_make_the_whole(memory: int, decoder: str, most: int) -> None:
    budget = Budget(memory, None, decoder)
    assert budget.mapped_bytes + budget.decoder_bytes + PROCESS_BYTES[decoder] == memory
    assert budget.decoder_bytes == min(memory // 4, most)
    limits = budget.decode_limits
    assert 2**20 <= limits.scratch_bytes <= budget.decoder_bytes
    assert 10 <= limits.max_sentence_words <= 100


@pytest.mark.parametrize("mapped", [0, 12_345, 50 * MB, 500 * MB])
def test_the_budget_needed_is_the_least_that_does(mapped: int) -> None:
    needed = needed_memory(mapped, "hierarchical")
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
    assert make_budget(TrainOptions(**options), "hierarchical", pairs, least).memory_bytes == memory  # type: ignore[arg-type]


def test_sizes_that_are_none() -> None:
    with pytest.raises(ConfigError, match="memory: 'much' is not a size"):
        make_budget(TrainOptions(memory="much"), "hierarchical", 1, 1)


def test_what_would_fit_is_said() -> None:
    message = str(too_small(Budget(100 * MB, None), 102 * MB, 700_000, 336_000))
    assert "need a budget of 170.0 MB where 100.0 MB is given" in message and "--memory 170MB" in message
    assert "--fit to use about 336,000" in message
    assert "leaves nothing for text" in str(too_small(Budget(MB, None), 102 * MB, 700_000, 0))
    assert round_up(157_333_335) == 158 * MB and round_up(12) == MB


RARE = {2: 15_000, 3: 18_000, 4: 20_000, 6: 22_000, 8: 23_000, 12: 24_000, 16: 25_000}
SIDE = TextCounts(
    lines=100_000,
    tokens=2_000_000,
    types=30_000,
    type_bytes=240_000,
    rare_types=RARE,
    # A hundredth of the text is seen less than six times a word.
    rare_tokens={least: 3_300 * least for least in RARE},
)
COUNTS = CorpusCounts(SIDE, SIDE)


def size_of(kind: str, dimension: int, min_count: int) -> int:
    sized = replace(NlmOptions(), dimension=dimension, min_count=min_count)
    return neural_bytes(kind, COUNTS, sized) + NEURAL_WORKING_BYTES


@pytest.mark.parametrize(
    ("kinds", "room", "expected"),
    [
        ("neural", size_of("neural", 128, 1), {"neural": (128, 1)}),
        ("neural", size_of("neural", 128, 1) - 1, {"neural": (128, 2)}),
        ("neural", size_of("neural", 128, 6), {"neural": (128, 6)}),
        # More words would be missed than that, so the vectors become shorter.
        ("neural", size_of("neural", 128, 6) - 1, {"neural": (64, 3)}),
        ("neural", size_of("neural", 64, 6) - 1, {}),
        (
            "neural conditioned",
            size_of("neural", 128, 1) + size_of("conditioned", 128, 2),
            {"neural": (128, 1), "conditioned": (128, 2)},
        ),
        (
            "neural conditioned",
            size_of("neural", 128, 6) + size_of("conditioned", 128, 6),
            {"neural": (128, 6), "conditioned": (128, 6)},
        ),
        # Where there is room for one, it is the one that reads the source, and before vectors become shorter.
        (
            "neural conditioned",
            size_of("neural", 128, 6) + size_of("conditioned", 128, 6) - 1,
            {"conditioned": (128, 2)},
        ),
        ("neural conditioned", 100, {}),
    ],
)
def test_networks_shrink_to_their_room(kinds: str, room: int, expected: dict[str, tuple[int, int]]) -> None:
    plan = plan_neural(tuple(kinds.split()), COUNTS, NlmOptions(), room)
    assert {kind: (each.dimension, each.min_count) for kind, each in plan.options.items()} == expected
    assert plan.total_bytes <= room
    assert plan.total_bytes == sum(size_of(kind, *sizes) for kind, sizes in expected.items())


def test_sizes_of_networks_that_were_given_are_kept() -> None:
    given = replace(NlmOptions(), dimension=256, min_count=5, max_words=1000)
    assert plan_neural(("neural",), COUNTS, given, 9 * MB).options == {"neural": given}
    assert plan_neural(("neural",), COUNTS, given, 4 * MB).options == {}
    assert plan_neural(("neural",), COUNTS, replace(given, max_words=0), 5 * MB).options == {}


def test_networks_leave_room_for_the_ngram_model() -> None:
    assert neural_room(100 * MB, 0) == 100 * MB
    assert neural_room(100 * MB, 10 * MB) == 75 * MB
    assert neural_room(100 * MB, 90 * MB) == 10 * MB


def test_networks_that_leave_no_room_for_text_go() -> None:
    """So many words that the least n-gram model takes most of the memory, and so rare that a network needs few."""
    types = dict.fromkeys(RARE, 299_000)
    side = TextCounts(5_000_000, 100_000_000, 300_000, 2_400_000, types, {least: 1000 * least for least in RARE})
    given = TrainOptions(memory="54MB", fit=True, language_models="ngram+conditioned")
    plan = make_plan(CorpusCounts(side, side), Split(0, 0, 0, 0), given, StageOptions())
    beside = plan_neural(("conditioned",), plan.counts, NlmOptions(), plan.budget.mapped_bytes // 3)
    assert beside.kinds and beside.total_bytes + plan.least_ngram_bytes > plan.budget.mapped_bytes
    assert plan.refusal is None and plan.index.chosen and plan.index.bytes > 0


def test_language_models_are_chosen_by_name() -> None:
    assert wanted_models(TrainOptions(language_models="ngram"), 10**6) == ("ngram",)
    assert wanted_models(TrainOptions(), 100) == ("ngram",)
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
    assert run(["estimate", *arguments, "--memory", "1MB"]) == 2
    shown = capsys.readouterr()
    assert "498 to train on of 552" in shown.out and "all of it needs" in shown.out
    assert shown.err.startswith("dragoman: 498 pairs need a budget of")
    assert run(["estimate", *arguments, "--memory", "much"]) == 2
    assert "--memory must be a size" in capsys.readouterr().err


def test_estimate_of_a_small_text(tmp_path: Path) -> None:
    """Counts are exact where the sample is the whole; the index of this text takes 56 kB."""
    job = make_job([phrasebook_path()], source_lang="fr", target_lang="en", out=tmp_path / "model", memory="1MB")
    made = estimate_job(job).as_json()
    assert made["pairs"] == {"read": 552, "train": 498, "dev": 27, "test": 27}
    assert made["files"]["index"] == pytest.approx(55_900, rel=0.05)
    assert not made["fits"] and made["fitting_pairs"] == 0 and made["needed_memory_bytes"] < 60 * MB
    assert {row["stage"] for row in made["stages"]} >= {"prepare", "align", "index", "lm", "evaluate"}
    assert not list(tmp_path.iterdir())


def test_networks_alone_have_all_the_room(tmp_path: Path) -> None:
    """This budget leaves 4.2 MB to language models, of which a network takes 4.1; beside n-grams it could not."""
    given = {"source_lang": "fr", "target_lang": "en", "out": tmp_path / "model", "memory": "39MB"}
    alone, beside = (
        estimate_job(make_job([phrasebook_path()], **given, language_models=models)).plan.files
        for models in ("neural", "ngram+neural")
    )
    assert "nlm.bin" in alone and "lm.bin" not in alone
    assert "nlm.bin" not in beside and "lm.bin" in beside
