"""A phrase table in place of the index: bytes, memory, time a sentence and BLEU, whole and pruned.

    python -m benchmarks.phrase_table MODEL SOURCE REFERENCE WORK [--limits 7,1,0 7,2,20] [--tune DEV-SOURCE DEV-TARGET]

A limit is the longest phrase, the least count of a pair, and the most targets of a phrase (0 for all); Koehn (2003)
recommends phrases of up to four words. Both translate phrase by phrase with the same language model, distortion limit
and pop limit, on one thread. With --tune the weights of every row are learned from the same beginning on the same text;
otherwise a table's scores have the weights of the model's features that say the same: φ(t|s) that of EgivenFCoherent,
lexical scores theirs. Memory is what a process takes above one that translates nothing. The table lies in memory; no
form of it that is mapped from disk exists here. The index gives
the decoder features that a table has no like of: sizes of samples, singletons, orientations.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.measure import report, run_function
from benchmarks.objectives import bleu
from dragoman import _core
from dragoman.config import DecodeOptions, TuneOptions
from dragoman.files import writing
from dragoman.model.directory import ModelDirectory
from dragoman.model.weights import read_weights
from dragoman.translator import Translator
from dragoman.tune import tune_model

Limits = tuple[int, int, int]
# Moses' scores by their places, and the features of an index that say the same, as costs.
SCORES = {"PhraseModel_1": "MaxLexFgivenE", "PhraseModel_2": "EgivenFCoherent", "PhraseModel_3": "MaxLexEgivenF"}
DECODE = DecodeOptions(decoder="phrase-based")
SMALL_TUNING = TuneOptions(rounds=4)


def write_table(model: Path, path: Path, limits: Limits) -> dict[str, Any]:
    longest, least, most = limits
    begin = time.process_time()
    with writing(path) as out:
        pairs = _core.phrase_table(_core.Index.open(str(model), True), longest, out.write, None, least, most)
    return {"pairs": pairs, "text_mb": path.stat().st_size / 1e6, "write_cpu_s": time.process_time() - begin}


def model_weights(model: Path) -> dict[str, float]:
    return read_weights(ModelDirectory.open(model).file("weights.txt"))


def table_weights(known: Mapping[str, float]) -> dict[str, float]:
    """Those of a table's scores, and of what has nothing to do with rules."""
    scores = {score: -known.get(feature, 0.0) for score, feature in SCORES.items()}
    general = ("Glue", "PassThrough", "WordPenalty", "RuleCount", "Distortion", "LanguageModel", "LanguageModel_OOV")
    return {name: known[name] for name in general if name in known} | scores | {"PhraseModel_0": 0.2}


def translate(
    model: Path, grammar: Path | None, weights: dict[str, float], lines: list[str], references: list[str]
) -> dict[str, Any]:
    begin = time.process_time()
    translator = Translator.load(model, grammar=grammar, weights=weights)
    translator.translate(lines[0], DECODE)
    opened = time.process_time()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    outputs = [translation.text for translation in translator.translate(lines, DECODE, threads=1)]
    return {
        "open_cpu_s": opened - begin,
        "open_mb": before / 1024,
        "ms": 1000 * (time.process_time() - opened) / len(lines),
        "bleu_lc": bleu(outputs, references),
    }


def tuned(model: Path, grammar: Path | None, weights: dict[str, float], dev: list[list[str]]) -> dict[str, float]:
    source, target = dev
    result = tune_model(model, source, target, SMALL_TUNING, decode=DECODE, weights=weights, grammar=grammar, threads=1)
    return result.weights


def nothing() -> None:
    """What a process takes that translates nothing."""


def measure(
    model: Path,
    grammar: Path | None,
    weights: dict[str, float],
    texts: list[list[str]],
    dev: list[list[str]],
) -> dict[str, Any]:
    """With weights learned on `dev`, if it has lines."""
    if dev:
        weights = run_function(tuned, model, grammar, weights, dev)[0]
    _, bare = run_function(nothing)
    row, cost = run_function(translate, model, grammar, weights, *texts)
    return {**row, "open_mb": row["open_mb"] - bare.peak_mb, "mb": cost.peak_mb - bare.peak_mb}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("texts", type=Path, nargs=2, metavar="SOURCE REFERENCE")
    parser.add_argument("work", type=Path)
    parser.add_argument("--limits", nargs="+", default=["7,1,0", "7,2,20", "4,2,20"])
    parser.add_argument("--sentences", type=int, default=500)
    parser.add_argument("--tune", type=Path, nargs=2, metavar="DEV")
    parser.add_argument("--tune-sentences", type=int, default=250)
    given = parser.parse_args()

    def lines(paths: list[Path] | None, count: int) -> list[list[str]]:
        return [path.read_text(encoding="utf-8").split("\n")[:-1][:count] for path in paths or []]

    texts, dev = lines(given.texts, given.sentences), lines(given.tune, given.tune_sentences)
    known = model_weights(given.model)
    files = {name: (given.model / name).stat().st_size / 1e6 for name in ("bitext.bin", "lexicon.bin", "vocab.bin")}
    report({"index": {"file_mb": sum(files.values()), **measure(given.model, None, known, texts, dev)}})
    given.work.mkdir(parents=True, exist_ok=True)
    for limit in given.limits:
        longest, least, most = map(int, limit.split(","))
        path = given.work / f"table.{limit}.txt"
        made, cost = run_function(write_table, given.model, path, (longest, least, most))
        row = measure(given.model, path, table_weights(known), texts, dev)
        report({f"table {limit}": {**made, "write_peak_mb": cost.peak_mb, **row}})
        path.unlink()


if __name__ == "__main__":
    main()
