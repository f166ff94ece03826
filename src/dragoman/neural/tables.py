"""Parameters of a network by the names they have in nlm.bin, the parts of them that a minibatch uses, and AdaGrad.

A minibatch meets a few thousand of a vocabulary's words, so gradients are kept for those rows only and AdaGrad (Duchi
et al. 2011) changes no others; L2 regularisation therefore pulls at a row when it is used. Linear in the rows touched.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from dragoman import _core

# A gradient is of the whole table, or of some of its rows.
Gradient = tuple[Tensor | None, Tensor]
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


def pick(table: Tensor, ids: Tensor) -> Tensor:
    """table[ids], with a way back that adds rows up instead of sorting them."""
    return table.index_select(0, ids.reshape(-1)).view(*ids.shape, *table.shape[1:])


class Leaves:
    """The parts of the parameters that a minibatch uses, each asked for once, as what autograd differentiates by."""

    def __init__(self, parameters: dict[str, Tensor], *, learning: bool = True) -> None:
        self.parameters = parameters
        self.learning = learning
        self.used: dict[str, Gradient] = {}

    def whole(self, name: str) -> Tensor:
        return self.take(name, None, self.parameters[name].detach())

    def rows(self, name: str, rows: Tensor) -> Tensor:
        return self.take(name, rows, self.parameters[name].index_select(0, rows))

    def take(self, name: str, rows: Tensor | None, leaf: Tensor) -> Tensor:
        assert name not in self.used
        leaf.requires_grad_(self.learning)
        self.used[name] = (rows, leaf)
        return leaf

    def size(self, name: str) -> int:
        return len(self.parameters[name])

    def gradients(self, loss: Tensor) -> Gradients:
        leaves = [leaf for _, leaf in self.used.values()]
        slopes = torch.autograd.grad(loss, leaves, materialize_grads=True)
        return {name: (self.used[name][0], gradient) for name, gradient in zip(self.used, slopes, strict=True)}


class Stored:
    """The tables of a run, which lie in the core, and those that are learned here."""

    def __init__(self, run: _core.TrainingRun) -> None:
        self.weights, self.squares = {}, {}
        for name, (rows, width, weights, squares) in run.tables.items():

            def view(numbers: memoryview, rows: int = rows, width: int = width) -> Tensor:
                return torch.frombuffer(numbers, dtype=torch.float32).view(rows, -1)[:, :width]

            self.weights[name], self.squares[name] = view(weights), view(squares)

    def load(self, device: torch.device, full: bool) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
        """Weights and squares on a device."""
        weights, squares = (
            {name: shaped(name, table, full).to(device, copy=True) for name, table in tables.items()}
            for tables in (self.weights, self.squares)
        )
        return weights, squares

    def start(self, weights: dict[str, Tensor]) -> None:
        for name, table in self.weights.items():
            table.copy_(weights[name].reshape(table.shape))

    def save(self, weights: dict[str, Tensor], squares: dict[str, Tensor]) -> None:
        for stored, learned in ((self.weights, weights), (self.squares, squares)):
            for name, table in stored.items():
                table.copy_(learned[name].reshape(table.shape))


def shaped(name: str, table: Tensor, full: bool) -> Tensor:
    """Biases, and weights of direct n-grams, are a row; matrices of places stand below one another."""
    if name.endswith("bias") or name.startswith("direct"):
        return table.reshape(-1)
    if full and name.endswith("context"):
        return table.reshape(-1, table.shape[1], table.shape[1])
    return table.contiguous()


class AdaGrad:
    """Steps of learning_rate / sqrt(sum of squared gradients), per weight."""

    epsilon = 1e-8

    def __init__(self, parameters: dict[str, Tensor], squares: dict[str, Tensor], l2: float) -> None:
        self.parameters = parameters
        self.squares = squares
        self.l2 = l2

    def step(self, gradients: Gradients, learning_rate: float) -> None:
        for name, (rows, gradient) in gradients.items():
            table, squares = self.parameters[name], self.squares[name]
            if rows is None:
                self.change(name, table, squares, gradient, learning_rate)
                continue
            part, part_squares = table.index_select(0, rows), squares.index_select(0, rows)
            self.change(name, part, part_squares, gradient, learning_rate)
            table.index_copy_(0, rows, part)
            squares.index_copy_(0, rows, part_squares)

    def change(self, name: str, weights: Tensor, squares: Tensor, gradient: Tensor, learning_rate: float) -> None:
        """Changes weights and squares in place."""
        if self.l2 and not name.endswith("bias"):
            gradient = gradient + self.l2 * weights
        squares.addcmul_(gradient, gradient)
        weights.addcdiv_(gradient, squares.sqrt().add_(self.epsilon), value=-learning_rate)
