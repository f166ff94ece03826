"""Regression and calibration against slow, obvious versions of themselves."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.confidence import calibration
from dragoman.confidence.calibration import (
    area_under_curve,
    brier,
    calibration_error,
    correlation,
    fit_curve,
    read_curve,
    reliability,
)
from dragoman.confidence.labels import chrf, right_words
from dragoman.confidence.regression import RIDGE, fit, logistic, solve

NUMBERS = st.floats(-50, 50, allow_nan=False)


def test_regression_is_at_the_least() -> None:
    """The gradient of penalised cross-entropy, taken by differences, is 0 in every direction."""
    rng = random.Random(1)
    rows = [[rng.gauss(3, 2), rng.gauss(0, 0.1), 7.0] for _ in range(400)]
    outcomes = [float(rng.random() < logistic(0.8 * a - 9 * b - 2)) for a, b, _ in rows]
    made = fit(rows, outcomes)
    assert made.weights[2] == 0.0
    assert made.weights[0] / made.scales[0] == pytest.approx(0.8, abs=0.25)

    def loss(bias: float, weights: list[float]) -> float:
        total = RIDGE / 2 * sum(w * w for w in weights)
        for row, y in zip(rows, outcomes, strict=True):
            x = bias + sum(w * (v - m) / s for w, v, m, s in zip(weights, row, made.means, made.scales, strict=True))
            total -= y * math.log(logistic(x)) + (1 - y) * math.log(1 - logistic(x))
        return total

    best = loss(made.bias, made.weights)
    for change in (-1e-2, 1e-2):
        assert loss(made.bias + change, made.weights) > best
        for at in range(2):
            moved = list(made.weights)
            moved[at] += change
            assert loss(made.bias, moved) > best


def test_regression_of_shares_and_of_what_is_always_right() -> None:
    rows = [[float(n % 5)] for n in range(100)]
    made = fit(rows, [0.25 + 0.1 * row[0] for row in rows])
    assert made.probability([0.0]) == pytest.approx(0.25, abs=0.03)
    sure = fit(rows, [1.0] * 100)
    assert 0.9 < sure.probability([2.0]) <= 1.0
    separable = fit(rows, [float(row[0] > 2) for row in rows])
    assert separable.probability([0.0]) < 0.1 < 0.9 < separable.probability([4.0])


def test_solve() -> None:
    rng = random.Random(2)
    root = [[rng.gauss(0, 1) for _ in range(5)] for _ in range(5)]
    matrix = [[sum(a * b for a, b in zip(x, y, strict=True)) + (x is y) for y in root] for x in root]
    wanted = [rng.gauss(0, 1) for _ in range(5)]
    right = [sum(a * b for a, b in zip(row, wanted, strict=True)) for row in matrix]
    assert solve([row[: n + 1] for n, row in enumerate(matrix)], right) == pytest.approx(wanted)


def isotonic(values: list[float]) -> list[float]:
    """The min-max formula: the largest, over beginnings before, of the least mean over ends behind."""
    count = len(values)
    return [
        max(min(sum(values[a : b + 1]) / (b + 1 - a) for b in range(at, count)) for a in range(at + 1))
        for at in range(count)
    ]


@given(st.lists(st.integers(0, 10).map(lambda tenths: tenths / 10), min_size=1, max_size=30))
def test_curve_is_isotonic_regression(values: list[float]) -> None:
    saved = calibration.GROUPS, calibration.SMALLEST_GROUP
    calibration.GROUPS, calibration.SMALLEST_GROUP = 1000, 1
    try:
        curve = fit_curve([float(n) for n in range(len(values))], values)
    finally:
        calibration.GROUPS, calibration.SMALLEST_GROUP = saved
    expected = isotonic(values)
    levels = [level for _, level in curve]
    # Means of different stretches of tenths differ by much more than rounding.
    assert set_of_close(levels) == pytest.approx(set_of_close(expected))
    assert curve == sorted(curve)


def set_of_close(values: list[float]) -> list[float]:
    kept: list[float] = []
    for value in values:
        if not kept or value - kept[-1] > 1e-9:
            kept.append(value)
    return kept


@given(st.lists(st.tuples(NUMBERS, st.floats(0, 1)), min_size=1, max_size=200), NUMBERS)
def test_curve_rises_and_stays_inside(points: list[tuple[float, float]], score: float) -> None:
    curve = fit_curve([x for x, _ in points], [y for _, y in points])
    assert 0 <= read_curve(curve, score) <= 1 + 1e-12
    assert read_curve(curve, score) <= read_curve(curve, score + 1) + 1e-12


def test_beyond_the_ends_the_odds_go_on() -> None:
    curve = [(-1.0, 0.25), (1.0, 0.8)]
    for score, odds in ((-1.0, 1 / 3), (-3.0, math.exp(-2) / 3), (1.0, 4.0), (2.5, 4 * math.exp(1.5))):
        assert read_curve(curve, score) == pytest.approx(odds / (1 + odds))
    for level in (0.0, 1.0):
        assert [read_curve([(0.0, level)], score) for score in (-1e9, 0.0, 1e9)] == [level] * 3


def test_measures() -> None:
    rows = reliability([0.1] * 50 + [0.9] * 50, [0.0] * 45 + [1.0] * 5 + [1.0] * 45 + [0.0] * 5)
    assert sum(row.count for row in rows) == 100
    assert calibration_error(reliability([0.5] * 20, [1.0] * 20)) == pytest.approx(0.5)
    assert brier([0.5, 1.0], [0.0, 1.0]) == pytest.approx(0.125)
    assert area_under_curve([1, 2, 3, 3], [0, 0, 1, 0]) == pytest.approx((1 + 1 + 0.5) / 3)
    assert area_under_curve([1, 2], [1, 1]) is None
    assert correlation([1, 2, 3], [2, 4, 6]) == pytest.approx(1.0)
    assert correlation([1, 1], [1, 2]) is None


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2, max_size=40))
def test_area_counts_pairs(pairs: list[tuple[int, bool]]) -> None:
    wins = [
        (a > b) + (a == b) / 2
        for a, right in pairs
        for b, other in pairs
        if right and not other
    ]  # fmt: skip
    found = area_under_curve([a for a, _ in pairs], [float(right) for _, right in pairs])
    assert found == (pytest.approx(sum(wins) / len(wins)) if wins else None)


@pytest.mark.parametrize(
    ("words", "reference", "right"),
    [
        (["the", "cat", "the"], ["the", "cat"], [True, True, False]),
        ([], ["a"], []),
        (["b", "a"], ["a", "b"], [True, True]),
    ],
)
def test_right_words(words: list[str], reference: list[str], right: list[bool]) -> None:
    assert right_words(words, reference) == right


SENTENCES = [
    "the cat sat on the mat",
    "a cat",
    "",
    "x",
    "Le chat !",
    "the cat sat",
    "日本語 の 文",
    "cat the mat on sat",
]


def test_chrf_is_sacrebleus() -> None:
    metrics = pytest.importorskip("sacrebleu.metrics")
    metric = metrics.CHRF()
    for ours in SENTENCES:
        for theirs in SENTENCES:
            expected = metric.sentence_score(ours, [theirs]).score / 100
            assert chrf(ours, theirs) == pytest.approx(expected, abs=1e-9)


def test_chrf_by_hand() -> None:
    assert chrf("abc", "abc") == 1.0
    assert chrf("abc", "xyz") == 0.0
    # Orders 1 and 2 count: precisions 2/2 and 1/1, recalls 2/3 and 1/2.
    assert chrf("ab", "abc") == pytest.approx(5 * (7 / 12) / (4 + 7 / 12))
