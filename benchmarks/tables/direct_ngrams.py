"""Thesis, table 4.12: weights of their own for the most frequent n-grams, beside the network, by their number."""

from __future__ import annotations

from functools import partial

from benchmarks.harness.table import Column, Finding, Row, Rows, Setting, Table, Values, Verdict
from benchmarks.thesis_systems import FRENCH, FRENCH_TEXTS, thesis_system
from benchmarks.trained import TrainedModel

# Number of n-grams, megabytes, BLEU.
THESIS = {0: (408, 31.55), 1_000_000: (511, 31.69), 3_000_000: (621, 32.10), 10_000_000: (980, 32.24)}


def compared(model: TrainedModel, other: TrainedModel) -> Values:
    values = dict(model.values(against=None if other == model else other.translations()))
    values["lm_mb"] = values.pop("nlm.bin_mb")
    return values


def rows(setting: Setting) -> list[Row]:
    without = thesis_system(setting, "fr-en", "neural")
    listed = []
    for number in setting.either(quick=(0, 30_000, 100_000), full=(0, 300_000, 1_000_000, 3_000_000)):
        stages = {"neural_lm": {"direct_ngrams": number}} if number else {}
        model = thesis_system(setting, "fr-en", "neural", stages=stages)
        thesis = dict(zip(("lm_mb", "bleu_lc"), THESIS[number], strict=True)) if number in THESIS else {}
        run = partial(compared, model, without)
        listed.append(Row(f"direct-{number}", f"{number:,} n-grams", run, [without, model], thesis))
    return listed


def finding(rows: Rows) -> Finding:
    with_weights = {name: row for name, row in rows.items() if name != "direct-0"}
    most = max(with_weights, key=lambda name: int(name.removeprefix("direct-")))
    row = with_weights[most]
    low, high = float(row["low"] or 0), float(row["high"] or 0)
    verdict = Verdict.CONFIRMED if low > 0 else Verdict.REFUTED if high < 0 else Verdict.UNDECIDED
    told = "; ".join(f"{name.removeprefix('direct-')}: {entry['bleu_lc']:.2f}" for name, entry in rows.items())
    return Finding(
        verdict,
        f"BLEU by number of n-grams, {told}; the largest number gains {row['difference']:+.2f} "
        f"({row['interval']}) and takes {row['lm_mb']:.1f} MB instead of {rows['direct-0']['lm_mb']:.1f}. "
        "The thesis gains 0.14 to 1.00.",
    )


TABLE = Table(
    name="direct-ngrams",
    title="Weights for n-grams beside the network",
    claim="Direct n-gram weights improve translations, the more of them the more.",
    claimed_by="Thesis, table 4.12",
    columns=[
        Column("lm_mb", "network, MB", 2, "low"),
        Column("bleu_lc", "BLEU, lowercased", 2, "high"),
        Column("difference", "gain", 2),
        Column("interval", "95 %"),
        Column("ms", "ms a sentence", 1, "low"),
    ],
    rows=rows,
    corpora=FRENCH,
    finding=finding,
    texts=FRENCH_TEXTS,
)
