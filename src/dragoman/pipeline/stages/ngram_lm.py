"""lm: the back-off language model of the target text, pruned to the bytes it may take."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.config import LmOptions
from dragoman.lm import build_model
from dragoman.pipeline.stage import Request


@dataclass(frozen=True, slots=True)
class NgramsBuilt:
    """N-grams by length, before and after the least useful were left out."""

    bytes: int
    estimated: list[int]
    stored: list[int]


def run(request: Request[LmOptions]) -> NgramsBuilt:
    """Writes lm.bin; where `vocabulary` is given it knows the words of that index alone."""
    texts = [request.text(name) for name in ("target", "monolingual") if request.has(name)]
    report = build_model(
        request.out / "lm.bin",
        texts,
        options=request.options,
        vocabulary=request.known_words(),
        threads=request.threads,
        progress=request.progress,
        scratch=request.scratch,
    )
    return NgramsBuilt(report.bytes, report.estimated, report.stored)
