"""What came of training a network: one row for each epoch, and the whole."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from dragoman.neural.shape import Plan


@dataclass(frozen=True, slots=True)
class Epoch:
    """`seconds` are all since the beginning; log Z is that of all that a decoder may leave out."""

    epoch: int
    training_loss: float
    heldout_perplexity: float
    log_normaliser_mean: float
    log_normaliser_deviation: float
    seconds: float


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """Of several processes the first writes the model; to the others it has no bytes."""

    words: int
    source_words: int
    tokens: int
    heldout_tokens: int
    heldout_perplexity: float
    epochs: int
    best_epoch: int
    history: list[Epoch]
    seconds: float
    tokens_per_second: float
    parameters: int
    plan: Plan
    bytes: int

    def as_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)
