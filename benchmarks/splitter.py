"""Sentence splitting beside pysbd and sentencex: boundaries found in paragraphs of real sentences, and CPU time.

Paragraphs are made by joining 3 to 8 consecutive lines of a corpus with a space; the gold boundaries are the joints.
`sentences` uses the lines that end like a sentence and do not plainly hold several (a lower-case word of four letters
or more, a full stop, then a capital); `lines` uses every line, headings and several-sentence lines too, so no splitter
can be right everywhere, but all face the same text. Boundaries are compared as the number of characters, white space
left out, before them.

    python -m benchmarks.splitter [--dev] [--lines N]
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections.abc import Callable

import pysbd
import sentencex

from benchmarks.measure import corpus_lines, report, run_function
from dragoman._core import SentenceSplitter

Split = Callable[[list[str]], list[list[str]]]

TEST = {
    "europarl.en": ("en", ["europarl.fr-en/test.en"]),
    "europarl.fr": ("fr", ["europarl.fr-en/test.fr"]),
    "europarl.de": ("de", ["europarl.en-de/test.de"]),
    "newstest.en": ("en", ["newstest/en-cs/newstest2012.en"]),
    "newstest.fr": ("fr", ["newstest/fr-en/newstest2012.fr"]),
    "newstest.de": ("de", ["newstest/en-de/newstest2012.de"]),
    "newstest.cs": ("cs", ["newstest/en-cs/newstest2012.cs"]),
    "wesnoth.en": ("en", ["wesnoth.en-cs/train.en"]),
    "wesnoth.cs": ("cs", ["wesnoth.en-cs/train.cs"]),
    "libreoffice.en": ("en", ["libreoffice-help.en-cs/test.en"]),
    "libreoffice.cs": ("cs", ["libreoffice-help.en-cs/test.cs"]),
}
DEV = {
    "europarl.en": ("en", ["europarl.fr-en/dev.en"]),
    "europarl.fr": ("fr", ["europarl.fr-en/dev.fr"]),
    "europarl.de": ("de", ["europarl.en-de/dev.de"]),
    "newstest.en": ("en", ["newstest/en-cs/newstest2013.en"]),
    "newstest.fr": ("fr", ["newstest/fr-en/newstest2013.fr"]),
    "newstest.de": ("de", ["newstest/en-de/newstest2013.de"]),
    "newstest.cs": ("cs", ["newstest/en-cs/newstest2013.cs"]),
    "wesnoth.en": ("en", ["wesnoth.en-cs/train.en"]),
    "wesnoth.cs": ("cs", ["wesnoth.en-cs/train.cs"]),
    "libreoffice.en": ("en", ["libreoffice-help.en-cs/dev.en"]),
    "libreoffice.cs": ("cs", ["libreoffice-help.en-cs/dev.cs"]),
}

# pysbd has no Czech; Slovak is the nearest it offers.
PYSBD_NEAREST = {"cs": "sk"}

ENDS_LIKE_A_SENTENCE = re.compile(r"[.!?…][\"'”’“»)\]]*(\s»)?$")
HOLDS_SEVERAL = re.compile(r"[^\W\d_A-Z]{4}[.!?…]+[\"”’“»)\]]*\s+[\"“„«(\-–—]*\s?[A-ZÀ-ÞŠČŘŽĚŤĎŇŮ]")


def single_sentences(lines: list[str]) -> list[str]:
    """Lines that end like a sentence and do not plainly hold several."""
    return [line for line in lines if ENDS_LIKE_A_SENTENCE.search(line) and not HOLDS_SEVERAL.search(line)]


def paragraphs(lines: list[str], seed: int = 1) -> list[list[str]]:
    random_source = random.Random(seed)
    cut: list[list[str]] = []
    at = 0
    while at < len(lines):
        size = random_source.randint(3, 8)
        cut.append(lines[at : at + size])
        at += size
    return cut


def boundaries(sentences: list[str]) -> set[int]:
    """Inner boundaries as counts of the characters before them, white space left out."""
    places: set[int] = set()
    at = 0
    for sentence in sentences:
        at += len("".join(sentence.split()))
        places.add(at)
    places.discard(at)
    return places


def score(found: list[list[str]], gold: list[list[str]]) -> dict[str, float]:
    right = given = wanted = 0
    for found_sentences, gold_sentences in zip(found, gold, strict=True):
        f, g = boundaries(found_sentences), boundaries(gold_sentences)
        right += len(f & g)
        given += len(f)
        wanted += len(g)
    precision, recall = right / max(given, 1), right / max(wanted, 1)
    f1 = 2 * right / max(given + wanted, 1)
    return {"precision": round(100 * precision, 2), "recall": round(100 * recall, 2), "f1": round(100 * f1, 2)}


def dragoman_split(language: str) -> Split:
    return SentenceSplitter(language).split


def pysbd_split(language: str) -> Split:
    segmenter = pysbd.Segmenter(language=PYSBD_NEAREST.get(language, language), clean=False)
    return lambda texts: [segmenter.segment(text) for text in texts]


def sentencex_split(language: str) -> Split:
    return lambda texts: [list(sentencex.segment(language, text)) for text in texts]


RIVALS = {"dragoman": dragoman_split, "pysbd": pysbd_split, "sentencex": sentencex_split}


def timed(make: Callable[[str], Split], language: str, texts: list[str]) -> tuple[list[list[str]], float]:
    split = make(language)
    split(texts[:1])
    begin = time.process_time()
    found = split(texts)
    return found, time.process_time() - begin


def measure(language: str, lines: list[str]) -> dict[str, object]:
    gold = paragraphs(lines)
    texts = [" ".join(paragraph) for paragraph in gold]
    megabytes = sum(len(text.encode()) for text in texts) / 1e6
    results: dict[str, object] = {"paragraphs": len(texts), "boundaries": sum(len(p) - 1 for p in gold)}
    for name, make in RIVALS.items():
        (found, seconds), cost = run_function(timed, make, language, texts)
        results[name] = score(found, gold) | {
            "cpu_seconds_per_mb": round(seconds / megabytes, 5),
            "peak_mb": round(cost.peak_mb, 1),
        }
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dev", action="store_true", help="the development split, to look at mistakes in")
    parser.add_argument("--lines", type=int, default=2000, help="lines of each corpus")
    arguments = parser.parse_args()
    results: dict[str, object] = {}
    for name, (language, files) in (DEV if arguments.dev else TEST).items():
        lines = [line for file in files for line in corpus_lines(file)]
        if name.startswith("wesnoth"):  # one file: its first half is for development
            half = len(lines) // 2
            lines = lines[:half] if arguments.dev else lines[half:]
        lines = [line for line in lines if line.strip()]
        results[name] = {
            "sentences": measure(language, single_sentences(lines)[: arguments.lines]),
            "lines": measure(language, lines[: arguments.lines]),
        }
    report(results)


if __name__ == "__main__":
    main()
