"""Parameters of a network by the names they have in nlm.bin, the rows of them that a minibatch touches, and AdaGrad.

A minibatch meets a few thousand of a vocabulary's words, so gradients are kept for those rows only and AdaGrad (Duchi
et al. 2011) changes no others; L2 regularisation therefore pulls at a row when it is used. Linear in the rows touched.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

# A gradient is of the whole table, of some of its rows, or of stretches of rows, one after another.
Stretches = list[tuple[int, int]]
Gradient = tuple[Tensor | Stretches | None, Tensor]
Gradients = dict[str, Gradient]


@dataclass(frozen=True, slots=True)
class Rows:
    """The distinct rows of a table that some ids name, and the ids renumbered to point into them."""

    rows: Tensor
    local: Tensor

    @property
    def count(self) -> int:
        return len(self.rows)


def touched(ids: Tensor, size: int) -> Rows:
    """Rows named by `ids`. Marking them in a table of bytes is far faster than sorting."""
    marks = torch.zeros(size, dtype=torch.uint8, device=ids.device)
    marks[ids.reshape(-1)] = 1
    rows = marks.nonzero().view(-1)
    places = torch.empty(size, dtype=torch.int64, device=ids.device)
    places[rows] = torch.arange(len(rows), device=ids.device)
    return Rows(rows, places[ids])


class AdaGrad:
    """Steps of learning_rate / sqrt(sum of squared gradients), per weight."""

    epsilon = 1e-8
    cached_floats = 1 << 17  # on a CPU, weights changed at a time, so that the passes over them stay in its cache

    def __init__(self, parameters: dict[str, Tensor], l2: float, decayed: frozenset[str]) -> None:
        self.parameters = parameters
        self.l2 = l2
        self.decayed = decayed
        self.squares = {name: torch.zeros_like(tensor) for name, tensor in parameters.items()}

    def step(self, gradients: Gradients, learning_rate: float) -> None:
        for name, (rows, gradient) in gradients.items():
            table, squares = self.parameters[name], self.squares[name]
            if rows is None:
                self.change(name, table, squares, gradient, learning_rate)
            elif isinstance(rows, list):
                at = 0
                for begin, end in rows:
                    part = gradient[at : at + end - begin]
                    self.change(name, table[begin:end], squares[begin:end], part, learning_rate)
                    at += end - begin
            else:
                part, part_squares = table.index_select(0, rows), squares.index_select(0, rows)
                self.change(name, part, part_squares, gradient, learning_rate)
                table.index_copy_(0, rows, part)
                squares.index_copy_(0, rows, part_squares)

    def change(self, name: str, weights: Tensor, squares: Tensor, gradient: Tensor, learning_rate: float) -> None:
        """Changes weights and squares in place."""
        pull = self.l2 if name in self.decayed else 0.0
        many = len(weights)
        if weights.device.type == "cpu" and many:
            many = max(1, self.cached_floats // max(1, weights[0].numel()))
        for begin in range(0, len(weights), max(1, many)):
            w, s, g = (part[begin : begin + many] for part in (weights, squares, gradient))
            if pull:
                g.add_(w, alpha=pull)
            s.addcmul_(g, g)
            w.addcdiv_(g, s.sqrt().add_(self.epsilon), value=-learning_rate)


def joined(stretches: Stretches) -> Stretches:
    """The same stretches with neighbours made one. They come in order."""
    result: Stretches = []
    for begin, end in stretches:
        if result and result[-1][1] == begin:
            result[-1] = (result[-1][0], end)
        else:
            result.append((begin, end))
    return result
