"""Speed, model score and BLEU of the decoders on image captions (multi30k), against pop limit and sentence length.

    python -m benchmarks.decode MODEL SOURCE-LANG TARGET-LANG [SENTENCES]

MODEL is a model directory with an index and lm.bin for the pair, made from the training part. CPU time includes
tokenizing, extraction and joining. BLEU is sacreBLEU's where that is installed. Known figures for comparison: cdec's
decoder takes 0.14 s of CPU per 12-word sentence at pop limit 200 after 0.17 s of extraction in 121 MB, thot's
phrase-based decoder 0.03 s in 205 MB.
"""

from __future__ import annotations

import dataclasses
import importlib
import sys
import time
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
    return round(float(sacrebleu.corpus_bleu(outputs, [references]).score), 2)


def one_run(model: str, lines: list[str], references: list[str], options: DecodeOptions) -> dict[str, Any]:
    translator = Translator.load(model)
    translator.translate(lines[:5], options)
    begin = time.process_time()
    results = translator.translate(lines, options)
    seconds = time.process_time() - begin
    return {
        "ms_per_sentence": round(1000 * seconds / len(lines), 2),
        "mean_model_score": round(sum(each.score for each in results) / len(results), 4),
        "bleu": bleu([each.text for each in results], references),
    }


def measured(model: str, lines: list[str], references: list[str], options: DecodeOptions) -> dict[str, Any]:
    result, cost = run_function(one_run, model, lines, references, options)
    return {**result, "peak_mb": round(cost.peak_mb, 1)}


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


def main(model: str, source: str, target: str, count: str = "1000") -> None:
    lines = corpus_lines(f"multi30k/test.{source}")[: int(count)]
    references = corpus_lines(f"multi30k/test.{target}")[: int(count)]
    results: dict[str, Any] = {"pair": f"{source}-{target}", "sentences": len(lines)}
    for decoder in ("hierarchical", "phrase-based"):
        base = DecodeOptions(decoder=decoder)
        results[decoder] = {
            str(pops): measured(model, lines, references, dataclasses.replace(base, pop_limit=pops, stack_size=pops))
            for pops in POP_LIMITS
        }
        results[f"{decoder} ms by words"] = run_function(by_length, model, lines, base)[0]
    report(results)


if __name__ == "__main__":
    main(*sys.argv[1:])
