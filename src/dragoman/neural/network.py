"""A network: its parameters, one training step, and scores of text."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from dragoman.neural import hidden as hidden_layer
from dragoman.neural.batch import Batch
from dragoman.neural.class_output import ClassOutput
from dragoman.neural.flat_output import FlatOutput
from dragoman.neural.tables import Gradients, Leaves
from dragoman.neural.tree_output import TreeOutput

Output = ClassOutput | FlatOutput | TreeOutput


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of the hidden layer and how it starts."""

    order: int
    dimension: int
    words: int
    full: bool
    source_words: int = 0
    source_window: int = 0
    initial_deviation: float = 0.0  # 0: scaled to the number of inputs
    hidden_bias: bool = True


class Network:
    def __init__(self, shape: Shape, output: Output, parameters: dict[str, Tensor]) -> None:
        self.shape = shape
        self.output = output
        self.parameters = parameters

    def step(
        self, batch: Batch, scale: float, dropout: float, generator: torch.Generator | None
    ) -> tuple[Tensor, Gradients]:
        """The summed loss of a batch, and gradients times `scale`."""
        leaves = Leaves(self.parameters)
        hidden = hidden_layer.forward(leaves, batch.contexts, batch.sources, dropout=dropout, generator=generator)
        loss = self.output.loss(leaves, hidden, batch, generator)
        return loss.detach(), leaves.gradients(loss * scale)

    def log_probs(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Exact log probabilities, and log Z of the factors whose normalisers a decoder may leave out, by column."""
        leaves = Leaves(self.parameters, learning=False)
        return self.output.log_probs(leaves, hidden_layer.forward(leaves, batch.contexts, batch.sources), batch)


def initial(shape: Shape, output: FlatOutput | TreeOutput, generator: torch.Generator) -> dict[str, Tensor]:
    """What networks start with whose output layer the core does not know: everything from N(0, initial_deviation) as in
    the thesis; or so scaled that the hidden layer starts alive: words from N(0, 0.1), matrices near the identity
    (diagonal) or preserving length (full)."""
    dimension = shape.dimension

    def normal(*sizes: int, deviation: float) -> Tensor:
        return torch.randn(*sizes, generator=generator) * deviation

    def matrices(count: int) -> Tensor:
        sizes = (count, dimension, dimension) if shape.full else (count, dimension)
        if shape.initial_deviation:
            return normal(*sizes, deviation=shape.initial_deviation)
        if shape.full:
            return normal(*sizes, deviation=(dimension * max(1.0, count / 4)) ** -0.5)
        return 1 + normal(*sizes, deviation=0.1)

    deviation = shape.initial_deviation or 0.1
    parameters = {
        "input": normal(shape.words, dimension, deviation=deviation),
        "context": matrices(shape.order - 1),
    }
    if shape.hidden_bias:
        parameters["hidden_bias"] = torch.zeros(dimension)
    if shape.source_words:
        parameters["source_input"] = normal(shape.source_words, dimension, deviation=deviation)
        parameters["source_context"] = matrices(2 * shape.source_window + 1)
    parameters.update(output.initial(dimension, deviation, generator))
    return parameters
