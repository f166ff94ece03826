"""Which language models there are to be, whether there is a judge, and how large the networks may be.

Word vectors on both sides of a network are stored in a byte a number, so its size follows from the words and the
dimension. Where memory is short, rare words go first: half of all words are too rare to be missed. Next goes the
network that does not read the source, which gains less; only then the dimension is halved, once, because networks
smaller than that were found to be worth nothing. A judge comes before all of these where it fits: it gains most.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass

from dragoman.config import JudgeOptions, NlmOptions, TrainOptions
from dragoman.errors import ConfigError
from dragoman.judge import shape as judges
from dragoman.neural.shape import VECTOR_STEP, dimension_for, predicted_bytes
from dragoman.pipeline.budget import NEURAL_WORKING_BYTES, judge_working_bytes
from dragoman.pipeline.counts import LEAST_COUNTS, CorpusCounts

KINDS = ("ngram", "neural", "conditioned")
NEURAL_KINDS = ("neural", "conditioned")
# What the language model that a stage makes is called in the model directory.
LANGUAGE_MODEL_FILES = {"lm": "lm.bin", "neural": "nlm.bin", "conditioned": "source_nlm.bin"}
# Networks that learned from less than some hundreds of sentences would be worse than none.
FEWEST_WORDS = 10_000
# A judge learns little from less, and the search's own networks do with it.
FEWEST_JUDGED_PAIRS = 20_000
# How much of what the index leaves networks may take where there is an n-gram model too.
NEURAL_SHARE = 0.75
# Rare words may be unknown to a network as long as they are so little of the target text.
MOST_UNKNOWN = 0.01


def named_models(options: TrainOptions) -> tuple[str, ...] | None:
    """The kinds of language models the options name, or None where they leave the choice; ConfigError for what is not
    known."""
    if options.language_models == "auto":
        return None
    given = options.language_models.split("+")
    unknown = [name for name in given if name not in KINDS]
    if unknown:
        raise ConfigError(
            f"--language-models: '{unknown[0]}' is none of {', '.join(KINDS)}; join them by +", "language_models"
        )
    return tuple(name for name in KINDS if name in given)


def wanted_models(options: TrainOptions, words: int) -> tuple[str, ...]:
    """The kinds of language models to make of a text of so many target words."""
    named = named_models(options)
    if named is not None:
        return named
    return KINDS if words >= FEWEST_WORDS else KINDS[:1]


def wants_judge(options: TrainOptions, pairs: int) -> bool:
    """Whether a text of so many pairs is to have a judge. Where none can be trained, the job has said `off`."""
    return options.judge == "on" or (options.judge == "auto" and pairs >= FEWEST_JUDGED_PAIRS)


def least_counts(kind: str, counts: CorpusCounts, given: NlmOptions) -> Iterator[int]:
    """How often a word must be seen to be known to a network, the best choice first."""
    if given.min_count:
        yield given.min_count
        return
    # The one that reads the source learns from words seen once what to make of unknown ones.
    yield 2 if kind == "conditioned" else 1
    for least in LEAST_COUNTS:
        if counts.target.rare_tokens[least] > MOST_UNKNOWN * counts.target.tokens:
            return
        if least > 2 or kind == "neural":
            yield least


def neural_bytes(kind: str, counts: CorpusCounts, options: NlmOptions) -> int:
    """About the size of the file of one network, whose dimension and least count of words are given."""
    # The one that reads the source reads the bitext alone.
    texts = [counts.target] if kind == "conditioned" else list(counts.target_texts())
    sources = [counts.source] if kind == "conditioned" else []
    types = sum(text.types for text in (*texts, *sources))
    type_bytes = sum(text.type_bytes for text in (*texts, *sources))
    target_words, source_words = (
        sum(text.known_words(options.min_count, options.max_words) for text in side) for side in (texts, sources)
    )
    tokens = sum(text.tokens for text in texts)
    return predicted_bytes(options, tokens, target_words, source_words, round(type_bytes / max(1, types)))


@dataclass(frozen=True, slots=True)
class NeuralPlan:
    """The networks that fit, with their options, and what their files will take; none where not even a small one
    does. The judge is no language model, and not among their kinds."""

    options: dict[str, NlmOptions]
    bytes: dict[str, int]
    judge: JudgeOptions | None = None

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(self.options)

    @property
    def total_bytes(self) -> int:
        """With what they remember while they are asked."""
        return self.judge_memory(self.judge_bytes) + sum(self.bytes.values()) + len(self.bytes) * NEURAL_WORKING_BYTES

    @property
    def judge_bytes(self) -> int:
        """Of the judge's file, 0 where there is none."""
        return judges.predicted_bytes(self.judge) if self.judge else 0

    @property
    def judge_dimension(self) -> int:
        return self.judge.dimension if self.judge else 0

    def judge_memory(self, file_bytes: int) -> int:
        """What the judge takes when its file has this size."""
        return file_bytes + judge_working_bytes(self.judge_dimension)


