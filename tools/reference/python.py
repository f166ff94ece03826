"""The page of the Python interface, from the signatures and docstrings of what `dragoman` offers."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import re
from typing import Any

import dragoman
from tools.reference.markdown import code, opening, paragraphs, plain, table

TEXT = """
What `import dragoman` offers, and all that is promised to stay. A module is imported when it is first used, so a
program that only translates loads nothing that training needs.
"""
RESULTS = """
## Results

What the functions above take and give. These classes are made for you, and need not be imported.
"""
# Where classes are that people meet. Others that a signature names are the package's own.
RESULT_MODULES = (
    "dragoman.translation",
    "dragoman.completion",
    "dragoman.explain.explanation",
    "dragoman.explain.match",
    "dragoman.explain.source_pair",
    "dragoman.explain.training_text",
    "dragoman.explain.why",
    "dragoman.glossary",
    "dragoman.index.sources",
    "dragoman.learn.new_pairs",
    "dragoman.pipeline.costs",
    "dragoman.pipeline.forecast",
    "dragoman.pipeline.summary",
)
WIDTH = 100


def page() -> str:
    parts = [opening("Python", "the docstrings of dragoman.__all__", TEXT)]
    offered = {name: getattr(dragoman, name) for name in dragoman.__all__ if not name.startswith("_")}
    for name, value in sorted(offered.items(), key=lambda entry: (is_error(entry[1]), entry[0])):
        parts += described(name, value, 2)
    results = mentioned(list(offered.values()))
    if results:
        parts.append(RESULTS.lstrip())
    for cls in results:
        parts += described(cls.__name__, cls, 3)
    return "\n".join(parts)


def is_error(value: Any) -> bool:
    return inspect.isclass(value) and issubclass(value, BaseException)


def described(name: str, value: Any, depth: int) -> list[str]:
    heading = "#" * depth
    if not inspect.isclass(value):
        return [f"{heading} {name}\n\n{signature(name, value)}\n", paragraphs(value.__doc__)]
    parts = [f"{heading} {name}\n", paragraphs(own_docstring(value))]
    if dataclasses.is_dataclass(value):
        notes = field_notes(value)
        rows = [
            (code(entry.name), code(plain_type(entry.type).replace("|", "or")), plain(notes.get(entry.name, "")))
            for entry in dataclasses.fields(value)
            if not entry.name.startswith("_")
        ]
        parts.append(table(("field", "type", "meaning"), rows))
    for member, found in members(value):
        parts += member_of(name, member, found, depth + 1)
    return parts


def own_docstring(cls: type[Any]) -> str:
    """A dataclass without a docstring is given its signature for one, which the table of fields has already."""
    text = cls.__doc__ or ""
    return "" if text.startswith(f"{cls.__name__}(") else text


def members(cls: type[Any]) -> list[tuple[str, Any]]:
    """Methods and properties with a docstring that a class has of itself, in the order in which they are written."""
    fields = {entry.name for entry in dataclasses.fields(cls)} if dataclasses.is_dataclass(cls) else set()
    return [
        (name, value)
        for name, value in vars(cls).items()
        if not name.startswith("_")
        and name not in fields
        and value.__doc__
        and (inspect.isroutine(value) or isinstance(value, property | classmethod | staticmethod))
    ]


def member_of(owner: str, name: str, value: Any, depth: int) -> list[str]:
    heading = f"{'#' * depth} {owner}.{name}\n"
    if isinstance(value, property):
        given = inspect.signature(value.fget).return_annotation if value.fget else ""
        return [heading, f"```python\n{name}: {plain_type(given)}\n```\n", paragraphs(value.__doc__)]
    function = unwrapped(value)
    mark = {classmethod: "@classmethod\n", staticmethod: "@staticmethod\n"}.get(type(value), "")
    return [heading, signature(name, function, mark) + "\n", paragraphs(function.__doc__)]


def unwrapped(value: Any) -> Any:
    return value.__func__ if isinstance(value, classmethod | staticmethod) else value


def signature(name: str, function: Any, mark: str = "") -> str:
    """As one would write it, a parameter to a line where one line is too long."""
    given = inspect.signature(function)
    parameters = [each for each in given.parameters.values() if each.name not in ("self", "cls")]
    result = "" if given.return_annotation is given.empty else f" -> {plain_type(given.return_annotation)}"
    shown = [parameter_text(each) for each in parameters]
    for at, each in enumerate(parameters):
        if each.kind is each.KEYWORD_ONLY:
            before = parameters[at - 1].kind if at else None
            if before not in (each.KEYWORD_ONLY, each.VAR_POSITIONAL):
                shown.insert(at, "*")
            break
    line = f"{name}({', '.join(shown)}){result}"
    if len(line) > WIDTH:
        line = f"{name}(\n" + "".join(f"    {part},\n" for part in shown) + f"){result}"
    return f"```python\n{mark}{line}\n```"


def parameter_text(parameter: inspect.Parameter) -> str:
    stars = "*" * ((parameter.kind is parameter.VAR_POSITIONAL) + 2 * (parameter.kind is parameter.VAR_KEYWORD))
    kind = "" if parameter.annotation is parameter.empty else f": {plain_type(parameter.annotation)}"
    default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
    return f"{stars}{parameter.name}{kind}{default}"


def plain_type(annotation: object) -> str:
    """A type as it is written in the code, without the modules it comes from."""
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
    return re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", text)


def field_notes(cls: type[Any]) -> dict[str, str]:
    """The comments before the fields of a dataclass, and behind them."""
    notes: dict[str, str] = {}
    comment: list[str] = []
    for line in inspect.getsource(cls).splitlines():
        entry = re.match(r"    (\w+): [^#]*(?:# (.*))?$", line)
        if line.lstrip().startswith("# "):
            comment.append(line.lstrip()[2:])
            continue
        if entry:
            notes[entry[1]] = " ".join([*comment, entry[2] or ""]).strip()
        comment = []
    return notes


def mentioned(values: list[Any]) -> list[type[Any]]:
    """Dataclasses that signatures and fields name, and those that these name, in the order of their names."""
    seen: set[type[Any]] = set()
    waiting = list(values)
    while waiting:
        for name in annotated(waiting.pop()):
            cls = class_called(name)
            if cls is not None and cls not in seen and cls not in values:
                seen.add(cls)
                waiting.append(cls)
    return sorted(seen, key=lambda cls: cls.__name__)


def annotated(value: Any) -> set[str]:
    """Names of classes in the annotations of a function, or of the fields and methods of a class."""
    texts: list[object] = []
    if inspect.isclass(value):
        if dataclasses.is_dataclass(value):
            texts += [entry.type for entry in dataclasses.fields(value)]
        functions = [unwrapped(getattr(found, "fget", found)) for _, found in members(value)]
    else:
        functions = [value]
    for function in functions:
        texts += getattr(function, "__annotations__", {}).values()
    return {name for text in texts for name in re.findall(r"\b[A-Z]\w+", str(text))}


def class_called(name: str) -> type[Any] | None:
    """A dataclass of the modules whose classes people meet."""
    for module in RESULT_MODULES:
        cls = getattr(importlib.import_module(module), name, None)
        if inspect.isclass(cls) and dataclasses.is_dataclass(cls) and cls.__module__ == module:
            return cls
    return None
