"""The ways of matching gapped patterns side by side, with complete lists of frequent patterns and without.

    python -m benchmarks.matching MODEL TEST [--sentences 20] [--lists 100 10] [--threads 1 2]

A model, and raw text in its source language. With `--lists`, all matches of uXv over so many of the most frequent
phrases and of uXvXw over so many of them are found before the extraction, which both the thesis' way (`extend`) and
Lopez' (`merge`) are described with; 0 0 is without. No rules are kept from sentence to sentence. Each row runs in a
process of its own: CPU milliseconds a sentence are of extraction alone, after one sentence that pays for what is made
once; peak memory is the process'. With `--threads`, grammars are also made as text, and wall clock counts.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from typing import Any

from benchmarks.measure import report, run_function
from dragoman import _core
from dragoman.config import ExtractOptions
from dragoman.index.grammar import grammars

WAYS = ("exact", "extend", "merge")
# Phrases for pairs and for triples, as cdec's extractor and Lopez have them.
LISTS = (100, 10)


def tokenized(lines: list[str], language: str) -> bytes:
    text = "".join(f"{line}\n" for line in lines).encode()
    return _core.Tokenizer(language).tokenize(text, model=True)


def opened(model: str, matching: str, lists: tuple[int, int]) -> _core.Index | _core.ListedIndex:
    index = _core.Index.open(model, True)
    return _core.ListedIndex(index, *lists, {"matching": matching}) if lists[0] else index


def make_lists(model: str, lists: tuple[int, int]) -> dict[str, Any]:
    index = _core.Index.open(model, True)
    begin = time.process_time()
    listed = _core.ListedIndex(index, *lists, {})
    return {
        "lists_cpu_s": time.process_time() - begin,
        "lists_mb": listed.bytes / 1e6,
        "patterns": listed.patterns,
    }


def extract(model: str, text: bytes, matching: str, lists: tuple[int, int]) -> dict[str, Any]:
    index, options = opened(model, matching, lists), {"matching": matching, "rule_cache_bytes": 0}
    first, _, rest = text.partition(b"\n")
    _core.count_rules(index, first + b"\n", options)
    begin = time.process_time()
    counts = _core.count_rules(index, rest, options)
    return {
        "ms": 1000 * (time.process_time() - begin) / counts["sentences"],
        "rules": counts["rules"],
        "matches": counts["matches"],
        "comparisons": counts["comparisons"] / 1e6,
    }


def extract_on(model: str, text: bytes, matching: str, lists: tuple[int, int], threads: int) -> dict[str, Any]:
    """As text, which is what the thesis' extractor makes."""
    index, options = opened(model, matching, lists), ExtractOptions(matching=matching, rule_cache_bytes=0)
    _core.return_large_blocks()
    begin, cpu = time.perf_counter(), time.process_time()
    sizes = [len(grammar) for grammar in grammars(index, text.splitlines(), options, threads=threads)]
    wall = time.perf_counter() - begin
    return {
        "threads": threads,
        "wall_ms": 1000 * wall / len(sizes),
        "ms": 1000 * (time.process_time() - cpu) / len(sizes),
        "text_mb": sum(sizes) / 1e6,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("test", type=Path)
    parser.add_argument("--language", default="fr")
    parser.add_argument("--sentences", type=int, default=20)
    parser.add_argument("--ways", nargs="+", default=list(WAYS), choices=WAYS)
    parser.add_argument("--lists", type=int, nargs=2, action="append", help="may be given several times")
    parser.add_argument("--threads", type=int, nargs="+", default=[], help="also as text, on so many threads")
    given = parser.parse_args()
    text = tokenized(given.test.read_text(encoding="utf-8").split("\n")[: given.sentences + 1], given.language)
    results: dict[str, Any] = {"cores": os.cpu_count()}
    for phrases, triples in given.lists or [(0, 0), LISTS]:
        lists = (phrases, triples)
        kind = f"lists of {phrases} and {triples}" if phrases else "no lists"
        if phrases:
            made, cost = run_function(make_lists, given.model, lists)
            results[kind] = {**made, "peak_mb": cost.peak_mb}
        for matching in given.ways:
            counts, cost = run_function(extract, given.model, text, matching, lists)
            results[f"{matching}, {kind}"] = {**counts, "peak_mb": cost.peak_mb}
            for threads in given.threads:
                counts, cost = run_function(extract_on, given.model, text, matching, lists, threads)
                results[f"{matching}, {kind}, {threads} threads"] = {**counts, "peak_mb": cost.peak_mb}
    report(results)


if __name__ == "__main__":
    main()
