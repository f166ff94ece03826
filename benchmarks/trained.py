"""Models that tables translate with, trained by `dragoman train` once and shared by all that need the same.

A model's folder is named by everything that it depends on: text, options, and the code that trains. Models of one text
share a folder of work, so that what does not differ (tokens, links, the index, a network) is made once. While one model
is trained there, others of the same text begin from a copy of what all have in common. Killed, a training goes on where
it was.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import shutil
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.harness.digests import code_digest, corpora_digest
from benchmarks.harness.provenance import cores
from benchmarks.harness.table import NotHereError, Setting
from benchmarks.measure import SHARED, corpus_lines
from dragoman.evaluate import evaluate_texts
from dragoman.files import writing
from dragoman.neural.train import has_torch
from dragoman.pipeline.job import Job, make_job
from dragoman.pipeline.runner import Runner, Silence
from dragoman.pipeline.steps import Pipeline
from dragoman.pipeline.training import train_job
from dragoman.pipeline.work import WorkFolder
from dragoman.pipeline.work_memory import work_limit
from dragoman.translator import Translator

# Training translates its test set to measure memory and speed; scores are worked out here, from all of it.
TEST_STEP = 10
# The least that can be trained.
SIMPLEST = {"language_models": "ngram", "judge": "off", "tune": False}
# For what is in common, which others wait for. It does not depend on them.
THREADS_IN_COMMON = 3


def key_of(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:10]


def write_lines(path: Path, lines: list[str]) -> Path:
    if not path.exists():
        with writing(path) as out:
            out.write("".join(f"{line}\n" for line in lines).encode())
    return path


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    with path.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def copied(source: Path, target: Path) -> Path:
    """The folder appears whole or not at all."""
    unfinished = target.with_name(f".{target.name}.tmp")
    shutil.rmtree(unfinished, ignore_errors=True)
    shutil.copytree(source, unfinished)
    return unfinished.rename(target)


@dataclass(frozen=True, slots=True)
class CommonWork:
    """What all models of a text begin with: words, links and index. Not changed once it is there."""

    model: TrainedModel
    cores: int = THREADS_IN_COMMON

    @property
    def place(self) -> Path:
        return self.model.text_place / "common"

    @property
    def name(self) -> str:
        return f"{self.model.text_place.name}/common"

    def is_there(self) -> bool:
        return self.place.exists()

    def make(self) -> None:
        self.model.text_place.mkdir(parents=True, exist_ok=True)
        with locked(self.model.text_place / "common.lock"):
            if self.is_there():
                return
            shared = self.model.text_place / "work"
            job = self.model.job(shared, min(self.cores, cores()))
            with WorkFolder.opened(job.work) as work:
                pipeline = Pipeline(job, Runner(work, job.out, Silence(), job.threads, work_limit(job.options)))
                pipeline.prepare_text()
                pipeline.find_words()
                pipeline.refuse_the_hopeless()
                pipeline.link_words()
                pipeline.index_pairs()
            copied(shared, self.place)


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """`options` are those of `dragoman train`, with those of its stages under "stages". `dev` and `test` name what is
    tuned and tested on, such as "multi30k/dev"; `pairs` cuts the text for training. `sentences` are as many of the test
    set, `dev_sentences` of the other, from all of it, as news of one source stand together."""

    corpus: str
    pair: str
    options: Mapping[str, Any] = field(default_factory=dict)
    pairs: int | None = None
    dev: str = ""
    test: str = ""
    sentences: int | None = None
    dev_sentences: int | None = None
    folder: Path = Path("data/bench")
    threads: int = 1

    @property
    def languages(self) -> tuple[str, str]:
        source, target = self.pair.split("-")
        return source, target

    @property
    def text_place(self) -> Path:
        """Of the text and of what is made of it."""
        sets = [
            self.dev or f"{self.corpus}/dev",
            self.test or f"{self.corpus}/test",
            self.sentences,
            self.dev_sentences,
        ]
        depends = [corpora_digest([f"corpora/{self.corpus}"]), code_digest(("core", "src/dragoman")), *sets]
        return self.folder / f"{self.corpus}.{self.pair}.{self.pairs or 'all'}.{key_of(*depends)}"

    @property
    def place(self) -> Path:
        return self.text_place / f"model.{key_of(self.options)}"

    @property
    def name(self) -> str:
        return f"{self.text_place.name}/{self.place.name}"

    @property
    def model(self) -> Path:
        return self.place / "model"

    def is_there(self) -> bool:
        return (self.place / "summary.json").exists()

    @property
    def needs(self) -> tuple[CommonWork, ...]:
        return (CommonWork(self),)

    def make(self) -> None:
        """Waits where another row makes the same model."""
        network = self.options.get("stages", {}).get("neural_lm", {})
        if network.get("output", "class") != "class" and not has_torch():
            raise NotHereError("PyTorch, which trains trees and flat layers: pip install torch")
        self.place.mkdir(parents=True, exist_ok=True)
        with locked(self.place / "lock"):
            if not self.is_there():
                with self.work_folder() as work:
                    summary = train_job(self.job(work, self.threads), Silence()).summary
                with writing(self.place / "summary.json") as out:
                    out.write(json.dumps(summary, indent=1).encode())

    @contextlib.contextmanager
    def work_folder(self) -> Iterator[Path]:
        """That of the text, or one of its own while another model has that."""
        common = CommonWork(self)
        if not common.is_there():
            common.make()
        with (self.text_place / "lock").open("a") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                own = self.place / "work"
                yield own if own.exists() else copied(common.place, own)
                shutil.rmtree(own)
            else:
                yield self.text_place / "work"

    def get_text(self) -> None:
        """Where it does not lie in the shared folder."""

    def job(self, work: Path, threads: int) -> Job:
        self.get_text()
        self.text_place.mkdir(parents=True, exist_ok=True)
        files: dict[str, Any] = {
            f"{key}{side}": write_lines(self.text_place / f"{part}.{lang}", self.lines(part, lang)[::step])
            for key, part, step in (("", "train", 1), ("dev_", "dev", 1), ("test_", "test", TEST_STEP))
            for side, lang in zip(("source", "target"), self.languages, strict=True)
        }
        source, target = self.languages
        return make_job(
            **files,
            source_lang=source,
            target_lang=target,
            out=self.model,
            work=work,
            overwrite=True,
            threads=threads,
            **self.options,
        )

    def lines(self, part: str, lang: str) -> list[str]:
        """Of train, dev or test."""
        if not (SHARED / "corpora" / self.corpus).exists():
            raise NotHereError(f"corpora/{self.corpus}")
        name = {"dev": self.dev, "test": self.test}.get(part) or f"{self.corpus}/{part}"
        if part == "train":
            return corpus_lines(f"{name}.{lang}", self.pairs)
        lines = corpus_lines(f"{name}.{lang}")
        limit = (self.dev_sentences if part == "dev" else self.sentences) or len(lines)
        return lines[:: max(1, len(lines) // limit)][:limit]

    def summary(self) -> dict[str, Any]:
        summary: dict[str, Any] = json.loads((self.place / "summary.json").read_text(encoding="utf-8"))
        return summary

    def translator(self) -> Translator:
        return Translator.load(self.model)

    def translations(self) -> list[str]:
        """Of the test set; made once."""
        return self.translated()[0]

    def translated(self) -> tuple[list[str], float]:
        """Translations of the test set, and milliseconds of CPU that a sentence took."""
        path = self.place / "translations.json"
        if not path.exists():
            sources = self.lines("test", self.languages[0])
            translator = self.translator()
            translator.translate(sources[:5], threads=1)
            begin = time.process_time()
            lines = [result.text for result in translator.translate(sources, threads=1)]
            timed = {"ms": 1000 * (time.process_time() - begin) / len(sources), "lines": lines}
            with writing(path) as out:
                out.write(json.dumps(timed, ensure_ascii=False).encode())
        stored = json.loads(path.read_text(encoding="utf-8"))
        return stored["lines"], stored["ms"]

    def references(self) -> list[str]:
        return self.lines("test", self.languages[1])

    def values(self, against: list[str] | None = None) -> dict[str, Any]:
        """What tables say of a whole system: scores, time, memory, size; with `against`, the other's too.

        Differences are ours less the other's in lowercased BLEU, with an interval of 95 % by paired bootstrap."""
        outputs, milliseconds = self.translated()
        summary = self.summary()
        values = {
            **scores_of(outputs, self.references(), against),
            "ms": milliseconds,
            "memory_mb": summary["memory"]["total_bytes"] / 1e6,
            "model_mb": summary["disk_bytes"] / 1e6,
            "training_cpu_s": sum(row["cpu_seconds"] or 0 for row in summary["stages"]),
        }
        return values | {f"{name}_mb": size / 1e6 for name, size in summary["files"].items()}


def scores_of(outputs: list[str], references: list[str], against: list[str] | None = None) -> dict[str, Any]:
    evaluation = evaluate_texts(outputs, references, against=against)
    scores: dict[str, Any] = {
        column: evaluation.score(metric)
        for column, metric in (("bleu", "BLEU"), ("bleu_lc", "BLEU-lc"), ("chrf", "chrF"))
    }
    if evaluation.against is not None:
        lowercased = next(entry for entry in evaluation.against.differences if entry.name == "BLEU-lc")
        scores |= {"difference": lowercased.difference, "low": lowercased.low, "high": lowercased.high}
        scores["interval"] = f"{lowercased.low:+.1f} to {lowercased.high:+.1f}"
    return scores


def captions(setting: Setting, pair: str, **options: Any) -> TrainedModel:
    """Of multi30k, all of it: 29,000 captions."""
    return TrainedModel("multi30k", pair, options, folder=setting.folder, threads=setting.threads)
