"""Rule extraction: time per sentence, memory, size of the index, growth, and the algorithms side by side.

    python -m benchmarks.extract SOURCE TARGET LINKS TEST [--pairs 25000 100000 ...] [--sentences 100]
    python -m benchmarks.extract --index MODEL TEST
    python -m benchmarks.extract --first MODEL TEST

Three files of a word-aligned bitext, or an index made from one, and a file of tokenized test sentences. Every
measurement runs in a process of its own and opens the index anew. `--first` takes a whole model, with a language model,
and measures what loading it and translating one sentence cost together, with hashes verified and without.

The rivals in the same run are Lopez' algorithm (`merge`) on the same index, and extraction that keeps nothing from
sentence to sentence (`without_cache`); where `--cdec-seconds` gives what cdec's extractor took on the same data, the
ratio to it is printed too.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.measure import report, run_function
from dragoman import _core
from dragoman.config import ExtractOptions
from dragoman.index.grammar import grammars
from dragoman.translator import Translator

THREADS = (2, 4, 8)
WAYS = ("bounded", "exact", "extend", "merge")


def first_lines(path: Path, count: int) -> bytes:
    with path.open("rb") as stream:
        return b"".join(line for line, _ in zip(stream, range(count), strict=False))


def build(paths: list[Path], pairs: int, directory: str) -> dict[str, int]:
    source, target, links = (first_lines(path, pairs) for path in paths)
    return _core.build_index(directory, source, target, links, {})


def extract(directory: str, text: bytes, options: dict[str, Any]) -> dict[str, int]:
    return _core.count_rules(_core.Index.open(directory, True), text, options)


def write_grammars(directory: str, text: bytes, matching: str, threads: int) -> int:
    """As `dragoman extract grammar` does, one after the other; the text is the same for any number of threads."""
    index, options = _core.Index.open(directory, True), ExtractOptions(matching=matching)
    _core.return_large_blocks()  # as the command does
    return sum(len(grammar) for grammar in grammars(index, text.splitlines(), options, threads=threads))


def write_table(directory: str) -> dict[str, int]:
    size = 0

    def count(piece: bytes) -> None:
        nonlocal size
        size += len(piece)

    pairs = _core.phrase_table(_core.Index.open(directory, True), 7, count)
    return {"phrase_pairs": pairs, "bytes": size}


def translate_first(model: str, line: str, trust: bool) -> str:
    return Translator.load(model, trust=trust).translate(line).text


def measure_first(model: str, text: bytes) -> dict[str, Any]:
    """One translation after loading, for each of a few sentences."""
    _, bare = run_function(nothing)
    result: dict[str, Any] = {}
    for name, trust in (("verified", False), ("trusted", True)):
        costs = [run_function(translate_first, model, line, trust)[1] for line in text.decode().splitlines()]
        seconds = [cost.cpu_seconds - bare.cpu_seconds for cost in costs]
        result[name] = {
            "mean_cpu_seconds": round(sum(seconds) / len(seconds), 3),
            "most_cpu_seconds": round(max(seconds), 3),
            "most_mb_above_interpreter": round(max(cost.peak_mb for cost in costs) - bare.peak_mb, 1),
        }
    return result


def open_only(directory: str) -> None:
    _core.Index.open(directory, True)


def nothing() -> None:
    """What the interpreter takes alone."""


def index_bytes(directory: str, tokens: int) -> dict[str, Any]:
    files = {name: _core.describe_container(f"{directory}/{name}.bin", True) for name in ("bitext", "vocab")}
    lexicon = _core.describe_container(f"{directory}/lexicon.bin", True)["bytes"]
    sections = {
        f"{name}.{section}": round(size / tokens, 3)
        for name, file in files.items()
        for section, size in file["sections"].items()
        if size / tokens >= 0.01
    }
    return {
        "bytes_per_source_token": round(sum(file["bytes"] for file in files.values()) / tokens, 3),
        "lexicon_bytes_per_source_token": round(lexicon / tokens, 3),
        "sections": sections,
    }


def measure_index(directory: str, text: bytes, ways: list[str], options: argparse.Namespace) -> dict[str, Any]:
    sentences = text.count(b"\n")
    tokens = _core.Index.open(directory, True).source_tokens
    _, bare = run_function(nothing)
    _, opened = run_function(open_only, directory)
    _, first = run_function(extract, directory, text[: text.index(b"\n") + 1], {})
    result: dict[str, Any] = {
        "source_tokens": tokens,
        "index": index_bytes(directory, tokens),
        "open_cpu_seconds": round(opened.cpu_seconds - bare.cpu_seconds, 3),
        "open_and_first_sentence_cpu_seconds": round(first.cpu_seconds - bare.cpu_seconds, 3),
    }
    for matching in ways:
        runs: dict[str, dict[str, Any]] = {matching: {"matching": matching}}
        if matching in ("exact", "bounded"):
            runs[f"{matching} without_cache"] = {"matching": matching, "rule_cache_bytes": 0}
        for name, values in runs.items():
            found, cost = run_function(extract, directory, text, values)
            result[name] = {
                **found,
                **cost.as_json(),
                "ms_per_sentence": round(1000 * (cost.cpu_seconds - opened.cpu_seconds) / sentences, 2),
                "mb_above_interpreter": round(cost.peak_mb - bare.peak_mb, 1),
            }
            if options.cdec_seconds:
                result[name]["times_faster_than_cdec"] = round(
                    1000 * options.cdec_seconds / result[name]["ms_per_sentence"], 1
                )
    if options.text:
        size, one = run_function(write_grammars, directory, text, "exact", 1)
        more = {threads: run_function(write_grammars, directory, text, "exact", threads)[1] for threads in THREADS}
        result["exact_as_text"] = {
            "bytes": size,
            "ms_per_sentence": round(1000 * (one.cpu_seconds - opened.cpu_seconds) / sentences, 2),
            "mb_above_interpreter": round(one.peak_mb - bare.peak_mb, 1),
            "mb_per_further_thread": {
                threads: round((cost.peak_mb - one.peak_mb) / (threads - 1), 1) for threads, cost in more.items()
            },
        }
    return result


def measure(paths: list[Path], pairs: int, text: bytes, ways: list[str], options: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as directory:
        counts, built = run_function(build, paths, pairs, directory)
        result = {**counts, "build": built.as_json(), **measure_index(directory, text, ways, options)}
        if options.table:
            table, cost = run_function(write_table, directory)
            result["phrase_table"] = {**table, **cost.as_json()}
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+", help="source, target, links and test; or, with --index, test")
    parser.add_argument("--index", help="an index to measure instead of building some")
    parser.add_argument("--first", help="a model to load and translate one sentence with")
    parser.add_argument("--pairs", type=int, nargs="+", default=[25_000, 100_000], help="sizes to measure")
    parser.add_argument("--sentences", type=int, default=100, help="test sentences")
    parser.add_argument("--ways", nargs="+", default=list(WAYS), choices=WAYS)
    parser.add_argument("--cdec-seconds", type=float, default=0.0, help="what cdec takes per sentence on this data")
    parser.add_argument("--table", action="store_true", help="also make the phrase table of the smallest size")
    parser.add_argument("--text", action="store_true", help="also write the grammars as text")
    options = parser.parse_args()
    if len(options.files) != (1 if options.index or options.first else 4):
        parser.error("SOURCE TARGET LINKS TEST, or --index MODEL TEST, or --first MODEL TEST")
    *paths, test = options.files
    text = first_lines(test, options.sentences)
    if options.first:
        report(measure_first(options.first, text))
        return
    if options.index:
        report(measure_index(options.index, text, options.ways, options))
        return
    results = {}
    for pairs in options.pairs:
        results[str(pairs)] = measure(paths, pairs, text, options.ways, options)
        options.table = False
    report(results)


if __name__ == "__main__":
    main()
