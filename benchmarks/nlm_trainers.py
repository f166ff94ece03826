"""Training networks in the core and with PyTorch: words a second and per CPU second, peak memory, perplexity.

    python -m benchmarks.nlm_trainers [--texts multi30k europarl] [--dimensions 128 256] [--threads 1 2 4 8]
    python -m benchmarks.nlm_trainers --trainers core torch cuda --conditioned
    python -m benchmarks.nlm_trainers --preset thesis --dimensions 500

All train the same network on the same text with the same classes, in processes of their own, one after the other, and
the models are asked about the same development text. Words a second count the epochs alone; CPU seconds and memory are
those of the whole process, with reading and, for PyTorch, its start. `torch` is PyTorch on processors, `cuda` on a GPU;
by default the core is alone where PyTorch is not installed. With the preset of the thesis, its noise contrastive
estimation is beside maximum likelihood of the same network, which the thesis says takes 7.6 times as long.
`efficiency` is the share of as many times the words a second of one thread (or of the least number of threads given) as
there are threads. `arithmetic` is the share of the products' multiplications and additions (six for each word,
dimension and candidate) in what the processor could do in that CPU time, if --gflops says how much one core does.
A network that is `conditioned` reads the French side through links of IBM 1, and its perplexity is that of held-out
sentences, whose links are known as well.
"""

from __future__ import annotations

import argparse
import itertools
import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.measure import corpus_lines, report, run_function
from dragoman import _core
from dragoman.align import AlignmentModel
from dragoman.config import AlignOptions, NlmOptions
from dragoman.neural import train
from dragoman.neural.allocator import keep_freed_memory
from dragoman.neural.language_model import NeuralLanguageModel
from dragoman.neural.word_classes import cluster

TEXTS = {
    "multi30k": ("multi30k", 29_000),
    "europarl": ("europarl.fr-en", 100_000),
    "europarl_20m": ("europarl.fr-en", 700_000),
}


def tokenized(name: str, limit: int | None, out: Path) -> Path:
    tokenizer = _core.Tokenizer(name[-2:])
    out.write_bytes(tokenizer.tokenize("".join(f"{line}\n" for line in corpus_lines(name, limit)).encode(), model=True))
    return out


def linked(source: Path, target: Path, out: Path) -> Path:
    out.write_bytes(AlignmentModel.train(source, target, AlignOptions(model="ibm1")).links)
    return out


def train_one(
    kind: str, text: Path, out: Path, options: NlmOptions, classes: Path, sides: dict[str, Any]
) -> dict[str, Any]:
    if kind != "core":
        # Its threads wait for each other busily otherwise, which beside other work takes ten times the CPU.
        os.environ |= {"OMP_WAIT_POLICY": "PASSIVE", "GOMP_SPINCOUNT": "0"}
        train.covers = lambda options: False  # type: ignore[attr-defined]
        keep_freed_memory()
    device = "cuda" if kind == "cuda" else "cpu"
    made = train.train_model(text, out, replace(options, device=device), classes=classes, **sides).as_json()
    names = ("words", "tokens", "epochs", "best_epoch", "heldout_perplexity", "seconds", "tokens_per_second")
    return {name: made[name] for name in names}


def candidates_per_word(text: Path, classes: Path) -> float:
    """How many classes and words of its class a word of the text is told from, on average."""
    of_word = dict(line.split() for line in classes.read_text(encoding="utf-8").splitlines())
    sizes: dict[str, int] = {}
    for number in of_word.values():
        sizes[number] = sizes.get(number, 0) + 1
    total = count = 0
    for line in text.read_text(encoding="utf-8").split("\n"):
        for word in [*line.split(), "</s>"]:
            size = sizes[of_word.get(word, of_word["<unk>"])]
            total += size if size > 1 else 0
            count += 1
    return len(sizes) + total / max(1, count)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", nargs="+", choices=TEXTS, default=list(TEXTS))
    parser.add_argument("--dimensions", nargs="+", type=int, default=[128, 256])
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--minibatch", type=int, default=10_000)
    parser.add_argument("--threads", nargs="+", type=int, default=[2])
    parser.add_argument("--preset", choices=("default", "thesis"), default="default")
    parser.add_argument("--trainers", nargs="+", choices=("core", "torch", "cuda"))
    parser.add_argument("--conditioned", action="store_true", help="The network reads the French side too.")
    parser.add_argument("--clustering", choices=("brown", "frequency"), default="brown")
    parser.add_argument("--gflops", type=float, default=0.0, help="Peak of one core, in thousand millions a second.")
    given = parser.parse_args()
    trainers = given.trainers or (["core", "torch"] if train.has_torch() else ["core"])
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for name in given.texts:
            corpus, limit = TEXTS[name]
            text = tokenized(f"{corpus}/train.en", limit, place / "train")
            sides: dict[str, Any] = {}
            if given.conditioned:
                source = tokenized(f"{corpus}/train.fr", limit, place / "source")
                sides = {"source": source, "links": linked(source, text, place / "links")}
            dev = tokenized(f"{corpus}/dev.en", None, place / "dev").read_text(encoding="utf-8").split("\n")[:-1]
            classes = place / "classes"
            words = len(cluster([text], 1, method="frequency").words)
            times = 1 if given.preset == "thesis" else 2
            cluster([text], round(times * words**0.5), method=given.clustering).write(classes)
            candidates = candidates_per_word(text, classes)
            trainings = ("likelihood", "nce") if given.preset == "thesis" else ("likelihood",)
            speeds: dict[tuple[Any, ...], float] = {}
            for dimension, threads, kind, training in itertools.product(
                given.dimensions, given.threads, trainers, trainings
            ):
                options = NlmOptions(
                    preset=given.preset, dimension=dimension, epochs=given.epochs, minibatch=given.minibatch,
                    threads=threads, patience=100, dropout=0.0, training=training,
                )  # fmt: skip
                out = place / f"{kind}.bin"
                made, cost = run_function(train_one, kind, text, out, options, classes, sides)
                trained = made["tokens"] * made["epochs"]
                one = speeds.setdefault((kind, dimension, training), made["tokens_per_second"] / threads)
                row = {
                    "text": name,
                    "trainer": kind,
                    "training": training,
                    "conditioned": given.conditioned,
                    "dimension": dimension,
                    "threads": threads,
                    **{key: round(value, 2) for key, value in made.items()},
                    "words_per_cpu_second": round(trained / cost.cpu_seconds),
                    "efficiency": round(made["tokens_per_second"] / threads / one, 3),
                    **cost.as_json(),
                }
                if not given.conditioned:
                    row["dev_perplexity"] = round(NeuralLanguageModel(out).perplexity(dev).perplexity, 2)
                if given.gflops and training == "likelihood":
                    needed = 6e-9 * dimension * candidates * trained
                    row["arithmetic"] = round(needed / cost.cpu_seconds / given.gflops, 3)
                report(row)
                sys.stdout.flush()


if __name__ == "__main__":
    main()
