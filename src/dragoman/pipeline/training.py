"""`train` and `estimate` for Python, and what the command line calls."""

from __future__ import annotations

import dataclasses
import inspect
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, Unpack

from dragoman import _core
from dragoman.config import TrainOptions
from dragoman.files import writing
from dragoman.pipeline.forecast import Estimate, estimate_job
from dragoman.pipeline.job import Job, Names, PathLike, TrainArguments, listed, make_job, require_arguments
from dragoman.pipeline.publish import publish, require_place
from dragoman.pipeline.runner import Listener, Runner, Silence
from dragoman.pipeline.steps import Pipeline
from dragoman.pipeline.summary import TrainSummary, summarize
from dragoman.pipeline.work import WorkFolder

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class TrainResult:
    """A finished training. `report` has it typed, `summary` as `dragoman train --json` prints it."""

    model: Path
    report: TrainSummary

    @property
    def summary(self) -> dict[str, Any]:
        return self.report.as_dict()

    @property
    def scores(self) -> dict[str, Any]:
        return dict(self.report.scores)


def with_signature(function: Function) -> Function:
    """Shows those who ask, `help` and editors, the arguments of `make_job` by name, with the defaults of config.py."""
    own = list(inspect.signature(function).parameters.values())
    shared = [
        parameter
        for parameter in inspect.signature(make_job).parameters.values()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    ]
    options = [
        inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=field.type)
        for field in dataclasses.fields(TrainOptions)
    ]
    given = [parameter for parameter in own if parameter.kind is not inspect.Parameter.VAR_KEYWORD]
    signature = inspect.Signature(
        [*given[:1], *shared, *options, *given[1:]], return_annotation=inspect.signature(function).return_annotation
    )
    function.__signature__ = signature  # type: ignore[attr-defined]
    return function


@with_signature
def train(*inputs: Names, listener: Listener | None = None, **arguments: Unpack[TrainArguments]) -> TrainResult:
    """Trains a model from files of sentence pairs, one or several or a list of them, or from `source` and `target`.

    Arguments are the flags of `dragoman train` by the same names; `stages` has the options of single stages, such as
    {"align": {"model": "hmm"}}. What was done before in the same work folder is not done again.

    >>> result = train("memory.tmx", source_lang="fr", target_lang="en", memory="200MB", out="fr-en.model")
    >>> result.scores["BLEU"]
    """
    require_arguments(arguments)
    return train_job(make_job(flattened(inputs), **arguments), listener or Silence())


@with_signature
def estimate(*inputs: Names, **arguments: Unpack[TrainArguments]) -> Estimate:
    """Foretells what `train` with the same arguments would take and make; `out` may be left out.

    >>> estimate("memory.tmx", source_lang="fr", target_lang="en", memory="200MB").refusal
    """
    asked: TrainArguments = {**arguments, "out": arguments.get("out", "model")}
    require_arguments(asked)
    return estimate_job(make_job(flattened(inputs), **asked))


def flattened(inputs: tuple[Names, ...]) -> list[PathLike]:
    return [name for names in inputs for name in listed(names)]


def train_job(job: Job, listener: Listener) -> TrainResult:
    """Runs what has not been run yet of a training, and puts the model in its place."""
    require_place(job.out, job.work, job.overwrite)
    with WorkFolder.opened(job.work) as work:
        pipeline = Pipeline(job, Runner(work, job.out, listener, job.threads or _core.default_threads()))
        pipeline.run()
        publish(pipeline.model.file("model"), job.out, work.path, pipeline.finishing_files(), pipeline.scores())
        summary = summarize(job.out, pipeline)
        with writing(work.path / "summary.json") as stream:
            stream.write((json.dumps(summary.as_dict(), indent=2, ensure_ascii=False) + "\n").encode())
        work.finish(job.out, [result.folder for result in pipeline.runner.results])
    return TrainResult(job.out, summary)
