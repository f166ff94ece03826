"""tune: the weights that translate the dev set best."""

from __future__ import annotations

from typing import Any

from dragoman.config import DecodeOptions, TuneOptions
from dragoman.model.weights import write_weights
from dragoman.pipeline.stage import Request
from dragoman.pipeline.stages.measure import read_lines
from dragoman.tune import tune_model


def run(request: Request) -> dict[str, Any]:
    """Writes weights.txt. A run that was killed goes on with the round it was in."""
    source, target = read_lines(request.input("source")), read_lines(request.input("target"))
    chosen = within_words(source, request.options["max_words"])
    request.keep.mkdir(parents=True, exist_ok=True)
    result = tune_model(
        request.input("model"),
        [source[at] for at in chosen],
        [target[at] for at in chosen],
        TuneOptions(**request.options["tune"]),
        decode=DecodeOptions(**request.options["decode"]),
        state=request.keep,
        threads=request.threads,
        progress=request.progress,
    )
    write_weights(request.out / "weights.txt", result.weights)
    return {"bleu": result.bleu, "rounds": len(result.rounds), "best_round": result.best_round, "pairs": len(chosen)}


def within_words(lines: list[str], max_words: int) -> list[int]:
    """As many lines as have so many words together, evenly spread; at least one."""
    words = sum(len(line.split()) for line in lines)
    if words <= max_words:
        return list(range(len(lines)))
    count = max(1, len(lines) * max_words // words)
    return [i * len(lines) // count for i in range(count)]
