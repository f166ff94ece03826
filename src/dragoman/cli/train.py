"""`dragoman train`: from bilingual files to a model, in one command."""

from __future__ import annotations

import contextlib
import dataclasses
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click

from dragoman.cli.command import Command
from dragoman.cli.options import CLUSTER, CLUSTER_SHARED, options_of
from dragoman.cli.progress import progress, stderr, stdout
from dragoman.config import ReadOptions, TrainOptions
from dragoman.errors import ConfigError
from dragoman.pipeline.settings import merged, nearest, parse_assignments, read_toml, split_tables
from dragoman.pipeline.stage import Stage, StageResult
from dragoman.progress import Progress
from dragoman.sizes import format_bytes

Function = TypeVar("Function", bound=Callable[..., Any])

# Keys of a TOML file that name files; relative ones are relative to it.
PATHS = (
    "inputs",
    "source",
    "target",
    "out",
    "work",
    "dev_source",
    "dev_target",
    "test_source",
    "test_target",
    "monolingual",
)


class Screen:
    """A bar for the stage that runs, and a line for each that is done, on standard error."""

    @contextlib.contextmanager
    def stage(self, stage: Stage[Any, Any]) -> Iterator[Progress]:
        with progress(f"{stage.name}: {stage.does}") as report:
            yield report

    def finished(self, result: StageResult[Any]) -> None:
        if result.skipped or result.cost is None:
            stderr.print(f"{result.stage:<10} unchanged")
            return
        memory = f", {format_bytes(result.cost.peak_bytes)}" if result.cost.peak_bytes else ""
        stderr.print(f"{result.stage:<10} {result.cost.seconds:.1f} s{memory}")

    def warn(self, message: str) -> None:
        stderr.print(f"note: {message}", soft_wrap=True)


FLAGS = (
    click.argument("inputs", nargs=-1, metavar="[INPUT]..."),
    click.option("-s", "--source-lang", help="Language to translate from, such as fr or pt-BR."),
    click.option("-t", "--target-lang", help="Language to translate into."),
    click.option("-o", "--out", type=click.Path(path_type=Path), help="The model directory to make."),
    click.option("--source", multiple=True, help="Text file in the source language; goes with --target."),
    click.option("--target", multiple=True, help="Text file in the target language, line by line as --source."),
    click.option("--dev-source", help="Source text to tune on; otherwise some of the input is held out."),
    click.option("--dev-target", help="Its translation."),
    click.option("--test-source", help="Source text to test on; otherwise some of the input is held out."),
    click.option("--test-target", help="Its translation."),
    click.option("--monolingual", multiple=True, help="More text in the target language, for the language models."),
    click.option("--work", type=click.Path(path_type=Path), help="Folder for the work.  [default: OUT.work]"),
    click.option("--overwrite", is_flag=True, help="Replace OUT even if it was not made by this training."),
    click.option("--force", is_flag=True, help="Train on text that looks like other languages than the ones named."),
    click.option("--threads", type=click.IntRange(min=0), default=0, help="Threads; 0 for all cores."),
    click.option(
        "--config", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="TOML file of all this."
    ),
    click.option("--set", "assignments", multiple=True, metavar="STAGE.OPTION=VALUE", help="Any option of any stage."),
    click.option("--json", "as_json", is_flag=True, help="Print the result as JSON."),
    options_of(TrainOptions),
    options_of(ReadOptions),
)


def flags(function: Function) -> Function:
    """What `train` and `estimate` take alike."""
    for flag in reversed(FLAGS):
        function = flag(function)
    return function


