"""What a training will take and make, foretold from a sample of the text: sizes, time, memory, and whether it fits.

Sizes follow from counts (index_size.py) that are extrapolated from the sample (growth.py). Time and memory of each
stage are linear in what the stage works through; the constants below are CPU seconds and bytes of one machine, and a
short alignment of the sample (probe.py) says how this machine compares with it. benchmarks/estimate.py holds all of it
against real trainings.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dragoman import _core
from dragoman.config import NlmOptions
from dragoman.corpus.split import wanted_sizes
from dragoman.neural.shape import make_plan, threads_for
from dragoman.pipeline import budget as budgets
from dragoman.pipeline.growth import extrapolate
from dragoman.pipeline.index_bytes import predicted_index_bytes
from dragoman.pipeline.job import Job
from dragoman.pipeline.networks import (
    LANGUAGE_MODEL_FILES,
    NEURAL_KINDS,
    NeuralPlan,
    known_words,
    neural_room,
    plan_neural,
    rare_words,
    wanted_models,
)
from dragoman.pipeline.probe import Probe, cells, take_probe
from dragoman.pipeline.sample import Sample, take_sample
from dragoman.pipeline.steps import CONFIDENCE_WORDS, FEWEST_TO_TUNE_ON, MEASURED_SENTENCES

LM_BYTES_PER_NGRAM = 3.07
SOURCES_SHARE = 0.44  # of the raw text
MILLION = 1e6

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
# Training networks: a start with the clustering of words, a word of an epoch, and each number of its vector. All
# planned epochs are counted, though training may end sooner.
NEURAL_START = 4.0
NEURAL_WORD = 4e-6
NEURAL_NUMBER = 0.12e-6
NEURAL_SOURCE = 1.2  # as much more where the source is read, too

# Bytes at the peak of a stage.
STAGE_BYTES = 25e6
ALIGN_PEAK = 82e6  # per million words to the power below
ALIGN_POWER = 0.68
INDEX_PEAK = 28  # per word
LM_PEAK = 48  # per n-gram
TUNE_PEAK = 30_000  # per word tuned on: its rules, and its translations
DECODE_PEAK = 30e6
NEURAL_PEAK = 260e6
NEURAL_TABLE = 28  # a number of a word's vectors: both of them, the best so far, and AdaGrad's squares
NEURAL_TEXT = 60  # per word


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stage's foretold cost; `parallel` where it makes use of several threads."""

    stage: str
    cpu_seconds: float
    peak_bytes: float
    parallel: bool = False

    def seconds(self, threads: int) -> float:
        return self.cpu_seconds / (threads if self.parallel else 1)


def estimate(job: Job, progress: _core.Progress = None) -> dict[str, Any]:
    """Everything that `dragoman estimate --json` prints."""
    sample = take_sample(job, progress)
    held_out = wanted_sizes(job.stages["split"], sample.kept)
    dev = count_lines(job.dev) if job.dev else held_out.dev
    test = count_lines(job.test) if job.test else held_out.test
    pairs = sample.kept - (0 if job.dev else held_out.dev) - (0 if job.test else held_out.test)
    counts, ngrams = counts_at(sample, pairs, job.stages["lm"].order)
    index = predicted_index_bytes(counts)
    least_lm = budgets.least_lm_bytes(counts)
    budget = budgets.make_budget(job.options, job.stages["decode"].decoder, pairs, index + least_lm)
    needed = budgets.round_up(budgets.needed_memory(index + least_lm, budget.decoder))
    whole_lm = int(ngrams * LM_BYTES_PER_NGRAM)
    models, _ = wanted_models(job.options, counts["target"]["tokens"])
    kinds = tuple(kind for kind in models if kind in NEURAL_KINDS)

    def networks(room: int) -> NeuralPlan:
        return plan_neural(kinds, counts, job.stages["neural_lm"], room)

    before = networks(int(budget.mapped_bytes * budgets.FIT_NEURAL_SHARE)).total_bytes if job.options.fit else 0
    needed_lm = least_lm if "ngram" in models or not before else 0
    fits = index + before + needed_lm <= budget.mapped_bytes
    fitting = max(0, budgets.fitting_index_bytes(budget.mapped_bytes - before, needed_lm))
    indexed = pairs if fits else int(pairs * fitting / index)
    if job.options.fit and not fits:
        index = fitting
    room = budget.mapped_bytes - index
    neural = networks(neural_room(room, least_lm if "ngram" in models else 0))
    room -= neural.total_bytes
    lm = min(whole_lm, max(least_lm, room)) if "ngram" in models or not neural.kinds else 0
    probe = take_probe(sample)
    files = file_sizes(sample, probe, pairs, index, lm, neural, job)
    stages = stage_costs(sample, probe, counts, pairs, ngrams, dev, test, files, neural, job)
    threads = job.threads or _core.default_threads()
    mapped = sum(size for name, size in files.items() if name in budgets.MAPPED or name == "index")
    return {
        "pairs": {"read": sample.read, "train": pairs, "dev": dev, "test": test},
        "counts": counts,
        "files": files,
        "disk_bytes": sum(files.values()),
        "budget": {**budget.as_dict(), **budget.decoding()},
        "mapped_bytes": mapped,
        "memory_bytes": mapped
        + budgets.PROCESS_BYTES[budget.decoder]
        + len(neural.kinds) * budgets.NEURAL_WORKING_BYTES
        + budget.decoder_bytes,
        "fits": fits,
        "needed_memory_bytes": needed,
        "fitting_pairs": indexed,
        "whole_lm_bytes": whole_lm,
        "stages": [
            {"stage": each.stage, "cpu_seconds": round(each.cpu_seconds, 1), "peak_bytes": int(each.peak_bytes)}
            for each in stages
        ],
        "cpu_seconds": round(sum(each.cpu_seconds for each in stages), 1),
        "seconds": round(sum(each.seconds(threads) for each in stages), 1),
        "peak_bytes": int(max(each.peak_bytes for each in stages)),
    }


