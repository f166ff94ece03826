"""The tokenizer beside sacremoses, on the same lines of training text: speed, and lines that come back whole."""

from __future__ import annotations

import importlib.util
from functools import partial

from benchmarks.harness.table import Column, Finding, NotHereError, Row, Rows, Setting, Table, Values, Verdict
from benchmarks.measure import corpus_lines
from benchmarks.tokenizer import measure_ours, measure_rival, sampled

TEXTS = {"fr": "europarl.fr-en", "en": "europarl.fr-en", "de": "europarl.en-de", "cs": "libreoffice-help.en-cs"}
NAMES = {"fr": "French, debates", "en": "English, debates", "de": "German, debates", "cs": "Czech, manuals"}


def beside(language: str, lines: int, rival_lines: int) -> Values:
    if importlib.util.find_spec("sacremoses") is None:
        raise NotHereError("sacremoses is not installed: pip install sacremoses")
    text = corpus_lines(f"{TEXTS[language]}/train.{language}", lines)
    ours, rival = measure_ours(text, language), measure_rival(sampled(text, rival_lines), language)
    return {
        "speed": ours["tokenize_million_tokens_per_second"],
        "rival_speed": rival["sacremoses_million_tokens_per_second"],
        "times": ours["tokenize_million_tokens_per_second"] / rival["sacremoses_million_tokens_per_second"],
        "round_trip": ours["round_trip_percent"],
        "rival_round_trip": rival["sacremoses_round_trip_percent"],
    }


def rows(setting: Setting) -> list[Row]:
    lines, rival_lines = setting.either(quick=(20_000, 500), full=(300_000, 5_000))
    return [Row(language, title, partial(beside, language, lines, rival_lines)) for language, title in NAMES.items()]


def finding(rows: Rows) -> Finding:
    least, whole = (
        min(float(row["times"] or 0) for row in rows.values()),
        min(row["round_trip"] or 0 for row in rows.values()),
    )
    good = least > 1 and whole == 100
    return Finding(
        Verdict.CONFIRMED if good else Verdict.REFUTED,
        f"At least {least:.0f} times as fast as sacremoses, and {whole:g} % of the lines come back as they were.",
    )


TABLE = Table(
    name="tokenizer",
    title="The tokenizer beside sacremoses",
    claim="It is faster than sacremoses on one core, and what it cuts can be joined again without loss.",
    claimed_by="README",
    columns=[
        Column("speed", "million tokens/s", 2, "high"),
        Column("rival_speed", "sacremoses", 3, "high"),
        Column("times", "times as fast", 0),
        Column("round_trip", "lines equal after joining, %", 2, "high"),
        Column("rival_round_trip", "sacremoses, %", 1, "high"),
    ],
    rows=rows,
    corpora=[f"corpora/{text}" for text in sorted(set(TEXTS.values()))],
    code=["core/text", "core/base", "core/bind"],
    rivals=["sacremoses"],
    finding=finding,
    caveat="sacremoses normalises and is not meant to be undone; it sees an evenly spaced sample of the same lines.",
)
