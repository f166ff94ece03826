"""From a trained network to nlm.bin, in the layout that core/nlm/format.h documents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from torch import Tensor

from dragoman.neural.class_output import ClassOutput
from dragoman.neural.direct import DirectFeatures
from dragoman.neural.network import Network
from dragoman.neural.tree_output import TreeOutput

NEVER = -30.0  # bias of ids that are never predicted


def array(tensor: Tensor) -> npt.NDArray[np.float32]:
    return np.ascontiguousarray(tensor.detach().cpu().float().numpy())


def tensors_of(network: Network) -> dict[str, npt.NDArray[Any]]:
    """The tensors of nlm.bin: words by id instead of by their place in the output layer."""
    parameters, output = network.parameters, network.output
    names = ("input", "context", "hidden_bias", "source_input", "source_context", "class_weights", "class_bias")
    tensors: dict[str, npt.NDArray[Any]] = {name: array(parameters[name]) for name in names if name in parameters}
    if isinstance(output, TreeOutput):
        tensors["node_children"] = np.ascontiguousarray(output.children, dtype=np.int32)
        tensors["node_weights"] = array(parameters["node_weights"])
        tensors["node_bias"] = array(parameters["node_bias"])
        return tensors
    layout = output.layout if isinstance(output, ClassOutput) else output
    words = layout.word_of_slot.cpu().numpy()
    weights = np.zeros((network.shape.words, network.shape.dimension), np.float32)
    bias = np.full(network.shape.words, NEVER, np.float32)
    weights[words], bias[words] = array(parameters["word_weights"]), array(parameters["word_bias"])
    tensors["word_weights"], tensors["word_bias"] = weights, bias
    if isinstance(output, ClassOutput):
        tensors["class_of_word"] = output.layout.class_of_word.cpu().numpy().astype(np.int32)
        if output.direct is not None:
            tensors.update(direct_tensors(output.direct, parameters, words))
    return tensors


def direct_tensors(
    direct: DirectFeatures, parameters: dict[str, Tensor], word_of_slot: npt.NDArray[np.int64]
) -> dict[str, npt.NDArray[Any]]:
    class_begin = direct.class_begin.cpu().numpy()
    word_begin = direct.word_begin.cpu().numpy()
    return {
        "direct_contexts": np.ascontiguousarray(direct.contexts, dtype=np.int32),
        "direct_class_begin": class_begin.astype(np.int64),
        "direct_classes": direct.classes.cpu().numpy().astype(np.int32),
        "direct_class_weights": array(parameters["direct_class_weights"]),
        # A context's words are those of its class features, which follow one another.
        "direct_word_begin": word_begin[class_begin].astype(np.int64),
        "direct_words": word_of_slot[direct.slots.cpu().numpy()].astype(np.int32),
        "direct_word_weights": array(parameters["direct_word_weights"]),
    }


def write_model(
    path: Path,
    network: Network,
    words: list[str],
    source_words: list[str] | None,
    *,
    output: str,
    normalised: str,
    info: dict[str, Any],
    input_precision: str = "f32",
    output_precision: str = "f32",
    direct_bits: int = 32,
) -> None:
    from dragoman import _core

    meta: dict[str, Any] = {
        "order": network.shape.order,
        "dimension": network.shape.dimension,
        "words": words,
        "output": output,
        "normalised": normalised,
        "info": json.dumps(info),
        "input_precision": input_precision,
        "output_precision": output_precision,
        "direct_bits": direct_bits,
    }
    if source_words is not None:
        meta["source_words"] = source_words
        meta["source_window"] = network.shape.source_window
    _core.write_neural_model(str(path), meta, {name: part.data for name, part in tensors_of(network).items()})
