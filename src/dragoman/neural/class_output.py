"""The class-factored output layer, P(w | h) = P(c | h) P(w | c, h) (thesis sections 4.4.2 and 4.5).

Maximum likelihood normalises over the classes and over the words of the observed word's class. Noise contrastive
estimation draws noise classes from the class unigram and noise words from the unigram within the class. Per training
word the cost is D times (classes + words of its class), or D times the noise samples.

Both factors may be pulled towards log Z = 0 (`self_normalisation`), so that a decoder can leave out their sums.
"""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor

from dragoman.neural import in_class, in_class_noise, noise
from dragoman.neural.batch import Batch
from dragoman.neural.class_layout import ClassLayout
from dragoman.neural.class_tables import ClassTables
from dragoman.neural.direct import DirectFeatures
from dragoman.neural.output import Method
from dragoman.neural.tables import Leaves, pick


class ClassOutput(ClassTables):
    def __init__(self, layout: ClassLayout, method: Method, direct: DirectFeatures | None = None) -> None:
        super().__init__(layout, method)
        self.direct = direct

    def loss(self, leaves: Leaves, hidden: Tensor, batch: Batch, generator: torch.Generator | None) -> Tensor:
        _, block = self.sorted(hidden, batch)
        of_classes = self.class_loss(self.class_logits(leaves, block), block.classes, generator)
        # A class of one word is settled by its name. Such classes come last.
        block.counts[np.diff(self.layout.class_begin) == 1] = 0
        stop = int(block.counts.sum())
        block.hidden, block.slots, block.classes = block.hidden[:stop], block.slots[:stop], block.classes[:stop]
        if self.method.training == "likelihood":
            return of_classes + in_class.likelihood(leaves, block, self)
        return of_classes + in_class_noise.against_noise(leaves, block, self, generator)

    def sorted(self, hidden: Tensor, batch: Batch) -> tuple[Tensor, in_class.Block]:
        """The minibatch by class, and the order that sorts it so."""
        classes, order = torch.sort(self.layout.class_of_word[batch.words], stable=True)
        slots = self.layout.slot_of_word[batch.words[order]]
        counts = torch.bincount(classes, minlength=self.layout.classes).cpu().numpy()
        direct = None
        if self.direct is not None:
            direct = self.direct.active(self.direct.find(batch.contexts[order]), classes)
        return order, in_class.Block(pick(hidden, order), slots, classes, counts, direct)

    def class_logits(self, leaves: Leaves, block: in_class.Block) -> Tensor:
        logits = torch.addmm(leaves.whole("class_bias"), block.hidden, leaves.whole("class_weights").T)
        return logits if block.direct is None else block.direct.added_to_classes(leaves, logits)

    def class_loss(self, logits: Tensor, classes: Tensor, generator: torch.Generator | None) -> Tensor:
        if self.method.training == "likelihood":
            return noise.likelihood(logits, classes, self.method.self_normalisation).sum()
        log_noise = self.log_class + math.log(self.method.noise_samples)
        observed = logits.gather(1, classes.unsqueeze(1)).squeeze(1)
        of_noise = noise.against_noise(logits, log_noise, self.class_noise(logits, generator))
        return (noise.for_data(observed, log_noise[classes]) + of_noise).sum()

    def class_noise(self, logits: Tensor, generator: torch.Generator | None) -> Tensor:
        """How often each class is drawn: in expectation, once for all words, or for every word anew."""
        count, samples = self.layout.classes, self.method.noise_samples
        chances = self.log_class.exp()
        if self.method.shared_noise and count <= samples:
            return chances * samples
        rows = 1 if self.method.shared_noise else len(logits)
        drawn = torch.multinomial(chances, rows * samples, replacement=True, generator=generator).view(rows, samples)
        return logits.new_zeros(rows, count).scatter_add_(1, drawn, logits.new_ones(1, 1).expand(rows, samples))

    def log_probs(self, leaves: Leaves, hidden: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
        """log P(w | h), and log Z of each of the two factors."""
        order, block = self.sorted(hidden, batch)
        logits = self.class_logits(leaves, block)
        of_class = logits.gather(1, block.classes.unsqueeze(1)).squeeze(1)
        of_classes = logits.logsumexp(1)
        in_class_logit, of_words = in_class.scores(leaves, block, self)
        log_prob, log_normaliser = torch.empty_like(of_class), of_class.new_empty(len(of_class), 2)
        log_prob[order] = of_class - of_classes + in_class_logit - of_words
        log_normaliser[order] = torch.stack([of_classes, of_words], 1)
        return log_prob, log_normaliser

    def shift(self, parameters: dict[str, Tensor], by: Tensor) -> None:
        """Adds to all logits of each factor, which changes its log Z and no probability."""
        parameters["class_bias"] += by[0]
        # A class of one word stays certain.
        parameters["word_bias"][: self.layout.slots - int((self.class_size == 1).sum())] += by[1]
