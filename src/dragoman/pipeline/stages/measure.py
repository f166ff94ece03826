"""measure: how fast the model translates, in how much memory, and what it makes of a few sentences.

Memory is what the budget is about: the bytes of the model's files that are mapped, and the peak of anonymous memory,
interpreter included. This process does nothing but load the model and translate, one sentence at a time on one thread.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from dragoman.pipeline.stage import Request
from dragoman.process_memory import anonymous_bytes, mapped_bytes

SAMPLE_SECONDS = 0.002
SAMPLES = 3
SAMPLE_CHARACTERS = range(25, 120)


def run(request: Request) -> dict[str, Any]:
    """Leaves no file. `sentences` lines of `source` are translated, evenly spread over it."""
    from dragoman.config import DecodeOptions
    from dragoman.translator import Translator

    model = request.input("model")
    lines = read_lines(request.input("source"))
    references = read_lines(request.input("target"))
    chosen = spread(range(len(lines)), request.options["sentences"])
    decode = DecodeOptions(**request.options["decode"])
    weights = request.input("weights") if request.has("weights") else None
    outputs: list[str] = []
    milliseconds: list[float] = []
    with PeakAnonymous() as memory:
        translator = Translator.load(model, weights=weights)
        for at in chosen:
            begin = time.perf_counter()
            outputs.append(translator.translate(lines[at], decode).text)
            milliseconds.append(1000 * (time.perf_counter() - begin))
            request.progress(len(outputs), len(chosen))
        mapped = mapped_bytes(model)
    words = sum(len(lines[at].split()) for at in chosen)
    seconds = max(sum(milliseconds) / 1000, 1e-9)
    readable = [place for place, at in enumerate(chosen) if len(lines[at]) in SAMPLE_CHARACTERS]
    return {
        "sentences": len(chosen),
        "milliseconds_p50": percentile(milliseconds, 0.5),
        "milliseconds_p95": percentile(milliseconds, 0.95),
        "words_per_second": round(words / seconds, 1),
        "mapped_bytes": mapped,
        "anonymous_bytes": memory.peak_bytes,
        "samples": [
            {"source": lines[chosen[place]], "translation": outputs[place], "reference": references[chosen[place]]}
            for place in spread(readable or range(len(chosen)), SAMPLES)
        ],
    }


def read_lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def spread(items: Sequence[int], count: int) -> list[int]:
    """At most `count` of the items, evenly spread."""
    if len(items) <= count:
        return list(items)
    return [items[i * len(items) // count] for i in range(count)]


def percentile(values: list[float], share: float) -> float:
    return round(sorted(values)[min(len(values) - 1, int(share * len(values)))], 2) if values else 0.0


class PeakAnonymous:
    """Watches this process's anonymous resident memory; `peak_bytes` is None where the system does not tell."""

    def __init__(self) -> None:
        self.peak_bytes: int | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def _watch(self) -> None:
        while not self._stop.wait(SAMPLE_SECONDS):
            self._look()

    def _look(self) -> None:
        now = anonymous_bytes()
        if now is not None:
            self.peak_bytes = max(self.peak_bytes or 0, now)

    def __enter__(self) -> PeakAnonymous:
        self._thread.start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._stop.set()
        self._thread.join()
        self._look()
