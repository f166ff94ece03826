"""How fast translating is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


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


def percentile(values: Iterable[float], percent: int) -> float:
    """The smallest value that at least so many percent of the values do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)] if ordered else 0.0
