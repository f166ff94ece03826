"""Small networks of every kind, in double precision, for tests of training."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from dragoman import _core
from dragoman.neural.batch import Batch
from dragoman.neural.class_layout import ClassLayout, lay_out
from dragoman.neural.class_output import ClassOutput
from dragoman.neural.direct import DirectFeatures
from dragoman.neural.flat_output import FlatOutput
from dragoman.neural.network import Network, Shape, initial
from dragoman.neural.output import Method
from dragoman.neural.tree_output import TreeOutput

WORDS, SOURCE_WORDS, ORDER, DIMENSION, WINDOW = 30, 20, 4, 5, 2
PREDICTED = np.array([1, *range(3, WORDS)])


def counts() -> np.ndarray[Any, Any]:
    return np.random.default_rng(3).integers(1, 50, WORDS)


def layout() -> ClassLayout:
    """Six classes of some words each and one of a single word."""
    classes = np.full(WORDS, -1, np.int32)
    classes[PREDICTED] = np.random.default_rng(4).integers(0, 6, len(PREDICTED))
    classes[5] = 6
    return lay_out(np.frombuffer(_core.classes_by_size(classes.tobytes()), np.int32), counts())


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


def text(length: int = 300) -> Any:
    """Words and the contexts before them, the nearest first."""
    words = np.random.default_rng(5).choice(PREDICTED[:10], length)
    ids = np.concatenate([np.full(ORDER - 1, 2), words])
    positions = np.arange(ORDER - 1, len(ids))
    return ids[positions], ids[positions[:, None] - np.arange(1, ORDER)]


def direct_features(of_words: ClassLayout) -> DirectFeatures:
    """Of the n-grams of the text, as the core gives them: by context, class and word."""
    ngrams = sorted(
        {
            (tuple(context[:length]), int(of_words.class_of_word[word]), int(word))
            for word, context in zip(*(part.tolist() for part in text()), strict=True)
            for length in range(1, ORDER)
        }
    )
    contexts = sorted({context for context, _, _ in ngrams})
    features = sorted({(context, number) for context, number, _ in ngrams})
    words = [(context, word) for context, number, word in ngrams if sizes(of_words)[number] > 1]

    def begins(of: list[Any]) -> bytes:
        return np.searchsorted([contexts.index(each[0]) for each in of], np.arange(len(contexts) + 1)).tobytes()

    padded = [[*context, *[-1] * (ORDER - 1 - len(context))] for context in contexts]
    tensors = {
        "direct_contexts": np.array(padded, np.int32).tobytes(),
        "direct_class_begin": begins(features),
        "direct_classes": np.array([number for _, number in features], np.int32).tobytes(),
        "direct_word_begin": begins(words),
        "direct_words": np.array([word for _, word in words], np.int32).tobytes(),
    }
    return DirectFeatures(tensors, ORDER, of_words)


def sizes(of_words: ClassLayout) -> Any:
    return np.diff(of_words.class_begin)


def class_parameters(shape: Shape, layer: ClassOutput) -> dict[str, torch.Tensor]:
    """Tables of the names and sizes that the core has."""
    generator = torch.Generator().manual_seed(1)
    of_flat = FlatOutput(np.ones(shape.words, np.int64), np.ones(shape.words, bool), layer.method)
    tables = initial(shape, of_flat, generator)
    slots, classes = layer.layout.slots, layer.layout.classes
    tables["word_weights"], tables["word_bias"] = tables["word_weights"][:slots], layer.log_in_class.clone()
    tables["class_weights"] = torch.randn(classes, shape.dimension, generator=generator) * 0.1
    tables["class_bias"] = layer.log_class.clone()
    if layer.direct is not None:
        tables["direct_class_weights"] = torch.zeros(len(layer.direct.classes))
        tables["direct_word_weights"] = torch.zeros(len(layer.direct.slots))
    return tables


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
            features = direct_features(of_words)
        layer = ClassOutput(of_words, method, features)
    elif output == "tree":
        layer = TreeOutput(chain_tree(), counts())
    else:
        mask = np.zeros(WORDS, bool)
        mask[PREDICTED] = True
        layer = FlatOutput(counts(), mask, method)
    shape = Shape(ORDER, DIMENSION, WORDS, full, SOURCE_WORDS if source else 0, WINDOW if source else 0)
    layer = in_doubles(layer)
    generator = torch.Generator().manual_seed(1)
    tables = class_parameters(shape, layer) if output == "class" else initial(shape, layer, generator)
    network = Network(shape, layer, tables)
    generator = torch.Generator().manual_seed(2)
    for name, tensor in network.parameters.items():
        jitter = torch.randn(tensor.shape, generator=generator, dtype=torch.float64) * 0.3
        network.parameters[name] = tensor.double() + jitter
    words, contexts = (torch.from_numpy(part).long() for part in text())
    sources = torch.randint(1, SOURCE_WORDS, (len(words), 2 * WINDOW + 1), generator=generator)
    batch = Batch(words, contexts, sources if source else None)
    return network, batch


def whole(network: Network, gradients: Any, name: str) -> torch.Tensor:
    """A gradient as a whole table."""
    rows, gradient = gradients[name]
    if rows is None:
        return gradient
    table = torch.zeros_like(network.parameters[name])
    table[rows] = gradient
    return table
