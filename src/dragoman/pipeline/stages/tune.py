"""tune: the weights that translate the dev set best."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dragoman.cluster.connection import workers_at
from dragoman.config import DecodeOptions, TuneOptions
from dragoman.model.directory import ModelDirectory
from dragoman.model.weights import write_weights
from dragoman.pipeline.stage import Request
from dragoman.text import Tokenizer, words_of
from dragoman.text_file import read_lines
from dragoman.tune import tune_model


@dataclass(frozen=True, slots=True)
class TuneStageOptions:
    """At most `max_words` of the set are tuned on."""

    tune: TuneOptions
    decode: DecodeOptions
    max_words: int


@dataclass(frozen=True, slots=True)
class Tuned:
    """`unjudged_bleu` is what the judge began with, where there is one."""

    bleu: float
    rounds: int
    best_round: int
    pairs: int
    unjudged_bleu: float | None


def run(request: Request[TuneStageOptions]) -> Tuned:
    """Writes weights.txt. A run that was killed goes on with the round it was in."""
    source, target = read_lines(request.input("source")), read_lines(request.input("target"))
    chosen = within_words(source, request.options.max_words, source_language(request.input("model")))
    request.keep.mkdir(parents=True, exist_ok=True)
    with workers_at(request.cluster, "tune") as workers:
        result = tune_model(
            request.input("model"),
            [source[at] for at in chosen],
            [target[at] for at in chosen],
            request.options.tune,
            decode=request.options.decode,
            state=request.keep,
            threads=request.threads,
            progress=request.progress,
            workers=workers,
            scratch=request.scratch,
        )
    write_weights(request.out / "weights.txt", result.weights)
    return Tuned(result.bleu, len(result.rounds), result.best_round, len(chosen), result.unjudged_bleu)


def source_language(model: Path) -> str:
    return ModelDirectory.open(model).manifest.source_lang


def within_words(lines: list[str], max_words: int, language: str) -> list[int]:
    """As many lines as have so many words together, as the tokenizer counts them, evenly spread; at least one."""
    words = sum(map(len, map(words_of, Tokenizer(language).tokenize(lines, model=True))))
    if words <= max_words:
        return list(range(len(lines)))
    count = max(1, len(lines) * max_words // words)
    return [i * len(lines) // count for i in range(count)]
