"""What each stage of a training will take: CPU time, and memory at its peak.

Both are linear in what the stage works through; the constants below are CPU seconds and bytes of one machine, and a
short alignment of the sample (probe.py) says how this machine compares with it. benchmarks/estimate.py holds all of it
against real trainings.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass

from dragoman.config import JudgeOptions, NlmOptions
from dragoman.judge.shape import make_schedule, shape_of
from dragoman.judge.training import on_gpu
from dragoman.neural.core_training import covers
from dragoman.neural.shape import make_plan
from dragoman.pipeline.counts import CorpusCounts
from dragoman.pipeline.plan import Plan
from dragoman.pipeline.probe import Probe, cells
from dragoman.pipeline.sample import Sample
from dragoman.pipeline.settings import StageOptions
from dragoman.pipeline.work_memory import WorkPlan, judge_bytes, neural_bytes

MILLION = 1e6
# Words of the dev set that confidence is learned from, those that were not tuned on first.
CONFIDENCE_WORDS = 8000
MEASURED_SENTENCES = 100

# CPU seconds of the machine these were measured on: a start, and what each unit of work adds.
START_SECONDS = 0.2
PREPARE_PAIR = 24e-6
TOKENIZE_WORD = 0.21e-6
ALIGN_CELL = 0.47e-6  # a source word with a target word of its pair
INDEX_WORD = 1.05e-6
CASE_WORD = 1e-6  # of the target text that the case of words is learned from
CASE_WORDS = 4_000_000
SOURCES_PAIR = 20e-6
LM_WORD = 1.3e-6
# A word translated, by exact matching, in a sentence of 29 words at so many pairs; more text has more rules, and
# longer sentences have more ways to be translated.
DECODE_WORD = 2.3e-3
DECODE_POWER = 0.35
DECODE_LENGTH = 29
DECODE_PAIRS = 25_000
# Rounds of tuning until BLEU rises no more, and what one takes of a first translation: rules are extracted but once.
TUNE_ROUNDS = 9
TUNE_FACTOR = 0.6

# A word more for each neural model, in shares of what it takes without.
DECODE_NEURAL = 0.6
# And for a judge, for each number of its decoder and of its pieces' vectors, and each piece that it reads.
DECODE_JUDGE = 8e-12
# Training networks: a start with the clustering of words, a word of an epoch, and each number of its vector. All
# planned epochs are counted, though training may end sooner.
NEURAL_START = 2.0
NEURAL_WORD = 0.5e-6
NEURAL_NUMBER = 0.054e-6
NEURAL_SOURCE = 1.2  # as much more where the source is read, too
# Each number of the vectors where every word has noise of its own, and each of it with a candidate.
NOISE_NUMBER = 0.01e-6
NOISE_CANDIDATE = 0.0012e-6
TORCH_TIMES = 2.0  # as long where PyTorch trains

# Training a judge on a GPU: a piece of the target text, for each number of the network, and how many pieces a word has.
# Processors take as much more.
JUDGE_START = 15.0
JUDGE_NUMBER = 2.5e-13
JUDGE_PIECES = 1.25
JUDGE_ON_CPU = 1200

# Bytes at the peak of a stage.
STAGE_BYTES = 25e6
ALIGN_PEAK = 82e6  # per million words to the power below
ALIGN_POWER = 0.68
INDEX_PEAK = 28  # per word
LM_PEAK = 48  # per n-gram
TUNE_PEAK = 30_000  # per word tuned on: its rules, and its translations
DECODE_PEAK = 30e6


@dataclass(frozen=True, slots=True)
class StageCost:
    """What a stage is foretold to take; `parallel` where it makes use of several threads."""

    stage: str
    cpu_seconds: float
    peak_bytes: float
    parallel: bool = False

    def seconds(self, threads: int) -> float:
        return self.cpu_seconds / (threads if self.parallel else 1)


def stage_costs(
    plan: Plan, stages: StageOptions, sample: Sample, probe: Probe, ngrams: float, threads: int
) -> list[StageCost]:
    """On this machine; `ngrams` is how many the n-gram model has before any is left out."""
    costs = [
        *text_costs(plan, sample),
        *(language_model_cost(plan, ngrams) if plan.has_ngrams else ()),
        *(neural_cost(kind, plan.counts, options) for kind, options in plan.networks.options.items()),
        *(judge_cost(plan) if plan.networks.judge else ()),
        StageCost("model", 0.0, STAGE_BYTES),
        *translation_costs(plan, stages),
    ]
    return [
        dataclasses.replace(
            cost,
            cpu_seconds=within_time(plan, START_SECONDS + probe.slowness * cost.cpu_seconds, cost, threads),
            peak_bytes=within(plan.work, cost),
        )
        for cost in costs
    ]


def within_time(plan: Plan, cpu_seconds: float, cost: StageCost, threads: int) -> float:
    """A judge takes no more time than it was given."""
    judge = plan.networks.judge
    if cost.stage != "judge" or judge is None or not judge.seconds:
        return cpu_seconds
    return min(cpu_seconds, (JUDGE_START + judge.seconds) * (threads if cost.parallel else 1))


def within(work: WorkPlan, cost: StageCost) -> float:
    """What a stage has in memory: what it would take without a limit, less what then lies in scratch files."""
    return (
        cost.peak_bytes if work.limit is None else min(cost.peak_bytes, max(work.limit, work.least_bytes(cost.stage)))
    )


def text_costs(plan: Plan, sample: Sample) -> Iterator[StageCost]:
    source, target = plan.counts.source.tokens, plan.counts.target.tokens
    words = source + target
    extra = plan.counts.monolingual.tokens if plan.counts.monolingual else 0
    all_cells = cells(sample.source, sample.target) * plan.split.train / max(1, len(sample.source))
    aligned = STAGE_BYTES + ALIGN_PEAK * (words / MILLION) ** ALIGN_POWER
    indexing = INDEX_WORD * source + CASE_WORD * min(target, CASE_WORDS)
    yield StageCost("prepare", PREPARE_PAIR * sample.read, 1.2 * STAGE_BYTES + 40 * sample.distinct)
    yield StageCost("tokenize", TOKENIZE_WORD * (words + extra), 1.6 * STAGE_BYTES)
    yield StageCost("align", ALIGN_CELL * all_cells, aligned, parallel=True)
    yield StageCost("index", indexing, STAGE_BYTES + INDEX_PEAK * words)
    if plan.options.keep_sources:
        yield StageCost("sources", SOURCES_PAIR * plan.split.train, 2 * STAGE_BYTES)


def language_model_cost(plan: Plan, ngrams: float) -> Iterator[StageCost]:
    tokens = sum(text.tokens for text in plan.counts.target_texts())
    yield StageCost("lm", LM_WORD * tokens, STAGE_BYTES + LM_PEAK * ngrams)


def neural_cost(kind: str, counts: CorpusCounts, options: NlmOptions) -> StageCost:
    """Training on the CPU, in the core or with PyTorch; a GPU does it in much less."""
    tokens, words = counts.target.tokens, counts.target.known_words(options.min_count, options.max_words)
    plan = make_plan(options, tokens, words, source=kind == "conditioned")
    number = NEURAL_NUMBER
    if options.training == "nce" and not options.shared_noise:
        number = NOISE_NUMBER + NOISE_CANDIDATE * (options.noise_samples + 1)
    seconds = (NEURAL_WORD + number * plan.dimension) * tokens * plan.epochs
    if not covers(options):
        seconds *= TORCH_TIMES
    return StageCost(
        kind,
        NEURAL_START + seconds * (NEURAL_SOURCE if kind == "conditioned" else 1),
        neural_bytes(kind, counts, options, in_files=False),
        parallel=True,
    )


def judge_cost(plan: Plan) -> Iterator[StageCost]:
    judge = plan.networks.judge
    assert judge is not None
    seconds = judge_learning(judge, plan.counts)
    on_cpu = not on_gpu(judge)
    seconds *= JUDGE_ON_CPU if on_cpu else 1
    yield StageCost("judge", JUDGE_START + seconds, judge_bytes(plan.counts), parallel=on_cpu)


def judge_learning(judge: JudgeOptions, counts: CorpusCounts, epochs: int = 0) -> float:
    """Seconds of a GPU for so many epochs, or all that are planned, though training may end sooner."""
    pieces = JUDGE_PIECES * counts.target.tokens
    epochs = epochs or make_schedule(judge, counts.pairs, round(pieces)).epochs
    return JUDGE_NUMBER * shape_of(judge).parameters(judge.pieces) * pieces * epochs


def translation_costs(plan: Plan, stages: StageOptions) -> Iterator[StageCost]:
    pairs, dev, test = plan.split.train, plan.split.dev, plan.split.test
    length = plan.counts.source.tokens / max(1, pairs)
    word = DECODE_WORD * (max(1000, pairs) / DECODE_PAIRS) ** DECODE_POWER * (length / DECODE_LENGTH) ** 0.5
    unjudged = word * (1 + DECODE_NEURAL * len(plan.networks.kinds))
    judging = judging_cost(plan, stages)
    word = unjudged + judging
    loaded = STAGE_BYTES + plan.mapped_bytes
    yield StageCost("evaluate", word * test * length, loaded + STAGE_BYTES + DECODE_PEAK, parallel=True)
    yield StageCost("measure", word * min(MEASURED_SENTENCES, max(test, 1)) * length, loaded + DECODE_PEAK)
    if plan.learns_confidence:
        judged = min(dev * length, CONFIDENCE_WORDS)
        yield StageCost("confidence", word * judged, loaded + STAGE_BYTES + DECODE_PEAK)
    if plan.tunes:
        tuned = min(dev, int(plan.options.tune_words / length)) * length
        rounds = min(TUNE_ROUNDS, stages.tune.rounds) * TUNE_FACTOR
        rules = min((stages.tune.rule_megabytes << 20) * 1.2, TUNE_PEAK * tuned)
        # The judge reads what the last of them found.
        yield StageCost("tune", (unjudged * rounds + judging) * tuned, loaded + rules, parallel=True)


def judging_cost(plan: Plan, stages: StageOptions) -> float:
    """Seconds for each word of a translation, of which the judge reads many."""
    judge = plan.networks.judge
    if judge is None:
        return 0.0
    return DECODE_JUDGE * JUDGE_PIECES * stages.decode.judged * shape_of(judge).reading_parameters(judge.pieces)
