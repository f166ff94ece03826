"""align: links between the words of every pair, and a model that links the words of further pairs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dragoman.align import AlignmentModel
from dragoman.cluster.connection import workers_at
from dragoman.config import AlignOptions
from dragoman.pipeline.stage import Request


@dataclass(frozen=True, slots=True)
class Aligned:
    links: int
    log_likelihood: float | None
    bytes: int


def run(request: Request[AlignOptions]) -> Aligned:
    """Writes links.bin and align.bin."""
    # The plan may have less room than there are cores.
    options = replace(request.options, threads=request.options.threads or request.threads)
    with workers_at(request.cluster, "align") as workers:
        training = AlignmentModel.train(
            request.text("source"),
            request.text("target"),
            options,
            progress=request.progress,
            workers=workers,
            scratch=request.scratch,
        )
    training.stored_links.save(str(request.out / "links.bin"))
    assert training.model is not None
    training.model.save(request.out / "align.bin")
    return Aligned(
        links=training.stored_links.links,
        log_likelihood=training.log_likelihoods[-1] if training.log_likelihoods else None,
        bytes=(request.out / "align.bin").stat().st_size,
    )
