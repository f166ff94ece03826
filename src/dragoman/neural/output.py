"""What every output layer takes and returns, whichever way it is factored and trained."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from dragoman.neural.tables import Gradients


@dataclass(frozen=True, slots=True)
class Method:
    """How a layer is trained."""

    training: str  # likelihood or nce
    noise_samples: int
    shared_noise: bool
    self_normalisation: float


@dataclass(slots=True)
class Step:
    """What a layer returns for a minibatch: summed loss, gradient of the hidden layer's output, of the parameters."""

    loss: Tensor
    of_hidden: Tensor
    gradients: Gradients
