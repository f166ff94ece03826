"""The page of options, from the classes of config.py."""

from __future__ import annotations

import dataclasses
import inspect
import typing
from typing import Any

from dragoman import config
from dragoman.pipeline.settings import StageOptions
from tools.reference import commands
from tools.reference.markdown import code, opening, plain, table

TEXT = """
Every option has one name, on the command line (`--max-span`), in the tables of a TOML file and in Python (`max_span`).
`dragoman train --set TABLE.OPTION=VALUE` sets any of those that have a table. Options that are no number are text
unless their default is yes or no.
"""


def page() -> str:
    parts = [opening("Options", "src/dragoman/config.py", TEXT)]
    for cls in option_classes():
        rows = [(code(entry.name), default(entry.default), meaning(entry)) for entry in dataclasses.fields(cls)]
        parts.append(f"## {title(cls)}\n\n{plain(cls.__doc__ or '')} {places(cls)}\n")
        parts.append(table(("option", "default", "meaning"), rows))
    return "\n".join(parts)


def option_classes() -> list[type[Any]]:
    """In the order in which config.py has them."""
    return [
        cls
        for cls in vars(config).values()
        if inspect.isclass(cls) and dataclasses.is_dataclass(cls) and cls.__module__ == config.__name__
    ]


def table_of(cls: type[Any]) -> str | None:
    return next((name for name, known in typing.get_type_hints(StageOptions).items() if known is cls), None)


def title(cls: type[Any]) -> str:
    return table_of(cls) or cls.__name__.removesuffix("Options").lower()


def places(cls: type[Any]) -> str:
    """Where the options can be given."""
    names = {entry.name for entry in dataclasses.fields(cls)}
    takers = [path for path, command in commands.all_commands() if names <= {each.name for each in command.params}]
    said = []
    if takers:
        said.append(f"Flags of {', '.join(map(code, takers))}.")
    if table_of(cls):
        said.append(f"Table `[{table_of(cls)}]` of a TOML file.")
    return " ".join(said)


def default(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value == "":
        return "empty"
    return f"{value:,}" if isinstance(value, int) else plain(str(value))


def meaning(entry: dataclasses.Field[Any]) -> str:
    choices = entry.metadata.get("choices")
    named = f" One of {', '.join(map(code, choices))}." if choices else ""
    return plain(entry.metadata["help"]) + named
