"""evaluate: the test set translated and scored, by sacreBLEU where it is installed, else BLEU alone by the core."""

from __future__ import annotations

import importlib.util
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from dragoman import _core
from dragoman.cluster.connection import workers_at
from dragoman.cluster.workers import Workers
from dragoman.config import DecodeOptions
from dragoman.evaluate import evaluate_model
from dragoman.evaluate.sharded import translated_on
from dragoman.files import writing
from dragoman.model.weights import read_weights
from dragoman.pipeline.stage import Request
from dragoman.text_file import read_lines
from dragoman.translator import Translator

Weights = dict[str, float] | None


@dataclass(frozen=True, slots=True)
class EvaluateOptions:
    """With 0 as many threads as there are."""

    decode: DecodeOptions
    threads: int = 0


@dataclass(frozen=True, slots=True)
class ScoredSet:
    """What is known of the translations beside their scores; sacreBLEU's part is empty without it."""

    sentences: int
    length_ratio: float | None = None
    unknown_rate: float | None = None
    intervals: dict[str, tuple[float, float]] = field(default_factory=dict)
    signatures: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """What is known."""
        return {name: value for name, value in asdict(self).items() if value not in (None, {})}


@dataclass(frozen=True, slots=True)
class Evaluated:
    """Scores by name. They hold no timings: they are part of the model's manifest."""

    scores: dict[str, float]
    test: ScoredSet


def run(request: Request[EvaluateOptions]) -> Evaluated:
    """Writes translations."""
    source, reference = read_lines(request.input("source")), read_lines(request.input("target"))
    weights = read_weights(request.input("weights")) if request.has("weights") else None
    # The plan may have less room than there are cores.
    request = replace(request, threads=request.options.threads or request.threads)
    scored = with_core if importlib.util.find_spec("sacrebleu") is None else with_sacrebleu
    with workers_at(request.cluster, "evaluate") as workers:
        translations, evaluated = scored(request, source, reference, weights, workers)
    with writing(request.out / "translations") as stream:
        stream.write("".join(f"{line}\n" for line in translations).encode())
    return evaluated


def with_sacrebleu(
    request: Request[EvaluateOptions], source: list[str], reference: list[str], weights: Weights, workers: Workers
) -> tuple[list[str], Evaluated]:
    evaluation = evaluate_model(
        request.input("model"),
        source,
        reference,
        decode=request.options.decode,
        weights=weights,
        threads=request.threads,
        progress=request.progress,
        workers=workers,
    )
    test = ScoredSet(
        sentences=evaluation.sentences,
        length_ratio=round(evaluation.length_ratio, 4),
        unknown_rate=None if evaluation.unknown_rate is None else round(evaluation.unknown_rate, 5),
        intervals={score.name: (round(score.low, 2), round(score.high, 2)) for score in evaluation.scores},
        signatures={score.name: score.signature for score in evaluation.scores},
    )
    scores = {score.name: round(score.score, 2) for score in evaluation.scores}
    return evaluation.translations, Evaluated(scores, test)


def with_core(
    request: Request[EvaluateOptions], source: list[str], reference: list[str], weights: Weights, workers: Workers
) -> tuple[list[str], Evaluated]:
    translator = Translator.load(request.input("model"), weights=weights)
    decode, progress = request.options.decode, request.progress
    if workers.away:
        texts, _ = translated_on(workers, request.input("model"), source, decode, weights, progress)
    else:
        translations = translator.translate(source, decode, threads=request.threads, progress=progress)
        texts = [translation.text for translation in translations]
    tokenize = _core.bleu_tokenizer(translator.model.manifest.target_lang)
    scores, signatures = {}, {}
    for name, lowercase in (("BLEU", False), ("BLEU-lc", True)):
        rows = _core.bleu_statistics(texts, reference, lowercase, tokenize)
        # In sacreBLEU's words, but for its version, which has no part in this.
        signatures[name] = f"nrefs:1|case:{'lc' if lowercase else 'mixed'}|eff:no|tok:{tokenize}|smooth:exp"
        scores[name] = round(100 * _core.bleu_score([sum(column) for column in zip(*rows, strict=True)]), 2)
    return texts, Evaluated(scores, ScoredSet(len(source), signatures=signatures))
