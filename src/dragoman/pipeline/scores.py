"""Scores of a training: what the summary shows, and what the manifest of the model keeps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dragoman.pipeline.stages.evaluate import ScoredSet


@dataclass(frozen=True, slots=True)
class TrainScores:
    """BLEU and its like by name; `test` is what else is known of the test set, where there is one."""

    by_name: dict[str, float]
    test: ScoredSet | None

    def as_json(self) -> dict[str, Any]:
        """As the manifest has them."""
        return dict(self.by_name) if self.test is None else {**self.by_name, "test": self.test.as_json()}
