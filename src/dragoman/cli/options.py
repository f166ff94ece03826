"""Flags made from the option classes of config.py, so that a default lives in one place."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable
from typing import Any, TypeVar

import click

from dragoman.config import require_limits

Options = TypeVar("Options")
Function = TypeVar("Function", bound=Callable[..., Any])


def options_of(cls: type) -> Callable[[Function], Function]:
    """Adds one flag per field of a dataclass of options; `collect` puts the values back into an instance."""

    def decorate(function: Function) -> Function:
        hints = typing.get_type_hints(cls)
        for entry in reversed(dataclasses.fields(cls)):
            flag = "--" + entry.name.replace("_", "-")
            kind = hints[entry.name]
            choices = entry.metadata.get("choices")
            if kind is bool:
                function = click.option(
                    f"{flag}/--no-{flag[2:]}", entry.name, default=entry.default, help=entry.metadata["help"]
                )(function)
                continue
            function = click.option(
                flag,
                entry.name,
                type=click.Choice(choices) if choices else plain_type(kind),
                default=entry.default,
                help=entry.metadata["help"],
            )(function)
        return function

    return decorate


def plain_type(kind: Any) -> Any:
    """The type itself, or X out of `X | None`."""
    if isinstance(kind, types.UnionType):
        return next(part for part in typing.get_args(kind) if part is not type(None))
    return kind


def collect(cls: type[Options], values: dict[str, Any]) -> Options:
    """Takes the fields of `cls` out of a command's keyword arguments; ConfigError for numbers that mean nothing."""
    names = [entry.name for entry in dataclasses.fields(cls)]  # type: ignore[arg-type]
    options = cls(**{name: values.pop(name) for name in names})
    require_limits(options)
    return options
