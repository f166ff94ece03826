"""The k-best interchange format: `id ||| text ||| Name=value ... ||| score`.

A text that contains the separator is escaped as words of rule lines are: `|||` becomes three times `&#124;`, and an `&`
that would then read as part of an escape becomes `&amp;`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from dragoman.errors import InputError

SEPARATOR = "|||"
MARKS = {"&amp;": "&", "&#124;": "|"}


def escaped(text: str) -> str:
    return re.sub("&(?=amp;|#124;)", "&amp;", text).replace(SEPARATOR, "&#124;" * len(SEPARATOR))


def unescaped(text: str) -> str:
    return re.sub("&amp;|&#124;", lambda match: MARKS[match[0]], text)


def number(value: float) -> str:
    """Short, and exact enough that features times weights give the score to 1e-6."""
    return f"{value:.10g}"


def kbest_line(identifier: int | str, text: str, features: Mapping[str, float], score: float) -> str:
    values = " ".join(f"{name}={number(value)}" for name, value in features.items())
    return f"{identifier} {SEPARATOR} {escaped(text)} {SEPARATOR} {values} {SEPARATOR} {number(score)}"


@dataclass(frozen=True, slots=True)
class KBestEntry:
    id: str
    text: str
    features: dict[str, float]
    score: float


def read_kbest(lines: Iterable[str]) -> Iterator[KBestEntry]:
    """The entries of a k-best list."""
    for count, line in enumerate(lines, start=1):
        fields = line.rstrip("\n").split(f" {SEPARATOR} ")
        try:
            if len(fields) != 4:
                raise ValueError
            features = {name: float(value) for name, value in (part.rsplit("=", 1) for part in fields[2].split())}
            yield KBestEntry(fields[0], unescaped(fields[1]), features, float(fields[3]))
        except ValueError:
            message = f"line {count}: a k-best line is `id ||| text ||| Name=value ... ||| score`"
            raise InputError(message, count) from None
