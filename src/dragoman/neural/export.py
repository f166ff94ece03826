"""From a trained network with a flat layer or a tree to nlm.bin; the core writes the others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from torch import Tensor

from dragoman import _core
from dragoman.config import NlmOptions
from dragoman.neural.flat_output import FlatOutput
from dragoman.neural.network import Network
from dragoman.neural.tree_output import TreeOutput

NEVER = -30.0  # bias of ids that are never predicted


def array(tensor: Tensor) -> npt.NDArray[np.float32]:
    return np.ascontiguousarray(tensor.detach().cpu().float().numpy())


def tensors_of(network: Network) -> dict[str, npt.NDArray[Any]]:
    """The tensors of nlm.bin: words by id instead of by their place in the output layer."""
    parameters, output = network.parameters, network.output
    names = ("input", "context", "hidden_bias", "source_input", "source_context")
    tensors: dict[str, npt.NDArray[Any]] = {name: array(parameters[name]) for name in names if name in parameters}
    if isinstance(output, TreeOutput):
        tensors["node_children"] = np.ascontiguousarray(output.children, dtype=np.int32)
        tensors["node_weights"] = array(parameters["node_weights"])
        tensors["node_bias"] = array(parameters["node_bias"])
        return tensors
    assert isinstance(output, FlatOutput)
    words = output.word_of_slot.cpu().numpy()
    weights = np.zeros((network.shape.words, network.shape.dimension), np.float32)
    bias = np.full(network.shape.words, NEVER, np.float32)
    weights[words], bias[words] = array(parameters["word_weights"]), array(parameters["word_bias"])
    tensors["word_weights"], tensors["word_bias"] = weights, bias
    return tensors


def write_model(
    path: Path, network: Network, text: _core.TrainingText, options: NlmOptions, info: dict[str, Any]
) -> None:
    # A flat layer that was trained to need no normaliser is not given one.
    does_without = options.output == "flat" and (options.training == "nce" or options.self_normalisation > 0)
    meta: dict[str, Any] = {
        "order": network.shape.order,
        "dimension": network.shape.dimension,
        "words": text.words,
        "output": options.output,
        "normalised": "none" if does_without else "exact",
        "info": json.dumps(info),
        "input_precision": options.input_precision,
        "output_precision": options.output_precision,
        "direct_bits": options.direct_bits,
    }
    if text.reads_source:
        meta["source_words"] = text.source_words
        meta["source_window"] = network.shape.source_window
    _core.write_neural_model(str(path), meta, {name: part.data for name, part in tensors_of(network).items()})
