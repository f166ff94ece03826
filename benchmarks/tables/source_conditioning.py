"""Thesis, table 4.13: a network that reads the source besides one that does not, without n-grams, three pairs."""

from __future__ import annotations

from functools import partial

from benchmarks.harness.table import Column, Finding, Row, Rows, Setting, Table, Values, Verdict
from benchmarks.thesis_systems import CORPORA, LARGE_TEXTS, PAIRS, thesis_system
from benchmarks.trained import TrainedModel

THESIS = {"fr-en": (31.55, 31.81), "en-cs": (18.56, 18.71), "en-de": (18.33, 18.64)}


def compared(model: TrainedModel, other: TrainedModel) -> Values:
    return model.values(against=other.translations())


def rows(setting: Setting) -> list[Row]:
    listed = []
    for pair in PAIRS:
        target = thesis_system(setting, pair, "neural")
        both = thesis_system(setting, pair, "neural+conditioned")
        without, with_source = THESIS[pair]
        listed += [
            Row(f"{pair}-target", f"{pair}, target", target.values, [target], {"bleu_lc": without}),
            Row(
                f"{pair}-both",
                f"{pair}, source + target",
                partial(compared, both, target),
                [target, both],
                {"bleu_lc": with_source, "difference": with_source - without},
            ),
        ]
    return listed


def finding(rows: Rows) -> Finding:
    both = {pair: rows[f"{pair}-both"] for pair in PAIRS if f"{pair}-both" in rows}
    if not both:
        raise KeyError("both")
    lows, highs = ([float(row[end] or 0) for row in both.values()] for end in ("low", "high"))
    verdict = Verdict.UNDECIDED
    if min(lows) > 0 and len(both) == len(PAIRS):
        verdict = Verdict.CONFIRMED
    elif max(highs) < 0:
        verdict = Verdict.REFUTED
    told = "; ".join(f"{pair} {row['difference']:+.2f} ({row['interval']})" for pair, row in both.items())
    return Finding(verdict, f"Reading the source adds: {told}. The thesis has +0.26, +0.31 and +0.15.")


TABLE = Table(
    name="source-conditioning",
    title="Networks that read the source",
    claim="A network that reads the source, beside one that does not, gains BLEU in all three pairs.",
    claimed_by="Thesis, table 4.13",
    columns=[
        Column("bleu_lc", "BLEU, lowercased", 2, "high"),
        Column("difference", "gain", 2),
        Column("interval", "95 %"),
        Column("ms", "ms a sentence", 1, "low"),
        Column("memory_mb", "memory, MB", 0, "low"),
    ],
    rows=rows,
    corpora=CORPORA,
    finding=finding,
    texts=LARGE_TEXTS,
)
