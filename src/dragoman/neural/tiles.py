"""Training words of a minibatch grouped by class, and the same as tiles of equal shape.

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
class Group:
    """Words [begin, end) of the minibatch, sorted by class, are of this class."""

    of_class: int
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Tiles:
    """Tiles of classes that have at most `width` words: [T] numbers of groups and their classes, [T, tile] words of the
    minibatch, [T, tile] 1 or 0 for a place that is filled or not."""

    width: int
    groups: Tensor
    classes: Tensor
    words: Tensor
    filled: Tensor


def sort_by_class(classes: Tensor) -> tuple[Tensor, list[Group]]:
    """The order that sorts a minibatch by class, and the groups."""
    order = torch.sort(classes, stable=True).indices
    counts = torch.bincount(classes).tolist()
    groups = []
    begin = 0
    for number, count in enumerate(counts):
        if count:
            groups.append(Group(number, begin, begin + count))
            begin += count
    return order, groups


def tiles(groups: list[Group], class_begin: list[int], device: torch.device) -> list[Tiles]:
    """Tiles of all groups by the width of their classes, a power of four. Groups come by falling class size, so those
    of one width are neighbours, and everything is cut and sent to the device at once."""
    if not groups:
        return []
    widths = np.array([padded(class_begin[group.of_class + 1] - class_begin[group.of_class]) for group in groups])
    whole = cut(groups, device)
    of_tile = np.repeat(widths, tile_counts(groups))
    edges = [0, *(np.flatnonzero(np.diff(of_tile)) + 1).tolist(), len(of_tile)]
    return [
        Tiles(
            int(of_tile[begin]), *(part[begin:end] for part in (whole.groups, whole.classes, whole.words, whole.filled))
        )
        for begin, end in itertools.pairwise(edges)
    ]


def padded(count: int) -> int:
    """The next power of four: with fewer widths a GPU spends less time on starting work, which is what it waits for."""
    return 1 << (count - 1).bit_length() + ((count - 1).bit_length() & 1)


def tile_counts(groups: list[Group]) -> npt.NDArray[np.int64]:
    lengths = np.array([group.end - group.begin for group in groups])
    return -(-lengths // TILE)


def cut(groups: list[Group], device: torch.device, width: int = 0) -> Tiles:
    """Cuts the words of each group into tiles, the last of which may not be full."""
    begins = np.array([group.begin for group in groups])
    lengths = np.array([group.end - group.begin for group in groups])
    per_group = tile_counts(groups)
    owner = np.repeat(np.arange(len(groups)), per_group)
    first = np.cumsum(per_group) - per_group
    within = (np.arange(len(owner)) - first[owner])[:, None] * TILE + np.arange(TILE)
    filled = within < lengths[owner][:, None]
    words = np.where(filled, begins[owner][:, None] + within, begins[owner][:, None])
    classes = np.array([group.of_class for group in groups])[owner]
    # One array, so that a GPU is sent one message.
    packed = torch.from_numpy(np.concatenate([owner[:, None], classes[:, None], words, filled], 1)).to(device)
    return Tiles(width, packed[:, 0], packed[:, 1], packed[:, 2 : 2 + TILE], packed[:, 2 + TILE :].float())
