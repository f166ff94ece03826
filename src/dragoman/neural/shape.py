"""Sizes and rates that follow the text, where the options leave them open."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dragoman.config import NlmOptions, require_limits
from dragoman.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Plan:
    """Options with every choice made."""

    dimension: int
    full: bool
    classes: int
    min_count: int
    epochs: int
    minibatch: int
    learning_rate: float
    dropout: float
    initial_deviation: float
    hidden_bias: bool


def make_plan(options: NlmOptions, tokens: int, words: int, *, source: bool) -> Plan:
    """`tokens` and `words` of the target text."""
    dimension = options.dimension or dimension_for(tokens)
    minibatch = options.minibatch or minibatch_for(tokens)
    full = options.contexts == "full"
    thesis = options.preset == "thesis"
    return Plan(
        dimension,
        full,
        min(options.classes or classes_for(words, 1 if thesis else 2), max(1, words)),
        options.min_count or (2 if source else 1),
        options.epochs or epochs_for(tokens),
        minibatch,
        options.learning_rate or rate_for(minibatch) / (4 if full else 1),
        options.dropout if options.dropout >= 0 else dropout_for(tokens),
        0.1 if thesis else 0.0,
        not thesis,
    )


VECTOR_BYTES = {"f32": 4.0, "f16": 2.0, "int8": 1.0, "int4": 0.5}
VECTOR_STEP = 64  # stored vectors are padded to a multiple of this


def predicted_bytes(options: NlmOptions, tokens: int, words: int, source_words: int = 0, string_bytes: int = 8) -> int:
    """About how large the file will be, for a text of so many tokens and different words; `string_bytes` is the mean
    length of a word. Direct n-grams are counted at 6 bytes each."""
    plan = make_plan(options, tokens, words, source=source_words > 0)
    stored = -(-plan.dimension // VECTOR_STEP) * VECTOR_STEP
    inputs = (words + source_words) * (stored * VECTOR_BYTES[options.input_precision] + 4)
    outputs = (words + plan.classes) * (stored * VECTOR_BYTES[options.output_precision] + 8)
    positions = options.order - 1 + (2 * options.source_window + 1 if source_words else 0)
    matrices = 4 * positions * plan.dimension * (plan.dimension if plan.full else 1)
    strings = (words + source_words) * (string_bytes + 12)
    return int(inputs + outputs + matrices + strings + 6 * options.direct_ngrams + 8192)


def dimension_for(tokens: int) -> int:
    for limit, dimension in ((200_000, 64), (10_000_000, 128), (50_000_000, 256)):
        if tokens < limit:
            return dimension
    return 512


def classes_for(words: int, times: int) -> int:
    """The thesis has √V; twice as many are normalised over more quickly."""
    return max(1, round(times * math.sqrt(words)))


def epochs_for(tokens: int) -> int:
    for limit, epochs in ((1_000_000, 10), (5_000_000, 6), (30_000_000, 3)):
        if tokens < limit:
            return epochs
    return 2


def minibatch_for(tokens: int) -> int:
    """Small texts need more steps than a large minibatch gives."""
    return min(10_000, max(64, tokens // 200))


# Numbers of a minibatch's hidden layer below which one thread is done sooner than two that wait for each other: on two
# idle cores 360,000 took 1.2 times as long with two threads, 720,000 0.87 times. Beside other work the wait is longer.
ENOUGH_FOR_THREADS = 600_000


def threads_for(plan: Plan, threads: int) -> int:
    return threads if plan.minibatch * plan.dimension >= ENOUGH_FOR_THREADS else 1


def rate_for(minibatch: int) -> float:
    """Fewer and larger steps may be longer ones."""
    for limit, rate in ((1000, 0.05), (5000, 0.08)):
        if minibatch < limit:
            return rate
    return 0.1


def dropout_for(tokens: int) -> float:
    for limit, dropout in ((1_000_000, 0.2), (10_000_000, 0.1)):
        if tokens < limit:
            return dropout
    return 0.0


def check(options: NlmOptions, *, source: bool, links: bool) -> None:
    """ConfigError for what cannot be trained."""

    def require(ok: bool, message: str, name: str) -> None:
        if not ok:
            raise ConfigError(message, name)

    require_limits(options)
    require(
        options.direct_ngrams == 0 or options.output == "class",
        "--direct-ngrams needs the output layer `class`",
        "direct_ngrams",
    )
    require(
        options.output != "tree" or options.training == "likelihood" or options.preset == "thesis",
        "a tree is trained with --training likelihood: noise would save nothing where nodes have two children",
        "training",
    )
    require(not source or links, "a model with a source side needs links; make them with `dragoman align`", "links")
    require(not links or source, "links need the source text; name it with --source", "source")
