"""Decoding with n-gram and neural language models: time, queries, caches, memory, BLEU, with the same weights.

    python -m benchmarks.nlm_decode MODEL NLM SOURCE-TEXT REFERENCE [SENTENCES] [SOURCE-NLM]

MODEL is a model directory with lm.bin; NLM is trained on its target side, SOURCE-NLM reads its source side too. Each
row is the directory with some of the models; several share the weight that one has alone, so BLEU here is untuned and
compares searches, not models. `search_gain` is the score of the translations found with this pop limit
against those found with ten times as many: what the search lost.
"""

from __future__ import annotations

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
from dragoman.decode.weights import LANGUAGE_MODELS, default_weights
from dragoman.model import ModelDirectory
from dragoman.nlm.model import NeuralLanguageModel
from dragoman.opened_model import OpenedModel, tokenizers_of
from dragoman.translator import Translator


def opened(model: Path, parts: dict[str, Path]) -> Translator:
    """The directory's translator with these language models instead of its own."""
    directory = ModelDirectory.open(model)
    models = [(LANGUAGE_MODELS[name], str(path)) for name, path in parts.items()]
    weights = default_weights([name for name, _ in models])
    core = _core.TextTranslator.open(str(model), *tokenizers_of(directory), models, list(weights.items()))
    return Translator(OpenedModel(core, directory, weights))


def one_run(
    model: Path, parts: dict[str, Path], lines: list[str], references: list[str], options: DecodeOptions
) -> dict[str, Any]:
    translator = opened(model, parts)
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


def main(model: str, nlm: str, source: str, reference: str, count: str = "100", source_nlm: str = "") -> None:
    lines = Path(source).read_text().splitlines()[: int(count)]
    references = Path(reference).read_text().splitlines()[: int(count)]
    base = Path(model)
    with tempfile.TemporaryDirectory() as folder:
        files = {"ngrams": {"lm.bin": base / "lm.bin"}}
        exact, self_normal = Path(folder) / "exact.bin", Path(folder) / "self.bin"
        precision: dict[str, Any] = {"input_precision": "int8", "output_precision": "int8"}
        NeuralLanguageModel(nlm).write_requantised(exact, normalisation="exact", **precision)
        NeuralLanguageModel(nlm).write_requantised(self_normal, normalisation="self", **precision)
        files |= {"neural exact": {"nlm.bin": exact}, "neural self": {"nlm.bin": self_normal}}
        files |= {f"ngrams + {name}": {**files["ngrams"], **files[name]} for name in ("neural exact", "neural self")}
        if source_nlm:
            joint = Path(folder) / "joint.bin"
            NeuralLanguageModel(source_nlm).write_requantised(joint, **precision)
            files["ngrams + source"] = {**files["ngrams"], "source_nlm.bin": joint}
            files["ngrams + neural self + source"] = {**files["ngrams + neural self"], "source_nlm.bin": joint}
        results: dict[str, Any] = {"sentences": len(lines), "nlm": NeuralLanguageModel(nlm).describe()}
        for decoder in ("hierarchical", "phrase-based"):
            rows = {}
            for name, parts in files.items():
                options = DecodeOptions(decoder=decoder)
                row, cost = run_function(one_run, base, parts, lines, references, options)
                wide = dataclasses.replace(options, pop_limit=2000, stack_size=2000)
                few = max(1, len(lines) // 5)
                best = one_run(base, parts, lines[:few], references[:few], wide)["mean_model_score"]
                same = one_run(base, parts, lines[:few], references[:few], options)["mean_model_score"]
                rows[name] = {**row, "search_gain": round(same - best, 4), "peak_mb": round(cost.peak_mb, 1)}
                print(decoder, name, rows[name], file=sys.stderr)
            results[decoder] = rows
    report(results)


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
