"""Dataclasses as JSON, and from the JSON that was made of them: so they cross processes and lie in work folders."""

from __future__ import annotations

import dataclasses
import types
import typing
from typing import Any, TypeVar

Typed = TypeVar("Typed")


def as_json(value: Any) -> Any:
    """Dataclasses as tables of names; JSON is so already."""
    return dataclasses.asdict(value) if dataclasses.is_dataclass(value) else value  # type: ignore[arg-type]


def from_json(kind: type[Typed], value: Any) -> Typed:
    """TypeError, ValueError or KeyError where the value is none of that kind. Names that the kind does not have are
    passed over: who wrote them knew more."""
    result: Typed = converted(kind, value)
    return result


def converted(kind: Any, value: Any) -> Any:
    outer, inner = typing.get_origin(kind), typing.get_args(kind)
    if kind is Any:
        return value
    if outer in (types.UnionType, typing.Union):
        if value is None and type(None) in inner:
            return None
        (kind,) = (part for part in inner if part is not type(None))
        return converted(kind, value)
    if outer is dict:
        return {converted_key(inner[0], key): converted(inner[1], entry) for key, entry in value.items()}
    if outer is list:
        return [converted(inner[0], entry) for entry in value]
    if outer is tuple:
        parts = inner[:1] * len(value) if inner[1:] == (...,) else inner
        return tuple(converted(part, entry) for part, entry in zip(parts, value, strict=True))
    if dataclasses.is_dataclass(kind):
        if not isinstance(value, dict):
            raise TypeError(f"{value!r} is no table of names")
        hints = typing.get_type_hints(kind)
        fields = dataclasses.fields(kind)
        values = {
            field.name: converted(hints[field.name], value[field.name]) for field in fields if field.name in value
        }
        return kind(**values)  # type: ignore[operator]
    if kind is float and type(value) is int:
        return float(value)
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} is no {kind.__name__}")
    return value


def converted_key(kind: Any, key: str) -> Any:
    return int(key) if kind is int else key