def count_lines(files: tuple[str, str]) -> int:
    from dragoman.files import reading

    with reading(files[0]) as stream:
        return sum(1 for _ in stream)


def counts_at(sample: Sample, pairs: int, order: int) -> tuple[dict[str, dict[str, Any]], float]:
    """Lines, words and types of both sides, and the number of n-grams of the target, at `pairs` pairs."""
    lines = len(sample.source)
    factor = pairs / max(1, lines)
    counts = {}
    for side, text in (("source", sample.source), ("target", sample.target)):
        parts = [word_counts(text[: max(1, lines // part)]) for part in (4, 2, 1)]
        types = extrapolate([len(part) for part in parts], factor)
        # Rarer words are a little longer.
        length = 1.03 * sum(len(word.encode()) for word in parts[-1]) / max(1, len(parts[-1]))
        counts[side] = {
            "lines": pairs,
            "tokens": round(sum(parts[-1].values()) * factor),
            "types": round(types),
            "type_bytes": round(length * types),
            **extrapolated([rare_words(part) for part in parts], factor),
        }
    portions = [ngram_counts(sample.target[: max(1, lines // part)], order) for part in (4, 2, 1)]
    ngrams = sum(extrapolate(column, factor) for column in zip(*portions, strict=True))
    return counts, ngrams


def extrapolated(parts: Sequence[Mapping[str, Mapping[str, Any]]], factor: float) -> dict[str, dict[str, int]]:
    """Every count of a table of tables."""
    return {
        name: {key: round(extrapolate([part[name][key] for part in parts], factor)) for key in table}
        for name, table in parts[0].items()
    }


def word_counts(lines: Sequence[str]) -> Counter[str]:
    return Counter(word for line in lines for word in line.split())


def ngram_counts(lines: Sequence[str], order: int) -> list[int]:
    text = _core.LmText()
    text.add("".join(f"{line}\n" for line in lines).encode())
    counts = _core.lm_estimate(text, order, [1], [0.5, 1.0, 1.5]).counts
    return counts + [1] * (order - len(counts))


def file_sizes(
    sample: Sample, probe: Probe, pairs: int, index: int, lm: int, neural: NeuralPlan, job: Job
) -> dict[str, int]:
    files = {
        "index": index,
        **({"lm.bin": lm} if lm else {}),
        **{LANGUAGE_MODEL_FILES[kind]: size for kind, size in neural.bytes.items()},
        "align.bin": probe.align_bytes_at(pairs),
    }
    if job.options.keep_sources:
        files["sources.bin"] = round(SOURCES_SHARE * sample.text_bytes * pairs / max(1, sample.distinct))
    return files


def stage_costs(
    sample: Sample,
    probe: Probe,
    counts: Mapping[str, Mapping[str, Any]],
    pairs: int,
    ngrams: float,
    dev: int,
    test: int,
    files: Mapping[str, int],
    neural: NeuralPlan,
    job: Job,
) -> list[Stretch]:
    source, target = counts["source"]["tokens"], counts["target"]["tokens"]
    words = source + target
    scale = pairs / max(1, len(sample.source))
    length = source / max(1, pairs)
    decode = DECODE_WORD * (max(1000, pairs) / DECODE_PAIRS) ** DECODE_POWER * (length / DECODE_LENGTH) ** 0.5
    decode *= 1 + DECODE_NEURAL * len(neural.kinds)
    mapped = sum(size for name, size in files.items() if name in budgets.MAPPED or name == "index")
    tuned = min(dev, int(job.options.tune_words / length)) if job.options.tune and dev >= FEWEST_TO_TUNE_ON else 0
    rounds = min(TUNE_ROUNDS, job.stages["tune"].rounds) * TUNE_FACTOR
    rules = min((job.stages["tune"].rule_megabytes << 20) * 1.2, TUNE_PEAK * tuned * length)
    costs = [
        Stretch("prepare", PREPARE_PAIR * sample.read, 1.2 * STAGE_BYTES + 40 * sample.distinct),
        Stretch("tokenize", TOKENIZE_WORD * words, 1.6 * STAGE_BYTES),
        Stretch(
            "align",
            ALIGN_CELL * cells(sample.source, sample.target) * scale,
            STAGE_BYTES + ALIGN_PEAK * (words / MILLION) ** ALIGN_POWER,
            parallel=True,
        ),
        Stretch("index", INDEX_WORD * source + CASE_WORD * min(target, CASE_WORDS), STAGE_BYTES + INDEX_PEAK * words),
        *([Stretch("lm", LM_WORD * target, STAGE_BYTES + LM_PEAK * ngrams)] if "lm.bin" in files else []),
        *(neural_cost(kind, counts, options) for kind, options in neural.options.items()),
        Stretch("model", 0.0, STAGE_BYTES),
        Stretch("evaluate", decode * test * length, 2 * STAGE_BYTES + DECODE_PEAK + mapped, parallel=True),
        Stretch("measure", decode * min(MEASURED_SENTENCES, max(test, 1)) * length, STAGE_BYTES + DECODE_PEAK + mapped),
    ]
    if job.options.keep_sources:
        costs.append(Stretch("sources", SOURCES_PAIR * pairs, 2 * STAGE_BYTES))
    if dev >= FEWEST_TO_TUNE_ON:
        judged = min(dev * length, CONFIDENCE_WORDS)
        costs.append(Stretch("confidence", decode * judged, 2 * STAGE_BYTES + DECODE_PEAK + mapped))
    if tuned:
        costs.append(Stretch("tune", decode * tuned * length * rounds, STAGE_BYTES + mapped + rules, parallel=True))
    return [dataclasses.replace(each, cpu_seconds=START_SECONDS + probe.slowness * each.cpu_seconds) for each in costs]


def neural_cost(kind: str, counts: Mapping[str, Mapping[str, Any]], options: NlmOptions) -> Stretch:
    """Training on the CPU; a GPU does it in much less."""
    tokens, words = counts["target"]["tokens"], known_words(counts["target"], options)
    plan = make_plan(options, tokens, words, source=kind == "conditioned")
    tables = words if kind == "neural" else words + known_words(counts["source"], options)
    seconds = (NEURAL_WORD + NEURAL_NUMBER * plan.dimension) * tokens * plan.epochs
    return Stretch(
        kind,
        NEURAL_START + seconds * (NEURAL_SOURCE if kind == "conditioned" else 1),
        NEURAL_PEAK + NEURAL_TABLE * plan.dimension * tables + NEURAL_TEXT * tokens,
        parallel=threads_for(plan, 2) > 1,
    )


def estimate_lines(made: Mapping[str, Any], threads: int) -> list[str]:
    """The estimate for people."""
    from dragoman.sizes import format_bytes

    pairs = made["pairs"]
    budget = made["budget"]["memory_bytes"]
    files = ", ".join(f"{name} {format_bytes(size)}" for name, size in made["files"].items())
    lines = [
        f"Pairs      {pairs['train']:,} to train on of {pairs['read']:,}, {pairs['dev']:,} dev, {pairs['test']:,} test",
        f"Model      {format_bytes(made['disk_bytes'])} on disk ({files})",
        f"Memory     {format_bytes(made['memory_bytes'])} at most while translating, of {format_bytes(budget)}",
    ]
    if not made["fits"]:
        lines.append(
            f"           all of it needs {format_bytes(made['needed_memory_bytes'])}; --fit uses about"
            f" {made['fitting_pairs']:,} pairs"
        )
    longest = max(made["stages"], key=lambda row: row["cpu_seconds"])
    lines.append(
        f"Training   {made['cpu_seconds']:.0f} s of CPU time, about {made['seconds']:.0f} s on {threads} threads, most"
        f" of it to {longest['stage']}"
    )
    lines.append(f"           at most {format_bytes(made['peak_bytes'])} of memory")
    return lines
