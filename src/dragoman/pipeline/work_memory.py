"""Memory for working, `--work-memory`: what each stage needs of it at least, and what is said where it has less.

What grows with the text and is read and written in runs lies in scratch files of the work folder, of which only so
much is in memory as the limit leaves (core/base/pager.h). What is left is foretold here: numbers for each different
word, what is walked over at random (the suffixes while they are sorted, n-grams while pairs are chosen), what each
thread needs for itself, and the tables of networks. The constants are bytes, measured with trainings of 25,000 to
350,000 pairs under limits that they could not keep to; benchmarks/growth.py measures them again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dragoman.config import NlmOptions, TrainOptions
from dragoman.errors import ConfigError
from dragoman.neural.core_training import covers
from dragoman.neural.shape import make_plan
from dragoman.pipeline.budget import round_up, size_argument
from dragoman.pipeline.counts import CorpusCounts, Split
from dragoman.pipeline.networks import NeuralPlan
from dragoman.sizes import format_bytes, parse_bytes

# A process of Python with the core.
PROCESS_BYTES = 35_000_000
# Duplicates are known by hashes, and a split by keys of the sources.
PREPARE_PAIR = 52
# Blocks of text on their way to numbers; each different word with its spellings.
TOKENIZE_BYTES = 40_000_000
TOKENIZE_TYPE = 160
# Where words of a round stand and rows too short for files (core/align/cooccurrence.cpp); each different word; links of
# a pair; and in each thread the cells of a shard (core/align/sweep.cpp).
ALIGN_BYTES = 150_000_000
ALIGN_WORD = 60
ALIGN_TYPE = 200
ALIGN_PAIR = 16
ALIGN_THREAD = (15_000_000, 75_000_000)
ALIGN_THREAD_WORD = 1.7
# Links being counted; source text and its suffixes; the order of the pairs; each different word with its case.
INDEX_BYTES = 40_000_000
INDEX_SOURCE_WORD = 8.3
INDEX_PAIR = 28
INDEX_TYPE = 400
# N-grams of the source in slots, a byte a word, and a place in the queue.
SELECT_SLOT = 8
SELECT_SLOTS = (1 << 20, 1 << 26)
SELECT_PAIR = 40
# What lies in files may take this much of the limit in any case (core/base/pager.cpp), so threads leave it to them.
ALIGN_FILES_SHARE = 0.25
# Each different word, for all shards and in each thread.
LM_TYPE = 420
LM_THREAD_TYPE = 90
# What sorting a piece takes of the limit.
LM_SORT_SHARE = 0.4
# Training a network in the core: a minibatch; a number of a vector, which is a weight and AdaGrad's square, and while
# the model is written the weight twice and a byte of the file; a word of the text with its bigrams, which may lie in
# files, and as much of the text as is shuffled at once; and a direct n-gram with what finds it. PyTorch: itself, the
# weights of the best epoch, and a word of the text, all in memory. The last four are estimates.
NEURAL_BYTES = 60_000_000
NEURAL_NUMBER = 9
NEURAL_WORD = 16
NEURAL_TEXT = 100_000_000
NEURAL_DIRECT = 120
TORCH_BYTES = 300_000_000
TORCH_NUMBER = 4
TORCH_WORD = 40
# Training a judge: PyTorch with its libraries, the network and a batch of it, and a word of the text on either side, in
# letters and in pieces.
JUDGE_BYTES = 1_500_000_000
JUDGE_WORD = 25
# Rules of the text to tune on may take this much, and what they leave.
LEAST_TUNE_RULES = 32 << 20


@dataclass(frozen=True, slots=True)
class WorkNeed:
    """What a stage cannot do without, on one thread, and more for each further one, for which a share of the limit is
    not to be had."""

    stage: str
    least_bytes: int
    thread_bytes: int = 0
    files_share: float = 0.0
    # What else would help where there is less.
    remedy: str = "train on less text"


@dataclass(frozen=True, slots=True)
class WorkPlan:
    """The limit, None for none, and what the stages need."""

    limit: int | None
    needs: tuple[WorkNeed, ...]

    @property
    def refusal(self) -> ConfigError | None:
        """What to say where one of the stages cannot keep to the limit."""
        if self.limit is None:
            return None
        most = max(self.needs, key=lambda need: need.least_bytes)
        if most.least_bytes <= self.limit:
            return None
        needed = round_up(most.least_bytes)
        return ConfigError(
            f"stage {most.stage} needs {format_bytes(needed)} to work in where {format_bytes(self.limit)} is given;"
            f" pass --work-memory {size_argument(needed)}, or {most.remedy}",
            "work_memory",
        )

    def threads(self, stage: str, threads: int) -> int:
        """As many of these threads as the limit leaves room for, at least one."""
        need = next((need for need in self.needs if need.stage == stage), None)
        if self.limit is None or need is None or not need.thread_bytes:
            return threads
        room = int((1 - need.files_share) * self.limit)
        further = max(0, room - need.least_bytes) // need.thread_bytes
        return min(threads, 1 + further)

    def rule_megabytes(self, asked: int, loaded_bytes: int) -> int:
        """What the rules of the text to tune on may take beside a model that is loaded."""
        if self.limit is None:
            return asked
        return min(asked, max(LEAST_TUNE_RULES, int(0.8 * (self.limit - loaded_bytes))) >> 20)

    def least_bytes(self, stage: str) -> int:
        return max((need.least_bytes for need in self.needs if need.stage == stage), default=0)


def work_limit(options: TrainOptions) -> int | None:
    return parse_bytes(options.work_memory, "work_memory") if options.work_memory else None


def plan_work(
    options: TrainOptions,
    counts: CorpusCounts,
    split: Split,
    networks: NeuralPlan,
    *,
    chosen: bool,
    align_bytes: int,
    translating_bytes: int,
    searching_bytes: int,
) -> WorkPlan:
    """Whether the stages can keep to the limit. `chosen` is whether pairs have to be, `align_bytes` the size of the
    aligner where it is known, `translating_bytes` what a translating process takes, and `searching_bytes` what each
    further thread of it does."""
    needs = [*text_needs(counts, split, align_bytes)]
    if chosen:
        needs.append(WorkNeed("select", selection_bytes(counts)))
    if networks.judge is not None:
        needs.append(WorkNeed("judge", judge_bytes(counts), remedy="--judge off"))
    for kind, given in networks.options.items():
        least = neural_bytes(kind, counts, given, in_files=True)
        needs.append(WorkNeed(kind, least, remedy="--language-models ngram"))
    needs.append(WorkNeed("evaluate", translating_bytes, searching_bytes, remedy="a smaller --memory"))
    return WorkPlan(work_limit(options), tuple(needs))


def text_needs(counts: CorpusCounts, split: Split, align_bytes: int) -> Iterator[WorkNeed]:
    source, target = counts.source, counts.target
    types = source.types + target.types
    largest = max(text.types for text in (source, *counts.target_texts()))
    sorting = int(INDEX_SOURCE_WORD * (source.tokens + counts.pairs))
    yield WorkNeed("prepare", PROCESS_BYTES + PREPARE_PAIR * split.read)
    yield WorkNeed("tokenize", PROCESS_BYTES + TOKENIZE_BYTES + TOKENIZE_TYPE * largest)
    least, most = ALIGN_THREAD
    thread = min(most, int(least + ALIGN_THREAD_WORD * source.tokens))
    aligning = min(ALIGN_BYTES, ALIGN_WORD * (source.tokens + target.tokens)) + thread + align_bytes // 2
    least_bytes = PROCESS_BYTES + aligning + ALIGN_TYPE * types + ALIGN_PAIR * counts.pairs
    yield WorkNeed("align", least_bytes, thread, ALIGN_FILES_SHARE)
    indexing = INDEX_BYTES + sorting + INDEX_PAIR * counts.pairs + INDEX_TYPE * types
    yield WorkNeed("index", PROCESS_BYTES + indexing)
    words = PROCESS_BYTES + (LM_TYPE + LM_THREAD_TYPE) * target.types
    yield WorkNeed("lm", int(words / (1 - LM_SORT_SHARE)), LM_THREAD_TYPE * target.types)


def neural_bytes(kind: str, counts: CorpusCounts, options: NlmOptions, *, in_files: bool) -> int:
    """What training a network takes on processors, with its text in files or in memory."""
    conditioned = kind == "conditioned"
    texts = [counts.target] if conditioned else list(counts.target_texts())
    tokens = sum(text.tokens for text in texts)
    words = counts.target.known_words(options.min_count, options.max_words)
    plan = make_plan(options, tokens, words, source=conditioned)
    # A word of the target has a vector where it is read and one where it is predicted.
    vectors = 2 * words
    if conditioned:
        vectors += counts.source.known_words(options.min_count, options.max_words)
        tokens += counts.source.tokens
    numbers = plan.dimension * vectors
    direct = NEURAL_DIRECT * options.direct_ngrams
    if not covers(options):
        return NEURAL_BYTES + TORCH_BYTES + (NEURAL_NUMBER + TORCH_NUMBER) * numbers + TORCH_WORD * tokens
    text_bytes = NEURAL_WORD * tokens
    return NEURAL_BYTES + NEURAL_NUMBER * numbers + direct + (min(text_bytes, NEURAL_TEXT) if in_files else text_bytes)


def judge_bytes(counts: CorpusCounts) -> int:
    """What training a judge takes, whatever the limit."""
    return JUDGE_BYTES + JUDGE_WORD * (counts.source.tokens + counts.target.tokens)


def selection_bytes(counts: CorpusCounts) -> int:
    least, most = SELECT_SLOTS
    slots = 1 << (min(max(2 * counts.source.tokens, least), most) - 1).bit_length()
    return PROCESS_BYTES + SELECT_SLOT * slots + counts.source.tokens + SELECT_PAIR * counts.pairs
