"""The translation a model chose beside another that somebody has in mind: where they differ, and what decided."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from dragoman.config import DecodeOptions
from dragoman.explain.why import Why
from dragoman.translator import Translator


@dataclass(frozen=True, slots=True)
class FeatureDifference:
    """What one feature says of two translations; positive contributions speak for the first."""

    name: str
    weight: float
    ours: float
    theirs: float

    @property
    def contribution(self) -> float:
        return self.weight * (self.ours - self.theirs)


@dataclass(frozen=True, slots=True)
class TranslationComparison:
    """The model's translation beside another: either their features, or why the other cannot be had."""

    ours: str
    theirs: str
    our_score: float
    why: Why
    differences: list[FeatureDifference]

    @property
    def verdict(self) -> str:
        if self.why.score is None:
            return f"The model cannot give this translation: {self.why.reason}."
        lead = self.our_score - self.why.score
        if abs(lead) < 1e-6:
            return "Both translations score the same: they have the same words, or the model sees no difference."
        if lead < 0:
            return (
                f"The search missed it: the model scores it {-lead:.3f} higher than what it found. A wider search,"
                " such as --pop-limit 1000, may find it."
            )
        named = [row for row in self.differences if row.contribution > 0][:3]
        causes = ", ".join(f"{row.name} ({row.contribution:+.3f})" for row in named)
        return f"The model scores its own translation {lead:.3f} higher, most of all for {causes}."

    def as_json(self) -> dict[str, Any]:
        return {
            "ours": self.ours,
            "theirs": self.theirs,
            "our_score": self.our_score,
            "verdict": self.verdict,
            "why": self.why.as_json(),
            "differences": [{**dataclasses.asdict(row), "contribution": row.contribution} for row in self.differences],
        }


def compare(
    translator: Translator, source: str, other: str, options: DecodeOptions | None = None
) -> TranslationComparison:
    """The model's own translation of a sentence beside another."""
    # Nothing that is added meanwhile may come between the two.
    now = translator.snapshot()
    result = now.translate(source, options)
    best = result.alternatives[0]
    features, score = best.features, best.score
    if len(result.sentences) > 1:
        # Forced decoding takes the source as one sentence; so must what it is compared with.
        own = now.why(source, result.text, options)
        if own.score is not None:
            features, score = own.features, own.score
    why = now.why(source, other, options)
    rows = [
        FeatureDifference(name, now.weights.get(name, 0.0), features.get(name, 0.0), why.features.get(name, 0.0))
        for name in sorted({*features, *why.features})
    ]
    rows.sort(key=lambda row: (-abs(row.contribution), row.name))
    return TranslationComparison(result.text, other, score, why, rows if why.possible else [])
