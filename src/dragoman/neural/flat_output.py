"""The output layer without factors: one softmax over the vocabulary (thesis section 4.3).

Maximum likelihood costs D times the vocabulary per word and is meant for small vocabularies or a GPU. Noise contrastive
estimation costs D times the noise samples and leaves log Z near 0, so that a decoder can use the logits as they are;
`self_normalisation` adds the penalty on log² Z to maximum likelihood.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from dragoman.neural import noise
from dragoman.neural.batch import Batch
from dragoman.neural.output import Method
from dragoman.neural.tables import Leaves, pick, touched

PIECE_FLOATS = 1 << 25  # logits that are held at once


class FlatOutput:
    def __init__(self, counts: npt.NDArray[np.int64], predicted: npt.NDArray[np.bool_], method: Method) -> None:
        """`counts` and `predicted` are by word id; slots are the predicted words in order of their ids."""
        self.method = method
        words = np.flatnonzero(predicted)
        slot_of_word = np.full(len(counts), -1, np.int64)
        slot_of_word[words] = np.arange(len(words))
        self.word_of_slot = torch.from_numpy(words)
        self.slot_of_word = torch.from_numpy(slot_of_word)
        chances = torch.from_numpy(np.maximum(counts[words].astype(np.float64), 0.5))
        self.running = torch.cat([torch.zeros(1, dtype=torch.float64), chances.cumsum(0)])
        self.log_unigram = (chances / chances.sum()).log().float()

    def to(self, device: torch.device) -> FlatOutput:
        for name in ("word_of_slot", "slot_of_word", "running", "log_unigram"):
            setattr(self, name, getattr(self, name).to(device))
        return self

    def initial(self, dimension: int, deviation: float, generator: torch.Generator) -> dict[str, Tensor]:
        count = len(self.word_of_slot)
        return {
            "word_weights": torch.randn(count, dimension, generator=generator) * deviation,
            "word_bias": self.log_unigram.cpu().clone(),
        }

    def loss(self, leaves: Leaves, hidden: Tensor, batch: Batch, generator: torch.Generator | None) -> Tensor:
        slots = self.slot_of_word[batch.words]
        if self.method.training == "likelihood":
            return self.likelihood(leaves, hidden, slots)
        return self.against_noise(leaves, hidden, slots, generator)

    def likelihood(self, leaves: Leaves, hidden: Tensor, slots: Tensor) -> Tensor:
        weights, bias = leaves.whole("word_weights"), leaves.whole("word_bias")

        def of_piece(rows: Tensor, observed: Tensor) -> Tensor:
            logits = torch.addmm(bias, rows, weights.T)
            return noise.likelihood(logits, observed, self.method.self_normalisation).sum()

        # Logits of a piece are computed again on the way back, so that no more of them are held.
        many = max(1, PIECE_FLOATS // len(weights))
        pieces = zip(torch.split(hidden, many), torch.split(slots, many), strict=True)
        return torch.stack([checkpoint(of_piece, *piece, use_reentrant=False) for piece in pieces]).sum()

    def draw(self, count: int, generator: torch.Generator | None) -> Tensor:
        device = self.running.device
        chance = torch.rand(count, dtype=torch.float64, device=device, generator=generator) * self.running[-1]
        return (torch.searchsorted(self.running, chance, right=True) - 1).clamp_(0, len(self.log_unigram) - 1)

    def against_noise(self, leaves: Leaves, hidden: Tensor, slots: Tensor, generator: torch.Generator | None) -> Tensor:
        samples, shared = self.method.noise_samples, self.method.shared_noise
        whole = shared and samples >= len(self.log_unigram)
        if whole:
            drawn = torch.arange(len(self.log_unigram), device=hidden.device)
        else:
            drawn = self.draw(samples if shared else samples * len(hidden), generator)
        log_noise = self.log_unigram + math.log(samples)
        rows = touched(torch.cat([slots, drawn]), len(self.log_unigram))
        observed_row, noise_row = rows.local[: len(slots)], rows.local[len(slots) :]
        vectors, biases = leaves.rows("word_weights", rows.rows), leaves.rows("word_bias", rows.rows)
        observed = (hidden * pick(vectors, observed_row)).sum(1) + pick(biases, observed_row)
        total = noise.for_data(observed, log_noise[slots]).sum()
        weights = log_noise.exp() if whole else torch.ones_like(log_noise[drawn])
        if shared:
            logits = torch.addmm(pick(biases, noise_row), hidden, pick(vectors, noise_row).T)
        else:
            noise_row, drawn, weights = (part.view(-1, samples) for part in (noise_row, drawn, weights))
            logits = torch.einsum("bd,bkd->bk", hidden, pick(vectors, noise_row)) + pick(biases, noise_row)
        return total + noise.against_noise(logits, log_noise[drawn], weights).sum()

    def log_probs(self, leaves: Leaves, hidden: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
        """log P(w | h), and log Z."""
        weights, bias = leaves.whole("word_weights"), leaves.whole("word_bias")
        slots = self.slot_of_word[batch.words]
        log_prob, log_normaliser = torch.empty_like(hidden[:, 0]), torch.empty_like(hidden[:, 0])
        many = max(1, PIECE_FLOATS // len(weights))
        for begin in range(0, len(hidden), many):
            here = slice(begin, begin + many)
            logits = torch.addmm(bias, hidden[here], weights.T)
            log_normaliser[here] = logits.logsumexp(1)
            log_prob[here] = logits.gather(1, slots[here].unsqueeze(1)).squeeze(1) - log_normaliser[here]
        return log_prob, log_normaliser.unsqueeze(1)

    def shift(self, parameters: dict[str, Tensor], by: Tensor) -> None:
        """Adds to all logits, which changes log Z and no probability."""
        parameters["word_bias"] += by[0]
