"""A phrase table in place of the index, whole and pruned: why the thesis keeps the text instead (2.3.3, 3.1)."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

from benchmarks.harness.table import Column, Finding, Row, Rows, Setting, Table, Values, Verdict
from benchmarks.measure import run_function
from benchmarks.phrase_table import Limits, measure, model_weights, table_weights, write_table
from benchmarks.thesis_systems import FRENCH, FRENCH_TEXTS, thesis_system
from benchmarks.trained import TrainedModel

TABLES: dict[str, tuple[str, Limits]] = {
    "whole": ("all pairs of up to 7 words", (7, 1, 0)),
    "pruned": ("seen twice, 20 targets a phrase", (7, 2, 20)),
    "short": ("the same, up to 4 words", (4, 2, 20)),
}


def system(setting: Setting) -> TrainedModel:
    return thesis_system(setting, "fr-en", "ngram")


def texts(model: TrainedModel, part: str, count: int) -> list[list[str]]:
    return [model.lines(part, lang)[:count] for lang in model.languages]


def by_index(model: TrainedModel) -> Values:
    weights = model_weights(model.model)
    sizes = [(model.model / name).stat().st_size / 1e6 for name in ("bitext.bin", "lexicon.bin", "vocab.bin")]
    dev = texts(model, "dev", 250)
    return {"file_mb": sum(sizes), **measure(model.model, None, weights, texts(model, "test", 500), dev)}


def by_table(model: TrainedModel, limits: Limits) -> Values:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.txt"
        made, _ = run_function(write_table, model.model, path, limits)
        weights = table_weights(model_weights(model.model))
        row = measure(model.model, path, weights, texts(model, "test", 500), texts(model, "dev", 250))
        return {**made, "file_mb": made["text_mb"], **row}


def rows(setting: Setting) -> list[Row]:
    model = system(setting)
    return [
        Row("index", "the index", partial(by_index, model), [model]),
        *(
            Row(name, f"table: {title}", partial(by_table, model, limits), [model])
            for name, (title, limits) in TABLES.items()
        ),
    ]


def finding(rows: Rows) -> Finding:
    index, whole, pruned = (rows[name] for name in ("index", "whole", "pruned"))
    memory, time = (float(whole[column] or 0) / float(index[column] or 1) for column in ("mb", "ms"))
    verdict = Verdict.CONFIRMED if memory > 2 and time < 1.1 else Verdict.UNDECIDED if memory > 2 else Verdict.REFUTED
    return Finding(
        verdict,
        f"Translating takes {index['mb']:.0f} MB and {index['ms']:.1f} ms a sentence by the index, {whole['mb']:.0f} "
        f"and {whole['ms']:.1f} by the whole table, {pruned['mb']:.0f} and {pruned['ms']:.1f} by a pruned one, "
        f"at {index['bleu_lc']:.2f}, {whole['bleu_lc']:.2f} and {pruned['bleu_lc']:.2f} BLEU.",
    )


TABLE = Table(
    name="phrase-table",
    title="A phrase table in place of the index",
    claim="Phrase tables take far more memory than the text they come from, and are fast to ask.",
    claimed_by="Thesis, sections 2.3.3 and 3.1",
    columns=[
        Column("pairs", "phrase pairs", 0),
        Column("file_mb", "files, MB", 1, "low"),
        Column("mb", "memory, MB", 0, "low"),
        Column("open_cpu_s", "opening, CPU s", 2, "low"),
        Column("ms", "CPU ms a sentence", 1, "low"),
        Column("bleu_lc", "BLEU, lowercased", 2, "high"),
    ],
    rows=rows,
    corpora=FRENCH,
    finding=finding,
    texts=FRENCH_TEXTS,
    caveat="Tables lie in memory as a trie. A form that is mapped from disk is not built: it would open at once, and a "
    "system could drop its pages, but it would take the bytes that the claim is about. Weights are tuned for each row "
    "on the same 250 lines; the index has features of samples and orientations besides. No row has gapped rules.",
)
