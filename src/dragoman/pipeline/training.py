"""`train` and `estimate` for Python, and what the command line calls."""

from __future__ import annotations

import dataclasses
import inspect
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar, Unpack

from dragoman import _core
from dragoman.arguments import require_flag, require_path, require_paths, require_text, require_whole, wrong
from dragoman.cluster.workers import ClusterPlace
from dragoman.config import TrainOptions
from dragoman.errors import ConfigError
from dragoman.files import writing
from dragoman.pipeline.forecast import Estimate, estimate_job
from dragoman.pipeline.job import EstimateArguments, Job, Names, PathLike, TrainArguments, listed, make_job
from dragoman.pipeline.learning_time import keep_plan, kept_plan
from dragoman.pipeline.publish import publish, require_place
from dragoman.pipeline.runner import Listener, Runner, Silence
from dragoman.pipeline.settings import nearest
from dragoman.pipeline.steps import Pipeline
from dragoman.pipeline.summary import TrainResult, summarize
from dragoman.pipeline.work import WorkFolder
from dragoman.pipeline.work_memory import work_limit

Function = TypeVar("Function", bound=Callable[..., Any])
# Arguments that are paths: one of them, or one or several.
ONE = ("out", "work", "dev_source", "dev_target", "test_source", "test_target")
SEVERAL = ("source", "target", "monolingual")


def keywords() -> dict[str, inspect.Parameter]:
    """The keyword arguments of training: those of `make_job`, and its options with the defaults of config.py."""
    parameters = [
        parameter
        for parameter in inspect.signature(make_job).parameters.values()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    ]
    parameters += [
        inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=field.type)
        for field in dataclasses.fields(TrainOptions)
    ]
    return {parameter.name: parameter for parameter in parameters}


def with_keywords(function: Function) -> Function:
    """Shows those who ask, `help` and editors, the keyword arguments by name."""
    signature = inspect.signature(function)
    first, *others = signature.parameters.values()
    known = {**keywords(), **{parameter.name: parameter for parameter in others}}
    named = [parameter for parameter in known.values() if parameter.kind is inspect.Parameter.KEYWORD_ONLY]
    function.__signature__ = signature.replace(parameters=[first, *named])  # type: ignore[attr-defined]
    return function


def require_keywords(arguments: Mapping[str, object]) -> None:
    """ConfigError for arguments that training does not have, and for those that it cannot do without."""
    known = keywords()
    for name in arguments:
        if name not in known:
            raise ConfigError(f"training has no argument {name}; {nearest(name, known, 'it takes')}", name)
    for name, parameter in known.items():
        if parameter.default is inspect.Parameter.empty and not arguments.get(name):
            raise ConfigError(f"{name} is missing; training cannot do without it", name)


def require_types(inputs: Iterable[Names], arguments: Mapping[str, Any]) -> None:
    """ConfigError for an argument of another kind; options of the training are checked where they are used."""
    for names in inputs:
        require_paths("inputs", names)
    for name, value in arguments.items():
        if name in SEVERAL and value is not None:
            require_paths(name, value)
        elif name in ONE and value is not None:
            require_path(name, value)
        elif name in ("source_lang", "target_lang"):
            require_text(name, value)
        elif name in ("overwrite", "force"):
            require_flag(name, value)
        elif name == "threads":
            require_whole(name, value)
        elif name == "stages" and value is not None:
            require_tables(name, value)


def require_tables(name: str, value: Any) -> None:
    if not isinstance(value, Mapping) or not all(isinstance(options, Mapping) for options in value.values()):
        raise wrong(name, "a mapping of stages to mappings of their options", value)


@with_keywords
def train(
    *inputs: Names,
    listener: Listener | None = None,
    cluster: Any = None,
    cluster_shared: bool = False,
    **arguments: Unpack[TrainArguments],
) -> TrainResult:
    """Trains a model from files of sentence pairs, one or several or a list of them, or from `source` and `target`.

    Arguments are the flags of `dragoman train` by the same names; `stages` has the options of single stages, such as
    {"align": {"model": "hmm"}}. What was done before in the same work folder is not done again. `cluster` is the
    address of a Dask scheduler, or a Dask client, whose workers do pieces of the work; the model is the same without.

    >>> result = train("memory.tmx", source_lang="fr", target_lang="en", memory="200MB", out="fr-en.model")
    >>> result.scores["BLEU"]
    """
    require_keywords(arguments)
    require_types(inputs, arguments)
    place = ClusterPlace.of(cluster, require_flag("cluster_shared", cluster_shared))
    return train_job(make_job(flattened(inputs), **arguments), listener or Silence(), place)


@with_keywords
def estimate(*inputs: Names, out: PathLike = "model", **arguments: Unpack[EstimateArguments]) -> Estimate:
    """Foretells what `train` with the same arguments would take and make.

    >>> estimate("memory.tmx", source_lang="fr", target_lang="en", memory="200MB").refusal
    """
    require_keywords({**arguments, "out": out})
    require_types(inputs, {**arguments, "out": out})
    return estimate_job(make_job(flattened(inputs), out=out, **arguments))


def flattened(inputs: tuple[Names, ...]) -> list[PathLike]:
    return [name for names in inputs for name in listed(names)]


def within_time(job: Job, work: Path, listener: Listener) -> Job:
    """What a limit of time leaves of it; the same as before where an earlier run has planned it."""
    if not job.options.time:
        return job
    plan = kept_plan(work, job)
    if plan is None:
        estimated = estimate_job(job)
        if estimated.lateness:
            listener.warn(estimated.lateness)
        plan = estimated.time
        keep_plan(work, job, plan)
    return plan.applied(job)


def train_job(job: Job, listener: Listener, cluster: ClusterPlace | None = None) -> TrainResult:
    """Runs what has not been run yet of a training, and puts the model in its place."""
    require_place(job.out, job.work, job.overwrite)
    with WorkFolder.opened(job.work) as work:
        job = within_time(job, work.path, listener)
        threads = job.threads or _core.default_threads()
        pipeline = Pipeline(job, Runner(work, job.out, listener, threads, work_limit(job.options), cluster))
        pipeline.run()
        publish(
            pipeline.model.file("model"), job.out, work.path, pipeline.finishing_files(), pipeline.scores().as_json()
        )
        summary = summarize(job.out, pipeline)
        with writing(work.path / "summary.json") as stream:
            stream.write((json.dumps(summary.as_json(), indent=2, ensure_ascii=False) + "\n").encode())
        work.finish(job.out, [result.folder for result in pipeline.runner.results])
    return TrainResult(job.out, summary)
