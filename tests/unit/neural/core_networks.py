"""Networks of the core's trainer with vocabularies of a given size, for tests of single steps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dragoman import _core

RESERVED = 4


def text_of(words: int) -> _core.LmText:
    """One sentence of so many words less the reserved ones."""
    text = _core.LmText()
    text.add(encoded(words))
    return text


def encoded(words: int) -> _core.IdText:
    builder = _core.IdTextBuilder()
    builder.add(" ".join(f"w{number}" for number in range(words - RESERVED)).encode() + b"\n")
    return builder.finish()


def core_trainer(folder: Path, words: int, source_words: int, classes: bytes, **options: Any) -> _core.NetworkTrainer:
    target = text_of(words)
    if not source_words:
        text = _core.TrainingText(target)
    else:
        sides = encoded(source_words), encoded(words)
        links = _core.StoredLinks.parse(b"0-0\n", *sides)
        text = _core.TrainingText(
            target, source=text_of(source_words), links=links, source_text=sides[0], target_text=sides[1]
        )
    return _core.NetworkTrainer(text, classes, options, str(folder / "checkpoint"))
