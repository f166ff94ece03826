"""Rule extraction: time per sentence, memory, size of the index, growth, and the algorithms side by side.

    python -m benchmarks.extract SOURCE TARGET LINKS TEST [--pairs 25000 100000 ...] [--sentences 100]

Three files of a word-aligned bitext and a file of tokenized test sentences. Every measurement runs in a process of
its own and opens the index anew. The rival in the same run is Lopez' algorithm (`merge`) on the same index; where
`--cdec-seconds` and `--cdec-mb` give what cdec's extractor took on the same data, the ratio to it is printed too.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.measure import report, run_function
from dragoman import _core

WAYS = ("bounded", "exact", "extend", "merge")


def first_lines(path: Path, count: int) -> bytes:
    with path.open("rb") as stream:
        return b"".join(line for line, _ in zip(stream, range(count), strict=False))


def build(paths: list[Path], pairs: int, directory: str) -> dict[str, int]:
    source, target, links = (first_lines(path, pairs) for path in paths)
    return _core.build_index(directory, source, target, links, {})


def extract(directory: str, text: bytes, matching: str) -> dict[str, int]:
    return _core.measure_extraction(_core.Index.open(directory, True), text, {"matching": matching})


def write_grammars(directory: str, text: bytes, matching: str, threads: int) -> int:
    index = _core.Index.open(directory, True)
    return sum(
        len(_core.grammars(index, line + b"\n", {"matching": matching}, [], threads)[0]) for line in text.splitlines()
    )


def write_table(directory: str) -> dict[str, int]:
    size = 0

    def count(piece: bytes) -> None:
        nonlocal size
        size += len(piece)

    pairs = _core.phrase_table(_core.Index.open(directory, True), 7, count)
    return {"phrase_pairs": pairs, "bytes": size}


def open_only(directory: str) -> None:
    _core.Index.open(directory, True)


def index_bytes(directory: str, tokens: int) -> dict[str, Any]:
    files = {
        name: _core.describe_container(f"{directory}/{name}.bin", True) for name in ("bitext", "vocab", "frequent")
    }
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


def measure(paths: list[Path], pairs: int, text: bytes, ways: list[str], options: argparse.Namespace) -> dict[str, Any]:
    sentences = text.count(b"\n")
    with tempfile.TemporaryDirectory() as directory:
        counts, built = run_function(build, paths, pairs, directory)
        _, opened = run_function(open_only, directory)
        result: dict[str, Any] = {
            **counts,
            "build": built.as_dict(),
            "open": opened.as_dict(),
            "index": index_bytes(directory, counts["source_tokens"]),
        }
        for matching in ways:
            found, cost = run_function(extract, directory, text, matching)
            result[matching] = {
                **found,
                **cost.as_dict(),
                "ms_per_sentence": round(1000 * (cost.cpu_seconds - opened.cpu_seconds) / sentences, 2),
                "mb_above_interpreter": round(cost.peak_mb - opened.peak_mb, 1),
            }
            if options.cdec_seconds:
                result[matching]["times_faster_than_cdec"] = round(
                    1000 * options.cdec_seconds / result[matching]["ms_per_sentence"], 1
                )
        size, cost = run_function(write_grammars, directory, text, "exact", 1)
        result["exact_as_text"] = {"bytes": size, "ms_per_sentence": round(1000 * cost.cpu_seconds / sentences, 2)}
        if options.table:
            table, cost = run_function(write_table, directory)
            result["phrase_table"] = {**table, **cost.as_dict()}
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("links", type=Path)
    parser.add_argument("test", type=Path)
    parser.add_argument("--pairs", type=int, nargs="+", default=[25_000, 100_000], help="sizes to measure")
    parser.add_argument("--sentences", type=int, default=100, help="test sentences")
    parser.add_argument("--ways", nargs="+", default=list(WAYS), choices=WAYS)
    parser.add_argument("--cdec-seconds", type=float, default=0.0, help="what cdec takes per sentence on this data")
    parser.add_argument("--table", action="store_true", help="also make the phrase table of the smallest size")
    options = parser.parse_args()
    text = first_lines(options.test, options.sentences)
    paths = [options.source, options.target, options.links]
    results = {}
    for pairs in options.pairs:
        results[str(pairs)] = measure(paths, pairs, text, options.ways, options)
        options.table = False
    report(results)


if __name__ == "__main__":
    main()
