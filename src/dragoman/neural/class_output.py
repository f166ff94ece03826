"""The class-factored output layer, P(w | h) = P(c | h) P(w | c, h), and its gradients (thesis sections 4.4.2 and 4.5).

Maximum likelihood normalises over the classes and over the words of the observed word's class. Noise contrastive
estimation draws noise classes from the class unigram and noise words from the unigram within the class. Per training
word the cost is D times (classes + words of its class), or D times the noise samples.

Both factors may be pulled towards log Z = 0 (`self_normalisation`), so that a decoder can leave out their sums.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from dragoman.neural import in_class, in_class_noise, noise
from dragoman.neural.batch import Batch
from dragoman.neural.class_layout import ClassLayout
from dragoman.neural.class_tables import ClassTables
from dragoman.neural.direct import Active, DirectFeatures
from dragoman.neural.groups import Group, sort_by_class
from dragoman.neural.output import Method, Step


class ClassOutput(ClassTables):
    def __init__(self, layout: ClassLayout, method: Method, direct: DirectFeatures | None = None) -> None:
        super().__init__(layout, method)
        self.direct = direct

    def initial(self, dimension: int, deviation: float, generator: torch.Generator) -> dict[str, Tensor]:
        """Weights from N(0, deviation), biases at the log of the unigram (thesis section 4.3)."""
        layout = self.layout
        word_weights = torch.randn(layout.slots, dimension, generator=generator) * deviation
        # A class of one word is certain: a logit of 0 says so with a normaliser and without. Such classes come last.
        word_weights[layout.slots - int((self.class_size == 1).sum()) :] = 0
        return {
            "class_weights": torch.randn(layout.classes, dimension, generator=generator) * deviation,
            "class_bias": self.log_class.cpu().clone(),
            "word_weights": word_weights,
            "word_bias": self.log_in_class.cpu().clone(),
            **(self.direct.initial() if self.direct is not None else {}),
        }

    def active(self, batch: Batch) -> Active | None:
        """The direct features that fire."""
        if self.direct is None or batch.direct is None:
            return None
        return self.direct.active(batch.direct, self.layout.class_of_word[batch.words])

    def step(
        self,
        parameters: dict[str, Tensor],
        hidden: Tensor,
        batch: Batch,
        scale: float,
        generator: torch.Generator | None,
    ) -> Step:
        """Loss and gradients, the latter times `scale`."""
        order, groups = sort_by_class(self.layout.class_of_word[batch.words])
        hidden, words = hidden[order], batch.words[order]
        classes = self.layout.class_of_word[words]
        active = self.active(batch)
        if active is not None:
            active = active.reordered(order)
        step = Step(hidden.new_zeros(()), torch.empty_like(hidden), {})
        self.class_factor(step, parameters, hidden, classes, active, scale, generator)
        slots = self.layout.slot_of_word[words]
        self.word_factor(step, parameters, hidden, slots, classes, groups, active, scale, generator)
        unsorted = torch.empty_like(step.of_hidden)
        unsorted[order] = step.of_hidden
        step.of_hidden = unsorted
        return step

    # -- P(c | h)

    def class_factor(
        self,
        step: Step,
        parameters: dict[str, Tensor],
        hidden: Tensor,
        classes: Tensor,
        active: Active | None,
        scale: float,
        generator: torch.Generator | None,
    ) -> None:
        weights, bias = parameters["class_weights"], parameters["class_bias"]
        count, samples = self.layout.classes, self.method.noise_samples
        if self.method.training == "nce" and count > samples and self.method.shared_noise and active is None:
            self.sampled_class_factor(step, parameters, hidden, classes, scale, generator)
            return
        logits = torch.addmm(bias, hidden, weights.T)
        if active is not None:
            active.add_to_classes(logits, parameters["direct_class_weights"])
        if self.method.training == "likelihood":
            loss, slope = noise.likelihood(logits, classes, self.method.self_normalisation)
        else:
            log_noise = self.log_class + math.log(samples)
            at = classes.unsqueeze(1)
            data_loss, data_slope = noise.for_data(logits.gather(1, at), log_noise[classes].unsqueeze(1))
            noise_loss, slope = noise.against_noise(logits, log_noise, self.class_noise(logits, generator))
            slope.scatter_add_(1, at, data_slope)
            loss = data_loss.squeeze(1) + noise_loss
        step.loss += loss.sum()
        slope.mul_(scale)
        step.of_hidden = slope @ weights
        step.gradients["class_weights"] = (None, slope.T @ hidden)
        step.gradients["class_bias"] = (None, slope.sum(0))
        if active is not None:
            step.gradients["direct_class_weights"] = active.class_gradient(slope)

    def class_noise(self, logits: Tensor, generator: torch.Generator | None) -> Tensor:
        """How often each class is drawn: in expectation, once for all words, or for every word anew."""
        count, samples = self.layout.classes, self.method.noise_samples
        chances = self.log_class.exp()
        if self.method.shared_noise and count <= samples:
            return chances * samples
        rows = 1 if self.method.shared_noise else len(logits)
        drawn = torch.multinomial(chances, rows * samples, replacement=True, generator=generator).view(rows, samples)
        return logits.new_zeros(rows, count).scatter_add_(1, drawn, logits.new_ones(1, 1).expand(rows, samples))

    def sampled_class_factor(
        self,
        step: Step,
        parameters: dict[str, Tensor],
        hidden: Tensor,
        classes: Tensor,
        scale: float,
        generator: torch.Generator | None,
    ) -> None:
        weights, bias = parameters["class_weights"], parameters["class_bias"]
        counts = self.class_noise(hidden, generator).view(-1)
        drawn = counts.nonzero().view(-1)
        log_noise = self.log_class + math.log(self.method.noise_samples)
        drawn_weights = weights[drawn]
        logits = torch.addmm(bias[drawn], hidden, drawn_weights.T)
        noise_loss, slope = noise.against_noise(logits, log_noise[drawn], counts[drawn])
        observed = weights[classes]
        data_loss, data_slope = noise.for_data((hidden * observed).sum(1) + bias[classes], log_noise[classes])
        step.loss += data_loss.sum() + noise_loss.sum()
        slope.mul_(scale)
        data_slope.mul_(scale)
        step.of_hidden = torch.addcmul(slope @ drawn_weights, observed, data_slope.unsqueeze(1))
        of_weights = torch.zeros_like(weights).index_add_(0, classes, hidden * data_slope.unsqueeze(1))
        of_bias = torch.zeros_like(bias).index_add_(0, classes, data_slope)
        of_weights.index_add_(0, drawn, slope.T @ hidden)
        of_bias.index_add_(0, drawn, slope.sum(0))
        step.gradients["class_weights"] = (None, of_weights)
        step.gradients["class_bias"] = (None, of_bias)

    # -- P(w | c, h)

    def word_factor(
        self,
        step: Step,
        parameters: dict[str, Tensor],
        hidden: Tensor,
        slots: Tensor,
        classes: Tensor,
        groups: list[Group],
        active: Active | None,
        scale: float,
        generator: torch.Generator | None,
    ) -> None:
        # A class of one word is settled by its name. Such classes come last.
        begin = self.layout.class_begin
        groups = [group for group in groups if begin[group.of_class + 1] - begin[group.of_class] > 1]
        stop = groups[-1].end if groups else 0
        block = in_class.Block(
            parameters["word_weights"],
            parameters["word_bias"],
            hidden[:stop],
            slots[:stop],
            classes[:stop],
            groups,
            scale,
            active.words_of(parameters["direct_word_weights"]) if active is not None else None,
        )
        if self.method.training == "likelihood":
            result = in_class.likelihood(block, self)
        else:
            result = in_class_noise.against_noise(block, self, generator)
        step.loss += result.loss
        step.of_hidden[:stop] += result.of_hidden
        step.gradients.update(result.gradients)

    # -- scores

    def log_probs(self, parameters: dict[str, Tensor], hidden: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
        """log P(w | h), and log Z of each of the two factors."""
        order, groups = sort_by_class(self.layout.class_of_word[batch.words])
        hidden, words = hidden[order], batch.words[order]
        classes = self.layout.class_of_word[words]
        active = self.active(batch)
        if active is not None:
            active = active.reordered(order)
        logits = torch.addmm(parameters["class_bias"], hidden, parameters["class_weights"].T)
        if active is not None:
            active.add_to_classes(logits, parameters["direct_class_weights"])
        of_class = logits.gather(1, classes.unsqueeze(1)).squeeze(1)
        of_classes = logits.logsumexp(1)
        block = in_class.Block(
            parameters["word_weights"],
            parameters["word_bias"],
            hidden,
            self.layout.slot_of_word[words],
            classes,
            groups,
            1.0,
            active.words_of(parameters["direct_word_weights"]) if active is not None else None,
        )
        in_class_logit, of_words = in_class.scores(block, self)
        log_prob, log_normaliser = torch.empty_like(of_class), of_class.new_empty(len(of_class), 2)
        log_prob[order] = of_class - of_classes + in_class_logit - of_words
        log_normaliser[order] = torch.stack([of_classes, of_words], 1)
        return log_prob, log_normaliser

    def shift(self, parameters: dict[str, Tensor], by: Tensor) -> None:
        """Adds to all logits of each factor, which changes its log Z and no probability."""
        parameters["class_bias"] += by[0]
        # A class of one word stays certain.
        parameters["word_bias"][: self.layout.slots - int((self.class_size == 1).sum())] += by[1]
