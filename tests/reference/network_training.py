"""Training of a class-factored network as the thesis writes it down (chapter 4): the loss of a minibatch in plain
Python, its gradient by differences, and AdaGrad."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Vector = list[float]
Tensors = dict[str, Vector]


@dataclass(frozen=True)
class Example:
    word: int
    context: Sequence[int]
    source: Sequence[int] = ()


@dataclass(frozen=True)
class ReferenceNetwork:
    """Tensors are flat and have the names and shapes of `write_neural_model`."""

    dimension: int
    class_of_word: Sequence[int]
    full: bool = False
    penalty: float = 0.0

    def hidden(self, tensors: Tensors, example: Example) -> Vector:
        total = list(tensors["hidden_bias"])
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

    def factor(self, tensors: Tensors, kind: str, rows: Sequence[int], observed: int, hidden: Vector) -> float:
        """-log P + penalty log² Z of one softmax over some rows of a layer."""
        logits = [dot(self.row(tensors[f"{kind}_weights"], row), hidden) + tensors[f"{kind}_bias"][row] for row in rows]
        log_normaliser = math.log(math.fsum(map(math.exp, logits)))
        return log_normaliser - logits[rows.index(observed)] + self.penalty * log_normaliser**2

    def loss(self, tensors: Tensors, batch: Sequence[Example]) -> float:
        total = 0.0
        for example in batch:
            hidden = self.hidden(tensors, example)
            number = self.class_of_word[example.word]
            classes = sorted({each for each in self.class_of_word if each >= 0})
            total += self.factor(tensors, "class", classes, number, hidden)
            words = [word for word, each in enumerate(self.class_of_word) if each == number]
            if len(words) > 1:
                total += self.factor(tensors, "word", words, example.word, hidden)
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
