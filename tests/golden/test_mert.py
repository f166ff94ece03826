"""Other people's n-best list: 14 features, statistics, a start, and the objective their MERT reached."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dragoman import _core


def blocks(path: Path) -> list[list[list[float]]]:
    """One list of rows for each sentence."""
    found: list[list[list[float]]] = []
    for line in path.read_text().splitlines():
        if "BEGIN" in line:
            found.append([])
        elif line and "END" not in line:
            found[-1].append([float(value) for value in line.split()])
    return found


def test_mert_reaches_the_known_objective(shared: Callable[[str], Path]) -> None:
    folder = shared("golden/mert")
    features, scores = blocks(folder / "FEATSTAT.txt"), blocks(folder / "SCORESTAT.txt")
    sentences, values, statistics = [], [], []
    for number, (rows, counts) in enumerate(zip(features, scores, strict=True)):
        for row, count in zip(rows, counts, strict=True):
            whole = [int(value) for value in count]
            sentences.append(number)
            values.append(row)
            statistics.append([whole[1], whole[8], *whole[0:8:2], *whole[1:8:2]])
    pool = _core.TuningPool(len(features), 14)
    pool.add(_core.Candidates.of(sentences, values, statistics))
    start = [float(value) for value in (folder / "INIT").read_text().splitlines()[0].split()]
    weights, bleu = pool.mert(start, starts=20, directions=20, seed=1)
    assert bleu >= 0.3043
    assert _core.bleu_score(pool.statistics(weights)) == pytest.approx(bleu, abs=1e-9)
    # Fewer starts than that come close on any seed.
    assert min(pool.mert(start, starts=8, directions=10, seed=seed)[1] for seed in range(3)) >= 0.300
