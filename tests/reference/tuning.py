"""Slow, obvious versions of what tuning does: the best candidates under given weights, BLEU by the book, and the
likelihood of the best candidates."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

Row = Sequence[int]


def bleu(row: Row) -> float:
    """0 to 1, from sacreBLEU's statistics with its exponential smoothing."""
    words, reference = row[0], row[1]
    matches, totals = row[2:6], row[6:10]
    if not words or not any(matches) or not all(totals):
        return 0.0
    zeros, logs = 0, 0.0
    for matched, total in zip(matches, totals, strict=True):
        if matched:
            logs += math.log(matched / total)
        else:
            zeros += 1
            logs -= math.log(2**zeros * total)
    return math.exp(logs / 4 + min(0.0, 1 - reference / words))


def dot(left: Sequence[float], right: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))


def statistics_at(lists: list[list[tuple[list[float], Row]]], weights: Sequence[float]) -> list[int]:
    """Statistics of each sentence's best candidate, added up."""
    chosen = [max(candidates, key=lambda each: dot(each[0], weights))[1] for candidates in lists]
    return [sum(column) for column in zip(*chosen, strict=True)]


def best_along(
    lists: list[list[tuple[list[float], Row]]], weights: Sequence[float], direction: Sequence[float]
) -> float:
    """The best BLEU along a line: tried between all crossings of any two candidates of a sentence."""
    points = set()
    for candidates in lists:
        lines = [(dot(values, weights), dot(values, direction)) for values, _ in candidates]
        for i, (offset, slope) in enumerate(lines):
            for other_offset, other_slope in lines[:i]:
                if slope != other_slope:
                    points.add((other_offset - offset) / (slope - other_slope))
    ordered = sorted(points) or [0.0]
    tries = [ordered[0] - 1, *((a + b) / 2 for a, b in itertools.pairwise(ordered)), ordered[-1] + 1]
    return max(bleu(statistics_at(lists, [w + x * d for w, d in zip(weights, direction, strict=True)])) for x in tries)


def smoothed_bleu(row: Row) -> float:
    """Of one sentence, with one added to the counts of n-grams of two words and more."""
    if not row[2]:
        return 0.0
    pairs = list(zip(row[2:6], row[6:10], strict=True))
    logs = math.log(pairs[0][0] / pairs[0][1]) + sum(math.log((m + 1) / (t + 1)) for m, t in pairs[1:])
    return math.exp(logs / 4 + min(0.0, 1 - row[1] / row[0]))


def log_likelihood(
    lists: list[list[tuple[list[float], Row]]], weights: Sequence[float], start: Sequence[float], pull: float
) -> float:
    """Mean log probability of each list's best candidate, less what weights are away from where they began."""
    total = 0.0
    for candidates in lists:
        best = max(candidates, key=lambda each: smoothed_bleu(each[1]))
        scores = [dot(values, weights) for values, _ in candidates]
        total += dot(best[0], weights) - math.log(sum(math.exp(score) for score in scores))
    return total / len(lists) - pull / 2 * sum((w - s) ** 2 for w, s in zip(weights, start, strict=True))
