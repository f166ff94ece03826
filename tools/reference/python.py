"""The page of the Python interface, from the signatures and docstrings of what `dragoman` offers."""

from __future__ import annotations

import dataclasses
import inspect
import re
from typing import Any

import dragoman
from tools.reference.markdown import code, opening, paragraphs, table

TEXT = """
What `import dragoman` offers, and all that is promised to stay. A module is imported when it is first used, so a
program that only translates loads nothing that training needs.
"""
WIDTH = 100


def page() -> str:
    parts = [opening("Python", "the docstrings of dragoman.__all__", TEXT)]
    names = [name for name in dragoman.__all__ if not name.startswith("_")]
    for name in sorted(names, key=lambda name: (is_error(name), name)):
        parts += described(name, getattr(dragoman, name), 2)
    return "\n".join(parts)


def is_error(name: str) -> bool:
    value = getattr(dragoman, name)
    return inspect.isclass(value) and issubclass(value, BaseException)


def described(name: str, value: Any, depth: int) -> list[str]:
    heading = "#" * depth
    if not inspect.isclass(value):
        return [f"{heading} {name}\n\n{signature(name, value)}\n", paragraphs(value.__doc__)]
    parts = [f"{heading} {name}\n"]
    if not issubclass(value, BaseException) and not dataclasses.is_dataclass(value):
        parts.append(signature(name, value) + "\n")
    parts.append(paragraphs(value.__doc__))
    if dataclasses.is_dataclass(value):
        rows = [(code(entry.name), code(plain_type(entry.type))) for entry in dataclasses.fields(value)]
        parts.append(table(("field", "type"), rows))
    for member, found in members(value):
        parts += member_of(name, member, found, depth + 1)
    return parts


def members(cls: type[Any]) -> list[tuple[str, Any]]:
    """Public methods and properties that a class has of itself, in the order in which they are written."""
    fields = {entry.name for entry in dataclasses.fields(cls)} if dataclasses.is_dataclass(cls) else set()
    return [
        (name, value)
        for name, value in vars(cls).items()
        if not name.startswith("_")
        and name not in fields
        and (inspect.isroutine(value) or isinstance(value, property | classmethod | staticmethod))
    ]


def member_of(owner: str, name: str, value: Any, depth: int) -> list[str]:
    heading = f"{'#' * depth} {owner}.{name}\n"
    if isinstance(value, property):
        given = inspect.signature(value.fget).return_annotation if value.fget else ""
        return [heading, f"```python\n{name}: {plain_type(given)}\n```\n", paragraphs(value.__doc__)]
    function = value.__func__ if isinstance(value, classmethod | staticmethod) else value
    mark = {classmethod: "@classmethod\n", staticmethod: "@staticmethod\n"}.get(type(value), "")
    return [heading, signature(name, function, mark) + "\n", paragraphs(function.__doc__)]


def signature(name: str, function: Any, mark: str = "") -> str:
    """As one would write it, a parameter to a line where one line is too long."""
    try:
        given = inspect.signature(function)
    except (TypeError, ValueError):
        return f"```python\n{mark}{name}(...)\n```"
    parameters = [each for each in given.parameters.values() if each.name not in ("self", "cls")]
    text = plain_type(str(given.replace(parameters=parameters)))
    line = f"{name}{text}"
    if len(line) > WIDTH:
        inner = re.split(r", (?=[*\w]+(?::|,|$|=))", text[1 : text.rindex(")")])
        line = f"{name}(\n" + "".join(f"    {part},\n" for part in inner) + text[text.rindex(")") :]
    return f"```python\n{mark}{line}\n```"


def plain_type(annotation: object) -> str:
    """A type as it is written in the code, without the modules it comes from."""
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
    return re.sub(r"'([^']*)'", r"\1", re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", text))
