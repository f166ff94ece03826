"""What came of a training: sizes, memory, scores, speed, samples, and what each stage took."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dragoman.pipeline.budget import Budget
from dragoman.pipeline.networks import LANGUAGE_MODEL_FILES, NEURAL_KINDS
from dragoman.pipeline.plan import mapped_bytes
from dragoman.pipeline.scores import TrainScores
from dragoman.pipeline.stage import StageResult
from dragoman.pipeline.stages.measure import Measured, TranslationSample
from dragoman.pipeline.stages.select import Selected
from dragoman.pipeline.steps import Pipeline
from dragoman.sizes import format_bytes


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """Of a translating process: `measured` where something was translated, else planned."""

    mapped_bytes: int
    anonymous_bytes: int
    total_bytes: int
    measured: bool
    within_budget: bool


@dataclass(frozen=True, slots=True)
class TranslationSpeed:
    milliseconds_p50: float
    milliseconds_p95: float
    words_per_second: float


@dataclass(frozen=True, slots=True)
class StageRow:
    """What a stage took, when it was run."""

    stage: str
    skipped: bool
    seconds: float | None
    cpu_seconds: float | None
    peak_bytes: int | None


@dataclass(frozen=True, slots=True)
class TrainSummary:
    """Everything that `dragoman train` says of a model."""

    model: Path
    pairs: dict[str, int]
    files: dict[str, int]
    budget: Budget
    memory: MemoryUse
    scores: TrainScores
    speed: TranslationSpeed
    samples: list[TranslationSample]
    warnings: list[str]
    stages: list[StageRow]
    fit: Selected | None

    @property
    def disk_bytes(self) -> int:
        return sum(self.files.values())

    def as_json(self) -> dict[str, Any]:
        """What `dragoman train --json` prints."""
        summary = {
            "model": str(self.model),
            "pairs": self.pairs,
            "files": self.files,
            "disk_bytes": self.disk_bytes,
            "budget": self.budget.as_json(),
            "memory": dataclasses.asdict(self.memory),
            "scores": self.scores.as_json(),
            "speed": dataclasses.asdict(self.speed),
            "samples": [dataclasses.asdict(sample) for sample in self.samples],
            "warnings": self.warnings,
            "stages": [dataclasses.asdict(row) for row in self.stages],
        }
        return summary if self.fit is None else {**summary, "fit": dataclasses.asdict(self.fit)}

    def lines(self) -> list[str]:
        """For people, a few lines of plain text."""
        memory, speed = self.memory, self.speed
        pairs = ", ".join(f"{count:,} {part}" for part, count in self.pairs.items() if count)
        files = ", ".join(
            f"{name} {format_bytes(size)}"
            for name, size in sorted(self.files.items(), key=lambda entry: -entry[1])
            if size >= 0.01 * self.disk_bytes
        )
        lines = [
            f"Model      {self.model}: {format_bytes(self.disk_bytes)} on disk ({files})",
            f"Pairs      {pairs}",
            f"Memory     {format_bytes(memory.total_bytes)} of {format_bytes(self.budget.memory_bytes)}:"
            f" {format_bytes(memory.mapped_bytes)} mapped, {format_bytes(memory.anonymous_bytes)} of its own"
            f" ({'measured' if memory.measured else 'planned'})",
        ]
        if not memory.within_budget:
            lines.append("           more than the budget: translate with a smaller --scratch-bytes")
        if self.scores.by_name:
            scores = ", ".join(f"{name} {value}" for name, value in self.scores.by_name.items())
            test = self.scores.test
            lines.append(f"Scores     {scores}" + (f" ({test.sentences:,} sentences)" if test is not None else ""))
        if self.fit is not None:
            lines.append(
                f"Fit        {self.fit.pairs:,} of {self.fit.of:,} pairs are indexed; the language models know all"
            )
        lines.append(
            f"Speed      {speed.milliseconds_p50:.0f} ms a sentence (95 % below {speed.milliseconds_p95:.0f} ms),"
            f" {speed.words_per_second:.0f} words a second on one thread"
        )
        took = sum(row.seconds or 0 for row in self.stages if not row.skipped)
        peak = max((row.peak_bytes or 0 for row in self.stages), default=0)
        lines.append(f"Training   {took:.0f} s, at most {format_bytes(peak)} of memory")
        for sample in self.samples:
            lines += ["", f"  {sample.source}", f"→ {sample.translation}", f"  ({sample.reference})"]
        return lines


@dataclass(frozen=True, slots=True)
class TrainResult:
    """A finished training. `report` has it typed, `summary` as `dragoman train --json` prints it."""

    model: Path
    report: TrainSummary

    @property
    def summary(self) -> dict[str, Any]:
        return self.report.as_json()

    @property
    def scores(self) -> dict[str, float]:
        """By name: BLEU, chrF and so on."""
        return dict(self.report.scores.by_name)


def summarize(out: Path, pipeline: Pipeline) -> TrainSummary:
    """Of a training that is done, and whose model lies at `out`."""
    files = {path.name: path.stat().st_size for path in sorted(out.iterdir()) if path.is_file()}
    measured = pipeline.measured.facts
    return TrainSummary(
        model=out,
        pairs=pipeline.prepared.facts.pairs,
        files=files,
        budget=pipeline.plan.budget,
        memory=memory_use(files, measured, pipeline.plan.budget, pipeline.plan.networks.judge_dimension),
        scores=pipeline.scores(),
        speed=TranslationSpeed(measured.milliseconds_p50, measured.milliseconds_p95, measured.words_per_second),
        samples=measured.samples,
        warnings=pipeline.warnings,
        stages=[stage_row(result) for result in pipeline.runner.results],
        fit=pipeline.selected.facts if pipeline.selected else None,
    )


def memory_use(files: Mapping[str, int], measured: Measured, budget: Budget, judge_dimension: int) -> MemoryUse:
    networks = sum(LANGUAGE_MODEL_FILES[kind] in files for kind in NEURAL_KINDS)
    mapped, anonymous = mapped_bytes(files), budget.process_bytes(networks, judge_dimension)
    known = measured.mapped_bytes is not None and measured.anonymous_bytes is not None
    if measured.mapped_bytes is not None and measured.anonymous_bytes is not None:
        mapped, anonymous = measured.mapped_bytes, measured.anonymous_bytes
    total = mapped + anonymous
    return MemoryUse(mapped, anonymous, total, known, total <= budget.memory_bytes)


def stage_row(result: StageResult[Any]) -> StageRow:
    cost = result.cost
    if cost is None:
        return StageRow(result.stage, result.skipped, None, None, None)
    return StageRow(result.stage, result.skipped, round(cost.seconds, 3), round(cost.cpu_seconds, 3), cost.peak_bytes)
