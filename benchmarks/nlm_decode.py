"""Decoding with n-gram and neural language models: time, queries, caches, memory, BLEU, with the same weights.

    python -m benchmarks.nlm_decode MODEL NLM SOURCE-TEXT REFERENCE [--source-nlm FILE] [--weights FILE] [--sentences N]

MODEL is a model directory with lm.bin; NLM is trained on its target side, SOURCE-NLM reads its source side too. Each
row is the directory with some of the models. Without --weights, several share the weight that one has alone, so that
BLEU compares searches, not models; with it, rows have those of the file's weights that are for what they have.

`microseconds_per_query` is what a row takes beyond n-grams alone, by what its neural models were asked: a decoder's own
stream of queries, with its caches, and what carrying the models through the search costs. `search_gain` is the score of
the translations found with this pop limit against those found with ten times as many: what the search lost.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.decode import bleu
from benchmarks.measure import report, run_function
from dragoman import _core
from dragoman.config import DecodeOptions
from dragoman.model.directory import ModelDirectory
from dragoman.model.latest import LatestModel
from dragoman.model.opened import OpenedModel, text_format
from dragoman.model.weights import LANGUAGE_MODELS, default_weights, read_weights
from dragoman.neural.language_model import NeuralLanguageModel
from dragoman.translator import Translator


def opened(model: Path, parts: dict[str, Path], given: str | None = None) -> Translator:
    """The directory's translator with these language models instead of its own."""
    directory = ModelDirectory.open(model)
    models = [(LANGUAGE_MODELS[name], str(path.absolute())) for name, path in parts.items()]
    weights = default_weights([name for name, _ in models])
    if given:
        absent = {LANGUAGE_MODELS[name] for name in LANGUAGE_MODELS if name not in parts}
        weights = {
            name: value for name, value in read_weights(given).items() if name.removesuffix("_OOV") not in absent
        }
    text = text_format(directory)
    core, _ = _core.TextTranslator.open(
        str(model), text.source, text.target, models, list(weights.items()), marked_words=text.marked_words
    )
    return Translator(LatestModel(OpenedModel(core, directory, weights)))


def one_run(
    model: Path,
    parts: dict[str, Path],
    given: str | None,
    lines: list[str],
    references: list[str],
    options: DecodeOptions,
) -> dict[str, Any]:
    translator = opened(model, parts, given)
    translator.translate(lines[:3], options)
    begin = time.process_time()
    results = translator.translate(lines, options)
    seconds = time.process_time() - begin
    sentences = [sentence for each in results for sentence in each.sentences]
    counts = [each.neural for each in sentences if each.neural]
    made: dict[str, Any] = {
        "ms_per_sentence": round(1000 * seconds / len(lines), 2),
        "mean_model_score": round(sum(each.score for each in results) / len(results), 4),
        "bleu": bleu([each.text for each in results], references),
    }
    if counts:
        for name in ("queries", "cached_words", "cached_contexts"):
            made[name] = round(sum(each[name] for each in counts) / len(counts), 3)
    return made


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("model", "nlm", "source", "reference"):
        parser.add_argument(name)
    parser.add_argument("--source-nlm")
    parser.add_argument("--weights")
    parser.add_argument("--sentences", type=int, default=100)
    given = parser.parse_args()
    lines = Path(given.source).read_text().splitlines()[: given.sentences]
    references = Path(given.reference).read_text().splitlines()[: given.sentences]
    base = Path(given.model)
    with tempfile.TemporaryDirectory() as folder:
        precision: dict[str, Any] = {"input_precision": "int8", "output_precision": "int8"}

        def written(path: str, normalisation: str) -> Path:
            out = Path(folder) / f"{Path(path).name}.{normalisation}"
            NeuralLanguageModel(path).write_requantised(out, normalisation=normalisation, **precision)
            return out

        files: dict[str, dict[str, Path]] = {"ngrams": {"lm.bin": base / "lm.bin"}}
        for kind in ("exact", "self", "none"):
            neural = {"nlm.bin": written(given.nlm, kind)}
            files |= {f"neural {kind}": neural, f"ngrams + neural {kind}": {**files["ngrams"], **neural}}
            if given.source_nlm:
                joint = {"source_nlm.bin": written(given.source_nlm, kind)}
                files[f"ngrams + source {kind}"] = {**files["ngrams"], **joint}
                files[f"ngrams + neural + source {kind}"] = {**files["ngrams"], **neural, **joint}
        results: dict[str, Any] = {"sentences": len(lines), "nlm": NeuralLanguageModel(given.nlm).describe()}
        for decoder in ("hierarchical", "phrase-based"):
            rows: dict[str, dict[str, Any]] = {}
            for name, parts in files.items():
                options = DecodeOptions(decoder=decoder)
                row, cost = run_function(one_run, base, parts, given.weights, lines, references, options)
                wide = dataclasses.replace(options, pop_limit=2000, stack_size=2000)
                few = max(1, len(lines) // 5)
                best, same = (
                    one_run(base, parts, given.weights, lines[:few], references[:few], each)["mean_model_score"]
                    for each in (wide, options)
                )
                if "queries" in row and "ngrams" in name:
                    more = row["ms_per_sentence"] - rows["ngrams"]["ms_per_sentence"]
                    row["microseconds_per_query"] = round(1000 * more / row["queries"], 3)
                rows[name] = {**row, "search_gain": round(same - best, 4), "peak_mb": round(cost.peak_mb, 1)}
                print(decoder, name, rows[name], file=sys.stderr)
            results[decoder] = rows
    report(results)


if __name__ == "__main__":
    main()
