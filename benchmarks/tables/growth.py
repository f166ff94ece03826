"""How time grows: of training's stages with the text, of translating with text, length of sentences and additions.

Each row is a curve, t ∝ x^e, by least squares over the logarithms of a few points.
"""

from __future__ import annotations

import math
import shutil
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.harness.table import Column, Finding, Row, Rows, Setting, Table, Values, Verdict
from benchmarks.measure import corpus_lines
from benchmarks.thesis_systems import DEBATES, DEV_SENTENCES, LARGE, LARGE_SENTENCES, MOST_PAIRS, NETWORK
from benchmarks.trained import SIMPLEST, TrainedModel
from dragoman.config import DecodeOptions
from dragoman.translator import Translator

STAGES = {
    "prepare": "cleaning",
    "tokenize": "finding words",
    "align": "aligning words",
    "index": "indexing",
    "sources": "keeping the sentences",
    "lm": "n-gram model",
    "neural": "network, one epoch",
    "conditioned": "network that reads the source, one epoch",
    "tune": "tuning weights",
    "confidence": "learning how far to trust it",
}
NETWORKS = ("neural", "conditioned")
LENGTHS = (5, 10, 20, 40)
Points = list[tuple[float, float]]


def debates(setting: Setting, pairs: int, **options: Any) -> TrainedModel:
    corpus, dev, test = LARGE["fr-en"]
    options = {**SIMPLEST, "memory": "2GB"} | options
    return TrainedModel(
        corpus,
        "fr-en",
        options,
        pairs,
        dev,
        test,
        LARGE_SENTENCES,
        DEV_SENTENCES,
        folder=setting.folder,
        threads=setting.threads,
    )


def curve(points: Points, unit: str) -> Values:
    logs = [(math.log(x), math.log(y)) for x, y in points]
    mean_x, mean_y = (sum(column) / len(logs) for column in zip(*logs, strict=True))
    slope = sum((x - mean_x) * (y - mean_y) for x, y in logs) / sum((x - mean_x) ** 2 for x, _ in logs)
    (first, low), *_, (last, high) = points
    return {"exponent": slope, "from": first, "to": last, "low": low, "high": high, "unit": unit}


def stage(models: Sequence[TrainedModel], name: str) -> Values:
    points = []
    for model in models:
        taken = {entry["stage"]: entry["cpu_seconds"] for entry in model.summary()["stages"]}
        points.append((float(model.pairs or 0), float(taken[name])))
    return curve(points, "CPU s")


def sentences(words: int, count: int) -> list[str]:
    """Of news, of about so many words."""
    lines = corpus_lines("newstest/fr-en/newstest2012.fr")
    return [line for line in lines if words * 0.85 <= len(line.split()) <= words * 1.15][:count]


def milliseconds(translator: Translator, lines: list[str]) -> float:
    """CPU of a sentence; the first pass pays for what is made once."""
    options = DecodeOptions()
    translator.translate(lines[:3], options, threads=1)
    begin = time.process_time()
    translator.translate(lines, options, threads=1)
    return 1000 * (time.process_time() - begin) / len(lines)


def by_pairs(models: Sequence[TrainedModel], count: int) -> Values:
    lines = sentences(20, count)
    points = [(float(model.pairs or 0), milliseconds(model.translator(), lines)) for model in models]
    return curve(points, "ms a sentence")


def by_words(model: TrainedModel, count: int) -> Values:
    translator = model.translator()
    points = [(float(words), milliseconds(translator, sentences(words, count))) for words in LENGTHS]
    return curve(points, "ms a sentence")


def by_additions(model: TrainedModel, additions: Sequence[int], count: int) -> Values:
    """News of another year is taught than is translated."""
    pairs = list(zip(*(corpus_lines(f"newstest/fr-en/newstest2013.{lang}") for lang in ("fr", "en")), strict=True))
    lines, points, known = sentences(20, count), [], 0
    with tempfile.TemporaryDirectory() as folder:
        taught = Path(shutil.copytree(model.model, Path(folder) / "model"))
        translator = Translator.load(taught)
        for number in additions:
            for name, (source, target) in enumerate(pairs[known:number], start=known):
                translator.add(source, target, id=f"added:{name}", force=True)
            known = number
            points.append((float(number), milliseconds(translator, lines)))
    return curve(points, "ms a sentence")


def rows(setting: Setting) -> list[Row]:
    sizes = setting.either(quick=(5_000, 10_000, 20_000), full=(25_000, 50_000, 100_000, MOST_PAIRS))
    additions = setting.either(quick=(100, 300, 1000), full=(100, 300, 1000, 3000))
    count = setting.either(quick=30, full=60)
    models = [debates(setting, pairs) for pairs in sizes]
    network = {"language_models": "ngram+neural+conditioned", "stages": {"neural_lm": NETWORK | {"epochs": 1}}}
    with_networks = [debates(setting, pairs, **network) for pairs in sizes]
    tuned = [debates(setting, pairs, tune=True, tune_words=2000, stages={"tune": {"rounds": 3}}) for pairs in sizes]
    listed = []
    for name, title in STAGES.items():
        trained = with_networks if name in NETWORKS else tuned if name == "tune" else models
        listed.append(Row(name, f"{title}, by pairs", partial(stage, trained, name), trained))
    return [
        *listed,
        Row("translating-pairs", "translating 20 words, by pairs", partial(by_pairs, models, count), models),
        Row(
            "translating-words",
            "translating, by words of the sentence",
            partial(by_words, models[-1], count),
            models[-1:],
        ),
        Row(
            "translating-additions",
            "translating 20 words, by pairs added since",
            partial(by_additions, models[0], additions, count),
            models[:1],
        ),
    ]


def finding(rows: Rows) -> Finding:
    exponents = {name: float(row["exponent"] or 0) for name, row in rows.items()}
    stages = max(exponents[name] for name in STAGES)
    translating = exponents["translating-pairs"]
    verdict = Verdict.UNDECIDED
    if stages < 1.15 and translating < 0.5:
        verdict = Verdict.CONFIRMED
    elif stages > 1.3 or translating > 0.8:
        verdict = Verdict.REFUTED
    return Finding(
        verdict,
        f"Exponents: {', '.join(f'{STAGES[name]} {exponents[name]:.2f}' for name in STAGES)}; translating "
        f"{translating:.2f} by pairs, {exponents['translating-words']:.2f} by words of a sentence, "
        f"{exponents['translating-additions']:.2f} by pairs added.",
    )


TABLE = Table(
    name="growth",
    title="How time grows",
    claim="Training takes time in proportion to the text, and translating grows far more slowly than it.",
    claimed_by="Dragoman",
    columns=[
        Column("exponent", "exponent", 2, "low"),
        Column("from", "from", 0),
        Column("to", "to", 0),
        Column("low", "there", 2),
        Column("high", "and there", 2),
        Column("unit", "in"),
    ],
    rows=rows,
    corpora=[*DEBATES, "corpora/newstest/fr-en"],
    finding=finding,
    caveat="Debates; what translates has n-grams alone, weights that are not tuned, and searches hierarchically, on "
    "one thread. Weights are tuned for three rounds on 2,000 words, and trust is learned from equally many words at "
    "every size. On small texts the seconds that a stage takes to begin make exponents smaller. The page on scale has "
    "larger texts, and memory.",
)
