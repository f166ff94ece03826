"""How good promises were: what `dragoman confidence` prints, and confidence.json keeps."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dragoman.confidence.calibration import (
    ReliabilityRow,
    area_under_curve,
    brier,
    calibration_error,
    correlation,
    reliability,
)


@dataclass(frozen=True, slots=True)
class Measurement:
    """Promises against outcomes; the mean of the outcomes, promised for everything, is what they have to beat."""

    count: int
    mean: float
    calibration_error: float
    brier: float
    brier_of_the_mean: float
    area_under_curve: float | None  # where outcomes are right or wrong
    correlation: float | None
    reliability: list[ReliabilityRow]


@dataclass(frozen=True, slots=True)
class ConfidenceReport:
    """How well confidence does on text that it was not fitted to."""

    sentences: int
    word: Measurement
    sentence: Measurement

    def as_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


def measured(promised: Sequence[float], outcomes: Sequence[float]) -> Measurement:
    rows = reliability(promised, outcomes)
    mean = sum(outcomes) / max(1, len(outcomes))
    return Measurement(
        count=len(outcomes),
        mean=mean,
        calibration_error=calibration_error(rows),
        brier=brier(promised, outcomes),
        brier_of_the_mean=brier([mean] * len(outcomes), outcomes),
        area_under_curve=area_under_curve(promised, outcomes) if set(outcomes) <= {0.0, 1.0} else None,
        correlation=correlation(promised, outcomes),
        reliability=rows,
    )
