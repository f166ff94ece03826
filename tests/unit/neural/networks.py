"""Small networks of every kind, in double precision, for tests of training."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from dragoman.neural.batch import Batch
from dragoman.neural.class_layout import ClassLayout, lay_out
from dragoman.neural.class_output import ClassOutput
from dragoman.neural.direct import DirectFeatures, choose
from dragoman.neural.flat_output import FlatOutput
from dragoman.neural.network import Network, Shape
from dragoman.neural.output import Method
from dragoman.neural.training_text import Stream
from dragoman.neural.tree_output import TreeOutput

WORDS, SOURCE_WORDS, ORDER, DIMENSION, WINDOW = 30, 20, 4, 5, 2
PREDICTED = np.array([1, *range(3, WORDS)])


def counts() -> np.ndarray[Any, Any]:
    return np.random.default_rng(3).integers(1, 50, WORDS)


def layout() -> ClassLayout:
    """Six classes of some words each and one of a single word."""
    classes = np.full(WORDS, -1, np.int32)
    classes[PREDICTED] = np.random.default_rng(4).integers(0, 6, len(PREDICTED))
    classes[5] = 9
    return lay_out(classes, counts())


def chain_tree() -> np.ndarray[Any, Any]:
    """A tree far from balanced: every node has one word and the next node."""
    last = len(PREDICTED) - 2
    return np.array(
        [
            [-1 - PREDICTED[node], node + 1 if node < last else -1 - PREDICTED[node + 1]]
            for node in range(len(PREDICTED) - 1)
        ],
        np.int32,
    )


def text(length: int = 300) -> Stream:
    words = np.random.default_rng(5).choice(PREDICTED[:10], length)
    ids = np.concatenate([np.full(ORDER - 1, 2), words]).astype(np.int32)
    return Stream(ids, np.arange(ORDER - 1, len(ids)))


def in_doubles(layer: Any) -> Any:
    for name in ("log_class", "log_in_class", "log_unigram"):
        if hasattr(layer, name):
            setattr(layer, name, getattr(layer, name).double())
    return layer


def make(
    output: str,
    training: str = "likelihood",
    *,
    noise_samples: int = 3,
    shared_noise: bool = True,
    self_normalisation: float = 0.0,
    full: bool = False,
    source: bool = False,
    direct: bool = False,
) -> tuple[Network, Batch]:
    """A network with weights that are all in play, and a batch for it."""
    method = Method(training, noise_samples, shared_noise, self_normalisation)
    features = None
    layer: Any
    if output == "class":
        of_words = layout()
        if direct:
            features = DirectFeatures(choose(text(), ORDER, WORDS, 200), of_words)
        layer = ClassOutput(of_words, method, features)
    elif output == "tree":
        layer = TreeOutput(chain_tree(), counts())
    else:
        mask = np.zeros(WORDS, bool)
        mask[PREDICTED] = True
        layer = FlatOutput(counts(), mask, method)
    shape = Shape(ORDER, DIMENSION, WORDS, full, SOURCE_WORDS if source else 0, WINDOW if source else 0)
    network = Network(shape, in_doubles(layer), torch.Generator().manual_seed(1))
    generator = torch.Generator().manual_seed(2)
    for name, tensor in network.parameters.items():
        jitter = torch.randn(tensor.shape, generator=generator, dtype=torch.float64) * 0.3
        network.parameters[name] = tensor.double() + jitter
    stream = text()
    sources = torch.randint(1, SOURCE_WORDS, (len(stream.positions), 2 * WINDOW + 1), generator=generator)
    batch = Batch(
        torch.from_numpy(stream.ids[stream.positions]).long(),
        torch.from_numpy(stream.ids[stream.positions[:, None] - np.arange(1, ORDER)]).long(),
        sources if source else None,
        torch.from_numpy(features.contexts_of(stream, ORDER, WORDS)) if features is not None else None,
    )
    return network, batch


def whole(network: Network, gradients: Any, name: str) -> torch.Tensor:
    """A gradient as a whole table."""
    rows, gradient = gradients[name]
    if rows is None:
        return gradient
    table = torch.zeros_like(network.parameters[name])
    table[rows] = gradient
    return table
