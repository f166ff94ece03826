"""A judge as its formulas say, one number at a time: how probable a network thinks a translation is."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence

Vector = list[float]
Tensors = Mapping[str, Sequence[float]]
UNKNOWN, END, BEGIN, HOLE = range(4)


class ReferenceJudge:
    def __init__(self, shape: Mapping[str, int], tensors: Tensors) -> None:
        self.shape, self.tensors = shape, tensors
        self.dimension, self.heads = shape["dimension"], shape["heads"]

    def embed(self, piece: int, position: int) -> Vector:
        size = self.dimension
        row = self.tensors["embedding"][piece * size : (piece + 1) * size]
        angles = [position / 10000 ** (2 * wave / size) for wave in range(size // 2)]
        places = [math.sin(angle) for angle in angles] + [math.cos(angle) for angle in angles]
        return [value * math.sqrt(size) + place for value, place in zip(row, places, strict=True)]

    def norm(self, name: str, values: Vector) -> Vector:
        mean = sum(values) / len(values)
        deviation = math.sqrt(sum((value - mean) ** 2 for value in values) / len(values) + 1e-5)
        weight, bias = self.tensors[f"{name}.weight"], self.tensors[f"{name}.bias"]
        return [(value - mean) / deviation * w + b for value, w, b in zip(values, weight, bias, strict=True)]

    def linear(self, name: str, values: Vector) -> Vector:
        weight, bias, size = self.tensors[f"{name}.weight"], self.tensors[f"{name}.bias"], len(values)
        return [
            offset + sum(w * v for w, v in zip(weight[row * size : (row + 1) * size], values, strict=True))
            for row, offset in enumerate(bias)
        ]

    def attention(self, name: str, asking: Vector, seen: list[Vector]) -> Vector:
        query = self.linear(f"{name}.query", asking)
        keys = [self.linear(f"{name}.key", state) for state in seen]
        values = [self.linear(f"{name}.value", state) for state in seen]
        size, mixed = self.dimension // self.heads, []
        for head in range(self.heads):
            part = slice(head * size, (head + 1) * size)
            scores = [sum(q * k for q, k in zip(query[part], key[part], strict=True)) / math.sqrt(size) for key in keys]
            powers = [math.exp(score - max(scores)) for score in scores]
            mixed += [
                sum(p * value[i] for p, value in zip(powers, values, strict=True)) / sum(powers)
                for i in range(head * size, (head + 1) * size)
            ]
        return self.linear(f"{name}.out", mixed)

    def feed_forward(self, name: str, state: Vector) -> Vector:
        wide = [max(0.0, value) for value in self.linear(f"{name}.in", state)]
        return self.linear(f"{name}.out", wide)

    def layers(self, side: str, states: list[Vector], encoded: list[Vector] | None) -> list[Vector]:
        for number in range(self.shape[f"{side}_layers"]):
            name = f"{side}.{number}"
            normed = [self.norm(f"{name}.attention_norm", state) for state in states]
            for i, state in enumerate(states):
                seen = normed if encoded is None else normed[: i + 1]
                states[i] = plus(state, self.attention(f"{name}.attention", normed[i], seen))
            if encoded is not None:
                for i, state in enumerate(states):
                    asking = self.norm(f"{name}.cross_norm", state)
                    states[i] = plus(state, self.attention(f"{name}.cross", asking, encoded))
            for i, state in enumerate(states):
                normal = self.norm(f"{name}.feedforward_norm", state)
                states[i] = plus(state, self.feed_forward(f"{name}.feedforward", normal))
        return [self.norm(f"{side}_norm", state) for state in states]

    def log_prob(self, source: Sequence[int], target: Sequence[int]) -> float:
        """Natural, of all pieces of the target and its end; neither side has its end yet. The mean of both decoders
        where there are two."""
        read = [self.embed(piece, place) for place, piece in enumerate([*source, END])]
        encoded = self.layers("encoder", read, None)
        forward = self.read("decoder", encoded, target)
        if not self.shape.get("backward_layers"):
            return forward
        return (forward + self.read("backward", encoded, target[::-1])) / 2

    def read(self, decoder: str, encoded: list[Vector], target: Sequence[int]) -> float:
        before = [self.embed(piece, place) for place, piece in enumerate([BEGIN, *target])]
        states, size = self.layers(decoder, before, encoded), self.dimension
        rows = self.tensors["embedding"]
        total = 0.0
        for state, piece in zip(states, [*target, END], strict=True):
            logits = [
                sum(w * v for w, v in zip(rows[row : row + size], state, strict=True))
                for row in range(0, len(rows), size)
            ]
            most = max(logits)
            total += logits[piece] - most - math.log(sum(math.exp(logit - most) for logit in logits))
        return total


def plus(first: Vector, second: Vector) -> Vector:
    return [a + b for a, b in zip(first, second, strict=True)]


def random_tensors(shape: Mapping[str, int], pieces: int, seed: int) -> dict[str, list[float]]:
    """A network whose outputs are neither flat nor certain."""
    chance, size, wide = random.Random(seed), shape["dimension"], shape["feedforward"]
    tensors: dict[str, list[float]] = {}

    def fill(name: str, count: int, spread: float, around: float = 0.0) -> None:
        tensors[name] = [chance.gauss(around, spread) for _ in range(count)]

    def linear(name: str, rows: int, columns: int) -> None:
        fill(f"{name}.weight", rows * columns, columns**-0.5)
        fill(f"{name}.bias", rows, 0.1)

    def norm(name: str) -> None:
        fill(f"{name}.weight", size, 0.1, 1.0)
        fill(f"{name}.bias", size, 0.1)

    fill("embedding", pieces * size, size**-0.5)
    for side in ("encoder", "decoder", "backward"):
        for number in range(shape.get(f"{side}_layers", 0)):
            name = f"{side}.{number}"
            for attention in ("attention", "cross")[: 1 + (side != "encoder")]:
                norm(f"{name}.{attention}_norm")
                for part in ("query", "key", "value", "out"):
                    linear(f"{name}.{attention}.{part}", size, size)
            norm(f"{name}.feedforward_norm")
            linear(f"{name}.feedforward.in", wide, size)
            linear(f"{name}.feedforward.out", size, wide)
        if shape.get(f"{side}_layers"):
            norm(f"{side}_norm")
    return tensors
