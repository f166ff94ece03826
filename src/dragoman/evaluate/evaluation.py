"""What a system is worth: scores with intervals, length, unknown words, speed, memory, and how it compares."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dragoman.cluster.workers import Workers
from dragoman.config import DecodeOptions
from dragoman.errors import ConfigError, InputError
from dragoman.evaluate.bleu_tokenizer import tokenizer_of, tokenizer_of_text
from dragoman.evaluate.run import Memory, Run, measured_run
from dragoman.evaluate.scores import MetricDifference, MetricScore, metric, score, statistics
from dragoman.evaluate.sharded import translated_on
from dragoman.evaluate.speed import Speed
from dragoman.model.directory import ModelDirectory
from dragoman.model.options import decode_options
from dragoman.progress import Progress
from dragoman.references import require_as_long

SAMPLES = 1000


@dataclass(frozen=True, slots=True)
class Comparison:
    """The system that this one is compared with, and the differences, this one's less that one's."""

    scores: list[MetricScore]
    differences: list[MetricDifference]
    length_ratio: float
    unknown_rate: float | None = None
    speed: Speed | None = None
    memory: Memory | None = None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Scores of one system; what was not measured is None."""

    sentences: int
    scores: list[MetricScore]
    length_ratio: float  # words of the translations, as BLEU's tokenizer has them, by words of the references
    unknown_rate: float | None = None  # share of source words that no rule could translate
    speed: Speed | None = None
    memory: Memory | None = None
    against: Comparison | None = None
    translations: list[str] = field(default_factory=list)

    def score(self, name: str) -> float:
        """By name: BLEU, BLEU-lc, chrF, TER."""
        return next(metric.score for metric in self.scores if metric.name == name)

    def as_json(self) -> dict[str, Any]:
        document = dataclasses.asdict(self)
        del document["translations"]
        document["scores"] = by_name(document["scores"])
        if self.against is not None:
            other = document["against"]
            other["scores"] = by_name(other["scores"])
            other["differences"] = by_name(other["differences"])
        return document


def by_name(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {row.pop("name"): row for row in rows}


def evaluate_texts(
    translations: list[str],
    references: list[str],
    *,
    further: Sequence[list[str]] = (),
    against: list[str] | None = None,
    samples: int = SAMPLES,
    tokenize: str | None = None,
) -> Evaluation:
    """Scores of translations, and how they compare with those of another system.

    `further` are texts with more references of the same lines. `tokenize` is a tokenizer of sacreBLEU for BLEU, else it
    is chosen by the script of the references.
    """
    if samples < 40:
        raise ConfigError(f"--samples must be at least 40 for an interval of 95 %, not {samples}", "samples")
    tokenize = tokenize or tokenizer_of_text(references)
    texts = [references, *further]
    own, other, differences = score(translations, texts, against, samples, tokenize)
    comparison = None
    if against is not None:
        comparison = Comparison(other, differences, length_ratio(against, texts, tokenize))
    return Evaluation(
        sentences=len(references),
        scores=own,
        length_ratio=length_ratio(translations, texts, tokenize),
        against=comparison,
        translations=translations,
    )


def evaluate_model(
    model: str | Path,
    source: list[str],
    reference: list[str],
    *,
    further: Sequence[list[str]] = (),
    against: str | Path | None = None,
    decode: DecodeOptions | None = None,
    against_decode: DecodeOptions | None = None,
    weights: Mapping[str, float] | None = None,
    threads: int = 1,
    samples: int = SAMPLES,
    tokenize: str | None = None,
    progress: Progress | None = None,
    workers: Workers | None = None,
) -> Evaluation:
    """Translates `source` and scores the result; with `against`, another model, also how the two compare.

    Each model is searched with its own options unless others are given. `further` are texts with more references of the
    same lines. `tokenize` is a tokenizer of sacreBLEU for
    BLEU, else the one that suits the target language. Where `workers` of a cluster translate, nothing is said of speed
    and memory.
    """
    if len(source) != len(reference):
        raise InputError(
            f"the source has {len(source)} lines and the reference {len(reference)}; they must correspond line by line"
        )
    require_as_long([reference, *further])
    if not source:
        raise InputError("there is nothing to evaluate: the text is empty")
    tokenize = tokenize or tokenizer_of(ModelDirectory.open(model).manifest.target_lang)
    metric("BLEU", tokenize)  # before the translating, which may take long
    if workers is not None and workers.away and against is None:
        options = decode or decode_options(model)
        texts, unknown_rate = translated_on(workers, model, source, options, weights, progress)
        evaluation = evaluate_texts(texts, reference, further=further, samples=samples, tokenize=tokenize)
        return dataclasses.replace(evaluation, unknown_rate=unknown_rate)
    own = measured_run(
        model, source, decode or decode_options(model), weights=weights, threads=threads, progress=progress
    )
    other = None
    if against is not None:
        its = against_decode or decode_options(against)
        other = measured_run(against, source, its, threads=threads, progress=progress)
    evaluation = evaluate_texts(
        own.texts,
        reference,
        further=further,
        against=other.texts if other else None,
        samples=samples,
        tokenize=tokenize,
    )
    comparison = evaluation.against
    if comparison is not None and other is not None:
        comparison = dataclasses.replace(comparison, **measurements(other))
    return dataclasses.replace(evaluation, against=comparison, **measurements(own))


def measurements(run: Run) -> dict[str, Any]:
    return {"unknown_rate": run.unknown_rate, "speed": run.speed, "memory": run.memory}


def length_ratio(translations: list[str], references: list[list[str]], tokenize: str) -> float:
    rows = statistics(translations, references, tokenize, False)
    return sum(row[0] for row in rows) / max(1, sum(row[1] for row in rows))
