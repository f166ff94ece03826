"""neural and conditioned: a feed-forward language model of the target text, that may read the source text too."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dragoman.config import NlmOptions
from dragoman.neural import train_model
from dragoman.neural.allocator import keep_freed_memory
from dragoman.neural.train import uses_torch
from dragoman.pipeline.stage import Request


@dataclass(frozen=True, slots=True)
class NeuralOptions:
    neural_lm: NlmOptions


@dataclass(frozen=True, slots=True)
class NetworkTrained:
    heldout_perplexity: float
    best_epoch: int
    words: int
    tokens: int
    bytes: int


def run(request: Request[NeuralOptions]) -> NetworkTrained:
    """Writes nlm.bin, of a model that reads the source where `source` and `links` are given. A run that was killed
    goes on from its last checkpoint."""
    request.keep.mkdir(parents=True, exist_ok=True)
    options = replace(request.options.neural_lm, threads=request.threads)
    if uses_torch(options):
        keep_freed_memory()
    report = train_model(
        [request.text(name) for name in ("target", "monolingual") if request.has(name)],
        request.out / "nlm.bin",
        options,
        source=request.text("source") if request.has("source") else None,
        links=request.links() if request.has("links") else None,
        vocabulary=request.known_words(),
        checkpoint=request.keep / "checkpoint",
        scratch=request.scratch,
        progress=request.progress,
    )
    return NetworkTrained(
        heldout_perplexity=report.heldout_perplexity,
        best_epoch=report.best_epoch,
        words=report.words,
        tokens=report.tokens,
        bytes=report.bytes,
    )
