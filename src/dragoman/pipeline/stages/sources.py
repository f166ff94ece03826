"""sources: where each indexed pair came from, for whoever wants to know why a translation is what it is."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.index.sources import write_prepared
from dragoman.pipeline.stage import NoOptions, Request


@dataclass(frozen=True, slots=True)
class SourcesKept:
    pairs: int
    bytes: int


def run(request: Request[NoOptions]) -> SourcesKept:
    """Writes sources.bin; its lines are those of the index, in their order."""
    report = write_prepared(
        request.out / "sources.bin",
        request.input("source"),
        request.input("target"),
        request.input("origins"),
        chosen=request.chosen(),
        progress=request.progress,
    )
    return SourcesKept(report.pairs, report.bytes)
