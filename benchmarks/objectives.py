"""Networks as the thesis compares them: their training, contexts and output layers, by perplexity and by BLEU.

    python -m benchmarks.objectives MODEL WORK [--rows likelihood nce ...] [--dimension 256] [--rates ...]

MODEL translates French captions with the network alone as its language model. Every row trains the preset of the thesis
(diagonal contexts unless said, no hidden bias, √V Brown classes, ten noise samples for each word of its own) with each
of the same learning rates until held-out perplexity rises; the rate with the lowest is taken, so that all rows get
equal effort. The weight of the language model is chosen among the same few on half of the captions' dev set, and so is
the weight of a word where a network is asked without normalisers. Test BLEU is lowercased. CPU seconds are those of the
epochs of the best rate.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.measure import corpus_lines, report, run_function
from benchmarks.nlm_decode import opened
from dragoman import _core
from dragoman.config import NlmOptions
from dragoman.files import writing
from dragoman.model.directory import ModelDirectory
from dragoman.model.weights import default_weights, read_weights, write_weights
from dragoman.neural import train
from dragoman.neural.allocator import keep_freed_memory
from dragoman.neural.language_model import NeuralLanguageModel

ROWS: dict[str, dict[str, Any]] = {
    "likelihood": {"training": "likelihood"},
    "nce": {},
    "likelihood-full": {"training": "likelihood", "contexts": "full"},
    "nce-full": {"contexts": "full"},
    "flat": {"output": "flat"},
    "tree-huffman": {"output": "tree", "training": "likelihood", "clustering": "frequency"},
    "tree-brown": {"output": "tree", "training": "likelihood"},
}
RATES = (0.02, 0.05, 0.1, 0.2)
LM_WEIGHTS = (0.5, 0.8, 1.1)
WORD_WEIGHTS = (0.0, -0.4, 0.4)
DEV_LINES = 300


@dataclass(frozen=True, slots=True)
class Places:
    """`train`, `dev` and `test` are names of corpus files without the language."""

    model: Path
    work: Path
    train: str = "multi30k/train"
    dev: str = "multi30k/dev"
    test: str = "multi30k/test"
    pairs: int | None = None

    @property
    def text(self) -> Path:
        return self.work / "train.en"


@dataclass(frozen=True, slots=True)
class Effort:
    """What every row gets alike."""

    dimension: int = 256
    rates: Sequence[float] = RATES
    epochs: int = 40


def write_text(places: Places) -> None:
    """Several rows may come to it at once, and write the same."""
    places.work.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=places.work) as folder:
        path = Path(folder) / "text"
        path.write_bytes(tokens(corpus_lines(f"{places.train}.en", places.pairs)))
        path.replace(places.text)


def tokens(lines: Sequence[str]) -> bytes:
    return _core.Tokenizer("en").tokenize("".join(f"{line}\n" for line in lines).encode(), model=True)


def options_of(row: str, effort: Effort, rate: float) -> NlmOptions:
    preset = NlmOptions(preset="thesis", dimension=effort.dimension, learning_rate=rate)
    return replace(preset, epochs=effort.epochs, threads=1, device="cpu", patience=1, **ROWS[row])


def network_of(places: Places, row: str, effort: Effort, rate: float) -> Path:
    return places.work / f"{row}.{effort.dimension}.{effort.epochs}.{rate}.bin"


def train_one(places: Places, row: str, effort: Effort, rate: float) -> dict[str, Any]:
    """A network and what it took; known already where it was trained before."""
    if not places.text.exists():
        write_text(places)
    out = network_of(places, row, effort, rate)
    told = out.with_suffix(".json")
    if told.exists():
        stored: dict[str, Any] = json.loads(told.read_text())
        return stored
    keep_freed_memory()
    seconds = time.process_time()
    trained = train.train_model(places.text, out, options_of(row, effort, rate)).as_json()
    result = {
        "rate": rate,
        "heldout": trained["heldout_perplexity"],
        "epochs": trained["epochs"],
        "best_epoch": trained["best_epoch"],
        "cpu_s": time.process_time() - seconds,
        "words": trained["tokens"],
    }
    with writing(told) as stream:
        stream.write(json.dumps(result).encode())
    return result


def weights_file(places: Places, network: Path, lm_weight: float, word_weight: float) -> str:
    """Those of the model, with this network in place of its own language model."""
    known = read_weights(ModelDirectory.open(places.model).file("weights.txt"))
    weights = {
        **default_weights(["NeuralLM"]),
        **{name: value for name, value in known.items() if not name.startswith("LanguageModel")},
        "NeuralLM": lm_weight,
    }
    weights["WordPenalty"] += word_weight
    path = places.work / f"{network.stem}.weights.{lm_weight}.{word_weight}.txt"
    write_weights(path, weights)
    return str(path)


def bleu(outputs: list[str], references: list[str]) -> float:
    sums = [sum(column) for column in zip(*_core.bleu_statistics(outputs, references, True), strict=True)]
    return 100 * _core.bleu_score(sums)


def translated(places: Places, network: Path, weights: str, lines: list[str]) -> tuple[list[str], float]:
    translator = opened(places.model, {"nlm.bin": network}, weights)
    begin = time.process_time()
    outputs = [translation.text for translation in translator.translate(lines, threads=1)]
    return outputs, 1000 * (time.process_time() - begin) / len(lines)


def decode(places: Places, network: Path, words_too: bool) -> dict[str, Any]:
    source, target = (corpus_lines(f"{places.dev}.{lang}", DEV_LINES) for lang in ("fr", "en"))
    best = (0.0, 0.0, 0.0)
    for lm_weight in LM_WEIGHTS:
        for word_weight in WORD_WEIGHTS if words_too else WORD_WEIGHTS[:1]:
            outputs, _ = translated(places, network, weights_file(places, network, lm_weight, word_weight), source)
            best = max(best, (bleu(outputs, target), lm_weight, word_weight))
    outputs, ms = translated(
        places, network, weights_file(places, network, *best[1:]), corpus_lines(f"{places.test}.fr")
    )
    with writing(network.with_suffix(".txt")) as out:
        out.write("".join(f"{line}\n" for line in outputs).encode())
    return {
        "bleu_lc": bleu(outputs, corpus_lines(f"{places.test}.en")),
        "dev_bleu": best[0],
        "lm_weight": best[1],
        "ms": ms,
    }


def perplexity(places: Places, network: Path) -> float:
    lines = tokens(corpus_lines(f"{places.dev}.en")).decode().split("\n")[:-1]
    return NeuralLanguageModel(network).perplexity(lines).perplexity


def measure(places: Places, row: str, effort: Effort) -> dict[str, Any]:
    tried = [run_function(train_one, places, row, effort, rate)[0] for rate in effort.rates]
    best = min(tried, key=lambda each: each["heldout"])
    network = network_of(places, row, effort, best["rate"])
    normalised = row != "flat"
    return {
        **best,
        "most_epochs": effort.epochs,
        "words_per_cpu_s": best["words"] * best["epochs"] / best["cpu_s"],
        "perplexity": run_function(perplexity, places, network)[0],
        "all_rates": " ".join(f"{each['rate']}: {each['heldout']:.1f}" for each in tried),
        **run_function(decode, places, network, not normalised)[0],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--rows", nargs="+", choices=ROWS, default=list(ROWS))
    parser.add_argument("--dimension", type=int, default=256)
    parser.add_argument("--rates", type=float, nargs="+", default=list(RATES))
    parser.add_argument("--epochs", type=int, default=40)
    given = parser.parse_args()
    for row in given.rows:
        effort = Effort(given.dimension, given.rates, given.epochs)
        report({row: measure(Places(given.model, given.work), row, effort)})


if __name__ == "__main__":
    main()
