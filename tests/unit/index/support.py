"""Building small indexes and reading grammars back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
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


def grammars_of(
    index: _core.Index | _core.LiveIndex | _core.ListedIndex,
    text: bytes,
    options: dict[str, Any],
    leave_out: Sequence[int | None] = (),
    threads: int = 1,
) -> list[bytes]:
    """One grammar per line of text."""
    pool = _core.GrammarPool(index, options, threads)
    lines = text.splitlines()
    for line, without in zip_longest(lines, leave_out):
        pool.add(line, without)
    return [pool.take() for _ in lines]


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
    (text,) = grammars_of(index, f"{sentence}\n".encode(), options, [leave_out], threads)
    return parse_grammar(text.decode())
