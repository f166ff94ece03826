"""Flags made from the option classes of config.py, so that a default lives in one place."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from dragoman import config
from dragoman.cli.command import GroupedOption
from dragoman.config import require_limits
from dragoman.learn.memory import require_memory

Options = TypeVar("Options")
Function = TypeVar("Function", bound=Callable[..., Any])


GLOSSARY = click.option(
    "--glossary",
    type=click.Path(path_type=Path),
    help="Terms to translate so: a file of `source TAB target` lines, CSV or TBX.",
)

CLUSTER = click.option(
    "--cluster", metavar="ADDRESS", help="Have workers of this Dask scheduler do the pieces: tcp://scheduler:8786."
)
CLUSTER_SHARED = click.option(
    "--cluster-shared", is_flag=True, help="The workers see the same folders, and open models where they lie."
)

# Where a program finds the address if it is not given; so that no password stands on a command line.
CORRECTIONS_VARIABLE = "DRAGOMAN_CORRECTIONS"
CORRECTIONS = click.option(
    "--corrections",
    metavar="URL",
    envvar=CORRECTIONS_VARIABLE,
    help=f"The PostgreSQL database that has the model's corrections; also as {CORRECTIONS_VARIABLE}.",
)

# Memories that apply.
USE = click.option(
    "--use",
    metavar="MEMORIES",
    help="Lessons of these memories apply and no others: acme,legal=2, where legal counts twice.  [default: all]",
)


def memory_option(text: str) -> Callable[[Function], Function]:
    """`--in MEMORY`: the one that lessons are in."""

    def named(context: click.Context, option: click.Parameter, name: str | None) -> str | None:
        return None if name is None else require_memory(name, "in")

    return click.option("--in", "memory", metavar="MEMORY", callback=named, help=text)


# Headings of `--help` for the options of a class that stand beside a command's own.
GROUPS: dict[type, str] = {
    config.ReadOptions: "Reading files of pairs",
    config.CleanOptions: "Cleaning",
    config.SplitOptions: "Holding out",
    config.TrainOptions: "What to train",
    config.TuneOptions: "Tuning",
    config.DecodeOptions: "The search",
}


def options_of(cls: type, *, of_model: bool = False) -> Callable[[Function], Function]:
    """Adds one flag per field of a dataclass of options; `collect` puts the values back into an instance.

    Options `of_model` are the model's own unless they are given; `collect_given` takes those that are.
    """

    look: Any = {"cls": GroupedOption, "group": GROUPS[cls]} if cls in GROUPS else {}

    def decorate(function: Function) -> Function:
        hints = typing.get_type_hints(cls)
        for entry in reversed(dataclasses.fields(cls)):
            flag = "--" + entry.name.replace("_", "-")
            kind = hints[entry.name]
            choices = entry.metadata.get("choices")
            default = {"default": entry.default}
            if of_model:
                usual = "no-" * (entry.default is False) + flag[2:] if kind is bool else entry.default
                default = {"default": None, "show_default": f"{usual}, or the model's"}
            if kind is bool:
                function = click.option(
                    f"{flag}/--no-{flag[2:]}", entry.name, help=entry.metadata["help"], **default, **look
                )(function)
                continue
            function = click.option(
                flag,
                entry.name,
                type=click.Choice(choices) if choices else plain_type(kind),
                help=entry.metadata["help"],
                **default,
                **look,
            )(function)
        return function

    return decorate


def plain_type(kind: Any) -> Any:
    """The type itself, or X out of `X | None`."""
    if isinstance(kind, types.UnionType):
        return next(part for part in typing.get_args(kind) if part is not type(None))
    return kind


def collect(cls: type[Options], values: dict[str, Any]) -> Options:
    """Takes the fields of `cls` out of a command's keyword arguments; ConfigError for numbers that mean nothing. What
    nobody gave is left to the class, where a preset may have its own default."""
    fields = {entry.name: values.pop(entry.name) for entry in dataclasses.fields(cls)}  # type: ignore[arg-type]
    options = cls(**{name: value for name, value in fields.items() if is_given(name)})
    require_limits(options)
    return options


def is_given(name: str) -> bool:
    """Whether the present command was told this parameter, and did not take its default."""
    return click.get_current_context().get_parameter_source(name) is not ParameterSource.DEFAULT


def collect_given(cls: type, values: dict[str, Any]) -> dict[str, Any]:
    """Takes the fields of `cls` out of a command's keyword arguments, and returns those that were given."""
    fields = {entry.name: values.pop(entry.name) for entry in dataclasses.fields(cls)}
    return {name: value for name, value in fields.items() if value is not None}
