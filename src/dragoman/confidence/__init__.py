"""How much to trust a translation: calibrated numbers for sentences and words, learned from held-out text."""

from __future__ import annotations

from dragoman.confidence.estimator import ConfidenceModel

__all__ = ["ConfidenceModel"]
