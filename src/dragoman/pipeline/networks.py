"""Which language models there are to be, and how large the neural ones may be.

Word vectors on both sides of a network are stored in a byte a number, so its size follows from the words and the
dimension. Where memory is short, rare words go first: half of all words are too rare to be missed. Next goes the
network that does not read the source, which gains less; only then the dimension is halved, once, because networks
smaller than that were found to be worth nothing.
"""

from __future__ import annotations

import dataclasses
import importlib.util
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dragoman.config import NlmOptions, TrainOptions
from dragoman.errors import ConfigError
from dragoman.extras import install_command
from dragoman.neural.shape import VECTOR_STEP, dimension_for, predicted_bytes, with_preset
from dragoman.pipeline.budget import NEURAL_WORKING_BYTES

KINDS = ("ngram", "neural", "conditioned")
NEURAL_KINDS = ("neural", "conditioned")
# What the language model that a stage makes is called in the model directory.
LANGUAGE_MODEL_FILES = {"lm": "lm.bin", "neural": "nlm.bin", "conditioned": "source_nlm.bin"}
# Networks that learned from less than some hundreds of sentences would be worse than none.
FEWEST_WORDS = 10_000
# How much of what the index leaves the neural models may take where there is an n-gram model too.
NEURAL_SHARE = 0.75
# Words seen less often than one of these may be unknown to a network, as long as that is so little of the target text.
LEAST_COUNTS = (2, 3, 4, 6, 8, 12, 16)
MOST_UNKNOWN = 0.01


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
        raise ConfigError(f"--language-models {options.language_models} needs torch; {remedy()}", "language_models")
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
    return KINDS[:1], f"torch is not installed, so the model has no neural language model; {remedy()}"


def torch_is_here() -> bool:
    return importlib.util.find_spec("torch") is not None


def remedy() -> str:
    return f"`{install_command('neural')}` brings it"


def rare_words(counts: Mapping[Any, int]) -> dict[str, dict[str, int]]:
    """How many different words are seen less often than each of LEAST_COUNTS, and how much of the text they are."""
    rare = {least: [count for count in counts.values() if count < least] for least in LEAST_COUNTS}
    return {
        "rare_types": {str(least): len(found) for least, found in rare.items()},
        "rare_tokens": {str(least): sum(found) for least, found in rare.items()},
    }


def known_words(text: Mapping[str, Any], options: NlmOptions) -> int:
    """Words of a text that a network knows whose least count of words is given."""
    # What was counted is not above what is asked for.
    least = max(count for count in (1, *LEAST_COUNTS) if count <= options.min_count)
    known = int(text["types"] - (text["rare_types"][str(least)] if least > 1 else 0))
    return min(known, options.max_words) if options.max_words else known


def least_counts(kind: str, counts: Mapping[str, Any], given: NlmOptions) -> Iterator[int]:
    """How often a word must be seen to be known to a network, the best choice first."""
    if given.min_count:
        yield given.min_count
        return
    # The one that reads the source learns from words seen once what to make of unknown ones.
    yield 2 if kind == "conditioned" else 1
    target = counts["target"]
    for least in LEAST_COUNTS:
        if target["rare_tokens"][str(least)] > MOST_UNKNOWN * target["tokens"]:
            return
        if least > 2 or kind == "neural":
            yield least


def neural_bytes(kind: str, counts: Mapping[str, Any], options: NlmOptions) -> int:
    """About the size of the file of one network, whose dimension and least count of words are given."""
    # The one that reads the source reads the bitext alone.
    names = ("target",) if kind == "conditioned" else ("target", "monolingual")
    texts = [counts[name] for name in names if name in counts]
    sources = [counts["source"]] if kind == "conditioned" else []
    types, type_bytes = (sum(text[name] for text in (*texts, *sources)) for name in ("types", "type_bytes"))
    target_words, source_words = (sum(known_words(text, options) for text in side) for side in (texts, sources))
    tokens = sum(text["tokens"] for text in texts)
    return predicted_bytes(options, tokens, target_words, source_words, round(type_bytes / max(1, types)))


@dataclass(frozen=True, slots=True)
class NeuralPlan:
    """The networks that fit, with their options, and what their files will take; none where not even a small one
    does."""

    options: dict[str, NlmOptions]
    bytes: dict[str, int]

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(self.options)

    @property
    def total_bytes(self) -> int:
        """With what they remember while they are asked."""
        return sum(self.bytes.values()) + len(self.bytes) * NEURAL_WORKING_BYTES


def neural_room(room: int, least_lm: int) -> int:
    """What networks may take of the room for language models; `least_lm` is 0 where there is to be no n-gram model."""
    return min(int(room * NEURAL_SHARE), room - least_lm) if least_lm else room


def plan_neural(kinds: tuple[str, ...], counts: Mapping[str, Any], given: NlmOptions, room: int) -> NeuralPlan:
    """The most useful networks within `room` bytes. A dimension that was given is kept, and fits or not."""
    options = with_preset(given)
    tokens = sum(counts[name]["tokens"] for name in ("target", "monolingual") if name in counts)
    best = options.dimension or dimension_for(tokens)
    dimensions = (best,) if options.dimension or best <= VECTOR_STEP else (best, best // 2)
    for dimension in dimensions:
        for first in range(len(kinds)):
            plan = plan_of_dimension(kinds[first:], counts, dataclasses.replace(options, dimension=dimension), room)
            if plan is not None:
                return plan
    return NeuralPlan({}, {})


def plan_of_dimension(
    kinds: tuple[str, ...], counts: Mapping[str, Any], given: NlmOptions, room: int
) -> NeuralPlan | None:
    """As many words as fit; None where not even the least will do."""
    choices = {kind: list(least_counts(kind, counts, given)) for kind in kinds}
    for place in range(max(map(len, choices.values()))):
        options = {
            kind: dataclasses.replace(given, min_count=counts_of[min(place, len(counts_of) - 1)])
            for kind, counts_of in choices.items()
        }
        sizes = {kind: neural_bytes(kind, counts, each) for kind, each in options.items()}
        plan = NeuralPlan(options, sizes)
        if plan.total_bytes <= room:
            return plan
    return None
