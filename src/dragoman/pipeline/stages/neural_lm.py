"""neural and conditioned: a feed-forward language model of the target text, that may read the source text too."""

from __future__ import annotations

import shutil
from typing import Any

from dragoman.config import NlmOptions
from dragoman.neural import train_model
from dragoman.neural.allocator import keep_freed_memory
from dragoman.pipeline.stage import Request


def run(request: Request) -> dict[str, Any]:
    """Writes nlm.bin, of a model that reads the source where `source` and `links` are given. A run that was killed
    goes on from its last checkpoint."""
    request.keep.mkdir(parents=True, exist_ok=True)
    text = request.input("target")
    if request.has("monolingual"):
        text = request.keep / "text"
        with text.open("wb") as stream:
            for name in ("target", "monolingual"):
                with request.input(name).open("rb") as part:
                    shutil.copyfileobj(part, stream)
    keep_freed_memory()
    report = train_model(
        text,
        request.out / "nlm.bin",
        NlmOptions(**{**request.options["neural_lm"], "threads": request.threads}),
        source=request.input("source") if request.has("source") else None,
        links=request.input("links") if request.has("links") else None,
        checkpoint=request.keep / "checkpoint",
        progress=request.progress,
    )
    return {name: report[name] for name in ("heldout_perplexity", "best_epoch", "words", "tokens", "bytes")}
