"""Training words of a minibatch grouped by class, and the same as tiles of equal shape.

A CPU takes one class after another, each a plain matrix product with a slice of the weights. A GPU would spend its
time on starting those hundreds of small products, so there the words of a class are cut into tiles of 16, and all tiles
whose classes have about the same size are one batched product.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
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
    if classes.device.type == "cpu":
        # numpy sorts small integers by radix, many times faster than torch.
        values = classes.numpy()
        small = values.astype(np.uint16) if len(values) and values.max() < 1 << 16 else values
        order = torch.from_numpy(np.argsort(small, kind="stable"))
    else:
        order = torch.sort(classes, stable=True).indices
    counts = torch.bincount(classes).tolist()
    groups = []
    begin = 0
    for number, count in enumerate(counts):
        if count:
            groups.append(Group(number, begin, begin + count))
            begin += count
    return order, groups


def tiles(groups: list[Group], class_begin: list[int], device: torch.device) -> Iterator[Tiles]:
    """Groups come by falling class size, so those of one width, a power of two, are neighbours."""
    at = 0
    while at < len(groups):
        width = padded(size(groups[at], class_begin))
        stop = at
        while stop < len(groups) and padded(size(groups[stop], class_begin)) == width:
            stop += 1
        yield cut(groups[at:stop], width, device)
        at = stop


def size(group: Group, class_begin: list[int]) -> int:
    return class_begin[group.of_class + 1] - class_begin[group.of_class]


def padded(count: int) -> int:
    return 1 << (count - 1).bit_length()


def cut(groups: list[Group], width: int, device: torch.device) -> Tiles:
    """Cuts the words of each group into tiles, the last of which may not be full."""
    begins = np.array([group.begin for group in groups])
    lengths = np.array([group.end - group.begin for group in groups])
    per_group = -(-lengths // TILE)
    owner = np.repeat(np.arange(len(groups)), per_group)
    first = np.cumsum(per_group) - per_group
    within = (np.arange(len(owner)) - first[owner])[:, None] * TILE + np.arange(TILE)
    filled = within < lengths[owner][:, None]
    words = np.where(filled, begins[owner][:, None] + within, begins[owner][:, None])
    classes = np.array([group.of_class for group in groups])[owner]
    return Tiles(
        width,
        torch.from_numpy(owner).to(device),
        torch.from_numpy(classes).to(device),
        torch.from_numpy(words).to(device),
        torch.from_numpy(filled.astype(np.float32)).to(device),
    )
