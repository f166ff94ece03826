"""Noise contrastive estimation of the factor P(w | c, h): noise words come from the unigram within the class.

The words of one class share their noise, one dense product per tile of 16 words; or, as in the thesis, every word draws
its own. See noise.py for the loss and in_class.py for the block of inputs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from dragoman.neural import noise
from dragoman.neural.class_tables import ClassTables
from dragoman.neural.direct import WordTriples
from dragoman.neural.in_class import Block
from dragoman.neural.tables import Leaves, pick, touched
from dragoman.neural.tiles import cut


@dataclass(slots=True)
class NoiseWords:
    """Noise of every owner, a class or a word: [G, k] slots, how often each is drawn, log(k q) of each."""

    slots: Tensor
    weights: Tensor
    log_noise: Tensor
    owner: Tensor  # by word


def draw(block: Block, tables: ClassTables, generator: torch.Generator | None) -> NoiseWords:
    samples, device = tables.method.noise_samples, block.hidden.device
    shared = tables.method.shared_noise
    if shared:
        classes, owner = torch.unique_consecutive(block.classes, return_inverse=True)
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


def against_noise(leaves: Leaves, block: Block, tables: ClassTables, generator: torch.Generator | None) -> Tensor:
    direct = block.direct.words_of(leaves) if block.direct is not None else None
    candidates = draw(block, tables, generator)
    rows = touched(torch.cat([block.slots, candidates.slots.view(-1)]), leaves.size("word_weights"))
    observed_row, noise_row = rows.local[: len(block.slots)], rows.local[len(block.slots) :].view_as(candidates.slots)
    vectors, biases = leaves.rows("word_weights", rows.rows), leaves.rows("word_bias", rows.rows)

    observed = (block.hidden * pick(vectors, observed_row)).sum(1) + pick(biases, observed_row)
    if direct is not None:
        hits = (direct.slot == block.slots[direct.word]).nonzero().view(-1)
        observed = observed.index_add(0, direct.word[hits], pick(direct.weight, hits))
    log_noise = tables.log_in_class[block.slots] + math.log(tables.method.noise_samples)
    total = noise.for_data(observed, log_noise).sum()
    if not len(block.hidden):
        return total

    if tables.method.shared_noise:
        tiles = cut(block.counts, block.hidden.device)
        words, filled = tiles.words, tiles.filled
    else:
        words = torch.arange(len(block.hidden), device=block.hidden.device).unsqueeze(1)
        filled = torch.ones_like(words)
    owners = candidates.owner[words[:, 0]]
    its_rows = noise_row[owners]
    hidden = pick(block.hidden, words)
    logits = torch.baddbmm(pick(biases, its_rows).unsqueeze(1), hidden, pick(vectors, its_rows).transpose(1, 2))
    if direct is not None:
        logits = logits + pick(direct_logits(direct, candidates, len(block.hidden)), words)
    loss = noise.against_noise(
        logits, candidates.log_noise[owners].unsqueeze(1), candidates.weights[owners].unsqueeze(1)
    )
    return total + (loss * filled).sum()


def direct_logits(direct: WordTriples, candidates: NoiseWords, words: int) -> Tensor:
    """What direct features add to the logits of the noise, by word and candidate."""
    its = candidates.owner[direct.word]
    matches = (candidates.slots[its] == direct.slot.unsqueeze(1)) & (candidates.weights[its] > 0)
    triple, column = matches.nonzero(as_tuple=True)
    width = candidates.slots.shape[1]
    places = direct.word[triple] * width + column
    return direct.weight.new_zeros(words * width).index_add(0, places, pick(direct.weight, triple)).view(-1, width)
