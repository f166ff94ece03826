"""Thesis, tables 4.10 and 4.11 and figure 4.4: BLEU against bytes of the language model, one model at a time.

N-gram models of a share of the sentences, as in the thesis; n-gram models pruned by entropy to as many bytes, which the
thesis leaves out; and class-factored networks of several dimensions, here with one byte a number.
"""

from __future__ import annotations

from functools import partial

from benchmarks.harness.table import Chart, Column, Finding, Row, Rows, Setting, Table, Values, Verdict
from benchmarks.thesis_systems import FRENCH, FRENCH_TEXTS, thesis_system
from benchmarks.trained import TrainedModel

SAMPLED = {0.01: (214, 29.78), 0.02: (404, 30.25), 0.05: (922, 31.00), 0.1: (1700, 31.80), 0.2: (3100, 32.38),
           0.5: (6600, 32.89), 1.0: (12000, 33.01)}  # fmt: skip
DIMENSIONS = {100: (86, 29.87), 200: (167, 30.64), 500: (408, 31.55), 1000: (816, 31.97), 2000: (1600, 32.29),
              5000: (4000, 32.37)}  # fmt: skip

# BLEU that seeds differ by.
CHANCE = 0.5


def measured(model: TrainedModel, file: str) -> Values:
    values = dict(model.values())
    values["lm_mb"] = values.pop(f"{file}_mb")
    return values


def rows(setting: Setting) -> list[Row]:
    listed = []
    for share in setting.either(quick=(0.05, 0.2, 1.0), full=(0.05, 0.2, 0.5, 1.0)):
        stages = {"lm": {"sample": share}} if share < 1 else {}
        model = thesis_system(setting, "fr-en", "ngram", stages=stages)
        megabytes, bleu = SAMPLED[share]
        listed.append(
            Row(
                f"sampled-{share:g}".replace(".", "_"),
                f"n-grams of {100 * share:g} % of the sentences",
                partial(measured, model, "lm.bin"),
                [model],
                {"lm_mb": megabytes, "bleu_lc": bleu},
            )
        )
    for size in setting.either(quick=("600kB", "1300kB"), full=("4MB", "8MB", "16MB")):
        model = thesis_system(setting, "fr-en", "ngram", stages={"lm": {"memory": size}})
        listed.append(Row(f"pruned-{size}", f"n-grams pruned to {size}", partial(measured, model, "lm.bin"), [model]))
    # Vectors are stored with a multiple of 64 numbers; the thesis' nearest dimension stands beside it.
    dimensions = {64: None, 128: 100, 256: 200, 512: 500}
    for dimension in setting.either(quick=(64, 128, 256), full=(64, 128, 256, 512)):
        # 128 is the default of this text, so that the model is that of other tables.
        stages = {"neural_lm": {"dimension": dimension}} if dimension != 128 else {}
        model = thesis_system(setting, "fr-en", "neural", stages=stages)
        nearest = dimensions[dimension]
        thesis = dict(zip(("lm_mb", "bleu_lc"), DIMENSIONS[nearest], strict=True)) if nearest else {}
        listed.append(
            Row(
                f"dimension-{dimension}",
                f"network, {dimension} numbers",
                partial(measured, model, "nlm.bin"),
                [model],
                thesis,
            )
        )
    return listed


def finding(rows: Rows) -> Finding:
    """The first half of the claim is about the smallest sizes, the second about the whole n-gram model. Differences
    within those of seeds count for neither side."""
    whole = rows["sampled-1"]
    networks = [row for name, row in rows.items() if name.startswith("dimension")]
    ngrams = [row for name, row in rows.items() if name.startswith(("sampled", "pruned"))]
    gains, told = [], []
    for network in networks:
        fitting = [row for row in ngrams if number(row, "lm_mb") <= number(network, "lm_mb")]
        best = max((number(row, "bleu_lc") for row in fitting), default=0.0)
        gains.append(number(network, "bleu_lc") - best)
        told.append(f"{number(network, 'bleu_lc'):.2f} against {best:.2f} within {number(network, 'lm_mb'):.2f} MB")
    ahead = number(whole, "bleu_lc") - max(number(network, "bleu_lc") for network in networks)
    verdict = Verdict.UNDECIDED
    if min(gains) > CHANCE and ahead > CHANCE:
        verdict = Verdict.CONFIRMED
    elif max(gains) < -CHANCE:
        verdict = Verdict.REFUTED
    return Finding(
        verdict,
        f"Networks against n-gram models of at most their size: {'; '.join(told)}. The whole n-gram model has "
        f"{number(whole, 'bleu_lc'):.2f} in {number(whole, 'lm_mb'):.2f} MB"
        + ("." if ahead > 0 else ", so the second half is not seen on this text."),
    )


def number(row: Values, column: str) -> float:
    return float(row[column] or 0)


TABLE = Table(
    name="quality-and-memory",
    title="BLEU against memory of the language model",
    claim="Networks translate better than n-gram models where memory is short, and n-gram models where it is not.",
    claimed_by="Thesis, tables 4.10 and 4.11, figure 4.4",
    columns=[
        Column("lm_mb", "language model, MB", 2, "low"),
        Column("bleu_lc", "BLEU, lowercased", 2, "high"),
        Column("ms", "ms a sentence", 1, "low"),
        Column("memory_mb", "whole process, MB", 0, "low"),
    ],
    rows=rows,
    corpora=FRENCH,
    finding=finding,
    texts=FRENCH_TEXTS,
    caveat="Small, the whole n-gram model is hardly larger than a network, so the end without limits is not reached.",
    chart=Chart(
        "lm_mb",
        "bleu_lc",
        {
            "sampled n-grams": "sampled",
            "pruned n-grams": "pruned",
            "networks": "dimension",
        },
        logarithmic=True,
    ),
)
