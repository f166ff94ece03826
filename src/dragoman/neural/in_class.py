"""The factor P(w | c, h) of a class-factored layer for words sorted by class: likelihood and scores.

Words of a class are cut into tiles, and tiles of classes of like size are one batched product (tiles.py). With direct
n-gram features a block also carries those that fire, whose weights are added to logits.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from dragoman.neural import noise
from dragoman.neural.class_tables import ClassTables
from dragoman.neural.direct import Active, WordTriples, expand
from dragoman.neural.tables import Leaves, pick
from dragoman.neural.tiles import Tiles, by_width


@dataclass(slots=True)
class Block:
    """Inputs of the factor. Words are sorted by class; `counts` says how many each class has."""

    hidden: Tensor
    slots: Tensor
    classes: Tensor
    counts: npt.NDArray[np.int64]
    direct: Active | None


def tile_logits(leaves: Leaves, block: Block, tables: ClassTables) -> Iterator[tuple[Tiles, Tensor, Tensor]]:
    """Tiles, their logits [T, TILE, width], minus infinity where a class has fewer words, and which column was
    observed. Weights are those of the classes that occur, one after another."""
    device = block.hidden.device
    present = torch.from_numpy(np.flatnonzero(block.counts)).to(device)
    _, slots = expand(tables.class_begin, present)
    weights, bias = leaves.rows("word_weights", slots), leaves.rows("word_bias", slots)
    sizes = tables.class_size[present]
    first = torch.zeros_like(tables.class_size)
    first[present] = sizes.cumsum(0) - sizes
    direct = block.direct.words_of(leaves) if block.direct is not None else None
    for width, tile in by_width(block.counts, np.diff(tables.layout.class_begin), device):
        columns = torch.arange(width, device=device)
        valid = columns < tables.class_size[tile.classes].unsqueeze(1)
        rows = torch.where(valid, first[tile.classes].unsqueeze(1) + columns, 0)
        hidden = pick(block.hidden, tile.words)
        logits = torch.baddbmm(pick(bias, rows).unsqueeze(1), hidden, pick(weights, rows).transpose(1, 2))
        if direct is not None:
            logits = with_direct(logits, tile, block, direct, tables)
        observed = block.slots[tile.words] - tables.class_begin[tile.classes].unsqueeze(1)
        yield tile, logits.masked_fill(~valid.unsqueeze(1), -math.inf), observed


def with_direct(logits: Tensor, tile: Tiles, block: Block, direct: WordTriples, tables: ClassTables) -> Tensor:
    # Where each word of the minibatch stands among the tiles.
    seat = torch.full((len(block.hidden),), -1, dtype=torch.int64, device=logits.device)
    seats = torch.arange(tile.words.numel(), device=logits.device).view_as(tile.words)
    seat[tile.words[tile.filled > 0]] = seats[tile.filled > 0]
    triples = (seat[direct.word] >= 0).nonzero().view(-1)
    word = direct.word[triples]
    places = seat[word] * logits.shape[-1] + direct.slot[triples] - tables.class_begin[block.classes[word]]
    return logits.view(-1).index_add(0, places, pick(direct.weight, triples)).view_as(logits)


def likelihood(leaves: Leaves, block: Block, tables: ClassTables) -> Tensor:
    total = block.hidden.new_zeros(())
    for tile, logits, observed in tile_logits(leaves, block, tables):
        total = total + (noise.likelihood(logits, observed, tables.method.self_normalisation) * tile.filled).sum()
    return total


def scores(leaves: Leaves, block: Block, tables: ClassTables) -> tuple[Tensor, Tensor]:
    """The logit of every word, and log Z of its class."""
    chosen, log_normaliser = torch.empty_like(block.hidden[:, 0]), torch.empty_like(block.hidden[:, 0])
    for tile, logits, observed in tile_logits(leaves, block, tables):
        filled = tile.filled > 0
        words = tile.words[filled]
        chosen[words] = logits.gather(2, observed.unsqueeze(2)).squeeze(2)[filled]
        log_normaliser[words] = logits.logsumexp(2)[filled]
    return chosen, log_normaliser
