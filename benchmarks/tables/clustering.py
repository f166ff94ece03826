"""Thesis, table 4.4: word classes by Brown's clustering or by frequency, the class-factored network alone."""

from __future__ import annotations

from functools import partial

from benchmarks.harness.table import Column, Finding, Row, Rows, Setting, Table, Values, Verdict
from benchmarks.thesis_systems import FRENCH, FRENCH_TEXTS, SEEDS, of_seed, seeded, thesis_system
from benchmarks.trained import TrainedModel


def compared(model: TrainedModel, other: TrainedModel) -> Values:
    return model.values(against=other.translations())


def rows(setting: Setting) -> list[Row]:
    listed = []
    for seed in setting.either(quick=SEEDS[:1], full=SEEDS):
        brown = thesis_system(setting, "fr-en", "neural", stages=seeded(seed))
        bins = thesis_system(setting, "fr-en", "neural", stages=seeded(seed, clustering="frequency"))
        end, title = of_seed(seed)
        run = partial(compared, brown, bins)
        listed += [
            Row(f"brown{end}", f"Brown clustering{title}", run, [brown, bins], {"bleu_lc": 31.55}, again=bool(end)),
            Row(f"frequency{end}", f"Frequency bins{title}", bins.values, [bins], {"bleu_lc": 31.07}, again=bool(end)),
        ]
    return listed


def finding(rows: Rows) -> Finding:
    """By the mean over seeds, whose interval is at most as wide as the mean of the seeds' intervals."""
    browns = [rows[name] for name in rows if name.startswith("brown")]
    bleu, low, high, gain = (mean(browns, column) for column in ("bleu_lc", "low", "high", "difference"))
    bins = mean([rows[name] for name in rows if name.startswith("frequency")], "bleu_lc")
    verdict = Verdict.CONFIRMED if low > 0 else Verdict.REFUTED if high < 0 else Verdict.UNDECIDED
    seeds = "" if len(browns) == 1 else f", means of {len(browns)} seeds"
    return Finding(
        verdict,
        f"{bleu:.2f} with Brown's classes and {bins:.2f} with bins, a difference of {gain:+.2f} "
        f"({low:+.1f} to {high:+.1f}){seeds}; the thesis has 31.55 and 31.07.",
    )


def mean(rows: list[Values], column: str) -> float:
    return sum(float(row[column] or 0) for row in rows) / len(rows)


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
    corpora=FRENCH,
    seeds=SEEDS,
    finding=finding,
    texts=FRENCH_TEXTS,
)
