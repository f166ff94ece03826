"""The page of commands, from click."""

from __future__ import annotations

import functools

import click

from dragoman.cli.command import group_of
from dragoman.cli.main import dragoman_command
from tools.reference.markdown import code, opening, paragraphs, plain, table

TEXT = """
`dragoman COMMAND --help` says the same. Results go to standard output, progress and notes to standard error. Exit codes
are 0 when it worked, 1 when it failed, 2 when it was called wrongly, and 130 when it was interrupted. `python -m
dragoman` is the same program.
"""


def page() -> str:
    parts = [opening("Commands", "src/dragoman/cli", TEXT)]
    for path, command in all_commands():
        parts.append(f"## {path}\n\n```\n{usage(path, command)}\n```\n")
        parts.append(paragraphs(command.help))
        groups: dict[str, list[tuple[str, str]]] = {"Options": []}
        for each in command.params:
            if isinstance(each, click.Option) and not each.hidden:
                groups.setdefault(group_of(each), []).append(option_row(each))
        for title, rows in groups.items():
            if rows:
                parts.append(table(("option" if title == "Options" else title.lower(), "meaning"), rows))
    return "\n".join(parts)


@functools.cache
def all_commands() -> list[tuple[str, click.Command]]:
    """Commands that do something, by how they are called, in the order of the help."""
    return below("dragoman", dragoman_command, None)


def below(path: str, command: click.Command, parent: click.Context | None) -> list[tuple[str, click.Command]]:
    if not isinstance(command, click.Group):
        return [(path, command)]
    context = click.Context(command, info_name=path, parent=parent)
    names = command.list_commands(context)
    children = [(name, command.get_command(context, name)) for name in names]
    return [
        found
        for name, child in children
        if child is not None and not child.hidden
        for found in below(f"{path} {name}", child, context)
    ]


def usage(path: str, command: click.Command) -> str:
    return f"{path} {' '.join(command.collect_usage_pieces(click.Context(command, info_name=path)))}"


def option_row(parameter: click.Option) -> tuple[str, str]:
    flags = " / ".join(", ".join(names) for names in (parameter.opts, parameter.secondary_opts) if names)
    name = value_name(parameter)
    return code(f"{flags} {name}" if name else flags), plain(parameter.help or "") + more(parameter)


def value_name(parameter: click.Option) -> str:
    """What stands for the value of a flag; said here and not by click, whose versions differ."""
    if parameter.is_flag or parameter.count:
        return ""
    if parameter.metavar:
        return parameter.metavar
    if isinstance(parameter.type, click.Choice):
        return "CHOICE"
    return parameter.type.name.split()[0].upper()


def more(parameter: click.Option) -> str:
    """The values there are to choose from, and the default where there is one to tell."""
    choices = ""
    if isinstance(parameter.type, click.Choice):
        choices = f" One of {', '.join(code(choice) for choice in parameter.type.choices)}."
    value = parameter.to_info_dict()["default"]
    if isinstance(parameter.show_default, str):
        return f"{choices} Default: {plain(parameter.show_default)}."
    if parameter.is_flag:
        default = parameter.opts if value is True else parameter.secondary_opts
        return f"{choices} Default: {code(default[0])}." if default and parameter.secondary_opts else choices
    if value in (None, "", ()) or callable(value):
        return choices
    return f"{choices} Default: {code(value)}."
