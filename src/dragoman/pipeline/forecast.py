"""What a training will take and make, foretold from a sample of the text: sizes, time, memory, and whether it fits.

Counts are extrapolated from the sample (growth.py), the plan that training would make follows from them (plan.py), and
so does what each stage takes (costs.py).
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dragoman import _core
from dragoman.corpus.split import wanted_sizes
from dragoman.errors import ConfigError
from dragoman.files import reading
from dragoman.pipeline.costs import StageCost, stage_costs
from dragoman.pipeline.counts import CorpusCounts, Split, TextCounts, counts_of
from dragoman.pipeline.growth import extrapolate
from dragoman.pipeline.job import Job
from dragoman.pipeline.learning_time import TimePlan, plan_time, warning_of
from dragoman.pipeline.plan import Plan, Sizes, make_plan
from dragoman.pipeline.probe import Probe, take_probe
from dragoman.pipeline.sample import Sample, take_sample, take_text_sample
from dragoman.progress import Progress
from dragoman.sizes import format_bytes

LM_BYTES_PER_NGRAM = 3.07
LM_START = 12_000
# Of the raw text; compression has to learn first.
SOURCES_SHARE = 0.44
SOURCES_START = 25_000
MOST_SOURCES_SHARE = 1.25
# Parts of the sample that growth is seen from.
PARTS = (4, 2, 1)


@dataclass(frozen=True, slots=True)
class Estimate:
    """The plan that training would make, and what its stages would take on so many threads."""

    plan: Plan
    costs: list[StageCost]
    threads: int
    time: TimePlan = field(default_factory=TimePlan)

    @property
    def refusal(self) -> ConfigError | None:
        """What training would say instead of making a model."""
        return self.plan.refusal

    @property
    def cpu_seconds(self) -> float:
        return sum(cost.cpu_seconds for cost in self.costs)

    @property
    def seconds(self) -> float:
        return sum(cost.seconds(self.threads) for cost in self.costs)

    @property
    def lateness(self) -> str:
        """What to say where a limit of time is too short; empty where it is not."""
        return warning_of(self.plan.options, self.seconds)

    @property
    def peak_bytes(self) -> int:
        return int(max(cost.peak_bytes for cost in self.costs))

    def as_json(self) -> dict[str, Any]:
        """Everything that `dragoman estimate --json` prints."""
        plan = self.plan
        return {
            "pairs": dataclasses.asdict(plan.split),
            "counts": dataclasses.asdict(plan.counts),
            "files": plan.files,
            "disk_bytes": plan.disk_bytes,
            "budget": {**plan.budget.as_json(), **dataclasses.asdict(plan.budget.decode_limits)},
            "mapped_bytes": plan.mapped_bytes,
            "memory_bytes": plan.memory_bytes,
            "fits": plan.index.fits,
            "needed_memory_bytes": plan.needed_memory_bytes,
            "fitting_pairs": plan.index.pairs,
            "whole_lm_bytes": plan.sizes.whole_ngrams,
            "stages": [
                {"stage": cost.stage, "cpu_seconds": round(cost.cpu_seconds, 1), "peak_bytes": int(cost.peak_bytes)}
                for cost in self.costs
            ],
            "cpu_seconds": round(self.cpu_seconds, 1),
            "seconds": round(self.seconds, 1),
            "peak_bytes": self.peak_bytes,
            "time": dataclasses.asdict(self.time),
            "warnings": [*plan.warnings, *([self.lateness] if self.lateness else [])],
            "refusal": str(plan.refusal) if plan.refusal else None,
        }

    def lines(self) -> list[str]:
        """For people."""
        plan, split = self.plan, self.plan.split
        files = ", ".join(f"{name} {format_bytes(size)}" for name, size in plan.files.items())
        lines = [
            f"Pairs      {split.train:,} to train on of {split.read:,}, {split.dev:,} dev, {split.test:,} test",
            f"Model      {format_bytes(plan.disk_bytes)} on disk ({files})",
            f"Memory     {format_bytes(plan.memory_bytes)} at most while translating, of"
            f" {format_bytes(plan.budget.memory_bytes)}",
        ]
        if not plan.index.fits:
            lines.append(
                f"           all of it needs {format_bytes(plan.needed_memory_bytes)}; --fit uses about"
                f" {plan.index.pairs:,} pairs"
            )
        longest = max(self.costs, key=lambda cost: cost.cpu_seconds)
        lines.append(
            f"Training   {self.cpu_seconds:.0f} s of CPU time, about {self.seconds:.0f} s on {self.threads} threads,"
            f" most of it to {longest.stage}"
        )
        lines.append(f"           at most {format_bytes(self.peak_bytes)} of memory")
        if self.lateness:
            lines.append(f"           {self.lateness}")
        return lines


def estimate_job(job: Job, progress: Progress | None = None) -> Estimate:
    """Reads all of the text once, and works on a sample of it."""
    sample = take_sample(job, progress)
    probe = take_probe(sample)
    estimated = estimate_of(job, sample, probe)
    time = plan_time(job, estimated.plan, estimated.costs, estimated.threads)
    return dataclasses.replace(estimate_of(time.applied(job), sample, probe), time=time) if time.any else estimated


def estimate_of(job: Job, sample: Sample, probe: Probe) -> Estimate:
    split = foretold_split(job, sample)
    order = job.stages.lm.order
    monolingual = None
    ngrams = ngrams_at(sample.target, split.train, order)
    if job.monolingual:
        extra = take_text_sample(job.monolingual, job.target_lang)
        monolingual = text_counts_at(extra.tokens, extra.lines)
        ngrams += ngrams_at(extra.tokens, extra.lines, order)
    counts = CorpusCounts(
        text_counts_at(sample.source, split.train), text_counts_at(sample.target, split.train), monolingual
    )
    text_bytes = sample.text_bytes * split.train / max(1, sample.distinct)
    sizes = Sizes(
        align=probe.align_bytes_at(split.train),
        sources=round(min(MOST_SOURCES_SHARE * text_bytes, SOURCES_START + SOURCES_SHARE * text_bytes)),
        whole_ngrams=int(LM_START + LM_BYTES_PER_NGRAM * ngrams),
    )
    plan = make_plan(counts, split, job.options, job.stages, sizes)
    threads = job.threads or _core.default_threads()
    return Estimate(plan, stage_costs(plan, job.stages, sample, probe, ngrams, threads), threads)


def foretold_split(job: Job, sample: Sample) -> Split:
    held_out = wanted_sizes(job.split_options(), sample.kept)
    return Split(
        read=sample.read,
        train=sample.kept - held_out.dev - held_out.test,
        dev=count_lines(job.dev) if job.dev else held_out.dev,
        test=count_lines(job.test) if job.test else held_out.test,
    )


def count_lines(files: tuple[str, str]) -> int:
    with reading(files[0]) as stream:
        return sum(1 for _ in stream)


def text_counts_at(lines: Sequence[str], count: int) -> TextCounts:
    """Of a text of `count` lines that these are a sample of."""
    factor = count / max(1, len(lines))
    parts = []
    for part in PARTS:
        words = Counter(word for line in lines[: max(1, len(lines) // part)] for word in line.split())
        parts.append(counts_of(len(lines) // part, words, sum(len(word.encode()) for word in words)))
    types = extrapolate([part.types for part in parts], factor)
    # Rarer words are a little longer.
    length = 1.03 * parts[-1].type_bytes / max(1, parts[-1].types)

    def rare_at(counts: Sequence[dict[int, int]]) -> dict[int, int]:
        return {least: round(extrapolate([part[least] for part in counts], factor)) for least in counts[0]}

    return TextCounts(
        lines=count,
        tokens=round(parts[-1].tokens * factor),
        types=round(types),
        type_bytes=round(length * types),
        rare_types=rare_at([part.rare_types for part in parts]),
        rare_tokens=rare_at([part.rare_tokens for part in parts]),
    )


def ngrams_at(lines: Sequence[str], count: int, order: int) -> float:
    """N-grams of all lengths in a text of `count` lines that these are a sample of."""
    portions = [ngram_counts(lines[: max(1, len(lines) // part)], order) for part in PARTS]
    factor = count / max(1, len(lines))
    return sum(extrapolate(column, factor) for column in zip(*portions, strict=True))


def ngram_counts(lines: Sequence[str], order: int) -> list[int]:
    text = _core.LmText()
    text.add("".join(f"{line}\n" for line in lines).encode())
    counts = _core.lm_estimate(text, order, [1], [0.5, 1.0, 1.5]).counts
    return counts + [1] * (order - len(counts))
