"""The k-best interchange format: `id ||| text ||| Name=value ... ||| score`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from dragoman.errors import InputError

SEPARATOR = "|||"


def number(value: float) -> str:
    """Short, and exact enough that features times weights give the score to 1e-6."""
    return f"{value:.10g}"


def kbest_line(identifier: int | str, text: str, features: Mapping[str, float], score: float) -> str:
    values = " ".join(f"{name}={number(value)}" for name, value in features.items())
    return f"{identifier} {SEPARATOR} {text} {SEPARATOR} {values} {SEPARATOR} {number(score)}"


def read_kbest(lines: Iterable[str]) -> Iterable[dict[str, Any]]:
    """The entries of a k-best list, as id, text, features and score."""
    for count, line in enumerate(lines, start=1):
        fields = [field.strip() for field in line.rstrip("\n").split(f" {SEPARATOR} ")]
        try:
            if len(fields) != 4:
                raise ValueError
            features = {name: float(value) for name, value in (part.rsplit("=", 1) for part in fields[2].split())}
            yield {"id": fields[0], "text": fields[1], "features": features, "score": float(fields[3])}
        except ValueError:
            message = f"line {count}: a k-best line is `id ||| text ||| Name=value ... ||| score`"
            raise InputError(message, count) from None
