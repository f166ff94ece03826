"""N-best lists with features, BLEU statistics and a start, and what Moses' MERT made of them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from dragoman import _core

Golden = Callable[[str], str]
SETS = [
    ("phrasebook/mert/features.xz", "phrasebook/mert/scores.xz", "phrasebook/mert/start", "phrasebook/mert/result"),
    pytest.param(
        *(f"shared/mert/{name}" for name in ("FEATSTAT.txt", "SCORESTAT.txt", "INIT", "results.txt")),
        marks=pytest.mark.shared,
    ),
]


def blocks(text: str) -> list[list[list[float]]]:
    """One list of rows for each sentence."""
    found: list[list[list[float]]] = []
    for line in text.splitlines():
        if "BEGIN" in line:
            found.append([])
        elif line and "END" not in line:
            found[-1].append([float(value) for value in line.split()])
    return found


def tuning_pool(features: str, scores: str) -> _core.TuningPool:
    sentences, values, statistics = [], [], []
    lists = blocks(features)
    for number, (rows, counts) in enumerate(zip(lists, blocks(scores), strict=True)):
        for row, count in zip(rows, counts, strict=True):
            whole = [int(value) for value in count]
            sentences.append(number)
            values.append(row)
            statistics.append([whole[1], whole[8], *whole[0:8:2], *whole[1:8:2]])
    pool = _core.TuningPool(len(lists), len(values[0]))
    pool.add(_core.Candidates.of(sentences, values, statistics))
    return pool


def best_point(text: str) -> tuple[list[float], float]:
    """Weights and BLEU that Moses' MERT ended with."""
    found = re.search(r"Best point: (.*) => (\S+)", text)
    assert found
    return [float(value) for value in found[1].split()], float(found[2])


@pytest.mark.parametrize(("features", "scores", "start", "result"), SETS)
def test_their_weights_are_worth_what_they_say(
    golden: Golden, features: str, scores: str, start: str, result: str
) -> None:
    weights, bleu = best_point(golden(result))
    pool = tuning_pool(golden(features), golden(scores))
    assert _core.bleu_score(pool.statistics(weights)) == pytest.approx(bleu, abs=1e-6)


@pytest.mark.parametrize(("features", "scores", "start", "result"), SETS)
def test_mert_reaches_their_objective(golden: Golden, features: str, scores: str, start: str, result: str) -> None:
    _, theirs = best_point(golden(result))
    pool = tuning_pool(golden(features), golden(scores))
    first = [float(value) for value in golden(start).splitlines()[0].split()]
    weights, bleu = pool.mert(first, starts=20, directions=20, seed=1)
    assert bleu >= theirs - 1e-6
    assert _core.bleu_score(pool.statistics(weights)) == pytest.approx(bleu, abs=1e-9)
    # Fewer starts than that come close on any seed.
    assert min(pool.mert(first, starts=8, directions=10, seed=seed)[1] for seed in range(3)) >= theirs - 0.0045
