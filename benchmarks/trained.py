"""Models that tables translate with, trained by `dragoman train` once and shared by all that need the same.

A model's folder is named by everything that it depends on: text, options, and the code that trains. Models of one text
share a folder of work, so that what does not differ (tokens, links, the index, a network) is made once. Killed, a
training goes on where it was.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.harness.digests import code_digest, corpora_digest
from benchmarks.harness.table import Setting
from benchmarks.measure import corpus_lines
from dragoman.evaluate import evaluate_texts
from dragoman.files import writing
from dragoman.pipeline.job import make_job
from dragoman.pipeline.runner import Silence
from dragoman.pipeline.training import train_job
from dragoman.translator import Translator

# Training translates its test set to measure memory and speed; scores are worked out here, from all of it.
TEST_STEP = 10


def key_of(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:10]


def write_lines(path: Path, lines: list[str]) -> Path:
    if not path.exists():
        with writing(path) as out:
            out.write("".join(f"{line}\n" for line in lines).encode())
    return path


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """`options` are those of `dragoman train`, with those of its stages under "stages". `dev` and `test` name what is
    tuned and tested on, such as "multi30k/dev"; `pairs` cuts the text for training."""

    corpus: str
    pair: str
    options: Mapping[str, Any] = field(default_factory=dict)
    pairs: int | None = None
    dev: str = ""
    test: str = ""
    folder: Path = Path("data/bench")
    threads: int = 1

    @property
    def languages(self) -> tuple[str, str]:
        source, target = self.pair.split("-")
        return source, target

    @property
    def text_place(self) -> Path:
        """Of the text and of what is made of it."""
        sets = [self.dev or f"{self.corpus}/dev", self.test or f"{self.corpus}/test"]
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

    def make(self) -> None:
        """Waits where another row makes a model of the same text, perhaps this one."""
        self.place.mkdir(parents=True, exist_ok=True)
        with (self.text_place / "lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not self.is_there():
                self.train()

    def train(self) -> None:
        files: dict[str, Any] = {
            f"{key}{side}": write_lines(self.text_place / f"{part}.{lang}", self.lines(part, lang)[::step])
            for key, part, step in (("", "train", 1), ("dev_", "dev", 1), ("test_", "test", TEST_STEP))
            for side, lang in zip(("source", "target"), self.languages, strict=True)
        }
        source, target = self.languages
        job = make_job(
            **files,
            source_lang=source,
            target_lang=target,
            out=self.model,
            work=self.text_place / "work",
            overwrite=True,
            threads=self.threads,
            **self.options,
        )
        summary = train_job(job, Silence()).summary
        with writing(self.place / "summary.json") as out:
            out.write(json.dumps(summary, indent=1).encode())

    def lines(self, part: str, lang: str) -> list[str]:
        """Of train, dev or test."""
        name = {"dev": self.dev, "test": self.test}.get(part) or f"{self.corpus}/{part}"
        return corpus_lines(f"{name}.{lang}", self.pairs if part == "train" else None)

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
