"""Whether there is to be a neural language model, and how large it may be.

Word vectors on both sides of the network are stored in a byte a number, so that D dimensions take 2 D bytes a word; the
matrices of the context, the classes and the words' strings come on top. The dimension follows the size of the text and
shrinks until the model fits its share of the memory.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dragoman.config import TrainOptions
from dragoman.errors import ConfigError

REMEDY = "pip install 'dragoman[neural]' brings it"
INPUT_PRECISION = "int8"
OUTPUT_PRECISION = "int8"
# Beside its vectors: class, bias, place of its string.
WORD_BYTES = 16
DIMENSION_STEP = 16
LEAST_DIMENSION = 32
# Dimension by words of text; more of either gains less than it costs in memory and time.
DIMENSIONS = ((300_000, 64), (3_000_000, 128), (30_000_000, 256))
LARGEST_DIMENSION = 512


@dataclass(frozen=True, slots=True)
class NeuralShape:
    """What the options leave open, decided by the budget."""

    dimension: int
    bytes: int


def neural_wanted(options: TrainOptions) -> tuple[bool, str]:
    """Whether to train one, and what to say where it cannot be."""
    if options.neural == "off":
        return False, ""
    missing = ""
    if importlib.util.find_spec("dragoman.nlm") is None or not trainable():
        missing = "this version of Dragoman cannot train neural language models"
    elif importlib.util.find_spec("torch") is None:
        missing = f"torch is not installed, so the model has no neural language model; {REMEDY}"
    if missing and options.neural == "on":
        raise ConfigError(f"--neural on: {missing}", "neural")
    return not missing, missing if "torch" in missing else ""


def trainable() -> bool:
    import dragoman.nlm

    return hasattr(dragoman.nlm, "train_model")


def neural_bytes(dimension: int, order: int, types: int, type_bytes: int) -> int:
    classes = int(2 * types**0.5)
    matrices = 4 * (order - 1) * dimension * (dimension if dimension <= 256 else 1)
    return int(types * (2 * dimension + WORD_BYTES) + type_bytes + 5 * classes * dimension + matrices) + 8192


def neural_shape(counts: Mapping[str, Any], given: int, order: int, room: int) -> NeuralShape | None:
    """The largest useful model within `room` bytes; None where not even a small one fits."""
    tokens, types, type_bytes = (counts["target"][name] for name in ("tokens", "types", "type_bytes"))
    if "monolingual" in counts:
        more = counts["monolingual"]
        tokens, types, type_bytes = tokens + more["tokens"], types + more["types"], type_bytes + more["type_bytes"]
    dimension = given or next((size for limit, size in DIMENSIONS if tokens < limit), LARGEST_DIMENSION)
    while dimension >= LEAST_DIMENSION or dimension == given:
        size = neural_bytes(dimension, order, types, type_bytes)
        if size <= room:
            return NeuralShape(dimension, size)
        dimension -= DIMENSION_STEP
    return None
