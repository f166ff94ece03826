"""Which language models there are to be, and how large the neural ones may be.

Word vectors on both sides of a network are stored in a byte a number, so its size follows from the words and the
dimension. The dimension follows the size of the text and shrinks until all networks fit their share of the memory.
"""

from __future__ import annotations

import dataclasses
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dragoman.config import NlmOptions, TrainOptions
from dragoman.errors import ConfigError
from dragoman.nlm.plan import VECTOR_STEP, dimension_for, predicted_bytes, with_preset
from dragoman.training.budget import NEURAL_WORKING_BYTES

KINDS = ("ngram", "neural", "conditioned")
NEURAL_KINDS = ("neural", "conditioned")
# What the language model that a stage makes is called in the model directory.
LANGUAGE_MODEL_FILES = {"lm": "lm.bin", "neural": "nlm.bin", "conditioned": "source_nlm.bin"}
# Networks that learned from less than some hundreds of sentences would be worse than none.
FEWEST_WORDS = 10_000
# How much of what the index leaves the neural models may take where there is an n-gram model too.
NEURAL_SHARE = 0.5
REMEDY = "pip install 'dragoman[neural]' brings it"


def named_models(options: TrainOptions) -> tuple[str, ...] | None:
    """The kinds of language models the options name, or None where they leave the choice; ConfigError for what is not
    known or cannot be trained here."""
    if options.language_models == "auto":
        return None
    given = options.language_models.split("+")
    unknown = [name for name in given if name not in KINDS]
    if unknown:
        raise ConfigError(
            f"--language-models: '{unknown[0]}' is none of {', '.join(KINDS)}; join them by +", "language_models"
        )
    if not torch_is_here() and any(name in NEURAL_KINDS for name in given):
        raise ConfigError(f"--language-models {options.language_models} needs torch; {REMEDY}", "language_models")
    return tuple(name for name in KINDS if name in given)


def wanted_models(options: TrainOptions, words: int) -> tuple[tuple[str, ...], str]:
    """The kinds of language models to make of a text of so many target words, and what to say where the neural ones
    cannot be trained."""
    named = named_models(options)
    if named is not None:
        return named, ""
    if words < FEWEST_WORDS:
        return KINDS[:1], ""
    if torch_is_here():
        return KINDS, ""
    return KINDS[:1], f"torch is not installed, so the model has no neural language model; {REMEDY}"


def torch_is_here() -> bool:
    return importlib.util.find_spec("torch") is not None


def neural_bytes(kind: str, counts: Mapping[str, Any], options: NlmOptions) -> int:
    """About the size of the file of one network."""
    texts = [counts[name] for name in ("target", "monolingual") if name in counts]
    if kind == "conditioned":
        # Words seen once are unknown to it, and it reads the bitext alone.
        source, target = counts["source"], counts["target"]
        words = sum(entry["types"] - entry["singletons"] for entry in (source, target))
        string_bytes = (source["type_bytes"] + target["type_bytes"]) / max(1, source["types"] + target["types"])
        known = target["types"] - target["singletons"]
        return predicted_bytes(options, target["tokens"], known, words - known, round(string_bytes))
    tokens, types, type_bytes = (sum(text[name] for text in texts) for name in ("tokens", "types", "type_bytes"))
    return predicted_bytes(options, tokens, types, 0, round(type_bytes / max(1, types)))


@dataclass(frozen=True, slots=True)
class NeuralPlan:
    """The networks that fit, and what their files will take; none where not even a small one does."""

    kinds: tuple[str, ...]
    dimension: int
    bytes: dict[str, int]


def plan_neural(
    kinds: tuple[str, ...], counts: Mapping[str, Any], given: NlmOptions, room: int, others: int
) -> NeuralPlan:
    """The largest useful networks within `room` bytes, of which another model needs `others` at least and then has
    half. A dimension that was given is kept, and fits or not."""
    if not kinds:
        return NeuralPlan((), 0, {})
    options = with_preset(given)
    left = room - len(kinds) * NEURAL_WORKING_BYTES
    share = min(int(left * NEURAL_SHARE), left - others) if others else left
    tokens = sum(counts[name]["tokens"] for name in ("target", "monolingual") if name in counts)
    dimension = options.dimension or dimension_for(tokens)
    while True:
        sized = dataclasses.replace(options, dimension=dimension)
        sizes = {kind: neural_bytes(kind, counts, sized) for kind in kinds}
        if sum(sizes.values()) <= share:
            return NeuralPlan(kinds, dimension, sizes)
        if options.dimension or dimension <= VECTOR_STEP:
            # The last one, which reads the source, gains most.
            return plan_neural(kinds[1:], counts, given, room, others)
        dimension = max(VECTOR_STEP, dimension // 2)
