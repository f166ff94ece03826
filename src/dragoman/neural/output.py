"""How an output layer is trained, whichever way it is factored."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Method:
    training: str  # likelihood or nce
    noise_samples: int
    shared_noise: bool
    self_normalisation: float
