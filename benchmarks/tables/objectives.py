"""Thesis, tables 4.6 to 4.8: output layers, noise contrastive estimation, full contexts.

Small, every row has the same rates to choose from, by held-out perplexity, and trains until that rises. PyTorch trains
trees and the flat layer, the core all others, so CPU seconds are compared among those of one trainer.
"""

from __future__ import annotations

from functools import partial

from benchmarks.harness.table import Column, Finding, NotHereError, Row, Rows, Setting, Table, Values, Verdict
from benchmarks.objectives import RATES, Effort, Places, measure
from benchmarks.thesis_systems import FRENCH, FRENCH_TEXTS, thesis_system
from benchmarks.trained import TrainedModel, key_of
from dragoman.neural.train import has_torch

NAMES = {
    "likelihood": "classes, likelihood, diagonal",
    "nce": "classes, noise, diagonal",
    "likelihood-full": "classes, likelihood, full",
    "nce-full": "classes, noise, full",
    "flat": "flat, noise, not normalised",
    "tree-huffman": "Huffman's tree, likelihood",
    "tree-brown": "tree of Brown's merges, likelihood",
}
DAY = 86_400
THESIS: dict[str, Values] = {
    "likelihood": {"perplexity": 116.596, "bleu_lc": 31.75, "cpu_s": 9.1 * DAY},
    "nce": {"perplexity": 115.119, "bleu_lc": 31.55, "cpu_s": 1.2 * DAY},
    "nce-full": {"perplexity": 114.113, "bleu_lc": 31.43, "cpu_s": 3.64 * DAY},
    "flat": {"bleu_lc": 30.98, "cpu_s": 1.23 * DAY},
    "tree-huffman": {"bleu_lc": 30.37, "cpu_s": 1.4 * DAY},
}
TORCH = ("flat", "tree-huffman", "tree-brown")


def system(setting: Setting) -> TrainedModel:
    return thesis_system(setting, "fr-en", "ngram")


def trained(model: TrainedModel, row: str, effort: Effort) -> Values:
    if row in TORCH and not has_torch():
        raise NotHereError("PyTorch is not installed: pip install torch")
    work = model.folder / f"objectives.{key_of(model.name, effort.dimension)}"
    dev, test = model.dev or f"{model.corpus}/dev", model.test or f"{model.corpus}/test"
    return measure(Places(model.model, work, f"{model.corpus}/train", dev, test, model.pairs), row, effort)


def rows(setting: Setting) -> list[Row]:
    effort = setting.either(quick=Effort(128, RATES[:3], 15), full=Effort(256, (0.05,), 6))
    model = system(setting)
    return [
        Row(name, title, partial(trained, model, name, effort), [model], THESIS.get(name, {}))
        for name, title in NAMES.items()
    ]


def finding(rows: Rows) -> Finding:
    likelihood, nce = rows["likelihood"], rows["nce"]
    times = float(likelihood["cpu_s"] or 0) / float(nce["cpu_s"] or 1)
    apart = float(nce["bleu_lc"] or 0) - float(likelihood["bleu_lc"] or 0)
    as_good = abs(apart) < 0.5
    return Finding(
        Verdict.CONFIRMED if times > 6 and as_good else Verdict.REFUTED if times < 2 else Verdict.UNDECIDED,
        f"Likelihood takes {times:.1f} times the CPU of noise until both have converged, with perplexity "
        f"{likelihood['perplexity']:.1f} against {nce['perplexity']:.1f} and {apart:+.2f} BLEU for noise; "
        "the thesis has 7.6 times, 116.6 against 115.1 and -0.20.",
    )


TABLE = Table(
    name="objectives",
    title="Noise or likelihood, diagonal or full, classes or trees",
    claim="Noise contrastive estimation trains in a seventh of the time of likelihood, nearly as good translations.",
    claimed_by="Thesis, tables 4.6 to 4.8",
    columns=[
        Column("perplexity", "perplexity", 1, "low"),
        Column("bleu_lc", "BLEU, lowercased", 2, "high"),
        Column("cpu_s", "CPU s", 0, "low"),
        Column("words_per_cpu_s", "words a CPU s", 0, "high"),
        Column("epochs", "epochs", 0),
        Column("rate", "rate", 2),
        Column("ms", "ms a sentence", 1, "low"),
    ],
    rows=rows,
    corpora=FRENCH,
    finding=finding,
    texts=FRENCH_TEXTS,
    caveat="BLEU differs by half a point between seeds. The thesis tells days by the clock. Large, all rows "
    "have the rate 0.05 and at most six epochs. The flat layer's perplexity is normalised, its "
    "translations are not.",
)
