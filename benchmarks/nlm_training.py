"""Training of neural language models: speed and held-out perplexity of every way to train, on a GPU and on CPUs.

`export` turns tokenized text into one file of ids, classes and a tree, which is all that `run` needs: the machine with
the GPU needs torch and numpy and not the compiled core. Each run is one row of JSON; log probabilities of the held-out
words go to a file too, so that models can be interpolated afterwards (`interpolate`).
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np


def export(arguments: argparse.Namespace) -> None:
    from dragoman.corpus.id_text import encode_links, encode_text
    from dragoman.neural import classes
    from dragoman.neural.training_text import affiliations, read_sentences

    arrays: dict[str, Any] = {}
    for entry in arguments.text:
        name, text, heldout, source, links, *counts = entry.split(",")
        target_text = encode_text(text)
        target = read_sentences(target_text, min_count=2 if source else 1, max_words=65_000)
        arrays[f"{name}.target"] = target.ids.astype(np.uint16)
        arrays[f"{name}.target_lengths"] = np.diff(target.begin).astype(np.uint16)
        arrays[f"{name}.counts"] = target.counts
        arrays[f"{name}.huffman"] = classes.huffman(target.counts)
        for count in map(int, counts):
            arrays[f"{name}.brown{count}"] = classes.brown(target, count).astype(np.int16)
            arrays[f"{name}.frequency{count}"] = classes.frequency(target.counts, count).astype(np.int16)
        if heldout:
            known = {word.encode(): number for number, word in enumerate(target.words, 4)}
            lines = Path(heldout).read_bytes().split(b"\n")[:-1]
            arrays[f"{name}.heldout"] = np.array(
                [known.get(word, 1) for line in lines for word in line.split()], np.uint16
            )
            arrays[f"{name}.heldout_lengths"] = np.array([len(line.split()) for line in lines], np.uint16)
        if source:
            source_text = encode_text(source)
            other = read_sentences(source_text, min_count=2, max_words=65_000)
            arrays[f"{name}.source"] = other.ids.astype(np.uint16)
            arrays[f"{name}.source_lengths"] = np.diff(other.begin).astype(np.uint16)
            arrays[f"{name}.affiliated"] = affiliations(
                encode_links(links, source_text, target_text), source_text, target_text
            ).astype(np.uint8)
        print(name, len(target), "sentences", target.size, "words", file=sys.stderr)
    np.savez_compressed(arguments.out, **arrays)


def sentences(data: Any, name: str) -> Any:
    from dragoman.neural.training_text import Sentences

    ids = data[name].astype(np.int32)
    begin = np.concatenate([[0], np.cumsum(data[f"{name}_lengths"].astype(np.int64))])
    return Sentences(ids, begin, [], np.zeros(0, np.int64))


class Text:
    """One text of the exported file, laid out for training."""

    def __init__(self, data: Any, name: str, limit: int, window: int, *, source: str = "") -> None:
        from dragoman.neural.training_text import Sentences, hold_out, stream

        self.data, self.name = data, name
        target = sentences(data, f"{name}.target")
        self.counts = data[f"{name}.counts"]
        other: Any = None
        affiliated: Any = None
        self.source_words = 0
        if source:
            other = sentences(data, f"{name}.source")
            affiliated = data[f"{name}.affiliated"].astype(np.int32)
            self.source_words = int(other.ids.max()) + 1
        count = len(target) if not limit else int(np.searchsorted(target.begin, limit))
        if f"{name}.heldout" in data:
            kept, held_text = np.arange(count), sentences(data, f"{name}.heldout")
            held = np.arange(len(held_text))
        else:
            (kept, held), held_text = hold_out(count, 0.02, 1), target
        if source == "shuffled":
            # Every target sentence gets the source of another one, cut or padded by position.
            turned = np.roll(np.arange(len(other)), 1)
            lengths = np.diff(other.begin)[turned]
            begin = np.concatenate([[0], np.cumsum(lengths)])
            places = np.arange(begin[-1]) + np.repeat(other.begin[turned] - begin[:-1], lengths)
            other = Sentences(other.ids[places], begin, [], other.counts)
            longest = np.repeat(np.maximum(lengths - 1, 0), np.diff(target.begin))
            affiliated = np.minimum(affiliated, longest).astype(np.int32)
        self.train = stream(target, kept, 5, other, affiliated, window)
        self.heldout = stream(held_text, held, 5, other, affiliated, window)


def train(text: Text, row: dict[str, Any], device: str, seconds: float) -> dict[str, Any]:
    import torch

    from dragoman.neural.class_layout import lay_out
    from dragoman.neural.class_output import ClassOutput
    from dragoman.neural.classes import predicted
    from dragoman.neural.direct import DirectFeatures, choose
    from dragoman.neural.flat_output import FlatOutput
    from dragoman.neural.network import Network, Shape
    from dragoman.neural.output import Method
    from dragoman.neural.trainer import Feed, Schedule, Trainer, seeded
    from dragoman.neural.tree_output import TreeOutput

    on = torch.device(device)
    method = Method(row["training"], row.get("noise", 100), True, row.get("self_normalisation", 0.0))
    words = len(text.counts)
    direct = None
    feeds_direct: list[Any] = [None, None]
    output: Any
    if row["output"] == "class":
        layout = lay_out(text.data[f"{text.name}.{row['classes']}"].astype(np.int32), text.counts)
        if row.get("direct"):
            direct = DirectFeatures(choose(text.train, 5, words, row["direct"]), layout).to(on)
            feeds_direct = [direct.contexts_of(part, 5, words) for part in (text.train, text.heldout)]
        output = ClassOutput(layout.to(on), method, direct)
    elif row["output"] == "tree":
        output = TreeOutput(text.data[f"{text.name}.huffman"], text.counts).to(on)
    else:
        output = FlatOutput(text.counts, predicted(words), method).to(on)
    window = row.get("window", 5)
    shape = Shape(
        5, row["dimension"], words, row.get("full", False), text.source_words, window if row.get("source") else 0
    )
    network = Network(shape, output, seeded(torch.device("cpu"), 1)).to(on)
    train_feed = Feed(text.train, 5, window, on, feeds_direct[0])
    heldout_feed = Feed(text.heldout, 5, window, on, feeds_direct[1])
    schedule = Schedule(
        row.get("epochs", 2), row.get("minibatch", 10_000), row.get("rate", 0.1), row.get("l2", 0.0),
        row.get("dropout", 0.0), row.get("patience", 1), 1,
    )  # fmt: skip
    trainer = Trainer(network, train_feed, heldout_feed, schedule)
    began, cpu_began = time.monotonic(), time.process_time()
    state = trainer.run()
    used = len(train_feed) * state.epoch
    places = [
        torch.arange(at, min(at + 8192, len(heldout_feed)), device=on) for at in range(0, len(heldout_feed), 8192)
    ]
    log_probs = torch.cat([network.log_probs(heldout_feed.batch(part))[0] for part in places])
    if row.get("save"):
        from dragoman.neural.export import tensors_of

        halves: dict[str, Any] = {
            name: part.astype(np.float16) if part.dtype == np.float32 else part
            for name, part in tensors_of(network).items()
        }
        np.savez_compressed(row["save"], **halves)
    best = state.history[state.best_epoch]
    return {
        **row,
        "words": words,
        "tokens": len(train_feed),
        "perplexity": state.best,
        "perplexities": [round(entry.heldout_perplexity, 2) for entry in state.history],
        "log_normaliser": [round(best.log_normaliser_mean, 3), round(best.log_normaliser_deviation, 3)],
        "training_seconds": round(state.seconds, 2),
        "tokens_per_second": round(used / state.seconds),
        "cpu_seconds": round(time.process_time() - cpu_began, 2),
        "wall_seconds": round(time.monotonic() - began, 2),
        "parameters": sum(tensor.numel() for tensor in network.parameters.values()),
        "log_probs": log_probs.float().cpu().numpy(),
    }


def rows_of(path: str) -> Iterator[dict[str, Any]]:
    for line in Path(path).read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            yield json.loads(line)


def run(arguments: argparse.Namespace) -> None:
    """Trains the rows of a file of JSON lines, in order, until the time is up."""
    import torch

    torch.set_num_threads(arguments.threads)
    if arguments.device == "cpu":
        from dragoman.neural.allocator import keep_freed_memory

        keep_freed_memory()
    torch.backends.cuda.matmul.allow_tf32 = True
    data = np.load(arguments.data)
    deadline = time.monotonic() + arguments.seconds
    out = Path(arguments.out)
    out.parent.mkdir(parents=True, exist_ok=True)
    texts: dict[Any, Text] = {}
    scores: dict[str, Any] = {}
    for number, row in enumerate(rows_of(arguments.rows)):
        if number % arguments.parts != arguments.part or time.monotonic() > deadline:
            continue
        key = (row["text"], row.get("tokens", 0), row.get("window", 5), row.get("source", ""))
        if key not in texts:
            texts = {
                key: Text(data, row["text"], row.get("tokens", 0), row.get("window", 5), source=row.get("source", ""))
            }
        try:
            result = train(texts[key], row, arguments.device, deadline - time.monotonic())
        except Exception as error:
            result = {**row, "error": f"{type(error).__name__}: {error}", "log_probs": np.zeros(0, np.float32)}
        scores[f"row{number}"] = result.pop("log_probs").astype(np.float16)
        line = json.dumps({"row": number, **result})
        print(line, flush=True)
        with out.open("a") as stream:
            stream.write(line + "\n")
    np.savez_compressed(out.with_suffix(".npz"), **scores)


def assemble(arguments: argparse.Namespace) -> None:
    """Makes nlm.bin of the tensors a run saved and of the words of its text."""
    from dragoman import _core
    from dragoman.corpus.id_text import encode_text
    from dragoman.neural.training_text import read_sentences

    min_count = arguments.min_count
    tensors = {
        name: np.ascontiguousarray(part.astype(np.float32) if part.dtype == np.float16 else part)
        for name, part in np.load(arguments.tensors).items()
    }
    meta: dict[str, Any] = {
        "order": len(tensors["context"]) + 1,
        "dimension": tensors["input"].shape[1],
        "words": read_sentences(encode_text(arguments.text), min_count=min_count, max_words=65_000).words,
        "output": "class",
        "normalised": "exact",
    }
    if arguments.source:
        meta["source_words"] = read_sentences(encode_text(arguments.source), min_count=2, max_words=65_000).words
        meta["source_window"] = len(tensors["source_context"]) // 2
    _core.write_neural_model(arguments.out, meta, {name: part.data for name, part in tensors.items()})


def interpolate(arguments: argparse.Namespace) -> None:
    """Perplexity of a back-off model, of each run, and of their best linear mixture, on the words the former knows."""
    tokens = [token for line in Path(arguments.query).read_text().splitlines() for token in json.loads(line)["tokens"]]
    known = np.array([not token["unknown"] for token in tokens])
    back_off = np.array([token["log10_prob"] for token in tokens]) * np.log(10)

    def perplexity(log_probs: Any) -> float:
        return float(np.exp(-log_probs[known].mean()))

    print(json.dumps({"back_off": perplexity(back_off), "known": int(known.sum()), "tokens": len(known)}))
    scores = np.load(arguments.scores)
    for row in rows_of(arguments.rows):
        name = f"row{row['row']}"
        if name not in scores or len(scores[name]) != len(tokens):
            continue
        neural = scores[name].astype(np.float64)
        mixtures = {
            share: perplexity(np.logaddexp(neural + np.log(share), back_off + np.log(1 - share)))
            for share in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
        }
        share = min(mixtures, key=lambda share: mixtures[share])
        print(json.dumps({"row": row["row"], "neural": perplexity(neural), "mixture": mixtures[share], "share": share}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    sub = commands.add_parser(
        "export", help="name,text,heldout,source,links,classes... per text; empty where there is none"
    )
    sub.add_argument("text", nargs="+")
    sub.add_argument("--out", required=True)
    sub.set_defaults(function=export)
    sub = commands.add_parser("interpolate")
    sub.add_argument("query", help="what `dragoman lm query --json` says about the held-out text")
    sub.add_argument("rows", help="results of `run`")
    sub.add_argument("scores", help="log probabilities of the same runs")
    sub.set_defaults(function=interpolate)
    sub = commands.add_parser("assemble")
    sub.add_argument("tensors")
    sub.add_argument("text")
    sub.add_argument("--source", default="")
    sub.add_argument("--min-count", type=int, default=1)
    sub.add_argument("--out", required=True)
    sub.set_defaults(function=assemble)
    sub = commands.add_parser("run")
    sub.add_argument("data")
    sub.add_argument("rows", help="a file of JSON objects, one run a line")
    sub.add_argument("--out", required=True)
    sub.add_argument("--device", default="cpu")
    sub.add_argument("--threads", type=int, default=2)
    sub.add_argument("--seconds", type=float, default=3600)
    sub.add_argument("--part", type=int, default=0, help="this process' part of the rows")
    sub.add_argument("--parts", type=int, default=1)
    sub.set_defaults(function=run)
    arguments = parser.parse_args()
    arguments.function(arguments)


if __name__ == "__main__":
    main()
