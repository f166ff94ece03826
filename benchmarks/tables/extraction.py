"""Thesis, tables 3.1 to 3.3: what extraction takes by the thesis' algorithm, by Lopez' and by ours.

The first two work on complete lists of matches, and both are described with lists of frequent patterns that are made
ahead: rows have them, and rows without are beside them. Lopez' lists are sorted by digits here, those of frequent
phrases ahead, where his own implementation has van Emde Boas trees.
"""

from __future__ import annotations

import resource
from functools import partial

from benchmarks.harness.provenance import cores
from benchmarks.harness.table import Column, Finding, NotHereError, Row, Rows, Setting, Table, Values, Verdict
from benchmarks.matching import LISTS, WAYS, extract, extract_on, make_lists, tokenized
from benchmarks.measure import corpus_lines
from benchmarks.thesis_systems import DEV_SENTENCES, FRENCH, LARGE, LARGE_SENTENCES, MOST_PAIRS
from benchmarks.trained import SIMPLEST, TrainedModel, captions
from dragoman import _core

NAMES = {"exact": "ours (exact)", "extend": "thesis (extend)", "merge": "Lopez 2007 (merge)"}
# Minutes, of 3,003 sentences on two million pairs, and gigabytes, by threads.
THESIS = {
    1: {"extend": (75.496, 5.7), "merge": (381.591, 6.4)},
    8: {"extend": (9.627, 6.1), "merge": (51.700, 10.1)},
}
THESIS_SENTENCES = 3003
THESIS_INDEX: Values = {"index_cpu_s": 60 * 2.903, "mb": 6300}
NO_LISTS = (0, 0)


def debates(setting: Setting) -> TrainedModel:
    corpus, dev, test = LARGE["fr-en"]
    options = {**SIMPLEST, "memory": "2GB"}
    pairs = setting.either(quick=25_000, full=MOST_PAIRS)
    return TrainedModel(
        corpus,
        "fr-en",
        options,
        pairs,
        dev,
        test,
        LARGE_SENTENCES,
        DEV_SENTENCES,
        folder=setting.folder,
        threads=setting.threads,
    )


def preprocessing(model: TrainedModel) -> Values:
    stages = {row["stage"]: row for row in model.summary()["stages"]}
    index = _core.Index.open(str(model.model), True)
    return {
        "index_cpu_s": stages["index"]["cpu_seconds"],
        "bytes_per_word": (model.model / "bitext.bin").stat().st_size / index.source_tokens,
        "pairs": index.sentences,
        **make_lists(str(model.model), LISTS),
        **peak(),
    }


def news(sentences: int) -> bytes:
    # The first pays for what is made once.
    return tokenized(corpus_lines("newstest/fr-en/newstest2012.fr", sentences + 1), "fr")


def peak() -> dict[str, float]:
    """Memory of this process, which is the row's own."""
    return {"mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6}


def caption_rules(model: TrainedModel) -> Values:
    return extract(str(model.model), tokenized(model.lines("test", "fr")[:200], "fr"), "exact", NO_LISTS) | peak()


def extracted(model: TrainedModel, sentences: int, way: str, lists: tuple[int, int]) -> Values:
    return extract(str(model.model), news(sentences), way, lists) | peak()


def written(model: TrainedModel, sentences: int, way: str, threads: int) -> Values:
    if threads > cores():
        raise NotHereError(f"needs {threads} cores")
    return extract_on(str(model.model), news(sentences), way, LISTS if way != "exact" else NO_LISTS, threads) | peak()


def thesis_extraction(way: str, threads: int) -> Values:
    minutes, gigabytes = THESIS.get(threads, {}).get(way, (0.0, 0.0))
    return {"wall_ms": minutes * 60_000 / THESIS_SENTENCES, "mb": 1000 * gigabytes} if minutes else {}


def rows(setting: Setting) -> list[Row]:
    model, sentences = debates(setting), setting.either(quick=20, full=100)
    title = "index, and lists of frequent patterns"
    listed = [Row("preprocessing", title, partial(preprocessing, model), [model], THESIS_INDEX)]
    for way in WAYS:
        for end, lists in (("", NO_LISTS), ("-lists", LISTS)):
            if way == "exact" and lists != NO_LISTS:
                continue
            title = NAMES[way] + (", with lists" if end else "")
            listed.append(Row(f"{way}{end}", title, partial(extracted, model, sentences, way, lists), [model]))
    of_captions = captions(setting, "fr-en", **SIMPLEST)
    title = "ours (exact), of captions by captions"
    listed.append(Row("captions", title, partial(caption_rules, of_captions), [of_captions]))
    for threads in (1, 2, 4, 8):
        for way in WAYS:
            thesis = thesis_extraction(way, threads)
            title = f"{NAMES[way]}, as text, {threads} thread{'s' if threads > 1 else ''}"
            run = partial(written, model, sentences, way, threads)
            listed.append(Row(f"{way}-text-{threads}", title, run, [model], thesis, cores=threads))
    return listed


def finding(rows: Rows) -> Finding:
    extend, merge, exact = (float(rows[name]["ms"] or 0) for name in ("extend-lists", "merge-lists", "exact"))
    same = len({rows[name]["rules"] for name in ("extend-lists", "merge-lists", "exact")}) == 1
    if not same:
        return Finding(Verdict.UNDECIDED, "The ways found different rules, so their times cannot be compared.")
    verdict = Verdict.REFUTED
    if merge > 1.5 * extend:
        verdict = Verdict.CONFIRMED if merge > 4 * extend else Verdict.UNDECIDED
    return Finding(
        verdict,
        f"With lists for both, extending takes {extend:.0f} ms a sentence and Lopez' merging {merge:.0f}, for the same "
        f"rules; the thesis has 75 minutes and 382. Ours takes {exact:.0f} and needs no lists, "
        f"which are {rows['preprocessing']['lists_mb']:,.0f} MB.",
    )


TABLE = Table(
    name="extraction",
    title="Extracting rules: the thesis' algorithm, Lopez' and ours",
    claim="Extending lists of matches extracts rules five times as fast as merging them.",
    claimed_by="Thesis, tables 3.1 to 3.3",
    columns=[
        Column("ms", "CPU ms a sentence", 1, "low"),
        Column("wall_ms", "ms by the clock", 1, "low"),
        Column("comparisons", "million comparisons", 0, "low"),
        Column("rules", "rules", 0),
        Column("index_cpu_s", "index, CPU s", 1, "low"),
        Column("bytes_per_word", "bytes a source word", 1, "low"),
        Column("lists_cpu_s", "lists, CPU s", 1, "low"),
        Column("lists_mb", "lists, MB", 0, "low"),
        Column("mb", "process, MB", 0, "low"),
    ],
    rows=rows,
    corpora=FRENCH,
    code=["core/rules", "core/index", "core/base", "core/bind"],
    finding=finding,
    caveat="The thesis has two million pairs and 3,003 sentences; its index and lists are one figure. Rows as text "
    "write grammars, like its extractor, and have lists where the thesis' ways do. Whole processes have Python in "
    "them, and of the mapped index what they touched.",
)
