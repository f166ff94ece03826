"""Which lines a model was trained on: it knows them by heart, so that nothing can be learned from them about others.

A line is known by its words, so that spacing, case, digits and punctuation do not hide it. Lines without words are not
judged. One pass over the source side of the bitext, in pieces.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from dragoman import _core
from dragoman.corpus.language_profile import words_in


def seen_lines(index: _core.LiveIndex, lines: Sequence[str]) -> set[int]:
    """Numbers of the lines that are sentences of the bitext, what was added to it included."""
    numbers: dict[str, list[int]] = defaultdict(list)
    for number, line in enumerate(lines):
        if key := words_key(line):
            numbers[key].append(number)
    seen: set[int] = set()

    def look(piece: bytes) -> None:
        for sentence in piece.decode("utf-8", "replace").split("\n"):
            seen.update(numbers.get(words_key(sentence), ()))

    index.write_side(False, look)
    return seen


def words_key(text: str) -> str:
    return " ".join(words_in(text))
