"""Building small indexes and reading grammars back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dragoman import _core


@dataclass
class ReadRule:
    features: dict[str, float]
    links: str


def build(
    directory: Path, source: Sequence[str], target: Sequence[str], links: Sequence[str], **options: Any
) -> _core.Index:
    texts = ["".join(line + "\n" for line in lines).encode() for lines in (source, target, links)]
    _core.build_index(str(directory), *texts, options)
    return _core.Index.open(str(directory))


def parse_grammar(text: str) -> dict[tuple[str, str], ReadRule]:
    rules = {}
    for line in text.splitlines():
        # The links of a rule may be missing, never its other fields.
        head, source, target, features, links = (line + " ").split(" ||| ")
        assert head == "[X]"
        assert (source, target) not in rules
        values = dict(feature.split("=") for feature in features.split())
        rules[source, target] = ReadRule({name: float(value) for name, value in values.items()}, links.strip())
    return rules


def grammars_by_sentence(text: str) -> dict[int, str]:
    """Grammars from lines with the number of a sentence before each rule."""
    found: dict[int, str] = defaultdict(str)
    for line in text.splitlines():
        number, _, rule = line.partition(" ||| ")
        found[int(number)] += f"{rule}\n"
    return found


def read_grammar(
    index: _core.Index, sentence: str, leave_out: int | None = None, threads: int = 1, **options: Any
) -> dict[tuple[str, str], ReadRule]:
    (text,) = _core.grammars(index, f"{sentence}\n".encode(), options, [leave_out], threads)
    return parse_grammar(text.decode())
