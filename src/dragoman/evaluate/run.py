"""One measured translation of a test set: texts, speed, unknown words, and the memory budget it really needed.

The budget is what DESIGN calls so: all mapped bytes of the model and peak anonymous memory, interpreter included. Peak
anonymous memory is sampled every few milliseconds from outside.
"""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dragoman import _core, errors
from dragoman.config import DecodeOptions
from dragoman.model.directory import ModelDirectory

SAMPLE_SECONDS = 0.005


@dataclass(frozen=True, slots=True)
class Speed:
    """Of translating alone, after the model was opened. Times per sentence are of one line, on one thread."""

    sentences_per_second: float
    words_per_second: float  # source words
    p50_milliseconds: float
    p95_milliseconds: float
    seconds: float
    cpu_seconds: float
    threads: int


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


class MemorySampler(threading.Thread):
    """Watches a process until told to stop."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.status = Path(f"/proc/{pid}/status")
        self.done = threading.Event()
        self.peak_anonymous: int | None = None
        self.peak_resident: int | None = None

    def run(self) -> None:
        while True:
            self.sample()
            if self.done.wait(SAMPLE_SECONDS):
                return

    def sample(self) -> None:
        try:
            text = self.status.read_text()
        except OSError:
            return
        for line in text.splitlines():
            if line.startswith("RssAnon:"):
                self.peak_anonymous = max(self.peak_anonymous or 0, 1024 * int(line.split()[1]))
            elif line.startswith("VmHWM:"):
                self.peak_resident = max(self.peak_resident or 0, 1024 * int(line.split()[1]))


def measured_run(
    model: str | Path,
    lines: list[str],
    decode: DecodeOptions,
    *,
    weights: Mapping[str, float] | None = None,
    threads: int = 1,
    progress: _core.Progress = None,
) -> Run:
    """Translates the lines in a child process."""
    opened = ModelDirectory.open(model)
    threads = threads or os.cpu_count() or 1
    request = {
        "model": str(opened.path.resolve()),
        "weights": dict(weights) if weights is not None else None,
        "decode": dataclasses.asdict(decode),
        "threads": threads,
        "lines": lines,
    }
    rows: list[dict[str, Any]] = []
    totals: dict[str, Any] | None = None
    process = subprocess.Popen(
        [sys.executable, "-m", "dragoman.evaluate.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    sampler = MemorySampler(process.pid)
    sampler.start()
    try:
        assert process.stdin is not None and process.stdout is not None
        json.dump(request, process.stdin)
        process.stdin.close()
        for answer in map(json.loads, process.stdout):
            if "error" in answer:
                raise getattr(errors, answer["kind"])(answer["error"])
            if "totals" in answer:
                totals = answer["totals"]
                break
            rows.append(answer)
            if progress:
                progress(len(rows), len(lines))
        # While it still lives.
        sampler.sample()
    except BrokenPipeError:
        pass
    finally:
        sampler.done.set()
        sampler.join()
        process.kill() if totals is None else None
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
    if totals is None:
        raise errors.DragomanError("the process that translates ended before it was done; is there enough memory?")
    return summary(rows, totals, sampler, threads)


def summary(rows: list[dict[str, Any]], totals: dict[str, Any], sampler: MemorySampler, threads: int) -> Run:
    words = sum(row["source_words"] for row in rows)
    times = sorted(row["milliseconds"] for row in rows)
    seconds = max(totals["seconds"], 1e-9)
    mapped, anonymous = totals["mapped_bytes"], sampler.peak_anonymous
    return Run(
        texts=[row["text"] for row in rows],
        unknown_rate=sum(row["unknown_words"] for row in rows) / max(1, words),
        narrowed=sum(row["narrowed"] for row in rows),
        speed=Speed(
            sentences_per_second=len(rows) / seconds,
            words_per_second=words / seconds,
            p50_milliseconds=percentile(times, 50),
            p95_milliseconds=percentile(times, 95),
            seconds=seconds,
            cpu_seconds=totals["cpu_seconds"],
            threads=threads,
        ),
        memory=Memory(
            mapped=mapped,
            peak_anonymous=anonymous,
            budget=mapped + anonymous if mapped is not None and anonymous is not None else None,
            peak_resident=sampler.peak_resident,
        ),
    )


def percentile(ordered: list[float], percent: int) -> float:
    """The smallest value that at least so many percent of the values do not exceed."""
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)] if ordered else 0.0
