"""Thesis, section 2.5: weights of the log-linear model by maximum likelihood on k-best lists, by MERT and by MIRA."""

from __future__ import annotations

from functools import partial

from benchmarks.harness.table import Column, Finding, Row, Rows, Setting, Table, Values, Verdict
from benchmarks.thesis_systems import FRENCH, FRENCH_TEXTS, thesis_system
from benchmarks.trained import TrainedModel

METHODS = {"likelihood": "maximum likelihood", "mert": "MERT", "mira": "MIRA"}


def system(setting: Setting, method: str) -> TrainedModel:
    """MIRA is the default, so that its model is that of other tables."""
    stages = {} if method == "mira" else {"tune": {"method": method}}
    return thesis_system(setting, "fr-en", "ngram", stages=stages)


def compared(model: TrainedModel, other: TrainedModel) -> Values:
    values = dict(model.values(against=None if model == other else other.translations()))
    taken = {entry["stage"]: entry["cpu_seconds"] for entry in model.summary()["stages"]}
    return values | {"tuning_cpu_s": taken["tune"]}


def rows(setting: Setting) -> list[Row]:
    least = system(setting, "likelihood")
    models = {method: system(setting, method) for method in METHODS}
    return [
        Row(method, METHODS[method], partial(compared, model, least), [least, model])
        for method, model in models.items()
    ]


def finding(rows: Rows) -> Finding:
    likelihood = rows["likelihood"]
    others = {method: rows[method] for method in ("mert", "mira")}
    verdict = Verdict.UNDECIDED
    if all(float(row["low"] or 0) > 0 for row in others.values()):
        verdict = Verdict.CONFIRMED
    elif all(float(row["high"] or 0) < 0 for row in others.values()):
        verdict = Verdict.REFUTED
    told = "; ".join(
        f"{METHODS[method]} {row['bleu_lc']:.2f}, {row['difference']:+.2f} ({row['interval']})"
        for method, row in others.items()
    )
    return Finding(verdict, f"Likelihood {likelihood['bleu_lc']:.2f}; {told}.")


TABLE = Table(
    name="tuning-methods",
    title="Weights by likelihood, MERT and MIRA",
    claim="Weights that are learned for BLEU translate considerably better than those of maximum likelihood.",
    claimed_by="Thesis, section 2.5",
    columns=[
        Column("bleu_lc", "BLEU, lowercased", 2, "high"),
        Column("difference", "more than likelihood", 2),
        Column("interval", "95 %"),
        Column("tuning_cpu_s", "tuning, CPU s", 0, "low"),
    ],
    rows=rows,
    corpora=FRENCH,
    finding=finding,
    texts=FRENCH_TEXTS,
    caveat="Likelihood is that of the candidate with the best smoothed BLEU of its sentence, as references are "
    "not among the candidates.",
)
