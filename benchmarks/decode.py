"""Speed, model score and BLEU of the decoders on image captions (multi30k), against pop limit and sentence length.

    python -m benchmarks.decode MODEL SOURCE-LANG TARGET-LANG [--sentences 1000] [--test newstest/fr-en/newstest2013]
    python -m benchmarks.decode MODEL SOURCE-LANG TARGET-LANG --memory 10000

MODEL is a model directory with an index and lm.bin for the pair, made from the training part. CPU time includes
tokenizing, extraction and joining. BLEU is sacreBLEU's where that is installed, lowercased, because a model made of
index and language model alone knows nothing of case. `--memory` translates so many sentences instead, the training
part's over and over, and reports resident memory on the way. Known figures for comparison: cdec's decoder takes 0.14 s
of CPU per 12-word sentence at pop limit 200 after 0.17 s of extraction in 121 MB, thot's phrase-based decoder 0.03 s
in 205 MB.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import time
from pathlib import Path
from typing import Any

from benchmarks.measure import corpus_lines, report, run_function
from dragoman.config import DecodeOptions
from dragoman.translator import Translator

POP_LIMITS = (10, 30, 100, 200, 500, 1000)
LENGTHS = (5, 10, 20, 40, 60, 80, 100)


def bleu(outputs: list[str], references: list[str]) -> float | None:
    try:
        sacrebleu = importlib.import_module("sacrebleu")
    except ImportError:
        return None
    return round(float(sacrebleu.corpus_bleu(outputs, [references], lowercase=True).score), 2)


def one_run(
    model: str, lines: list[str], references: list[str], options: DecodeOptions, matching: str
) -> dict[str, Any]:
    translator = Translator.load(model, matching=matching)
    translator.translate(lines[:5], options)
    begin = time.process_time()
    results = translator.translate(lines, options)
    seconds = time.process_time() - begin
    return {
        "ms_per_sentence": round(1000 * seconds / len(lines), 2),
        "mean_model_score": round(sum(each.score for each in results) / len(results), 4),
        "bleu": bleu([each.text for each in results], references),
    }


def measured(
    model: str, lines: list[str], references: list[str], options: DecodeOptions, matching: str = "exact"
) -> dict[str, Any]:
    result, cost = run_function(one_run, model, lines, references, options, matching)
    return {**result, "peak_mb": round(cost.peak_mb, 1)}


def resident_mb() -> dict[str, float]:
    """Memory of the process itself, and pages of the model's files that it has looked at so far."""
    lines = Path("/proc/self/status").read_text().splitlines()
    kilobytes = {
        name: int(value.split()[0]) for name, _, value in (line.partition(":") for line in lines) if "Rss" in name
    }
    return {"own_mb": round(kilobytes["RssAnon"] / 1024, 1), "mapped_mb": round(kilobytes["RssFile"] / 1024, 1)}


def memory_run(model: str, lines: list[str], count: int, options: DecodeOptions) -> dict[str, dict[str, float]]:
    """Resident memory after 100 sentences, and then after every tenth of the rest."""
    translator = Translator.load(model)
    after: dict[str, dict[str, float]] = {}
    for done in range(100, count + 1, 100):
        translator.translate([lines[i % len(lines)] for i in range(done - 100, done)], options, threads=1)
        if done == 100 or done % max(100, count // 10) == 0:
            after[str(done)] = resident_mb()
    return after


def by_length(model: str, lines: list[str], options: DecodeOptions) -> dict[str, float]:
    """Sentences of each length, made by joining captions and cutting them."""
    words = [word for line in lines for word in line.rstrip(".").lower().split()]
    translator = Translator.load(model)
    costs = {}
    for length in LENGTHS:
        texts = [" ".join(words[i : i + length]) for i in range(0, length * 10, length)]
        translator.translate(texts[:2], options)
        begin = time.process_time()
        translator.translate(texts, options)
        costs[str(length)] = round(1000 * (time.process_time() - begin) / len(texts), 2)
    return costs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--test", default="multi30k/test", help="name of the test set, without language")
    parser.add_argument("--train", default="multi30k/train", help="the same of the sentences for --memory")
    parser.add_argument("--pops", type=int, nargs="+", default=list(POP_LIMITS))
    parser.add_argument("--decoders", nargs="+", default=["hierarchical", "phrase-based"])
    parser.add_argument("--memory", type=int, default=0, help="translate so many sentences and watch the memory")
    given = parser.parse_args()
    results: dict[str, Any] = {"pair": f"{given.source}-{given.target}"}
    if given.memory:
        lines = corpus_lines(f"{given.train}.{given.source}", given.memory)
        for decoder in given.decoders:
            options = DecodeOptions(decoder=decoder, pop_limit=given.pops[0])
            results[decoder] = run_function(memory_run, given.model, lines, given.memory, options)[0]
        report(results)
        return
    lines = corpus_lines(f"{given.test}.{given.source}", given.sentences)
    references = corpus_lines(f"{given.test}.{given.target}", given.sentences)
    results["sentences"] = len(lines)
    for decoder in given.decoders:
        base = DecodeOptions(decoder=decoder)
        results[decoder] = {
            str(pops): measured(
                given.model, lines, references, dataclasses.replace(base, pop_limit=pops, stack_size=pops)
            )
            for pops in given.pops
        }
        results[f"{decoder} bounded"] = measured(given.model, lines, references, base, "bounded")
        results[f"{decoder} ms by words"] = run_function(by_length, given.model, lines, base)[0]
    report(results)


if __name__ == "__main__":
    main()
