"""Noise contrastive estimation of the factor P(w | c, h): noise words come from the unigram within the class.

The words of one class share their noise, one dense product per class (a CPU) or per tile of 16 words (a GPU); or, as in
the thesis, every word draws its own. See noise.py for the loss and in_class.py for the block of inputs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from dragoman.neural import noise
from dragoman.neural.class_tables import ClassTables
from dragoman.neural.groups import cut
from dragoman.neural.in_class import Block, InClassLoss, by_tiles
from dragoman.neural.tables import Gradients, touched

PIECE_FLOATS = 1 << 24  # candidates' weights that are looked up at once where every word has its own


@dataclass(slots=True)
class NoiseWords:
    """Noise of every owner, a class or a word: [G, k] slots, how often each is drawn, log(k q) of each."""

    slots: Tensor
    weights: Tensor
    log_noise: Tensor
    owner: Tensor  # by word


@dataclass(slots=True)
class Piece:
    """Words [T, t] that share candidates by row, and the owners of those; `filled` as in Tiles."""

    words: Tensor
    owners: Tensor
    filled: Tensor | None


def draw(block: Block, tables: ClassTables, generator: torch.Generator | None) -> NoiseWords:
    samples, device = tables.method.noise_samples, block.hidden.device
    shared = tables.method.shared_noise
    if shared:
        classes = torch.tensor([group.of_class for group in block.groups], dtype=torch.int64, device=device)
        lengths = torch.tensor([group.end - group.begin for group in block.groups], dtype=torch.int64, device=device)
        owner = torch.repeat_interleave(torch.arange(len(lengths), device=device), lengths)
    else:
        classes, owner = block.classes, torch.arange(len(block.classes), device=device)
    sizes, begins = tables.class_size[classes].unsqueeze(1), tables.class_begin[classes].unsqueeze(1)
    columns = torch.arange(samples, device=device)
    low, high = tables.running[begins], tables.running[begins + sizes]
    chance = torch.rand(len(classes), samples, dtype=torch.float64, device=device, generator=generator)
    drawn = torch.searchsorted(tables.running, low + chance * (high - low), right=True) - 1
    drawn = torch.minimum(torch.maximum(drawn, begins), begins + sizes - 1)
    # No more words than samples: all of them, weighted, instead of a draw.
    whole = (sizes <= samples) & shared
    slots = torch.where(whole, begins + torch.minimum(columns, sizes - 1), drawn)
    log_noise = tables.log_in_class[slots] + math.log(samples)
    weights = torch.where(whole, (columns < sizes) * log_noise.exp(), 1.0)
    return NoiseWords(slots, weights.to(block.hidden.dtype), log_noise.to(block.hidden.dtype), owner)


def pieces(block: Block, tables: ClassTables) -> Iterator[Piece]:
    device = block.hidden.device
    if not tables.method.shared_noise:
        many = max(1, PIECE_FLOATS // (tables.method.noise_samples * block.hidden.shape[1]))
        for begin in range(0, len(block.hidden), many):
            words = torch.arange(begin, min(begin + many, len(block.hidden)), device=device)
            yield Piece(words.unsqueeze(1), words, None)
    elif by_tiles(block):
        if block.groups:
            tile = cut(block.groups, device)
            yield Piece(tile.words, tile.groups, tile.filled)
    else:
        for number, group in enumerate(block.groups):
            yield Piece(torch.arange(group.begin, group.end).unsqueeze(0), torch.tensor([number]), None)


def against_noise(block: Block, tables: ClassTables, generator: torch.Generator | None) -> InClassLoss:
    dimension, direct = block.weights.shape[1], block.direct
    candidates = draw(block, tables, generator)
    rows = touched(torch.cat([block.slots, candidates.slots.view(-1)]), len(block.weights))
    observed_row, noise_row = rows.local[: len(block.slots)], rows.local[len(block.slots) :].view_as(candidates.slots)
    vectors, biases = block.weights[rows.rows], block.bias[rows.rows]

    # The observed words.
    observed_vectors = vectors[observed_row]
    logits = (block.hidden * observed_vectors).sum(1) + biases[observed_row]
    if direct is not None:
        hits = (direct.slot == block.slots[direct.word]).nonzero().view(-1)
        logits.index_add_(0, direct.word[hits], direct.weight[hits])
    log_noise = tables.log_in_class[block.slots] + math.log(tables.method.noise_samples)
    loss, slope = noise.for_data(logits, log_noise)
    total = loss.sum()
    slope.mul_(block.scale)
    of_hidden = observed_vectors.mul_(slope.unsqueeze(1))
    of_vectors = torch.zeros_like(vectors).index_add_(0, observed_row, block.hidden * slope.unsqueeze(1))
    of_biases = torch.zeros_like(biases).index_add_(0, observed_row, slope)

    # What direct features add to the logits of the noise, by word and candidate.
    extra = slopes = None
    if direct is not None:
        of_direct = direct.gradient_buffer()
        of_direct[hits] = slope[direct.word[hits]]
        its = candidates.owner[direct.word]
        matches = (candidates.slots[its] == direct.slot.unsqueeze(1)) & (candidates.weights[its] > 0)
        triple, column = matches.nonzero(as_tuple=True)
        width = candidates.slots.shape[1]
        extra = block.hidden.new_zeros(len(block.hidden) * width)
        extra.index_add_(0, direct.word[triple] * width + column, direct.weight[triple])
        extra = extra.view(-1, width)
        slopes = torch.zeros_like(extra)

    # The noise.
    for piece in pieces(block, tables):
        hidden, its_rows = block.hidden[piece.words], noise_row[piece.owners]
        its_vectors = vectors[its_rows]
        logits = torch.baddbmm(biases[its_rows].unsqueeze(1), hidden, its_vectors.transpose(1, 2))
        if extra is not None:
            logits += extra[piece.words]
        loss, slope = noise.against_noise(
            logits, candidates.log_noise[piece.owners].unsqueeze(1), candidates.weights[piece.owners].unsqueeze(1)
        )
        if piece.filled is not None:
            loss.mul_(piece.filled)
            slope.mul_(piece.filled.unsqueeze(2))
        total = total + loss.sum()
        slope.mul_(block.scale)
        words = piece.words.reshape(-1)
        if slopes is not None:
            slopes.index_add_(0, words, slope.view(-1, slope.shape[2]))
        of_hidden.index_add_(0, words, torch.bmm(slope, its_vectors).view(-1, dimension))
        of_vectors.index_add_(0, its_rows.view(-1), torch.bmm(slope.transpose(1, 2), hidden).view(-1, dimension))
        of_biases.index_add_(0, its_rows.view(-1), slope.sum(1).view(-1))
    gradients: Gradients = {"word_weights": (rows.rows, of_vectors), "word_bias": (rows.rows, of_biases)}
    if direct is not None and slopes is not None:
        of_direct.index_add_(0, triple, slopes[direct.word[triple], column])
        gradients["direct_word_weights"] = direct.gradient(of_direct)
    return InClassLoss(total, of_hidden, gradients)
