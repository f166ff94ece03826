"""The demo's training: the same corpus, once with an n-gram language model and once with neural ones beside it, both
within the same memory. The second training finds everything but the language models done already."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dragoman.pipeline import stage as stages
from dragoman.pipeline.job import make_job
from dragoman.pipeline.summary import TrainResult
from dragoman.pipeline.training import train_job
from dragoman.progress import Progress
from dragoman.sizes import format_bytes
from examples.demo.journal import Entry, Journal
from examples.demo.screen import Screen
from examples.demo.steps import Corpus, ProgressBar

MEMORY = "100MB"
# Shorter than the defaults, so that the whole demo stays within some minutes.
TUNE_WORDS = 8000
TUNE = {"rounds": 6, "kbest": 60}


@dataclass(frozen=True, slots=True)
class Trained:
    """A model and what its training reported."""

    name: str
    result: TrainResult


class StageSteps:
    """Stages as steps of the demo: what was done already is not mentioned again."""

    def __init__(self, journal: Journal, progress: ProgressBar, screen: Screen) -> None:
        self._journal, self._progress, self._screen = journal, progress, screen
        self._said: set[str] = set()

    @contextlib.contextmanager
    def stage(self, stage: stages.Stage[Any, Any]) -> Iterator[Progress]:
        with self._progress(stage.does.capitalize()) as report:
            yield report

    def finished(self, result: stages.StageResult[Any]) -> None:
        if result.skipped or result.cost is None:
            return
        memory = format_bytes(result.cost.peak_bytes) if result.cost.peak_bytes else ""
        self._journal.record(Entry(DOES[result.stage], memory, result.cost.seconds))

    def warn(self, message: str) -> None:
        if message not in self._said:
            self._said.add(message)
            self._screen.notice(message[0].upper() + message[1:] + ".")


DOES = {
    "prepare": "Clean and split, as a stage of training",
    "tokenize": "Find the words",
    "align": "Link the words of both languages",
    "select": "Choose the pairs that fit",
    "index": "Index the bitext",
    "sources": "Keep where each pair came from",
    "lm": "N-gram language model",
    "neural": "Neural language model",
    "conditioned": "Neural language model that reads the source",
    "model": "Put the model together",
    "tune": "Tune the weights on the dev pages",
    "confidence": "Learn how far to trust a translation",
    "evaluate": "Translate and score the test pages",
    "measure": "Measure speed and memory",
}


def train_models(
    corpus: Corpus, data: Path, neural: bool, journal: Journal, progress: ProgressBar, screen: Screen
) -> list[Trained]:
    """The n-gram system, and if asked for the one with neural models beside it."""
    listener = StageSteps(journal, progress, screen)
    trained = [Trained("n-gram", train_one(corpus, data, "ngram", listener))]
    if neural:
        trained.append(Trained("with neural", train_one(corpus, data, "auto", listener)))
    return trained


def train_one(corpus: Corpus, data: Path, language_models: str, listener: StageSteps) -> TrainResult:
    folder = data / corpus.name
    options: dict[str, Any] = {"language_models": language_models, "memory": MEMORY, "tune_words": TUNE_WORDS}
    job = make_job(
        [corpus.path],
        source_lang=corpus.source_lang,
        target_lang=corpus.target_lang,
        out=folder / ("model" if language_models == "ngram" else "neural.model"),
        work=folder / "work",
        # The folder is the demo's own.
        overwrite=True,
        stages={"clean": asdict(corpus.clean), "split": asdict(corpus.split), "tune": dict(TUNE)},
        **options,
    )
    return train_job(job, listener)
