"""Thesis, table 4.4: word classes by Brown's clustering or by frequency, the class-factored network alone."""

from __future__ import annotations

from functools import partial

from benchmarks.harness.table import Column, Finding, Row, Rows, Setting, Table, Values, Verdict
from benchmarks.thesis_systems import CORPORA, TEXTS, thesis_system
from benchmarks.trained import TrainedModel


def compared(model: TrainedModel, other: TrainedModel) -> Values:
    return model.values(against=other.translations())


def rows(setting: Setting) -> list[Row]:
    brown = thesis_system(setting, "fr-en", "neural")
    bins = thesis_system(setting, "fr-en", "neural", stages={"neural_lm": {"clustering": "frequency"}})
    return [
        Row("brown", "Brown clustering", partial(compared, brown, bins), [brown, bins], {"bleu_lc": 31.55}),
        Row("frequency", "Frequency bins", bins.values, [bins], {"bleu_lc": 31.07}),
    ]


def finding(rows: Rows) -> Finding:
    brown, bins = rows["brown"], rows["frequency"]
    low, high = float(brown["low"] or 0), float(brown["high"] or 0)
    verdict = Verdict.CONFIRMED if low > 0 else Verdict.REFUTED if high < 0 else Verdict.UNDECIDED
    return Finding(
        verdict,
        f"{brown['bleu_lc']:.2f} with Brown's classes and {bins['bleu_lc']:.2f} with bins, a difference of "
        f"{brown['interval']}; the thesis has 31.55 and 31.07.",
    )


TABLE = Table(
    name="clustering",
    title="Word classes: Brown or frequency",
    claim="Classes by Brown's clustering translate better than classes by frequency.",
    claimed_by="Thesis, table 4.4",
    columns=[
        Column("bleu_lc", "BLEU, lowercased", 2, "high"),
        Column("difference", "more than bins", 2),
        Column("interval", "95 %"),
        Column("ms", "ms a sentence", 1, "low"),
    ],
    rows=rows,
    corpora=CORPORA,
    finding=finding,
    caveat=TEXTS,
)
