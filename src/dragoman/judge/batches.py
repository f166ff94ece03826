"""Pairs of about one length put side by side.

A batch has pairs of one class of width, a multiple of eight, so that little of it is padding. Which pairs stand
together and which batch comes when are drawn from the seed and the epoch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from dragoman.errors import ConfigError, InputError
from dragoman.judge.text import PairText, Places, Side

WIDTH_STEP = 8
# Longer pairs are not learned from; few sentences are.
LONGEST = 160  # pieces of a side, the end included


@dataclass(frozen=True, slots=True)
class Batch:
    """`real` marks what is no padding; `places` are those of the target's pieces, counted row by row."""

    source: Tensor
    source_real: Tensor
    target: Tensor
    places: Tensor

    @property
    def parts(self) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        return self.source, self.source_real, self.target, self.places

    def pinned(self) -> Batch:
        """Where a GPU fetches it without making anybody wait."""
        return Batch(*(part.pin_memory() for part in self.parts))

    def to(self, device: torch.device) -> Batch:
        return Batch(*(part.to(device, non_blocking=True) for part in self.parts))


class Batches:
    """The batches of some pairs of a text, as many in each epoch."""

    def __init__(self, text: PairText, chosen: Places, pieces: int) -> None:
        self.text = text
        widths = np.maximum(text.source.lengths[chosen], text.target.lengths[chosen])
        fitting = widths <= LONGEST
        chosen, widths = chosen[fitting], rounded_up(widths[fitting])
        # Pairs of each class, and how many of them make a batch.
        self.classes = [(chosen[widths == width], max(1, pieces // int(width))) for width in np.unique(widths)]

    def __len__(self) -> int:
        return sum(-(-len(pairs) // rows) for pairs, rows in self.classes)

    @property
    def pairs(self) -> int:
        return sum(len(pairs) for pairs, _ in self.classes)

    def in_order(self) -> Iterator[Batch]:
        for pairs in self.cut(None):
            yield self.batch(pairs)

    def shuffled(self, *seeds: int) -> Iterator[Batch]:
        random = np.random.default_rng(seeds)
        cut = self.cut(random)
        for place in random.permutation(len(cut)):
            yield self.batch(cut[place])

    def cut(self, random: np.random.Generator | None) -> list[Places]:
        return [
            pairs[begin : begin + rows]
            for whole, rows in self.classes
            for pairs in (whole if random is None else random.permutation(whole),)
            for begin in range(0, len(pairs), rows)
        ]

    def batch(self, pairs: Places) -> Batch:
        source, source_real = padded(self.text.source, pairs)
        target, target_real = padded(self.text.target, pairs)
        parts = source, source_real, target, np.flatnonzero(target_real)
        return Batch(*map(torch.from_numpy, parts))


def rounded_up(widths: Places) -> Places:
    return -(-widths // WIDTH_STEP) * WIDTH_STEP


def padded(side: Side, chosen: Places) -> tuple[Places, npt.NDArray[np.bool_]]:
    """Sentences as rows of one width, and which of their pieces are no padding."""
    lengths = side.lengths[chosen]
    columns = np.arange(int(rounded_up(lengths.max())))
    real = columns < lengths[:, None]
    places = np.minimum(side.begin[chosen][:, None] + columns, len(side.ids) - 1)
    return np.where(real, side.ids[places], 0).astype(np.int64), real


def hold_out(sentences: int, share: float, seed: int) -> tuple[Places, Places]:
    """Sentences to train on and sentences to measure on, at most 3,000 of the latter and at least one."""
    if sentences == 0:
        raise InputError("the text is empty; give at least one sentence to train on")
    if not 0 < share < 1:
        raise ConfigError("--heldout must be a share between 0 and 1", "heldout")
    if sentences == 1:
        return np.zeros(1, np.int64), np.zeros(1, np.int64)
    count = min(3000, max(1, round(sentences * share)))
    held = np.sort(np.random.default_rng(seed).choice(sentences, count, replace=False))
    kept = np.setdiff1d(np.arange(sentences), held, assume_unique=True)
    return kept, held
