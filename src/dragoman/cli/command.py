"""What all commands have in common: the model is named by -m, options are shown in groups, a name that is nearly right
is told, and one that can go on says so when it is interrupted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

import click

Function = TypeVar("Function", bound=Callable[..., Any])

MODEL_DIRECTORY = click.Path(path_type=Path)
# Where -m is kept on its way to the argument that it stands for.
NAMED_MODEL = "named_model"


class Interrupted(KeyboardInterrupt):
    """An interruption of a command that goes on where it was when it is called again."""


class GroupedOption(click.Option):
    """An option that `--help` lists under a heading of its own."""

    def __init__(self, *arguments: Any, group: str, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.group = group


class Decorator(Protocol):
    """What a command's function goes through and stays of its type."""

    def __call__(self, function: Function, /) -> Function: ...


class ModelArgument(click.Argument):
    """A model that is named by -m or, without the flag, by the first argument."""

    def get_usage_pieces(self, context: click.Context) -> list[str]:
        return ["-m MODEL"]


def model_argument(kind: Any = MODEL_DIRECTORY, meaning: str = "The model directory.") -> Decorator:
    """The model of a command whose other arguments may be several."""

    def decorate(function: Function) -> Function:
        function = click.argument("model", cls=ModelArgument, type=kind, required=False)(function)
        flag = click.option("-m", "--model", NAMED_MODEL, type=kind, metavar="MODEL", expose_value=False, help=meaning)
        return flag(function)

    return decorate


class Command(click.Command):
    """A command of ours; one that `resumes` can be called again after an interruption."""

    def __init__(self, *arguments: Any, resumes: bool = False, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.resumes = resumes

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        takes_model = any(isinstance(parameter, ModelArgument) for parameter in self.params)
        if takes_model:
            options, _, _ = self.make_parser(context).parse_args(args=list(arguments))
            if isinstance(named := options.get(NAMED_MODEL), str):
                # In front of the others it is the first argument, which a name that begins with a dash could not be.
                arguments = [f"./{named}" if named.startswith("-") else named, *arguments]
        left = super().parse_args(context, arguments)
        if takes_model and context.params["model"] is None and not context.resilient_parsing:
            raise click.UsageError("name the model with -m", context)
        return left

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        groups: dict[str, list[tuple[str, str]]] = {"Options": []}
        for parameter in self.get_params(context):
            if isinstance(parameter, click.Option) and (record := parameter.get_help_record(context)):
                groups.setdefault(group_of(parameter), []).append(record)
        for title, records in groups.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except KeyboardInterrupt as error:
            if self.resumes:
                raise Interrupted from error
            raise


def group_of(parameter: click.Parameter) -> str:
    return parameter.group if isinstance(parameter, GroupedOption) else "Options"


class Group(click.Group):
    """Commands below a command."""

    command_class = Command

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = arguments[0]
        if not name.startswith("-") and not context.resilient_parsing and self.get_command(context, name) is None:
            import difflib

            near = difflib.get_close_matches(name, self.list_commands(context), 3, 0.5)
            meant = f"; did you mean {' or '.join(near)}?" if near else ""
            raise click.UsageError(f"there is no command '{name}'{meant}", context)
        return super().resolve_command(context, arguments)
