"""lm: the back-off language model of the target text, pruned to the bytes it may take."""

from __future__ import annotations

from typing import Any

from dragoman.config import LmOptions
from dragoman.lm import build_model
from dragoman.pipeline.stage import Request


def run(request: Request) -> dict[str, Any]:
    """Writes lm.bin."""
    texts = [request.input(name) for name in ("target", "monolingual") if request.has(name)]
    report = build_model(
        request.out / "lm.bin",
        texts,
        options=LmOptions(**request.options),
        threads=request.threads,
        progress=request.progress,
    )
    return {"bytes": report.bytes, "estimated": report.estimated, "stored": report.stored}