@click.command(cls=Command, resumes=True)
@flags
@CLUSTER
@CLUSTER_SHARED
@click.pass_context
def train(
    context: click.Context,
    /,
    config: Path | None,
    assignments: tuple[str, ...],
    as_json: bool,
    cluster: str | None,
    cluster_shared: bool,
    **values: Any,
) -> None:
    """Train a model from INPUT: TMX, XLIFF, PO, MO, TSV, CSV or JSONL files, two text files such as train.fr train.en
    or `train` for both, zip archives or folders of any of these; or from --source and --target.

    Killed at any moment, the same command goes on where it was. A stage whose input and options have not changed is
    not run again.

    \b
    dragoman train memory.tmx -s fr -t en --memory 100MB -o fr-en.model
    dragoman train corpora/ -s fr -t en -o fr-en.model
    dragoman train --source train.fr --target train.en -s fr -t en -o fr-en.model
    dragoman train --config train.toml --set align.model=hmm
    """
    from dragoman.cluster.workers import ClusterPlace
    from dragoman.pipeline.job import make_job
    from dragoman.pipeline.training import train_job

    arguments = gathered(context, config, assignments, values)
    result = train_job(make_job(**arguments), Screen(), ClusterPlace.of(cluster, cluster_shared))
    if as_json:
        click.echo(json.dumps(result.summary, indent=2, ensure_ascii=False))
        return
    for line in result.report.lines():
        stdout.print(line, soft_wrap=True)


@click.command(cls=Command)
@flags
@click.pass_context
def estimate(
    context: click.Context, /, config: Path | None, assignments: tuple[str, ...], as_json: bool, **values: Any
) -> None:
    """Foretell what `dragoman train` with the same arguments would make and take: sizes, time, memory.

    Reads the text once, and works on a sample of it. What training would refuse is refused here, in the same words,
    after the figures.

    \b
    dragoman estimate train.fr train.en -s fr -t en --memory 100MB
    """
    from dragoman.pipeline.forecast import estimate_job
    from dragoman.pipeline.job import make_job

    arguments = gathered(context, config, assignments, {**values, "out": values["out"] or Path("model")})
    job = make_job(**arguments)
    with progress("reading") as report:
        estimated = estimate_job(job, report)
    if as_json:
        click.echo(json.dumps(estimated.as_json(), indent=2))
    else:
        for line in estimated.lines():
            stdout.print(line, soft_wrap=True)
    if estimated.refusal:
        raise estimated.refusal


def gathered(
    context: click.Context, /, config: Path | None, assignments: tuple[str, ...], values: dict[str, Any]
) -> dict[str, Any]:
    """Arguments of make_job: the TOML file's, and over them what the command line says."""
    top, tables = split_tables(read_toml(config)) if config else ({}, {})
    reading = {entry.name: values.pop(entry.name) for entry in dataclasses.fields(ReadOptions)}
    for name, value in top.items():
        if name not in values:
            raise ConfigError(f"{config}: '{name}' is not known; {nearest(name, values, 'it takes')}", name)
        require_kind(context, config, name, value)
        if config is not None and name in PATHS:
            top[name] = [beside(config, path) for path in value] if isinstance(value, list) else beside(config, value)

    def was_given(name: str) -> bool:
        return context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT

    given = {
        name: value for name, value in values.items() if value not in (None, ()) and (name == "out" or was_given(name))
    }
    read = {"read": {name: value for name, value in reading.items() if was_given(name)}}
    arguments = {**top, **given, "stages": merged(tables, read, parse_assignments(assignments))}
    for name in ("source_lang", "target_lang", "out"):
        if not arguments.get(name):
            raise ConfigError(f"--{name.replace('_', '-')} is missing; give it as a flag or in the TOML file", name)
    return arguments


def require_kind(context: click.Context, config: Path | None, name: str, value: object) -> None:
    """Refuses what a TOML file says of an option that takes another kind of value."""
    option = next((parameter for parameter in context.command.params if parameter.name == name), None)
    if not isinstance(option, click.Option) or name in {entry.name for entry in dataclasses.fields(TrainOptions)}:
        return  # the options of training know their kinds themselves
    kind: type = str
    wanted = "text"
    if option.is_flag:
        kind, wanted = bool, "true or false"
    elif isinstance(option.type, click.types.IntParamType):
        kind, wanted = int, "a whole number"
    entries = value if option.multiple and isinstance(value, list) else [value]
    if not all(type(entry) is kind for entry in entries):
        raise ConfigError(f"{config}: '{name}' is {wanted}, not {value!r}", name)


def beside(config: Path, name: object) -> str:
    if not isinstance(name, str):
        raise ConfigError(f"{config}: a file is named by text, not by {name!r}", "config")
    return str(config.parent / name)
