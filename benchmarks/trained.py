"""Models that tables translate with, trained once by `dragoman train` and shared by all that need the same.

A model's folder is named by everything it depends on: text, options, and the code that trains. It holds the model, and
summary.json, which `dragoman train` prints. Killed, a training goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.harness.digests import code_digest, corpora_digest
from benchmarks.harness.table import Setting
from benchmarks.measure import corpus_lines
from benchmarks.training import trained, write
from dragoman.translator import Translator

# What is tuned and tested on, where the corpus has no sets of its own; the thesis tunes on 2013 and tests on 2012.
NEWS = {"fr-en": "newstest/fr-en", "en-de": "newstest/en-de", "en-cs": "newstest/en-cs"}


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """`options` are those of `dragoman train`, with those of its stages under "stages"."""

    corpus: str
    pair: str
    options: Mapping[str, Any] = field(default_factory=dict)
    pairs: int | None = None
    # Parts of the corpus to tune and test on.
    dev: str = "dev"
    test: str = "test"
    folder: Path = Path("data/bench")
    threads: int = 1

    @property
    def languages(self) -> tuple[str, str]:
        source, target = self.pair.split("-")
        return source, target

    @property
    def name(self) -> str:
        known = {key: value for key, value in asdict(self).items() if key not in ("folder", "threads")}
        parts = [json.dumps(known, sort_keys=True), corpora_digest([f"corpora/{self.corpus}"])]
        parts.append(code_digest(("core", "src/dragoman")))
        key = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:10]
        return f"{self.corpus}.{self.pair}.{self.pairs or 'all'}.{key}"

    @property
    def place(self) -> Path:
        return self.folder / self.name

    @property
    def model(self) -> Path:
        return self.place / "model"

    def is_there(self) -> bool:
        return (self.place / "summary.json").exists()

    def make(self) -> None:
        if self.is_there():
            return
        self.place.mkdir(parents=True, exist_ok=True)
        source, target = self.languages
        files = {
            f"{key}{side}": write(self.place, f"{part}.{lang}", self.lines(part, lang))
            for key, part in (("", "train"), ("dev_", self.dev), ("test_", self.test))
            for side, lang in (("source", source), ("target", target))
        }
        summary = trained(self.place, files, source, target, threads=self.threads, **self.options)
        (self.place / "summary.json").write_text(json.dumps(summary, indent=1), encoding="utf-8")
        # Its parts have second names in the model; the rest is of no use any more.
        shutil.rmtree(self.place / "work", ignore_errors=True)

    def lines(self, part: str, lang: str) -> list[str]:
        return corpus_lines(f"{self.corpus}/{part}.{lang}", self.pairs if part == "train" else None)

    def summary(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.place / "summary.json").read_text(encoding="utf-8"))
        return found

    def translator(self) -> Translator:
        return Translator.load(self.model)


def captions(setting: Setting, pair: str, **options: Any) -> TrainedModel:
    """Of multi30k, all of it: 29,000 captions."""
    return TrainedModel("multi30k", pair, options, folder=setting.folder, threads=setting.threads)
