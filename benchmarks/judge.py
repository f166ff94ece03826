"""What a judge is worth: BLEU of the search's first translation, of the judge's among the k best, and of the best one.

    python -m benchmarks.judge MODEL SOURCE REFERENCE [--judged 0 20 50 100] [--rival FILE]

MODEL has a judge (`dragoman train --judge on`). For each k: BLEU, cased and lowercased, and milliseconds of CPU a
sentence, all with the model's own weights; `oracle` is the lowercased BLEU of a list whose sentences are each the best
by sentence BLEU among the 100 of the search. `rival` scores translations of the same text by something else.
"""

from __future__ import annotations

import argparse
import dataclasses
import time
from pathlib import Path
from typing import Any

from sacrebleu.metrics.bleu import BLEU

from benchmarks.measure import report
from dragoman import Translator
from dragoman.text_file import read_all

LIST = 100


def lines_of(path: Path) -> list[str]:
    return read_all(path).decode().splitlines()


def scores(translations: list[str], reference: list[str]) -> dict[str, float]:
    return {
        name: round(BLEU(lowercase=lower).corpus_score(translations, [reference]).score, 2)
        for name, lower in (("BLEU", False), ("BLEU-lc", True))
    }


def translated(translator: Translator, source: list[str], judged: int) -> tuple[list[str], float]:
    options = dataclasses.replace(translator.decode_options, judged=judged)
    begin = time.process_time()
    found = [each.text for each in translator.translate(source, options)]
    return found, (time.process_time() - begin) * 1000 / len(source)


def best_of_list(translator: Translator, source: list[str], reference: list[str]) -> list[str]:
    options = dataclasses.replace(translator.decode_options, judged=0)
    sentence = BLEU(lowercase=True, effective_order=True)
    best = []
    for line, wanted in zip(source, reference, strict=True):
        candidates = [each.text for each in translator.translate(line, options, nbest=LIST).alternatives]
        best.append(max(candidates, key=lambda text: sentence.sentence_score(text, [wanted]).score))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("model", type=Path)
    parser.add_argument("source", type=Path)
    parser.add_argument("reference", type=Path)
    parser.add_argument("--judged", type=int, nargs="+", default=[0, 20, 50, 100])
    parser.add_argument("--rival", type=Path)
    given = parser.parse_args()
    translator = Translator.load(given.model)
    source, reference = lines_of(given.source), lines_of(given.reference)
    results: dict[str, Any] = {"sentences": len(source)}
    for judged in given.judged:
        found, milliseconds = translated(translator, source, judged)
        results[f"{judged} judged"] = {**scores(found, reference), "milliseconds": round(milliseconds, 1)}
    results["oracle"] = scores(best_of_list(translator, source, reference), reference)
    if given.rival is not None:
        results["rival"] = scores(lines_of(given.rival), reference)
    report(results)


if __name__ == "__main__":
    main()