def neural_room(room: int, least_lm: int) -> int:
    """What networks may take of the room for language models; `least_lm` is 0 where there is to be no n-gram model."""
    return min(int(room * NEURAL_SHARE), room - least_lm) if least_lm else room


def plan_networks(
    kinds: tuple[str, ...],
    counts: CorpusCounts,
    given: NlmOptions,
    judge: JudgeOptions | None,
    room: int,
    judge_room: int,
) -> NeuralPlan:
    """The most useful networks within `room` bytes, a judge among them; that comes first, if there is to be one, and
    may take `judge_room`."""
    chosen = None if judge is None else plan_judge(counts, judge, judge_room)
    taken = NeuralPlan({}, {}, chosen).total_bytes
    return dataclasses.replace(plan_neural(kinds, counts, given, room - taken), judge=chosen)


def plan_judge(counts: CorpusCounts, given: JudgeOptions, room: int) -> JudgeOptions | None:
    """The best judge within `room` bytes; a dimension that was given is kept, and fits or not."""
    words = counts.target.tokens
    options = judges.completed(given, counts.pairs, words)
    dimensions = [given.dimension] if given.dimension else judges.dimensions_for(words)
    sized = (dataclasses.replace(options, dimension=dimension) for dimension in dimensions)
    return next((judge for judge in sized if NeuralPlan({}, {}, judge).total_bytes <= room), None)


def plan_neural(kinds: tuple[str, ...], counts: CorpusCounts, given: NlmOptions, room: int) -> NeuralPlan:
    """The most useful neural language models within `room` bytes. A dimension that was given is kept, and fits or
    not."""
    tokens = sum(text.tokens for text in counts.target_texts())
    best = given.dimension or dimension_for(tokens)
    dimensions = (best,) if given.dimension or best <= VECTOR_STEP else (best, best // 2)
    for dimension in dimensions:
        for first in range(len(kinds)):
            plan = plan_of_dimension(kinds[first:], counts, dataclasses.replace(given, dimension=dimension), room)
            if plan is not None:
                return plan
    return NeuralPlan({}, {})


def plan_of_dimension(kinds: tuple[str, ...], counts: CorpusCounts, given: NlmOptions, room: int) -> NeuralPlan | None:
    """As many words as fit; None where not even the least will do."""
    choices = {kind: list(least_counts(kind, counts, given)) for kind in kinds}
    for step in range(max(map(len, choices.values()))):
        options = {
            kind: dataclasses.replace(given, min_count=leasts[min(step, len(leasts) - 1)])
            for kind, leasts in choices.items()
        }
        sizes = {kind: neural_bytes(kind, counts, chosen) for kind, chosen in options.items()}
        plan = NeuralPlan(options, sizes)
        if plan.total_bytes <= room:
            return plan
    return None
