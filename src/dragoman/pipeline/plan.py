"""What a training will make: the numbers that follow from counts, a budget and options alone.

`train` plans again whenever sizes become known that were foretold before, and `estimate` plans with all of them
foretold. Both refuse what this refuses, in its words.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from dragoman.config import TrainOptions
from dragoman.errors import ConfigError
from dragoman.pipeline import budget as budgets
from dragoman.pipeline.budget import Budget
from dragoman.pipeline.counts import CorpusCounts, Split
from dragoman.pipeline.index_bytes import fitting_pairs, predicted_index_bytes
from dragoman.pipeline.limits import limit_refusal
from dragoman.pipeline.networks import (
    LANGUAGE_MODEL_FILES,
    NEURAL_KINDS,
    NeuralPlan,
    neural_room,
    plan_networks,
    wanted_models,
    wants_judge,
)
from dragoman.pipeline.settings import StageOptions
from dragoman.pipeline.work_memory import WorkPlan, plan_work
from dragoman.sizes import parse_bytes

# Weights tuned on less are worse than the defaults.
FEWEST_TO_TUNE_ON = 100
NO_NETWORKS = NeuralPlan({}, {})
NO_WORK_LIMIT = WorkPlan(None, ())


@dataclass(frozen=True, slots=True)
class Sizes:
    """Bytes of files as far as they are known; an index that is not is foretold from counts, and as long as the files
    that only lie on disk are not, the disk is not judged."""

    whole_index: int | None = None  # with all pairs
    index: int | None = None  # with the pairs that were chosen
    align: int | None = None
    sources: int | None = None
    whole_ngrams: int | None = None  # of an n-gram model that nothing was left out of


@dataclass(frozen=True, slots=True)
class IndexPlan:
    """`bytes` is what the index takes, or may take where pairs have to be `chosen`; `pairs` is about how many fit. It
    is refused where neither all pairs fit nor some are to be chosen."""

    whole_bytes: int
    bytes: int
    pairs: int
    fits: bool
    chosen: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """Sizes of everything, and `refusal` where it cannot be."""

    counts: CorpusCounts
    split: Split
    options: TrainOptions
    budget: Budget
    sizes: Sizes
    index: IndexPlan
    networks: NeuralPlan
    has_ngrams: bool
    # What an n-gram model that has lost all that it can takes.
    least_ngram_bytes: int
    # For all language models together.
    language_model_room: int
    # What the n-gram model may take of that, if somebody said so.
    ngram_limit: int | None
    warnings: tuple[str, ...]
    refusal: ConfigError | None
    # Memory for working, and whether the stages can keep to it.
    work: WorkPlan = NO_WORK_LIMIT

    @property
    def tunes(self) -> bool:
        return self.options.tune and self.learns_confidence

    @property
    def learns_confidence(self) -> bool:
        return self.split.dev >= FEWEST_TO_TUNE_ON

    @property
    def needed_memory_bytes(self) -> int:
        """The budget that all of the text needs."""
        needed = budgets.needed_memory(self.index.whole_bytes + self.least_ngram_bytes, self.budget.decoder)
        return budgets.round_up(needed)

    def ngram_room(self, network_bytes: Iterable[int], judge_bytes: int) -> int:
        """What the n-gram model may take beside networks of these sizes; 0 is the size of no judge."""
        networks = sum(size + budgets.NEURAL_WORKING_BYTES for size in network_bytes)
        room = self.language_model_room - networks - self.networks.judge_memory(judge_bytes)
        return room if self.ngram_limit is None else min(room, self.ngram_limit)

    @property
    def files(self) -> dict[str, int]:
        """About the bytes of each file; those of the index together."""
        files = {"index": self.index.bytes}
        if self.has_ngrams:
            room = max(self.least_ngram_bytes, self.ngram_room(self.networks.bytes.values(), self.networks.judge_bytes))
            files["lm.bin"] = room if self.sizes.whole_ngrams is None else min(self.sizes.whole_ngrams, room)
        files |= {LANGUAGE_MODEL_FILES[kind]: size for kind, size in self.networks.bytes.items()}
        if self.networks.judge is not None:
            files["judge.bin"] = self.networks.judge_bytes
        files |= {"align.bin": self.sizes.align or 0}
        if self.options.keep_sources:
            files["sources.bin"] = self.sizes.sources or 0
        return files

    @property
    def disk_bytes(self) -> int:
        return sum(self.files.values())

    @property
    def mapped_bytes(self) -> int:
        return mapped_bytes(self.files)

    @property
    def memory_bytes(self) -> int:
        """The most a translating process takes."""
        return self.mapped_bytes + self.budget.process_bytes(len(self.networks.kinds), self.networks.judge_dimension)


def make_plan(
    counts: CorpusCounts, split: Split, options: TrainOptions, stages: StageOptions, sizes: Sizes | None = None
) -> Plan:
    """The same arguments give the same plan, whoever asks."""
    sizes = sizes or Sizes()
    if not options.keep_sources:
        sizes = dataclasses.replace(sizes, sources=0)
    wanted = wanted_models(options, counts.target.tokens)
    kinds = tuple(kind for kind in wanted if kind in NEURAL_KINDS)
    judge = stages.judge_network if wants_judge(options, counts.pairs) else None
    least = budgets.least_lm_bytes(counts)
    predicted = predicted_index_bytes(counts)
    # By what is foretold: the budget stays the same when more is known.
    budget = budgets.make_budget(options, stages.decode.decoder, counts.pairs, predicted + least)

    def fitting_networks(room: int, judge_room: int) -> NeuralPlan:
        return plan_networks(kinds, counts, stages.neural_lm, judge, room, judge_room)

    # Where pairs are to be chosen, networks come first: they gain more than the least useful pairs.
    judge_share = int(budget.mapped_bytes * budgets.FIT_JUDGE_SHARE)
    neural_share = int(budget.mapped_bytes * budgets.FIT_NEURAL_SHARE)
    before = [fitting_networks(neural_share, judge_share)] if options.fit else []
    index = plan_index(counts, options, budget, sizes, least, "ngram" in wanted, [*before, NO_NETWORKS])
    room = budgets.language_model_room(budget, index.bytes, unmapped_bytes(sizes))
    least_beside = least if "ngram" in wanted else 0
    judge_room = min(room - least_beside, judge_share if index.chosen else room)
    networks = fitting_networks(neural_room(room, least_beside), judge_room)
    has_ngrams = "ngram" in wanted or not networks.kinds
    refusal = None
    if not index.fits and not index.chosen:
        refusal = budgets.too_small(budget, index.whole_bytes + least, counts.pairs, index.pairs)
    elif has_ngrams and room < least:
        others = unmapped_bytes(sizes) or 0
        refusal = budgets.disk_too_small(budget, index.bytes + others + least, sizes.sources or 0)
    plan = Plan(
        counts=counts,
        split=split,
        options=options,
        budget=budget,
        sizes=sizes,
        index=index,
        networks=networks,
        has_ngrams=has_ngrams,
        least_ngram_bytes=least,
        language_model_room=room,
        ngram_limit=parse_bytes(stages.lm.memory, "lm.memory") if stages.lm.memory else None,
        warnings=tuple(warnings(kinds, judge is not None, networks, split, options)),
        refusal=refusal,
    )
    work = plan_work(
        options,
        counts,
        split,
        networks,
        chosen=index.chosen,
        align_bytes=sizes.align or 0,
        translating_bytes=plan.memory_bytes,
        searching_bytes=budget.decoder_bytes,
    )
    too_long = limit_refusal(counts, stages.lm.sample, has_ngrams)
    return dataclasses.replace(plan, work=work, refusal=too_long or refusal or work.refusal)


def plan_index(
    counts: CorpusCounts,
    options: TrainOptions,
    budget: Budget,
    sizes: Sizes,
    least_ngrams: int,
    ngrams_wanted: bool,
    networks_beside: Iterable[NeuralPlan],
) -> IndexPlan:
    """All of the text, or the part that fits beside the first of these networks that leave room for any."""
    whole = predicted_index_bytes(counts) if sizes.whole_index is None else sizes.whole_index
    pairs = 0
    for networks in networks_beside:
        least = least_ngrams if ngrams_wanted or not networks.kinds else 0
        room = budget.mapped_bytes - networks.total_bytes
        if whole + least <= room:
            return IndexPlan(whole, whole if sizes.index is None else sizes.index, counts.pairs, True, False)
        allowed = budgets.fitting_index_bytes(room, least)
        pairs = fitting_pairs(counts, whole, allowed)
        if options.fit and pairs:
            return IndexPlan(whole, allowed if sizes.index is None else sizes.index, pairs, False, True)
    return IndexPlan(whole, whole, pairs, False, False)


def unmapped_bytes(sizes: Sizes) -> int | None:
    """Of the files that lie on disk alone; None as long as one of them is not known."""
    return None if sizes.align is None or sizes.sources is None else sizes.align + sizes.sources


def mapped_bytes(files: Mapping[str, int]) -> int:
    """Of the files that a translating process maps."""
    return sum(size for name, size in files.items() if name in budgets.MAPPED or name == "index")


def warnings(
    kinds: Iterable[str], judge: bool, networks: NeuralPlan, split: Split, options: TrainOptions
) -> Iterator[str]:
    """What will be missing, and what would bring it."""
    if judge and networks.judge is None:
        yield "the memory leaves no room for the judge"
    for kind in kinds:
        if kind not in networks.kinds:
            yield f"the memory leaves no room for the {kind} language model"
    if options.tune and split.dev < FEWEST_TO_TUNE_ON:
        yield (
            f"the dev set has {split.dev} pairs, too few to tune on, so the weights are the defaults; give at least"
            f" {FEWEST_TO_TUNE_ON} with --dev-source and --dev-target"
        )
    if not split.test:
        yield "there is no test set, so nothing is scored; give one with --test-source and --test-target"
