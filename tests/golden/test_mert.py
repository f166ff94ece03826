"""N-best lists with features, BLEU statistics and a start, and what Moses' MERT made of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest

from dragoman import _core

Golden = Callable[[str], str]
OURS = [f"phrasebook/mert/{name}" for name in ("features.xz", "scores.xz", "start", "result")]
THEIRS = [f"shared/mert/{name}" for name in ("FEATSTAT.txt", "SCORESTAT.txt", "INIT", "results.txt")]


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
    pool.add(_core.testing.candidates(sentences, values, statistics))
    return pool


def best_points(text: str) -> list[tuple[list[float], float]]:
    """Weights and BLEU that Moses' MERT ended with, for each of its seeds."""
    found = re.findall(r"Best point: (.*) => (\S+)", text)
    return [([float(value) for value in weights.split()], float(bleu)) for weights, bleu in found]


@pytest.mark.parametrize("files", [OURS, pytest.param(THEIRS, marks=pytest.mark.shared)])
def test_their_weights_are_worth_what_they_say(golden: Golden, files: list[str]) -> None:
    features, scores, _, result = (golden(name) for name in files)
    pool = tuning_pool(features, scores)
    for weights, bleu in best_points(result):
        assert _core.bleu_score(_core.testing.best_statistics(pool, weights)) == pytest.approx(bleu, abs=1e-6)


@pytest.mark.parametrize(
    ("files", "seeds", "near"),
    # Searches from random starts end in different places where there are many good ones.
    [(OURS, range(4), 0.001), pytest.param(THEIRS, [1], 0.00004, marks=pytest.mark.shared)],
)
def test_mert_reaches_their_objective(golden: Golden, files: list[str], seeds: Sequence[int], near: float) -> None:
    features, scores, start, result = (golden(name) for name in files)
    theirs = max(bleu for _, bleu in best_points(result))
    pool = tuning_pool(features, scores)
    first = [float(value) for value in start.splitlines()[0].split()]
    found = [pool.mert(first, starts=20, directions=20, seed=seed) for seed in seeds]
    assert max(bleu for _, bleu in found) >= theirs - near
    for weights, bleu in found:
        assert _core.bleu_score(_core.testing.best_statistics(pool, weights)) == pytest.approx(bleu, abs=1e-9)
    # Fewer starts than that come close on any seed.
    assert min(pool.mert(first, starts=8, directions=10, seed=seed)[1] for seed in range(3)) >= 0.985 * theirs
