"""From bilingual files to a tuned, measured model within a memory budget.

>>> import dragoman
>>> result = dragoman.train(source="train.fr", target="train.en", source_lang="fr", target_lang="en", out="fr-en.model")
>>> result.scores["BLEU"]
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dragoman.pipeline.forecast import Estimate, estimate_job
    from dragoman.pipeline.job import Job, make_job
    from dragoman.pipeline.runner import Silence
    from dragoman.pipeline.summary import TrainResult
    from dragoman.pipeline.training import estimate, train, train_job

__all__ = ["Estimate", "Job", "Silence", "TrainResult", "estimate", "estimate_job", "make_job", "train", "train_job"]

PLACES = {
    "forecast": ("Estimate", "estimate_job"),
    "job": ("Job", "make_job"),
    "runner": ("Silence",),
    "summary": ("TrainResult",),
    "training": ("estimate", "train", "train_job"),
}


def __getattr__(name: str) -> Any:
    # Each stage runs in a process of its own, whose memory is measured: it imports this package, but not all of it.
    for module, names in PLACES.items():
        if name in names:
            return getattr(importlib.import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


def __dir__() -> list[str]:
    return __all__
