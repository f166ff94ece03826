"""Stored pairs near to a sentence: time per query, and how often the nearest is found within the bound on work.

    python -m benchmarks.matches [--corpus europarl|captions] [--pairs 100000] [--queries 500] [--at-least 60]

The source side of so many pairs is indexed (europarl.fr-en, or the French captions of multi30k), and sentences that
are not among them are looked for. What the nearest is, is found by the same search without a bound, which a property
test holds against comparing with every sentence (tests/property/test_near_pairs.py); `--compare` does that here for so
many queries. Prints JSON: for each bound the share of queries whose best match is as near as the nearest, the share of
the true five best that are found, and CPU time per query.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from typing import Any

from benchmarks.measure import corpus_lines, report
from dragoman import _core
from dragoman.explain.matches import WORK
from dragoman.text import Tokenizer
from tests.reference.near_pairs import distance

BOUNDS = (100_000, 1_000_000, WORK, 100_000_000)
UNBOUND = 1 << 60
CORPORA = {"europarl": "europarl.fr-en/train.fr", "captions": "multi30k/train.fr"}


def words_of(lines: list[str]) -> list[list[str]]:
    text = "".join(line + "\n" for line in lines).encode()
    return [line.split() for line in Tokenizer("fr").tokenize(text, model=True).decode().splitlines()]


def similarity(found: list[Any]) -> float:
    return 0.0 if not found else 1 - found[0][1] / found[0][2]


def measured(index: _core.LiveIndex, queries: list[list[str]], truth: list[list[Any]], work: int, at_least: int) -> Any:
    begin = time.process_time()
    answers = [index.nearest(query, 5, at_least, work) for query in queries]
    seconds = time.process_time() - begin
    pairs = list(zip(answers, truth, strict=True))
    near = [(found, wanted) for (found, _), wanted in pairs if wanted]
    return {
        "ms_per_query": round(1000 * seconds / len(queries), 3),
        "complete": round(sum(complete for _, complete in answers) / len(queries), 4),
        "nearest_found": round(sum(similarity(found) == similarity(wanted) for found, wanted in near) / len(near), 4),
        "of_the_five_best": round(
            sum(len({each[0] for each in found} & {each[0] for each in wanted}) for found, wanted in near)
            / sum(len(wanted) for _, wanted in near),
            4,
        ),
    }


def compared(sentences: list[list[str]], queries: list[list[str]], truth: list[list[Any]]) -> Any:
    """Every sentence: the time that takes, and whether it finds nothing nearer."""
    begin, right = time.process_time(), 0
    for query, wanted in zip(queries, truth, strict=True):
        best = max(1 - distance(query, each) / max(len(query), len(each)) for each in sentences if each)
        right += best <= similarity(wanted) + 1e-9 or not wanted
    return {"ms_per_query": round(1000 * (time.process_time() - begin) / len(queries), 1), "agree": right}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", choices=CORPORA, default="captions")
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=500)
    parser.add_argument("--at-least", type=int, default=60)
    parser.add_argument("--compare", type=int, default=0)
    arguments = parser.parse_args()
    lines = words_of(corpus_lines(CORPORA[arguments.corpus], arguments.pairs + arguments.queries))
    queries, sentences = lines[-arguments.queries :], lines[: -arguments.queries]
    text = "".join(" ".join(words) + "\n" for words in sentences).encode()
    with tempfile.TemporaryDirectory() as folder:
        # Numbers as target sides, so that no two pairs are the same.
        numbers = "".join(f"{number}\n" for number in range(len(sentences))).encode()
        _core.build_index(folder, text, numbers, b"\n" * len(sentences), {})
        index = _core.LiveIndex.open(folder)
        truth = [index.nearest(query, 5, arguments.at_least, UNBOUND)[0] for query in queries]
        results: dict[str, Any] = {
            "corpus": arguments.corpus,
            "sentences": len(sentences),
            "queries": len(queries),
            "with_a_match": round(sum(map(bool, truth)) / len(queries), 4),
            "bounds": {str(work): measured(index, queries, truth, work, arguments.at_least) for work in BOUNDS},
            "without_a_bound": measured(index, queries, truth, UNBOUND, arguments.at_least),
        }
        if arguments.compare:
            few = slice(arguments.compare)
            results["every_sentence"] = compared(sentences, queries[few], truth[few])
    report(results)


if __name__ == "__main__":
    main()
