"""What chance can turn is not decided: verdicts of tables on made-up figures."""

from __future__ import annotations

import pytest

from benchmarks.harness.table import Rows, Verdict
from benchmarks.tables import decoding_time, faithfulness, ngram_models, quality_and_memory


def of_times(*times: float) -> Rows:
    return {name: {"times": time} for name, time in zip(decoding_time.ORDER, times, strict=True)}


@pytest.mark.parametrize(
    ("times", "verdict"),
    [
        ((1.0, 1.2, 1.5, 2.0), Verdict.CONFIRMED),
        ((1.0, 1.2, 1.19, 2.0), Verdict.UNDECIDED),
        ((1.0, 1.5, 1.25, 2.0), Verdict.REFUTED),
    ],
)
def test_steps_of_an_order_are_larger_than_chance(times: tuple[float, ...], verdict: Verdict) -> None:
    assert decoding_time.finding(of_times(*times)).verdict == verdict


@pytest.mark.parametrize(
    ("network", "whole", "verdict"),
    [
        (51.0, 52.0, Verdict.CONFIRMED),
        (51.0, 51.2, Verdict.UNDECIDED),
        (50.2, 52.0, Verdict.UNDECIDED),
        (49.0, 52.0, Verdict.REFUTED),
    ],
)
def test_models_of_one_size_differ_by_more_than_seeds_do(network: float, whole: float, verdict: Verdict) -> None:
    rows = {
        "sampled-0_1": {"lm_mb": 1.0, "bleu_lc": 50.0},
        "dimension-64": {"lm_mb": 2.0, "bleu_lc": network},
        "sampled-1": {"lm_mb": 9.0, "bleu_lc": whole},
    }
    assert quality_and_memory.finding(rows).verdict == verdict


def faults(ours: float, theirs: float, differing: int) -> Rows:
    """Rows of all texts, of which so many differ in every kind."""
    rows: dict[str, dict[str, float | int | str | None]] = {}
    for number, text in enumerate(faithfulness.TEXTS):
        for system, count in (("ours", ours), ("transformer", theirs)):
            found = dict.fromkeys(faithfulness.KINDS, count if number < differing else 1.0)
            rows[f"{text}-{system}"] = {**found, "sentences": 1000}
    return rows


@pytest.mark.parametrize(
    ("ours", "theirs", "differing", "verdict"),
    [
        (2, 30, 5, Verdict.CONFIRMED),
        (2, 30, 1, Verdict.UNDECIDED),
        (8, 10, 5, Verdict.UNDECIDED),
        (30, 2, 1, Verdict.REFUTED),
    ],
)
def test_counts_of_faults_differ_by_more_than_chance(
    ours: float, theirs: float, differing: int, verdict: Verdict
) -> None:
    assert faithfulness.finding(faults(ours, theirs, differing)).verdict == verdict


@pytest.mark.parametrize(
    ("ours", "theirs", "verdict"),
    [
        ((3.0, 100, 100), (4.0, 130, 120), Verdict.CONFIRMED),
        ((3.0, 100, 100), (4.0, 130, 105), Verdict.UNDECIDED),
        ((4.1, 100, 100), (4.0, 130, 120), Verdict.REFUTED),
        ((3.0, 100, 100), (4.0, 80, 85), Verdict.REFUTED),
    ],
)
def test_bytes_and_times_of_queries(ours: tuple[float, ...], theirs: tuple[float, ...], verdict: Verdict) -> None:
    names = ("bytes_per_ngram", "sequential_ns", "random_ns")
    rows = {
        name: {**dict(zip(names, row, strict=True)), "perplexity": 100.0}
        for name, row in (("bits8", ours), ("trie-q8", theirs))
    }
    assert ngram_models.finding(rows).verdict == verdict
