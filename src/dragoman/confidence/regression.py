"""Logistic regression in plain Python: Newton's method with a ridge, for outcomes between 0 and 1.

Columns are standardised. The work is sums of products of columns, which run at C speed: n examples with d features
take n·d²/2 products for each of some eight steps.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul

STEPS = 25
CLOSE_ENOUGH = 1e-7
# Weight of the prior: a standard deviation of 3 for each standardised coefficient.
RIDGE = 1 / 9


@dataclass(frozen=True, slots=True)
class Regression:
    """p = 1 / (1 + exp(-(bias + Σ weights · (x - means) / scales)))."""

    bias: float
    weights: list[float]
    means: list[float]
    scales: list[float]

    def logit(self, values: Sequence[float]) -> float:
        return self.bias + sum(
            weight * (value - mean) / scale
            for weight, value, mean, scale in zip(self.weights, values, self.means, self.scales, strict=True)
        )

    def probability(self, values: Sequence[float]) -> float:
        return logistic(self.logit(values))


def logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def fit(
    rows: Sequence[Sequence[float]], outcomes: Sequence[float], ridges: Sequence[float] | None = None
) -> Regression:
    """Least cross-entropy with a ridge, of its own for each feature where that is given. There must be a row."""
    count = len(rows)
    columns = [list(column) for column in zip(*rows, strict=True)]
    means = [sum(column) / count for column in columns]
    scales = []
    for column, mean in zip(columns, means, strict=True):
        spread = math.sqrt(sum((value - mean) ** 2 for value in column) / count)
        # A feature that never changes tells nothing; its weight stays 0.
        scales.append(spread if spread > 1e-9 * max(1.0, abs(mean)) else math.inf)
    design = [[1.0] * count]
    for column, mean, scale in zip(columns, means, scales, strict=True):
        design.append([(value - mean) / scale for value in column])
    ridge = [0.0, *(ridges if ridges is not None else [RIDGE] * len(columns))]
    average = min(max(sum(outcomes) / count, 1e-6), 1 - 1e-6)
    solution = [math.log(average / (1 - average))] + [0.0] * len(columns)
    for _ in range(STEPS):
        logits = [0.0] * count
        for weight, column in zip(solution, design, strict=True):
            if weight:
                logits = [a + weight * b for a, b in zip(logits, column, strict=True)]
        chances = [logistic(x) for x in logits]
        errors = [y - p for y, p in zip(outcomes, chances, strict=True)]
        curvature = [max(p * (1 - p), 1e-9) for p in chances]
        gradient = [
            sum(map(mul, column, errors)) - penalty * weight
            for column, penalty, weight in zip(design, ridge, solution, strict=True)
        ]
        hessian: list[list[float]] = []
        for i, column in enumerate(design):
            weighted = list(map(mul, column, curvature))
            hessian.append([sum(map(mul, weighted, other)) for other in design[: i + 1]])
            hessian[i][i] += ridge[i] + 1e-9 * count
        step = solve(hessian, gradient)
        # Far from the solution Newton's step can go too far; no coefficient needs to move by more than this at once.
        longest = max(map(abs, step))
        if longest > 5:
            step = [5 * move / longest for move in step]
        solution = [a + b for a, b in zip(solution, step, strict=True)]
        if longest < CLOSE_ENOUGH:
            break
    finite = [scale if math.isfinite(scale) else 1.0 for scale in scales]
    weights = [w if math.isfinite(s) else 0.0 for w, s in zip(solution[1:], scales, strict=True)]
    return Regression(solution[0], weights, means, finite)


def solve(lower: list[list[float]], right: Sequence[float]) -> list[float]:
    """x of A x = b, for A symmetric and positive definite, given by its lower triangle (Cholesky)."""
    size = len(right)
    factor = [row[:] for row in lower]
    for i in range(size):
        for j in range(i + 1):
            rest = factor[i][j] - sum(map(mul, factor[i][:j], factor[j][:j]))
            factor[i][j] = math.sqrt(max(rest, 1e-12)) if i == j else rest / factor[j][j]
    half: list[float] = []
    for i in range(size):
        half.append((right[i] - sum(map(mul, factor[i][:i], half))) / factor[i][i])
    solution = [0.0] * size
    for i in range(size - 1, -1, -1):
        rest = half[i] - sum(factor[k][i] * solution[k] for k in range(i + 1, size))
        solution[i] = rest / factor[i][i]
    return solution
