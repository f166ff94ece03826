"""One measured translation of a test set: texts, speed, unknown words, and the memory budget it really needed.

The budget is all mapped bytes of the model and peak anonymous memory, interpreter included, of a process that does
nothing else (worker.py).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dragoman.child.call import call
from dragoman.child.typed_json import from_json
from dragoman.config import DecodeOptions
from dragoman.evaluate.speed import Speed, percentile
from dragoman.evaluate.worker import TRANSLATE_LINES, MeasuredLine, Totals, TranslateRequest
from dragoman.model.directory import ModelDirectory
from dragoman.progress import Progress


@dataclass(frozen=True, slots=True)
class Memory:
    """In bytes; None where the system does not tell."""

    mapped: int | None
    peak_anonymous: int | None
    budget: int | None  # both together
    peak_resident: int | None


@dataclass(frozen=True, slots=True)
class Run:
    texts: list[str]
    unknown_rate: float
    narrowed: int
    speed: Speed
    memory: Memory


def measured_run(
    model: str | Path,
    lines: list[str],
    decode: DecodeOptions,
    *,
    weights: Mapping[str, float] | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> Run:
    """Translates the lines in a child process."""
    opened = ModelDirectory.open(model)
    threads = threads or os.cpu_count() or 1
    request = TranslateRequest(
        model=str(opened.path.resolve()),
        weights=dict(weights) if weights is not None else None,
        decode=decode,
        threads=threads,
        lines=lines,
    )
    rows: list[MeasuredLine] = []

    def keep(row: Any) -> None:
        rows.append(from_json(MeasuredLine, row))
        if progress:
            progress(len(rows), len(lines))

    answer = call(TRANSLATE_LINES, request, what="the process that translates", advice="try it again", row=keep)
    return summary(rows, from_json(Totals, answer.result), threads)


def summary(rows: list[MeasuredLine], totals: Totals, threads: int) -> Run:
    words = sum(row.source_words for row in rows)
    seconds = max(totals.seconds, 1e-9)
    mapped, anonymous = totals.mapped, totals.peak_anonymous
    return Run(
        texts=[row.text for row in rows],
        unknown_rate=sum(row.unknown_words for row in rows) / max(1, words),
        narrowed=sum(row.narrowed for row in rows),
        speed=Speed(
            sentences_per_second=len(rows) / seconds,
            words_per_second=words / seconds,
            p50_milliseconds=percentile([row.milliseconds for row in rows], 50),
            p95_milliseconds=percentile([row.milliseconds for row in rows], 95),
            seconds=seconds,
            cpu_seconds=totals.cpu_seconds,
            threads=threads,
        ),
        memory=Memory(
            mapped=mapped,
            peak_anonymous=anonymous,
            budget=mapped + anonymous if mapped is not None and anonymous is not None else None,
            peak_resident=totals.peak_resident,
        ),
    )
