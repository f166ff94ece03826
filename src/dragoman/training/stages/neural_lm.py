"""neural: a feed-forward language model of the target text, in the precisions a translating process maps."""

from __future__ import annotations

import shutil
from typing import Any

from dragoman.config import NlmOptions
from dragoman.nlm import train_model
from dragoman.nlm.model import NeuralLanguageModel
from dragoman.training.stage import Request


def run(request: Request) -> dict[str, Any]:
    """Writes nlm.bin. A run that was killed goes on from its last checkpoint."""
    request.keep.mkdir(parents=True, exist_ok=True)
    text = request.input("target")
    if request.has("monolingual"):
        text = request.keep / "text"
        with text.open("wb") as stream:
            for name in ("target", "monolingual"):
                with request.input(name).open("rb") as part:
                    shutil.copyfileobj(part, stream)
    trained = request.keep / "nlm.bin"
    report = train_model(
        text,
        trained,
        NlmOptions(**{**request.options["neural_lm"], "threads": request.threads}),
        source=None,
        links=None,
        checkpoint=request.keep / "checkpoint",
        progress=request.progress,
    )
    NeuralLanguageModel(trained).write_requantised(
        request.out / "nlm.bin",
        input_precision=request.options["input_precision"],
        output_precision=request.options["output_precision"],
        direct_bits=None,
        normalisation=None,
    )
    facts: dict[str, Any] = {
        name: report[name] for name in ("heldout_perplexity", "best_epoch", "words") if name in report
    }
    return {**facts, "bytes": (request.out / "nlm.bin").stat().st_size}
