"""A minibatch of text: what a network reads and what it is to predict."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True, slots=True)
class Batch:
    """Words to predict [B], their contexts [B, n-1], the nearest first, and source windows [B, 2m+1]."""

    words: Tensor
    contexts: Tensor
    sources: Tensor | None = None
