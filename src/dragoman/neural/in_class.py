"""The factor P(w | c, h) of a class-factored layer for words sorted by class: likelihood, its gradients, and scores.

By class on a CPU, by tiles on a GPU (see groups.py); both give the same numbers. With direct n-gram features a block
also carries (word of the minibatch, slot, feature) triples, sorted by word, whose weights are added to logits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from dragoman.neural import noise
from dragoman.neural.class_tables import ClassTables
from dragoman.neural.direct import WordTriples
from dragoman.neural.groups import Group, Tiles, tiles
from dragoman.neural.tables import Gradients, joined


@dataclass(slots=True)
class Block:
    """Inputs of the factor. Words are sorted by class; `groups` says where each class begins and ends."""

    weights: Tensor
    bias: Tensor
    hidden: Tensor
    slots: Tensor
    classes: Tensor
    groups: list[Group]
    scale: float
    direct: WordTriples | None


@dataclass(slots=True)
class InClassLoss:
    loss: Tensor
    of_hidden: Tensor
    gradients: Gradients


def by_tiles(block: Block) -> bool:
    return bool(block.hidden.device.type != "cpu")


def likelihood(block: Block, tables: ClassTables) -> InClassLoss:
    return likelihood_tiles(block, tables) if by_tiles(block) else likelihood_loop(block, tables)


def likelihood_loop(block: Block, tables: ClassTables) -> InClassLoss:
    begin, alpha = tables.layout.class_begin, tables.method.self_normalisation
    spans = [(begin[group.of_class], begin[group.of_class + 1]) for group in block.groups]
    total = sum(stop - start for start, stop in spans)
    of_hidden = torch.empty_like(block.hidden)
    of_weights = block.weights.new_empty(total, block.weights.shape[1])
    of_bias = block.bias.new_empty(total)
    losses = block.hidden.new_zeros(len(block.hidden))
    direct = block.direct
    cuts = direct.cuts([group.end for group in block.groups]) if direct is not None else []
    of_direct = direct.gradient_buffer() if direct is not None else None
    at = triple = 0
    for number, (group, (start, stop)) in enumerate(zip(block.groups, spans, strict=True)):
        hidden, weights = block.hidden[group.begin : group.end], block.weights[start:stop]
        logits = torch.addmm(block.bias[start:stop], hidden, weights.T)
        if direct is not None:
            places = (direct.word[triple : cuts[number]] - group.begin) * (stop - start)
            places += direct.slot[triple : cuts[number]] - start
            logits.view(-1).index_add_(0, places, direct.weight[triple : cuts[number]])
        loss, slope = noise.likelihood(logits, block.slots[group.begin : group.end] - start, alpha)
        losses[group.begin : group.end] = loss
        slope.mul_(block.scale)
        torch.mm(slope, weights, out=of_hidden[group.begin : group.end])
        here = slice(at, at + stop - start)
        torch.mm(slope.T, hidden, out=of_weights[here])
        torch.sum(slope, 0, out=of_bias[here])
        if direct is not None and of_direct is not None:
            of_direct[triple : cuts[number]] = slope.view(-1)[places]
            triple = cuts[number]
        at += stop - start
    rows = joined(spans)
    gradients: Gradients = {"word_weights": (rows, of_weights), "word_bias": (rows, of_bias)}
    if direct is not None and of_direct is not None:
        gradients["direct_word_weights"] = direct.gradient(of_direct)
    return InClassLoss(losses.sum(), of_hidden, gradients)


def tile_slots(tile: Tiles, tables: ClassTables) -> tuple[Tensor, Tensor]:
    """The slots [T, width] of the classes of the tiles, and which of those columns are slots."""
    columns = torch.arange(tile.width, device=tile.classes.device)
    valid = columns < tables.class_size[tile.classes].unsqueeze(1)
    slots = tables.class_begin[tile.classes].unsqueeze(1) + columns
    return torch.where(valid, slots, 0), valid


def tile_logits(block: Block, tile: Tiles, slots: Tensor, valid: Tensor, tables: ClassTables) -> tuple[Tensor, ...]:
    """Logits [T, TILE, width], the weights and hidden rows they come from, and the places of the direct features."""
    weights, hidden = block.weights[slots], block.hidden[tile.words]
    logits = torch.baddbmm(block.bias[slots].unsqueeze(1), hidden, weights.transpose(1, 2))
    triples = places = torch.zeros(0, dtype=torch.int64, device=logits.device)
    if block.direct is not None:
        # Where each word of the minibatch stands among the tiles.
        seat = torch.full((len(block.hidden),), -1, dtype=torch.int64, device=logits.device)
        seats = torch.arange(tile.words.numel(), device=logits.device).view_as(tile.words)
        seat[tile.words[tile.filled > 0]] = seats[tile.filled > 0]
        triples = (seat[block.direct.word] >= 0).nonzero().view(-1)
        word = block.direct.word[triples]
        places = seat[word] * tile.width + block.direct.slot[triples] - tables.class_begin[block.classes[word]]
        logits.view(-1).index_add_(0, places, block.direct.weight[triples])
    logits.masked_fill_(~valid.unsqueeze(1), -math.inf)
    return logits, weights, hidden, triples, places


def likelihood_tiles(block: Block, tables: ClassTables) -> InClassLoss:
    of_hidden = torch.zeros_like(block.hidden)
    of_weights, of_bias = torch.zeros_like(block.weights), torch.zeros_like(block.bias)
    total = block.hidden.new_zeros(())
    of_direct = block.direct.gradient_buffer() if block.direct is not None else None
    for tile in tiles(block.groups, tables.layout.class_begin, block.hidden.device):
        slots, valid = tile_slots(tile, tables)
        logits, weights, hidden, triples, places = tile_logits(block, tile, slots, valid, tables)
        observed = block.slots[tile.words] - tables.class_begin[tile.classes].unsqueeze(1)
        loss, slope = noise.likelihood(logits, observed, tables.method.self_normalisation)
        total += (loss * tile.filled).sum()
        slope.mul_((tile.filled * block.scale).unsqueeze(2))
        if of_direct is not None:
            of_direct[triples] = slope.view(-1)[places]
        of_hidden.index_add_(0, tile.words.reshape(-1), torch.bmm(slope, weights).view(-1, hidden.shape[2]))
        of_weights.index_add_(0, slots.view(-1), torch.bmm(slope.transpose(1, 2), hidden).view(-1, hidden.shape[2]))
        of_bias.index_add_(0, slots.view(-1), slope.sum(1).view(-1))
    gradients: Gradients = {"word_weights": (None, of_weights), "word_bias": (None, of_bias)}
    if block.direct is not None and of_direct is not None:
        gradients["direct_word_weights"] = block.direct.gradient(of_direct)
    return InClassLoss(total, of_hidden, gradients)


# -- scores


def scores(block: Block, tables: ClassTables) -> tuple[Tensor, Tensor]:
    """The logit of every word, and log Z of its class."""
    chosen, log_normaliser = torch.empty_like(block.hidden[:, 0]), torch.empty_like(block.hidden[:, 0])
    for tile in tiles(block.groups, tables.layout.class_begin, block.hidden.device):
        slots, valid = tile_slots(tile, tables)
        logits = tile_logits(block, tile, slots, valid, tables)[0]
        observed = block.slots[tile.words] - tables.class_begin[tile.classes].unsqueeze(1)
        filled = tile.filled > 0
        words = tile.words[filled]
        chosen[words] = logits.gather(2, observed.unsqueeze(2)).squeeze(2)[filled]
        log_normaliser[words] = logits.logsumexp(2)[filled]
    return chosen, log_normaliser
