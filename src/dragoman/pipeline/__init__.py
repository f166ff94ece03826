"""From bilingual files to a tuned, measured model within a memory budget.

>>> import dragoman
>>> result = dragoman.train(source="train.fr", target="train.en", source_lang="fr", target_lang="en", out="fr-en.model")
>>> result.scores["BLEU"]
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from typing import Any

from dragoman import _core
from dragoman.files import writing
from dragoman.pipeline.job import Job, make_job
from dragoman.pipeline.publish import publish, require_place
from dragoman.pipeline.runner import Listener, Runner
from dragoman.pipeline.stage import Made, Progress, Stage
from dragoman.pipeline.steps import Pipeline
from dragoman.pipeline.summary import TrainResult, summarize
from dragoman.pipeline.work import WorkFolder

__all__ = ["Job", "TrainResult", "make_job", "train", "train_job"]


class Silence:
    """Shows nothing and remembers the warnings."""

    @contextlib.contextmanager
    def stage(self, stage: Stage) -> Iterator[Progress]:
        yield lambda done, total: None

    def made(self, made: Made) -> None: ...

    def warn(self, message: str) -> None: ...


def train(*inputs: Any, listener: Listener | None = None, **arguments: Any) -> TrainResult:
    """Trains a model. Arguments are those of `make_job`: what `dragoman train` takes as flags, by the same names."""
    return train_job(make_job(inputs, **arguments), listener or Silence())


def train_job(job: Job, listener: Listener) -> TrainResult:
    """Runs what has not been run yet of a training, and puts the model in its place."""
    require_place(job.out, job.work, job.overwrite)
    with WorkFolder.opened(job.work) as work:
        runner = Runner(work, job.out, listener, job.threads or _core.default_threads())
        pipeline = Pipeline(job, runner)
        made = pipeline.run()
        publish(
            made["model"].file("model"),
            job.out,
            work.path,
            pipeline.finishing_files(),
            pipeline.scores(),
        )
        summary = summarize(job.out, made, runner.made, pipeline.plan.budget, pipeline.scores(), pipeline.warnings)
        with writing(work.path / "summary.json") as stream:
            stream.write((json.dumps(summary, indent=2, ensure_ascii=False) + "\n").encode())
        work.finish(job.out, [each.folder for each in runner.made])
    return TrainResult(job.out, summary)
