"""Networks of the core's trainer with vocabularies of a given size, for tests of single steps."""

from __future__ import annotations

import collections
from pathlib import Path
from typing import Any

from dragoman import _core

RESERVED = 4


def one_line(words: int) -> str:
    """So many words, less the reserved ones."""
    return " ".join(f"w{number}" for number in range(words - RESERVED))


def text_of(lines: str) -> _core.LmText:
    text = _core.LmText()
    text.add(encoded(lines))
    return text


def encoded(lines: str) -> _core.IdText:
    builder = _core.IdTextBuilder()
    builder.add(lines.encode() + b"\n")
    return builder.finish()


def counts_of(lines: str) -> list[int]:
    """By word id, as the trainer has them: of text that knows all its words."""
    counted = collections.Counter(lines.split())
    ranked = sorted(counted.items(), key=lambda entry: (-entry[1], entry[0].encode()))
    return [0, 0, 0, lines.count("\n") + 1, *(count for _, count in ranked)]


def core_trainer(
    folder: Path, words: int | str, source_words: int, classes: bytes, **options: Any
) -> _core.NetworkTrainer:
    """Of a text, or of one line of so many words."""
    lines = one_line(words) if isinstance(words, int) else words
    if not source_words:
        text = _core.TrainingText(text_of(lines))
    else:
        source = one_line(source_words)
        pairs = lines.count("\n") + 1
        sides = encoded("\n".join([source] * pairs)), encoded(lines)
        links = _core.StoredLinks.parse(b"0-0\n" * pairs, *sides)
        text = _core.TrainingText(
            text_of(lines),
            source=text_of("\n".join([source] * pairs)),
            links=links,
            source_text=sides[0],
            target_text=sides[1],
        )
    return _core.NetworkTrainer(text, classes, options, str(folder / "checkpoint"))
