"""judge: a network that says of a finished translation how likely it is."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dragoman.config import JudgeOptions
from dragoman.judge import train_judge
from dragoman.neural.allocator import keep_freed_memory
from dragoman.pipeline.stage import Request


@dataclass(frozen=True, slots=True)
class JudgeStageOptions:
    judge_network: JudgeOptions


@dataclass(frozen=True, slots=True)
class JudgeTrained:
    heldout_perplexity: float
    best_epoch: int
    epochs: int
    pieces: int
    parameters: int
    pairs: int
    bytes: int


def run(request: Request[JudgeStageOptions]) -> JudgeTrained:
    """Writes judge.bin. A run that was killed goes on from the last epoch it finished."""
    request.keep.mkdir(parents=True, exist_ok=True)
    keep_freed_memory()
    report = train_judge(
        request.text("source"),
        request.text("target"),
        request.out / "judge.bin",
        replace(request.options.judge_network, threads=request.threads),
        checkpoint=request.keep / "checkpoint",
        progress=request.progress,
    )
    return JudgeTrained(
        heldout_perplexity=report.heldout_perplexity,
        best_epoch=report.best_epoch,
        epochs=report.schedule.epochs,
        pieces=report.pieces,
        parameters=report.parameters,
        pairs=report.pairs,
        bytes=report.bytes,
    )
