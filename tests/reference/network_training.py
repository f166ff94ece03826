"""Training of a class-factored network as the thesis writes it down (chapter 4): the loss of a minibatch in plain
Python, its gradient by differences, and AdaGrad."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

Vector = list[float]
Tensors = dict[str, Vector]


@dataclass(frozen=True)
class Example:
    word: int
    context: Sequence[int]
    source: Sequence[int] = ()
    noise_classes: Sequence[int] = ()  # that were drawn for it, and words of its class
    noise_words: Sequence[int] = ()


@dataclass(frozen=True)
class ReferenceNetwork:
    """Tensors are flat and have the names and shapes of `write_neural_model`.

    With `noise_samples`, noise contrastive estimation; a factor of no more candidates than that may have its noise in
    expectation. `counts` are by word. `direct` has the number of the feature of each context and class,
    and of each context and word."""

    dimension: int
    class_of_word: Sequence[int]
    full: bool = False
    penalty: float = 0.0
    noise_samples: int = 0
    in_expectation: bool = True
    counts: Sequence[float] = ()
    direct_classes: Mapping[tuple[tuple[int, ...], int], int] = field(default_factory=dict)
    direct_words: Mapping[tuple[tuple[int, ...], int], int] = field(default_factory=dict)

    def hidden(self, tensors: Tensors, example: Example) -> Vector:
        total = list(tensors.get("hidden_bias", [0.0] * self.dimension))
        for side, words in (("", example.context), ("source_", example.source)):
            for place, word in enumerate(words):
                vector = self.row(tensors[f"{side}input"], word)
                for i in range(self.dimension):
                    if self.full:
                        matrix_row = self.row(tensors[f"{side}context"], place * self.dimension + i)
                        total[i] += dot(matrix_row, vector)
                    else:
                        total[i] += self.row(tensors[f"{side}context"], place)[i] * vector[i]
        return [max(0.0, value) for value in total]

    def row(self, tensor: Vector, number: int) -> Vector:
        return tensor[number * self.dimension : (number + 1) * self.dimension]

    def logit(self, tensors: Tensors, kind: str, row: int, hidden: Vector, example: Example) -> float:
        total = dot(self.row(tensors[f"{kind}_weights"], row), hidden) + tensors[f"{kind}_bias"][row]
        features = self.direct_classes if kind == "class" else self.direct_words
        for length in range(1, len(example.context) + 1):
            feature = features.get((tuple(example.context[:length]), row))
            if feature is not None:
                total += tensors[f"direct_{kind}_weights"][feature]
        return total

    def likelihood(self, logits: Mapping[int, float], observed: int) -> float:
        """-log P + penalty log² Z of one softmax."""
        log_normaliser = math.log(math.fsum(map(math.exp, logits.values())))
        return log_normaliser - logits[observed] + self.penalty * log_normaliser**2

    def against_noise(
        self, logits: Mapping[int, float], chances: Mapping[int, float], observed: int, noise: Sequence[int]
    ) -> float:
        """-log of the chance of telling the observed candidate from noise, and the noise from it."""

        def is_data(row: int) -> float:
            return 1 / (1 + self.noise_samples * chances[row] * math.exp(-logits[row]))

        drawn = [(row, 1.0) for row in noise]
        if self.in_expectation and len(logits) <= self.noise_samples:
            drawn = [(row, self.noise_samples * chances[row]) for row in logits]
        return -math.log(is_data(observed)) - math.fsum(times * math.log(1 - is_data(row)) for row, times in drawn)

    def factor(
        self, tensors: Tensors, kind: str, weights: Mapping[int, float], observed: int, example: Example
    ) -> float:
        """Of one softmax over some rows of a layer, which occur so often."""
        hidden = self.hidden(tensors, example)
        logits = {row: self.logit(tensors, kind, row, hidden, example) for row in weights}
        if not self.noise_samples:
            return self.likelihood(logits, observed)
        total = math.fsum(weights.values())
        chances = {row: weight / total for row, weight in weights.items()}
        noise = example.noise_classes if kind == "class" else example.noise_words
        return self.against_noise(logits, chances, observed, noise)

    def weight(self, word: int) -> float:
        return max(0.5, self.counts[word]) if self.counts else 1.0

    def loss(self, tensors: Tensors, batch: Sequence[Example]) -> float:
        words: dict[int, dict[int, float]] = {}
        for word, number in enumerate(self.class_of_word):
            if number >= 0:
                words.setdefault(number, {})[word] = self.weight(word)
        classes = {number: math.fsum(words[number].values()) for number in sorted(words)}
        total = 0.0
        for example in batch:
            number = self.class_of_word[example.word]
            total += self.factor(tensors, "class", classes, number, example)
            if len(words[number]) > 1:
                total += self.factor(tensors, "word", words[number], example.word, example)
        return total

    def gradient(self, tensors: Tensors, batch: Sequence[Example], size: float = 1e-5) -> Tensors:
        """Of the mean loss, by differences; `tensors` come back as they were."""
        made: Tensors = {}
        for name, values in tensors.items():
            made[name] = []
            for i, value in enumerate(values):
                values[i] = value + size
                above = self.loss(tensors, batch)
                values[i] = value - size
                below = self.loss(tensors, batch)
                values[i] = value
                made[name].append((above - below) / (2 * size * len(batch)))
        return made


def dot(left: Vector, right: Vector) -> float:
    return math.fsum(a * b for a, b in zip(left, right, strict=True))


def adagrad(weight: float, square: float, gradient: float, rate: float, pull: float) -> tuple[float, float]:
    """The weight and the sum of squares after a step."""
    gradient += pull * weight
    square += gradient**2
    return weight - rate * gradient / (math.sqrt(square) + 1e-8), square
