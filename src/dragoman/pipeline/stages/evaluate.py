"""evaluate: the test set translated and scored, by sacreBLEU where it is installed, else BLEU alone by the core."""

from __future__ import annotations

import importlib.util
from typing import Any

from dragoman import _core
from dragoman.config import DecodeOptions
from dragoman.files import writing
from dragoman.model.weights import read_weights
from dragoman.pipeline.stage import Request
from dragoman.pipeline.stages.measure import read_lines


def run(request: Request) -> dict[str, Any]:
    """Writes translations. Scores hold no timings: they are part of the model's manifest."""
    source, reference = read_lines(request.input("source")), read_lines(request.input("target"))
    weights = read_weights(request.input("weights")) if request.has("weights") else None
    decode = DecodeOptions(**request.options["decode"])
    if importlib.util.find_spec("sacrebleu") is None:
        translations, scores = with_core(request, source, reference, weights, decode)
        details: dict[str, Any] = {"sentences": len(source)}
    else:
        translations, scores, details = with_sacrebleu(request, source, reference, weights, decode)
    with writing(request.out / "translations") as stream:
        stream.write("".join(f"{line}\n" for line in translations).encode())
    return {"scores": {**scores, "test": details}}


def with_sacrebleu(
    request: Request, source: list[str], reference: list[str], weights: dict[str, float] | None, decode: DecodeOptions
) -> tuple[list[str], dict[str, float], dict[str, Any]]:
    from dragoman.evaluate import evaluate_model

    made = evaluate_model(
        request.input("model"),
        source,
        reference,
        decode=decode,
        weights=weights,
        threads=request.threads,
        progress=request.progress,
    )
    details = {
        "sentences": made.sentences,
        "length_ratio": round(made.length_ratio, 4),
        "unknown_rate": None if made.unknown_rate is None else round(made.unknown_rate, 5),
        "intervals": {each.name: [round(each.low, 2), round(each.high, 2)] for each in made.scores},
        "signatures": {each.name: each.signature for each in made.scores},
    }
    return made.translations, {each.name: round(each.score, 2) for each in made.scores}, details


def with_core(
    request: Request, source: list[str], reference: list[str], weights: dict[str, float] | None, decode: DecodeOptions
) -> tuple[list[str], dict[str, float]]:
    from dragoman.translator import Translator

    translator = Translator.load(request.input("model"), weights=weights)
    made = translator.translate(source, decode, threads=request.threads, progress=request.progress)
    texts = [each.text for each in made]
    scores = {}
    for name, lowercase in (("BLEU", False), ("BLEU-lc", True)):
        rows = _core.bleu_statistics(texts, reference, lowercase)
        scores[name] = round(100 * _core.bleu_score([sum(column) for column in zip(*rows, strict=True)]), 2)
    return texts, scores
