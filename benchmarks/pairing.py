"""Sentence pairs of documents beside nltk's Gale-Church: beads found, CPU time and memory.

Gold documents are made of consecutive pairs of a corpus: a tenth lose one side, and a tenth are merged with the next
pair on one side. A bead counts as right only if it has exactly the sentences of the gold bead (strict). Beads without
one side count in `all`, and not in `pairs`, which is what people get. All programs have the same sentences, without
paragraphs. `quality` says how many of the pairs with a quality are right, by ranges; `unrelated` how many sentences of
documents that have nothing to do with each other are paired all the same.

    pip install nltk
    python -m benchmarks.pairing [--sentences N] [--large N]
"""

from __future__ import annotations

import argparse
import itertools
import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

from benchmarks.measure import corpus_lines, report, run_function
from dragoman.config import PairOptions
from dragoman.pairing.beads import Bead, Sentences, find_beads

Span = tuple[int, int]
Gold = list[tuple[Span, Span]]
CORPORA = {"europarl.fr-en": ("fr", "en"), "europarl.en-de": ("en", "de")}
DELETED, MERGED = 0.1, 0.1
QUALITIES = (0.0, 0.5, 0.9, 0.99, 1.01)


def gold_documents(source: list[str], target: list[str], seed: int) -> tuple[list[str], list[str], Gold]:
    rng = random.Random(seed)
    sides: tuple[list[str], list[str]] = ([], [])
    gold: Gold = []

    def add(texts: tuple[list[str], list[str]]) -> None:
        begins = [len(side) for side in sides]
        for side, added in zip(sides, texts, strict=True):
            side.extend(added)
        spans = [(begin, len(side)) for begin, side in zip(begins, sides, strict=True)]
        gold.append((spans[0], spans[1]))

    at = 0
    while at < len(source):
        chance, first = rng.random(), rng.random() < 0.5
        ours, theirs = source[at : at + 2], target[at : at + 2]
        if chance < DELETED:
            add(([], theirs[:1]) if first else (ours[:1], []))
            at += 1
        elif chance < DELETED + MERGED and len(ours) == 2:
            add(([" ".join(ours)], theirs) if first else (ours, [" ".join(theirs)]))
            at += 2
        else:
            add((ours[:1], theirs[:1]))
            at += 1
    return sides[0], sides[1], gold


def score(found: Iterable[tuple[Span, Span]], gold: Gold) -> dict[str, dict[str, float]]:
    def strict(ours: set[tuple[Span, Span]], theirs: set[tuple[Span, Span]]) -> dict[str, float]:
        right = len(ours & theirs)
        return {
            "precision": round(100 * right / max(len(ours), 1), 2),
            "recall": round(100 * right / max(len(theirs), 1), 2),
            "f1": round(200 * right / max(len(ours) + len(theirs), 1), 2),
        }

    def whole(beads: Iterable[tuple[Span, Span]]) -> set[tuple[Span, Span]]:
        return {bead for bead in beads if all(begin < end for begin, end in bead)}

    ours = set(found)
    return {"pairs": strict(whole(ours), whole(gold)), "all": strict(ours, set(gold))}


def with_dragoman(source: list[str], target: list[str], languages: tuple[str, str]) -> list[Bead]:
    return find_beads([(Sentences(source), Sentences(target))], *languages)[0]


def with_nltk(source: list[str], target: list[str], knows_ratio: bool) -> list[tuple[Span, Span]]:
    """nltk gives links of sentences; those that share one belong to one bead.

    It takes translations to be as long as originals unless it is told otherwise.
    """
    from nltk.translate import gale_church

    lengths = [len(text) for text in source], [len(text) for text in target]
    parameters = gale_church.LanguageIndependent
    if knows_ratio:
        ratio = sum(lengths[1]) / sum(lengths[0])
        parameters = type("WithRatio", (parameters,), {"AVERAGE_CHARACTERS": ratio})
    links = gale_church.align_blocks(*lengths, parameters)
    beads: list[list[int]] = []
    for s, t in links:
        if beads and (s < beads[-1][1] or t < beads[-1][3]):
            beads[-1][1], beads[-1][3] = max(beads[-1][1], s + 1), max(beads[-1][3], t + 1)
        else:
            beads.append([s, s + 1, t, t + 1])
    found: list[tuple[Span, Span]] = []
    ours = theirs = 0
    for a, b, c, d in [*beads, [len(source), len(source), len(target), len(target)]]:
        found += [((at, at + 1), (theirs, theirs)) for at in range(ours, a)]
        found += [((a, a), (at, at + 1)) for at in range(theirs, c)]
        if a < b:
            found.append(((a, b), (c, d)))
        ours, theirs = b, d
    return found


def reliability(beads: Iterable[Bead], gold: Gold) -> dict[str, Any]:
    right = set(gold)
    counts: Counter[tuple[float, bool]] = Counter()
    for bead in beads:
        if "0" not in bead.kind:
            low = max(least for least in QUALITIES[:-1] if bead.quality >= least)
            counts[low, (bead.source, bead.target) in right] += 1
    return {
        f"{low} to {min(high, 1.0)}": {
            "pairs": counts[low, True] + counts[low, False],
            "right_percent": round(100 * counts[low, True] / max(counts[low, True] + counts[low, False], 1), 1),
        }
        for low, high in itertools.pairwise(QUALITIES)
    }


def measure(name: str, languages: tuple[str, str], sentences: int, rival: bool) -> dict[str, Any]:
    # The first lines were looked at while constants were chosen.
    skipped = 20_000
    source, target = (corpus_lines(f"{name}/train.{code}", skipped + 2 * sentences)[skipped:] for code in languages)
    ours, theirs, gold = gold_documents(source[:sentences], target[:sentences], seed=7)
    beads, cost = run_function(with_dragoman, ours, theirs, languages)
    results: dict[str, Any] = {
        "sentences": [len(ours), len(theirs)],
        "dragoman": score(((bead.source, bead.target) for bead in beads), gold) | cost.as_json(),
        "quality": reliability(beads, gold),
    }
    if rival:
        for label, knows_ratio in (("nltk", False), ("nltk, told the ratio of lengths", True)):
            found, cost = run_function(with_nltk, ours, theirs, knows_ratio)
            results[label] = score(found, gold) | cost.as_json()
        strangers = with_dragoman(source[:sentences], target[sentences:], languages)
        kept = sum("0" not in bead.kind and bead.quality >= PairOptions().least_quality for bead in strangers)
        results["unrelated"] = {"sentences": sentences, "pairs_kept": kept}
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sentences", type=int, default=1000, help="pairs that a document is made of")
    parser.add_argument("--large", type=int, default=20_000, help="pairs of a large document, without nltk; 0 for none")
    arguments = parser.parse_args()
    results: dict[str, Any] = {}
    for name, languages in CORPORA.items():
        results[name] = measure(name, languages, arguments.sentences, rival=True)
        if arguments.large:
            results[f"{name}, large"] = measure(name, languages, arguments.large, rival=False)
    report(results)


if __name__ == "__main__":
    main()
