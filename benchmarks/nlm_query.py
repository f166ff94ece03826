"""Microseconds of CPU per query of a neural language model, by output layer, precision and what the caches know.

    python -m benchmarks.nlm_query [--text TEXT] [--words N] [--dimensions D...] [--precisions P...]

Models have random weights. The columns, each in one session that begins empty:

- `new`: contexts that no cache knows, each asked for one word, 256 at a time. Nothing is shared, as never in a decoder;
- `one_by_one`: the same one at a time, so that no pass over weights is shared either;
- `known_context`: another word of a class whose normaliser, hidden layer and class factor are known;
- `known`: the same words after the same contexts.

Words and contexts are drawn as frequent words are (log-uniform ranks) from N words in classes of equal size. With
--text, there are rows more: the vocabulary, its Brown classes and the queries are the text's, word after word, which is
the order of `nlm perplexity` (what decoders ask is measured by benchmarks.nlm_decode). `rows` says how many words an
exact query's class has, on average of the words asked.

The rival is the same model in numpy (float32, one query at a time, its products in BLAS), without caches. Each figure
is the best of several runs: on a shared machine the others say more about the neighbours.
"""

from __future__ import annotations

import argparse
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
RUNS = 25


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


def measured(model: _core.NeuralModel, contexts: Any, asked: Any, others: Any) -> dict[str, float]:
    """`others` are as many words as asked, of the same classes."""
    width = ORDER - 1
    part = QUERIES // 4

    def ask(queries: int, *words: Any, batch: int = 256) -> float:
        """Seconds to ask about each of these words after the first contexts."""
        asked_about = np.concatenate([each[:queries] for each in words])
        after = np.tile(contexts[: queries * width], len(words))
        return best_time(lambda: _core.testing.logprobs(model, after, asked_about, batch=batch))

    setup = ask(1, asked)
    once = ask(part, asked)
    return {
        "new": micro(ask(QUERIES, asked) - setup, QUERIES),
        "one_by_one": micro(ask(QUERIES, asked, batch=1) - setup, QUERIES),
        "known_context": micro(ask(part, asked, others) - once, part),
        "known": micro(ask(part, *[asked] * 8) - once, 7 * part),
    }


def drawn(words: int, classes: int) -> tuple[Any, Any, Any]:
    source = np.random.default_rng(7)
    size = words + 4
    contexts, asked = ranks(source, size, QUERIES * (ORDER - 1)), ranks(source, size, QUERIES)
    others = (asked - 4 + classes) % (size // classes * classes - 4) + 4
    return contexts, asked, others.astype(np.int32)


class Text:
    """The words of a text, their classes, and its queries from the middle on, one after the other."""

    def __init__(self, path: str, words: int, classes: int) -> None:
        text = _core.LmText()
        text.add(Path(path).read_bytes())
        self.words, _, encoded = _core.nlm_encode(text, words)
        ids = np.frombuffer(encoded, np.int32)
        size = len(self.words) + 4
        self.class_of_word = np.frombuffer(_core.brown_classes(encoded, size, classes), np.int32)
        sizes = np.bincount(self.class_of_word[self.class_of_word >= 0])
        places = np.flatnonzero(ids != 2)
        places = places[len(places) // 2 :][:QUERIES]
        self.asked = ids[places]
        # Back to the sentence's begin, and no further.
        self.contexts = ids[places[:, None] - np.arange(1, ORDER)]
        for place in range(1, ORDER - 1):
            ended = (self.contexts[:, :place] == 2).any(axis=1)
            self.contexts[ended, place] = 2
        self.rows = float(sizes[self.class_of_word[self.asked]].mean())
        members = [np.flatnonzero(self.class_of_word == each) for each in range(len(sizes))]
        self.others = np.array([members[self.class_of_word[word]][-1] for word in self.asked], np.int32)


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


def write(path: str, words: list[str], dimension: int, output: str, normalised: str, precision: str, parts: Any) -> Any:
    meta = {
        "order": ORDER,
        "dimension": dimension,
        "words": words,
        "output": output,
        "normalised": normalised,
        "input_precision": precision,
        "output_precision": precision,
        "direct_bits": 6,
    }
    _core.write_neural_model(path, meta, parts)
    return _core.NeuralModel(path, True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--text", help="tokenized text, for queries in its order")
    parser.add_argument("--words", type=int, default=100_000)
    parser.add_argument("--dimensions", type=int, nargs="+", default=[256, 512])
    parser.add_argument("--precisions", nargs="+", default=["f32", "f16", "int8"], choices=["f32", "f16", "int8"])
    options = parser.parse_args()
    words = options.words
    kinds = [
        ("class", 320, "exact", 0),
        ("class", 512, "exact", 0),
        ("class", 640, "exact", 0),
        ("class", 1000, "exact", 0),
        ("class", 640, "exact", 300_000),
        ("class", 128, "self", 0),
        ("class", 320, "self", 0),
        ("class", 640, "self", 0),
        ("class", 640, "none", 0),
        ("flat", 1, "none", 0),
        ("tree", 1, "exact", 0),
    ]
    results: dict[str, Any] = {
        "kernels": _core.testing.kernel_level(),
        "words": words,
        "queries": QUERIES,
        "models": [],
    }

    def add(row: dict[str, Any]) -> None:
        results["models"].append(row)
        print(row, file=sys.stderr)

    names = [f"w{i}" for i in range(words)]
    text = Text(options.text, words, 640) if options.text else None
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "nlm.bin")
        for dimension in options.dimensions:
            for output, classes, normalised, direct in kinds:
                parts = tensors(words, dimension, output, classes, direct, 1)
                for precision in options.precisions:
                    model = write(path, names, dimension, output, normalised, precision, parts)
                    add(
                        {
                            "dimension": dimension,
                            "output": output,
                            "classes": classes,
                            "rows": words // classes if normalised == "exact" and output == "class" else 1,
                            "normalised": normalised,
                            "direct_ngrams": direct,
                            "precision": precision,
                            "megabytes": round(model.describe()["bytes"] / 1e6, 1),
                            "microseconds": measured(model, *drawn(words, classes)),
                        }
                    )
                if (output, classes, normalised, direct) == ("class", 320, "exact", 0):
                    rival = {"dimension": dimension, "microseconds": numpy_rival(parts, words, classes)}
                    results.setdefault("numpy", []).append(rival)
                    print("numpy", rival, file=sys.stderr)
            if not text:
                continue
            parts = tensors(len(text.words), dimension, "class", 640, 0, 1) | {"class_of_word": text.class_of_word}
            for normalised in ("exact", "self", "none"):
                model = write(path, text.words, dimension, "class", normalised, "int8", parts)
                add(
                    {
                        "dimension": dimension,
                        "output": "class, of the text",
                        "words": len(text.words),
                        "classes": 640,
                        "rows": round(text.rows, 1) if normalised == "exact" else 1,
                        "normalised": normalised,
                        "precision": "int8",
                        "microseconds": measured(model, text.contexts.reshape(-1), text.asked, text.others),
                    }
                )
    report(results)


if __name__ == "__main__":
    main()
