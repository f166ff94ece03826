"""From a score to a number that can be believed: isotonic regression, and how far off it is.

A curve is a list of (score, outcome) points, rising in both, read with straight lines between; scores are log odds, and
beyond the ends the odds go on with them, because text unlike any seen before scores outside and is neither as good nor
as bad as the outermost group was. It is fitted to groups
of equal size (pool adjacent violators), so that no point of it rests on a few examples. The calibration error (ECE) is
the mean distance between what was promised and what came, over ten groups of equal size.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

Curve = list[tuple[float, float]]
GROUPS = 40
SMALLEST_GROUP = 25
BINS = 10


@dataclass(frozen=True, slots=True)
class ReliabilityRow:
    """What was promised and what came, on the mean of a group."""

    count: int
    promised: float
    observed: float


def fit_curve(scores: Sequence[float], outcomes: Sequence[float]) -> Curve:
    """The rising curve closest to the outcomes."""
    order = sorted(range(len(scores)), key=scores.__getitem__)
    groups = max(1, min(GROUPS, len(order) // SMALLEST_GROUP))
    # Blocks of (sum of scores, sum of outcomes, number), merged while the one before promises more.
    blocks: list[tuple[float, float, int]] = []
    for group in range(groups):
        members = order[group * len(order) // groups : (group + 1) * len(order) // groups]
        block = (sum(scores[n] for n in members), sum(outcomes[n] for n in members), len(members))
        blocks.append(block)
        while len(blocks) > 1 and blocks[-2][1] / blocks[-2][2] >= blocks[-1][1] / blocks[-1][2]:
            last, before = blocks.pop(), blocks.pop()
            blocks.append((before[0] + last[0], before[1] + last[1], before[2] + last[2]))
    return [(x / count, y / count) for x, y, count in blocks]


def read_curve(curve: Curve, score: float) -> float:
    """The outcome to expect."""
    at = bisect_right(curve, score, key=lambda point: point[0])
    if at in (0, len(curve)):
        end, outcome = curve[min(at, len(curve) - 1)]
        more = math.exp(min(max(score - end, -500.0), 500.0))
        return outcome * more / (1 - outcome + outcome * more)
    (x0, y0), (x1, y1) = curve[at - 1], curve[at]
    return y0 + (y1 - y0) * (score - x0) / (x1 - x0) if x1 > x0 else y1


def reliability(promised: Sequence[float], outcomes: Sequence[float]) -> list[ReliabilityRow]:
    """In groups of equal size by what was promised."""
    order = sorted(range(len(promised)), key=promised.__getitem__)
    bins = min(BINS, len(order))
    rows = []
    for number in range(bins):
        members = order[number * len(order) // bins : (number + 1) * len(order) // bins]
        count = len(members)
        rows.append(
            ReliabilityRow(count, sum(promised[n] for n in members) / count, sum(outcomes[n] for n in members) / count)
        )
    return rows


def calibration_error(rows: Sequence[ReliabilityRow]) -> float:
    total = sum(row.count for row in rows)
    return sum(row.count * abs(row.promised - row.observed) for row in rows) / total if total else 0.0


def brier(promised: Sequence[float], outcomes: Sequence[float]) -> float:
    """Mean squared distance."""
    return sum((p - y) ** 2 for p, y in zip(promised, outcomes, strict=True)) / max(1, len(promised))


def area_under_curve(scores: Sequence[float], right: Sequence[float]) -> float | None:
    """How often a right one scores higher than a wrong one; None where there are not both."""
    order = sorted(range(len(scores)), key=scores.__getitem__)
    wins, wrong_below, at = 0.0, 0, 0
    while at < len(order):
        end = at
        while end < len(order) and scores[order[end]] == scores[order[at]]:
            end += 1
        rights = sum(1 for n in order[at:end] if right[n] > 0.5)
        wrongs = end - at - rights
        wins += rights * (wrong_below + wrongs / 2)
        wrong_below += wrongs
        at = end
    rights = len(order) - wrong_below
    return wins / (rights * wrong_below) if rights and wrong_below else None


def correlation(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Pearson's; None where one side never changes."""
    count = len(xs)
    if count < 2:
        return None
    mean_x, mean_y = sum(xs) / count, sum(ys) / count
    covariance = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True))
    spread = (sum((x - mean_x) ** 2 for x in xs) * sum((y - mean_y) ** 2 for y in ys)) ** 0.5
    return covariance / spread if spread > 0 else None
