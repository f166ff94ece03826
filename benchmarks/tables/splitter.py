"""The sentence splitter beside sentencex and pysbd, on paragraphs made of real sentences."""

from __future__ import annotations

import importlib.util
from functools import partial

from benchmarks.harness.table import Column, Finding, NotHereError, Row, Rows, Setting, Table, Values, Verdict
from benchmarks.measure import corpus_lines

LANGUAGES = {"en": ("English", "en-cs"), "fr": ("French", "fr-en"), "de": ("German", "en-de"), "cs": ("Czech", "en-cs")}
RIVALS = ("sentencex", "pysbd")


def beside(language: str, pair: str, lines: int | None) -> Values:
    absent = [name for name in RIVALS if importlib.util.find_spec(name) is None]
    if absent:
        raise NotHereError(f"pip install {' '.join(absent)}")
    from benchmarks.splitter import measure, single_sentences

    text = corpus_lines(f"newstest/{pair}/newstest2012.{language}", lines)
    scores = measure(language, single_sentences(text))
    values: dict[str, float] = {}
    for name, prefix in (("dragoman", "ours"), *((name, name) for name in RIVALS)):
        row = scores[name]
        assert isinstance(row, dict)
        values |= {f"{prefix}_f1": row["f1"], f"{prefix}_seconds": row["cpu_seconds_per_mb"]}
    return values


def rows(setting: Setting) -> list[Row]:
    lines = setting.either(quick=1000, full=None)
    return [
        Row(language, f"{title}, news", partial(beside, language, pair, lines))
        for language, (title, pair) in LANGUAGES.items()
    ]


def finding(rows: Rows) -> Finding:
    better = all(
        float(row["ours_f1"] or 0) > max(float(row[f"{rival}_f1"] or 0) for rival in RIVALS) for row in rows.values()
    )
    told = ", ".join(f"{name} {row['ours_f1']} ({row['sentencex_f1']})" for name, row in rows.items())
    return Finding(Verdict.CONFIRMED if better else Verdict.UNDECIDED, f"F1, sentencex' in brackets: {told}.")


TABLE = Table(
    name="splitter",
    title="The sentence splitter beside others",
    claim="It finds more of the boundaries of sentences than sentencex and pysbd.",
    claimed_by="README",
    columns=[
        Column("ours_f1", "F1", 1, "high"),
        Column("sentencex_f1", "sentencex", 1, "high"),
        Column("pysbd_f1", "pysbd", 1, "high"),
        Column("ours_seconds", "CPU s a MB", 3, "low"),
        Column("sentencex_seconds", "sentencex, CPU s a MB", 3, "low"),
        Column("pysbd_seconds", "pysbd, CPU s a MB", 1, "low"),
    ],
    rows=rows,
    corpora=[f"corpora/newstest/{pair}" for pair in ("fr-en", "en-de", "en-cs")],
    code=["core/text", "core/base", "core/bind"],
    rivals=RIVALS,
    finding=finding,
    caveat="newstest2012, which the rules were not looked at with; pysbd has no Czech and reads it as Slovak.",
)
