"""Translations with networks of the core's trainer and of PyTorch's: BLEU of the same test set, phrase-based.

    python -m benchmarks.nlm_translating [--pairs fr-en en-de] [--trainers core torch cuda] [--threads N]
    python -m benchmarks.nlm_translating --corpus europarl.fr-en --pairs fr-en --lines 100000 --epochs 1

A model of n-grams and of both networks is trained by the stages of `dragoman train`, words, links, index and n-grams
once; each trainer then does the networks' stages with the same options: what this took, and what held-out text has of
each network, is told first. Then each trainer's networks are combined, tuned and scored as ever. The second and later
trainers' translations are also compared with the first's: the difference of lowercased BLEU with an interval of 95 % by
paired bootstrap. `same_weights` is BLEU with the weights tuned for the first, so that what differs is the networks
alone. Each row is one line of JSON.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.measure import corpus_lines, run_function
from benchmarks.trained import scores_of
from dragoman.neural import train
from dragoman.pipeline.job import make_job
from dragoman.pipeline.networks import NEURAL_KINDS
from dragoman.pipeline.runner import Runner, Silence
from dragoman.pipeline.stage import Request, StageResult
from dragoman.pipeline.stages import neural_lm
from dragoman.pipeline.steps import Pipeline
from dragoman.pipeline.work import WorkFolder


@dataclass(frozen=True, slots=True)
class Corpus:
    """A text of shared/, of which `lines` are trained on."""

    name: str
    lines: int | None

    def read(self, part: str, lang: str) -> list[str]:
        return corpus_lines(f"{self.name}/{part}.{lang}", self.lines if part == "train" else None)

    def written(self, folder: Path, part: str, lang: str) -> Path:
        path = folder / f"{part}.{lang}"
        path.write_text("".join(f"{line}\n" for line in self.read(part, lang)), encoding="utf-8")
        return path


def train_network(kind: str, request: Request[neural_lm.NeuralOptions]) -> neural_lm.NetworkTrained:
    if kind != "core":
        os.environ |= {"OMP_WAIT_POLICY": "PASSIVE", "GOMP_SPINCOUNT": "0"}
    train.covers = lambda options: kind == "core"  # type: ignore[attr-defined]
    options = dataclasses.replace(request.options.neural_lm, device="cuda" if kind == "cuda" else "cpu")
    return neural_lm.run(dataclasses.replace(request, options=neural_lm.NeuralOptions(options)))


class Training:
    """Of one pair of languages, up to where the networks come in."""

    def __init__(self, corpus: Corpus, pair: str, folder: Path, threads: int, network: dict[str, Any]) -> None:
        source, target = pair.split("-")
        files: dict[str, Any] = {
            f"{key}{side}": corpus.written(folder, part, lang)
            for key, part in (("", "train"), ("dev_", "dev"), ("test_", "test"))
            for side, lang in (("source", source), ("target", target))
        }
        self.folder, self.threads = folder, threads
        self.references = corpus.read("test", target)
        self.job = make_job(
            **files, source_lang=source, target_lang=target, out=folder / "model", work=folder / "work",
            threads=threads, judge="off", language_models="+".join(("ngram", *NEURAL_KINDS)),
            stages={"decode": {"decoder": "phrase-based"}, "neural_lm": {"device": "cpu", **network}},
        )  # fmt: skip

    def begin(self, work: WorkFolder) -> Pipeline:
        pipeline = Pipeline(self.job, Runner(work, self.job.out, Silence(), self.threads))
        pipeline.prepare_text()
        pipeline.find_words()
        pipeline.refuse_the_hopeless()
        pipeline.link_words()
        pipeline.index_pairs()
        pipeline.settle()
        pipeline.language_models()
        return pipeline

    def networks(self, pipeline: Pipeline, kind: str) -> tuple[dict[str, StageResult[Any]], Mapping[str, float]]:
        """As one trainer makes them, and what they took: CPU seconds, and held-out and dev perplexity."""
        texts = {"target": pipeline.tokenized.file("target.bin")}
        made: dict[str, StageResult[Any]] = {}
        facts: dict[str, float] = {}
        for name, options in pipeline.plan.networks.options.items():
            out = self.folder / f"{kind}.{name}"
            out.mkdir()
            inputs = texts if name == "neural" else pipeline.bitext_inputs()
            request = Request(
                inputs, neural_lm.NeuralOptions(options), out, out / "keep", self.threads,
                lambda done, total: None,
            )  # fmt: skip
            trained, cost = run_function(train_network, kind, request)
            made[name] = dataclasses.replace(pipeline.networks[name], folder=out, facts=trained)
            facts |= {f"{name}_heldout": round(trained.heldout_perplexity, 3), f"{name}_cpu_s": round(cost.cpu_seconds)}
        return made, facts

    def measure(self, trainers: list[str], tell: Any) -> None:
        with WorkFolder.opened(self.job.work) as work:
            pipeline = self.begin(work)
            first: list[str] | None = None
            weights = None
            made = {}
            for kind in trainers:
                made[kind], facts = self.networks(pipeline, kind)
                tell({"trainer": kind, **facts})
            for kind in trainers:
                pipeline.networks = made[kind]
                pipeline.model = pipeline.combined(pipeline.indexed)
                row: dict[str, Any] = {"trainer": kind}
                if weights is not None:
                    pipeline.tuned = weights
                    row["same_weights_bleu_lc"] = round(
                        scores_of(self.translations(pipeline), self.references)["bleu_lc"], 2
                    )
                pipeline.tuned = None
                pipeline.tune_weights()
                weights = weights or pipeline.tuned
                outputs = self.translations(pipeline)
                scores = scores_of(outputs, self.references, first)
                first = first or outputs
                tell(
                    row | {name: value if isinstance(value, str) else round(value, 2) for name, value in scores.items()}
                )

    def translations(self, pipeline: Pipeline) -> list[str]:
        pipeline.score_test_set()
        assert pipeline.evaluated is not None
        return pipeline.evaluated.file("translations").read_text(encoding="utf-8").split("\n")[:-1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", nargs="+", default=["fr-en", "en-de"])
    parser.add_argument("--trainers", nargs="+", choices=("core", "torch", "cuda"), default=["core", "torch"])
    parser.add_argument("--corpus", default="multi30k")
    parser.add_argument("--lines", type=int)
    parser.add_argument("--epochs", type=int, help="Of the networks, rather than as many as the text asks for.")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    for pair in given.pairs:
        with tempfile.TemporaryDirectory() as folder:
            corpus = Corpus(given.corpus, given.lines)
            network = {"epochs": given.epochs} if given.epochs else {}
            Training(corpus, pair, Path(folder), given.threads, network).measure(
                given.trainers, lambda row, pair=pair: print(json.dumps({"pair": pair, **row}), flush=True)
            )


if __name__ == "__main__":
    main()
