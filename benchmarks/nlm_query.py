"""Microseconds of CPU per query of a neural language model, by output layer, precision and what the caches know.

    python -m benchmarks.nlm_query [WORDS] [DIMENSION...]

Models have random weights and 100,000 words unless told otherwise; words and contexts are drawn as frequent words are
(log-uniform ranks). `new` asks about contexts never seen before, 256 at a time as a decoder does; `one_by_one` one at
a time; `known_context` about another word of the class after a known context; `known` about what was asked before.
The rival is the same model in numpy (float32, one query at a time, its products in BLAS), without caches. Each figure
is the best of several runs: on a shared machine the others say more about the neighbours.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import report
from dragoman import _core

ORDER = 5
QUERIES = 2048
RUNS = 15


def tensors(words: int, dimension: int, output: str, classes: int, direct: int, seed: int) -> dict[str, Any]:
    source = np.random.default_rng(seed)

    def normal(*shape: int) -> Any:
        return source.normal(0, 0.1, shape).astype(np.float32)

    size = words + 4
    made: dict[str, Any] = {
        "input": normal(size, dimension),
        "context": normal(ORDER - 1, dimension) + np.float32(1),
        "hidden_bias": normal(dimension),
    }
    if output == "tree":
        counts = (1e7 / np.arange(1, size + 1)).astype(np.uint64)
        made["node_children"] = np.frombuffer(_core.huffman_tree(counts), np.int32)
        return made | {"node_weights": normal(size - 3, dimension), "node_bias": normal(size - 3)}
    made |= {"word_weights": normal(size, dimension), "word_bias": normal(size)}
    if output == "class":
        of = np.arange(size, dtype=np.int32) % classes
        of[[0, 2]] = -1
        made |= {"class_of_word": of, "class_weights": normal(classes, dimension), "class_bias": normal(classes)}
    if direct:
        contexts = np.full((direct // 4, ORDER - 1), -1, np.int32)
        for place in range(ORDER - 1):
            rows = source.integers(1, ORDER, len(contexts)) > place
            contexts[rows | (place == 0), place] = ranks(source, size, int((rows | (place == 0)).sum()))
        contexts = np.unique(contexts, axis=0)
        begin = np.arange(len(contexts) + 1, dtype=np.int64) * 4
        successors = ranks(source, size, 4 * len(contexts))
        made |= {"direct_contexts": contexts, "direct_word_begin": begin, "direct_words": successors}
        made["direct_word_weights"] = normal(len(successors))
        if output == "class":
            made |= {"direct_class_begin": begin, "direct_classes": made["class_of_word"][successors]}
            made["direct_class_weights"] = normal(len(successors))
    return made


def ranks(source: np.random.Generator, size: int, count: int) -> Any:
    """Ids of words, each twice as far down the list of frequencies as likely as the half before it."""
    return np.minimum(np.exp(source.uniform(np.log(4), np.log(size), count)), size - 1).astype(np.int32)


def best_time(call: Callable[[], object]) -> float:
    times = []
    for _ in range(RUNS):
        begin = time.process_time()
        call()
        times.append(time.process_time() - begin)
    return min(times)


def measured(model: _core.NeuralModel, words: int, classes: int) -> dict[str, float]:
    source = np.random.default_rng(7)
    size = words + 4
    contexts = ranks(source, size, QUERIES * (ORDER - 1))
    asked = ranks(source, size, QUERIES)
    setup = best_time(lambda: model.logprobs(contexts[: ORDER - 1], asked[:1]))
    new = best_time(lambda: model.logprobs(contexts, asked)) - setup
    single = best_time(lambda: model.logprobs(contexts, asked, batch=1)) - setup
    # A part that the caches hold, again and again.
    part = QUERIES // 4
    few = (np.tile(contexts[: part * (ORDER - 1)], 8), np.tile(asked[:part], 8))
    again = best_time(lambda: model.logprobs(*few)) - new / 4 - setup
    # Other words of the same classes: the hidden layer and both normalisers are known.
    others = [(asked[:part] - 4 + step * classes) % (size // classes * classes - 4) + 4 for step in range(8)]
    pairs = (few[0], np.concatenate(others).astype(np.int32))
    other = best_time(lambda: model.logprobs(*pairs)) - new / 4 - setup
    return {
        "new": micro(new, QUERIES),
        "one_by_one": micro(single, QUERIES),
        "known_context": micro(other, 7 * part),
        "known": micro(again, 7 * part),
    }


def micro(seconds: float, queries: int) -> float:
    return round(1e6 * seconds / queries, 3)


def numpy_rival(parts: dict[str, Any], words: int, classes: int) -> dict[str, float]:
    """One exact class-factored query after the other."""
    source = np.random.default_rng(7)
    count = 256
    contexts = ranks(source, words + 4, count * (ORDER - 1)).reshape(count, -1)
    asked = ranks(source, words + 4, count)
    members = [np.flatnonzero(parts["class_of_word"] == each) for each in range(classes)]
    rows = [np.ascontiguousarray(parts["word_weights"][each]) for each in members]
    biases = [parts["word_bias"][each] for each in members]

    def run() -> None:
        for context, word in zip(contexts, asked, strict=True):
            hidden = np.maximum((parts["context"] * parts["input"][context]).sum(0) + parts["hidden_bias"], 0)
            of = parts["class_of_word"][word]
            for logits in (parts["class_weights"] @ hidden + parts["class_bias"], rows[of] @ hidden + biases[of]):
                np.log(np.exp(logits - logits.max()).sum())

    return {"one_by_one": micro(best_time(run), count)}


def main(words: int, dimensions: list[int]) -> None:
    kinds = [
        ("class", 320, "exact", 0),
        ("class", 640, "exact", 0),
        ("class", 1280, "exact", 0),
        ("class", 640, "exact", 300_000),
        ("class", 320, "self", 0),
        ("class", 320, "none", 0),
        ("flat", 1, "none", 0),
        ("tree", 1, "exact", 0),
    ]
    results: dict[str, Any] = {"kernels": _core.kernel_level(), "words": words, "queries": QUERIES, "models": []}
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "nlm.bin")
        for dimension in dimensions:
            for output, classes, normalised, direct in kinds:
                parts = tensors(words, dimension, output, classes, direct, 1)
                for precision in ("f32", "f16", "int8"):
                    meta = {
                        "order": ORDER,
                        "dimension": dimension,
                        "words": [f"w{i}" for i in range(words)],
                        "output": output,
                        "normalised": normalised,
                        "input_precision": precision,
                        "output_precision": precision,
                        "direct_bits": 6,
                    }
                    _core.write_neural_model(path, meta, parts)
                    model = _core.NeuralModel(path, True)
                    row = {
                        "dimension": dimension,
                        "output": output,
                        "classes": classes,
                        "normalised": normalised,
                        "direct_ngrams": direct,
                        "precision": precision,
                        "megabytes": round(model.describe()["bytes"] / 1e6, 1),
                        "microseconds": measured(model, words, classes),
                    }
                    results["models"].append(row)
                    print(row, file=sys.stderr)
                if (output, classes, normalised, direct) == ("class", 320, "exact", 0):
                    rival = {"dimension": dimension, "microseconds": numpy_rival(parts, words, classes)}
                    results.setdefault("numpy", []).append(rival)
                    print("numpy", rival, file=sys.stderr)
    report(results)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000, [int(each) for each in sys.argv[2:]] or [256, 512])
