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

from dragoman.neural import noise
from dragoman.neural.batch import Batch
from dragoman.neural.output import Method, Step
from dragoman.neural.tables import touched

PIECE_FLOATS = 1 << 25  # logits or weights that are held at once


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

    def step(
        self,
        parameters: dict[str, Tensor],
        hidden: Tensor,
        batch: Batch,
        scale: float,
        generator: torch.Generator | None,
    ) -> Step:
        slots = self.slot_of_word[batch.words]
        if self.method.training == "likelihood":
            return self.likelihood(parameters, hidden, slots, scale)
        return self.against_noise(parameters, hidden, slots, scale, generator)

    def likelihood(self, parameters: dict[str, Tensor], hidden: Tensor, slots: Tensor, scale: float) -> Step:
        weights, bias = parameters["word_weights"], parameters["word_bias"]
        step = Step(hidden.new_zeros(()), torch.empty_like(hidden), {})
        of_weights, of_bias = torch.zeros_like(weights), torch.zeros_like(bias)
        many = max(1, PIECE_FLOATS // len(weights))
        for begin in range(0, len(hidden), many):
            here = slice(begin, begin + many)
            logits = torch.addmm(bias, hidden[here], weights.T)
            loss, slope = noise.likelihood(logits, slots[here], self.method.self_normalisation)
            step.loss += loss.sum()
            slope.mul_(scale)
            step.of_hidden[here] = slope @ weights
            of_weights.addmm_(slope.T, hidden[here])
            of_bias += slope.sum(0)
        step.gradients = {"word_weights": (None, of_weights), "word_bias": (None, of_bias)}
        return step

    def draw(self, count: int, generator: torch.Generator | None) -> Tensor:
        device = self.running.device
        chance = torch.rand(count, dtype=torch.float64, device=device, generator=generator) * self.running[-1]
        return (torch.searchsorted(self.running, chance, right=True) - 1).clamp_(0, len(self.log_unigram) - 1)

    def against_noise(
        self,
        parameters: dict[str, Tensor],
        hidden: Tensor,
        slots: Tensor,
        scale: float,
        generator: torch.Generator | None,
    ) -> Step:
        samples, shared = self.method.noise_samples, self.method.shared_noise
        whole = shared and samples >= len(self.log_unigram)
        if whole:
            drawn = torch.arange(len(self.log_unigram), device=hidden.device)
        else:
            drawn = self.draw(samples if shared else samples * len(hidden), generator)
        log_noise = self.log_unigram + math.log(samples)
        rows = touched(torch.cat([slots, drawn]), len(self.log_unigram))
        observed_row, noise_row = rows.local[: len(slots)], rows.local[len(slots) :]
        vectors, biases = parameters["word_weights"][rows.rows], parameters["word_bias"][rows.rows]
        observed = vectors[observed_row]
        loss, slope = noise.for_data((hidden * observed).sum(1) + biases[observed_row], log_noise[slots])
        slope.mul_(scale)
        step = Step(loss.sum(), observed.mul_(slope.unsqueeze(1)), {})
        of_vectors = torch.zeros_like(vectors).index_add_(0, observed_row, hidden * slope.unsqueeze(1))
        of_biases = torch.zeros_like(biases).index_add_(0, observed_row, slope)
        if shared:
            its_vectors = vectors[noise_row]
            logits = torch.addmm(biases[noise_row], hidden, its_vectors.T)
            weights = log_noise.exp() if whole else torch.ones_like(log_noise[drawn])
            loss, slope = noise.against_noise(logits, log_noise[drawn], weights)
            slope.mul_(scale)
            step.loss += loss.sum()
            step.of_hidden.addmm_(slope, its_vectors)
            of_vectors.index_add_(0, noise_row, slope.T @ hidden)
            of_biases.index_add_(0, noise_row, slope.sum(0))
        else:
            noise_row, drawn = noise_row.view(-1, samples), drawn.view(-1, samples)
            many = max(1, PIECE_FLOATS // (samples * hidden.shape[1]))
            for begin in range(0, len(hidden), many):
                here = slice(begin, begin + many)
                its_vectors, words = vectors[noise_row[here]], hidden[here].unsqueeze(1)
                logits = torch.baddbmm(biases[noise_row[here]].unsqueeze(1), words, its_vectors.transpose(1, 2))
                its_log_noise = log_noise[drawn[here]].unsqueeze(1)
                loss, slope = noise.against_noise(logits, its_log_noise, torch.ones_like(its_log_noise))
                slope.mul_(scale)
                step.loss += loss.sum()
                step.of_hidden[here] += torch.bmm(slope, its_vectors).squeeze(1)
                flat = noise_row[here].reshape(-1)
                of_vectors.index_add_(0, flat, (slope.transpose(1, 2) * words).view(-1, hidden.shape[1]))
                of_biases.index_add_(0, flat, slope.reshape(-1))
        step.gradients = {"word_weights": (rows.rows, of_vectors), "word_bias": (rows.rows, of_biases)}
        return step

    def log_probs(self, parameters: dict[str, Tensor], hidden: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
        """log P(w | h), and log Z."""
        slots = self.slot_of_word[batch.words]
        log_prob, log_normaliser = torch.empty_like(hidden[:, 0]), torch.empty_like(hidden[:, 0])
        many = max(1, PIECE_FLOATS // len(parameters["word_weights"]))
        for begin in range(0, len(hidden), many):
            here = slice(begin, begin + many)
            logits = torch.addmm(parameters["word_bias"], hidden[here], parameters["word_weights"].T)
            log_normaliser[here] = logits.logsumexp(1)
            log_prob[here] = logits.gather(1, slots[here].unsqueeze(1)).squeeze(1) - log_normaliser[here]
        return log_prob, log_normaliser.unsqueeze(1)

    def shift(self, parameters: dict[str, Tensor], by: Tensor) -> None:
        """Adds to all logits, which changes log Z and no probability."""
        parameters["word_bias"] += by[0]
