"""What came of training a judge: one row for each epoch, and the whole."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.judge.shape import Schedule, Shape


@dataclass(frozen=True, slots=True)
class Epoch:
    """Losses are mean negative log probabilities of a piece, natural; `seconds` are all since the beginning."""

    epoch: int
    training_loss: float
    heldout_loss: float
    seconds: float


@dataclass(frozen=True, slots=True)
class JudgeReport:
    """`pairs` are those that it learned from."""

    pairs: int
    pieces: int
    parameters: int
    shape: Shape
    schedule: Schedule
    history: list[Epoch]
    best_epoch: int
    heldout_perplexity: float
    seconds: float
    bytes: int
