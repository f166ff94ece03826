"""Weights that follow corrections: each moves them a little towards what would have given the user's text.

A step is that of MIRA on the best translations of one sentence (see core/tune/mira.h): away from one that the model
likes and the user would not, towards one that both like, and no further than it takes. What keeps it safe: a step moves
no weight by more than a twentieth of what tuning gave it, all of them together by no more than half; weights are the
average of what the steps led to, as if some had led nowhere before the first; and weights of 0 stay so.

Weights are worked out from the steps of the lessons that are there, so that taking a lesson back takes its step back.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Protocol

from dragoman import _core
from dragoman.model.weights import UNTUNED

Step = dict[str, float]

# Chosen on one stream of help pages, tried on others: benchmarks/translator_day.py.
CLIP = 0.02
MOST_OF_A_STEP = 0.05
MOST_IN_ALL = 0.5
STEPS_BEFORE = 10
# Of the last lessons; older ones have had their say.
MOST_STEPS = 1000


class Candidate(Protocol):
    """A translation that the model considered."""

    @property
    def text(self) -> str: ...
    @property
    def features(self) -> dict[str, float]: ...


def step_towards(
    reference: str,
    candidates: Sequence[Candidate],
    weights: Mapping[str, float],
    tuned: Mapping[str, float],
    tokenize: str,
) -> Step:
    """The step from `weights`, empty where there is nothing to learn."""
    if not candidates:
        return {}
    rows = _core.bleu_statistics(
        [candidate.text for candidate in candidates], [reference] * len(candidates), True, tokenize
    )
    gains = list(map(gain, rows))
    scores = [
        sum(weights.get(name, 0.0) * value for name, value in candidate.features.items()) for candidate in candidates
    ]
    places = range(len(candidates))
    hope = max(places, key=lambda at: scores[at] + gains[at])
    fear = max(places, key=lambda at: scores[at] - gains[at])
    margin = gains[hope] - gains[fear]
    loss = margin - (scores[hope] - scores[fear])
    if margin <= 0 or loss <= 0:
        return {}
    hoped, feared = candidates[hope].features, candidates[fear].features
    apart = {name: hoped.get(name, 0.0) - feared.get(name, 0.0) for name in movable(tuned)}
    square = sum(value * value for value in apart.values())
    length = min(CLIP, loss / square) if square > 0 else 0.0
    return {name: step for name, value in apart.items() if (step := within_step(length * value, tuned[name]))}


def gain(row: Sequence[int]) -> float:
    """BLEU of a sentence, smoothed, in words of its reference."""
    matches, totals = row[2:6], row[6:10]
    if not matches[0]:
        return 0.0
    precision = math.log(matches[0] / totals[0])
    precision += sum(math.log((m + 1) / (t + 1)) for m, t in zip(matches[1:], totals[1:], strict=True))
    return row[1] * math.exp(precision / 4 + min(0.0, 1 - row[1] / row[0]))


def movable(tuned: Mapping[str, float]) -> list[str]:
    return [name for name, weight in tuned.items() if weight and name not in UNTUNED]


def within_step(step: float, tuned: float) -> float:
    room = MOST_OF_A_STEP * abs(tuned)
    return max(-room, min(room, step))


def followed(tuned: Mapping[str, float], steps: Sequence[Step]) -> dict[str, float]:
    """The weights after these steps, oldest first; without any, the tuned ones."""
    steps = steps[-MOST_STEPS:]
    moved = dict(tuned)
    for name in movable(tuned):
        # The average of all that the steps led to: the first is in all of them, the last in one.
        sums = sum(within_step(step.get(name, 0.0), tuned[name]) * (len(steps) - at) for at, step in enumerate(steps))
        room = MOST_IN_ALL * abs(tuned[name])
        moved[name] += max(-room, min(room, sums / (len(steps) + STEPS_BEFORE)))
    return moved


def weights_name(tuned: Mapping[str, float]) -> str:
    """Tells weights from others: steps from one place lead nowhere from another."""
    items = sorted((name, weight) for name, weight in tuned.items() if name not in UNTUNED)
    return sha256(json.dumps(items).encode()).hexdigest()[:16]
