"""Training words of a minibatch, sorted by class, as tiles of equal shape.

One product for each class would be hundreds of small ones, whose starting takes a GPU longer than they do. So words of
a class are cut into tiles of 16, and all tiles whose classes have about the same size are one batched product.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

TILE = 16


@dataclass(frozen=True, slots=True)
class Tiles:
    """Of each its class [T], [T, TILE] words of the minibatch, and [T, TILE] 1 or 0 for a place that is filled or
    not."""

    classes: Tensor
    words: Tensor
    filled: Tensor


def cut(counts: npt.NDArray[np.int64], device: torch.device) -> Tiles:
    """Cuts the words of each class, of which there are so many, into tiles, the last of which may not be full."""
    per_class = -(-counts // TILE)
    classes = np.repeat(np.arange(len(counts)), per_class)[:, None]
    begin, first = np.cumsum(counts) - counts, np.cumsum(per_class) - per_class
    within = (np.arange(len(classes))[:, None] - first[classes]) * TILE + np.arange(TILE)
    filled = within < counts[classes]
    words = begin[classes] + np.where(filled, within, 0)
    # One array, so that a GPU is sent one message.
    packed = torch.from_numpy(np.concatenate([classes, words, filled], 1)).to(device)
    return Tiles(packed[:, 0], packed[:, 1 : 1 + TILE], packed[:, 1 + TILE :].float())


def by_width(
    counts: npt.NDArray[np.int64], sizes: npt.NDArray[np.int64], device: torch.device
) -> list[tuple[int, Tiles]]:
    """Tiles of all classes by the width of their classes, whose sizes fall: the next power of four, since with fewer
    widths a GPU spends less time on starting work, which is what it waits for."""
    widths = np.repeat(4 ** np.ceil(np.log2(sizes) / 2).astype(np.int64), -(-counts // TILE))
    whole = cut(counts, device)
    edges = [0, *(np.flatnonzero(np.diff(widths)) + 1).tolist(), len(widths)]
    return [
        (int(widths[begin]), Tiles(*(part[begin:end] for part in (whole.classes, whole.words, whole.filled))))
        for begin, end in itertools.pairwise(edges)
        if begin < end
    ]
