"""Classes of the words of a text, as a file of `word class` lines that people can read and edit.

The unknown word and the sentence's end have classes too, as `<unk>` and `</s>`; a word of the text that is called so
is written with a backslash before it (core/lm/marks.h).
"""

from __future__ import annotations

import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from dragoman import _core
from dragoman.errors import InputError
from dragoman.files import writing
from dragoman.lm.build import add_text
from dragoman.progress import Progress
from dragoman.text import words_of

# The first ids; nothing is a class of the ones that are never predicted.
RESERVED = ("", "<unk>", "<s>", "</s>")


@dataclass(frozen=True, slots=True)
class WordClasses:
    """Classes by word id; -1 for the ids that are never predicted."""

    words: list[str]
    counts: list[int]
    classes: list[int]

    @property
    def number(self) -> int:
        return max(self.classes, default=-1) + 1

    def sizes(self) -> list[int]:
        sizes = [0] * self.number
        for word_class in self.classes:
            if word_class >= 0:
                sizes[word_class] += 1
        return sizes

    def write(self, path: str | Path) -> None:
        """One word a line with its class and how often it occurs, class by class, the frequent words first."""
        names = [*RESERVED, *map(_core.written_word, self.words[len(RESERVED) :])]
        rows = [row for row in zip(self.classes, names, strict=True) if row[0] >= 0]
        with writing(path) as stream:
            stream.write(
                "".join(f"{word} {number}\n" for number, word in sorted(rows, key=lambda row: row[0])).encode()
            )


def class_numbers(lines: Sequence[str], words: Sequence[str], path: str) -> list[int]:
    """Classes given by hand, by word id: one `word class` a line, as `dragoman nlm cluster` writes them. `words` are
    those that are not reserved; the ones that are not listed share one class."""
    number: dict[str, int] = {}
    listed: dict[str, int] = {}
    for line_number, line in enumerate(lines, 1):
        parts = words_of(line)
        if len(parts) < 2:
            raise InputError(
                f"{path}: line {line_number}: write a word and its class, separated by a space", line_number
            )
        listed[parts[0]] = number.setdefault(parts[1], len(number))
    rest = len(number)
    unknown, end = listed.get("<unk>", rest), listed.get("</s>", rest + 1)
    return [-1, unknown, -1, end, *(listed.get(_core.written_word(word), rest) for word in words)]


def cluster(
    texts: Iterable[str | Path],
    classes: int,
    *,
    method: str = "brown",
    max_words: int = 0,
    min_count: int = 1,
    threads: int = 0,
    progress: Progress | None = None,
) -> WordClasses:
    """Puts the words of tokenized texts into classes, by their neighbours or by frequency alone."""
    text = _core.LmText()
    for path in texts:
        add_text(text, path)
    words, counts, ids = _core.nlm_encode(text, max_words, min_count)
    if not words:
        raise InputError("the text has no words to put into classes")
    if method == "brown":
        class_ids = _core.brown_classes(ids, len(words) + len(RESERVED), classes, threads, progress)
    else:
        class_ids = _core.frequency_classes(counts, classes)
    return WordClasses([*RESERVED, *words], list(array.array("Q", counts)), list(array.array("i", class_ids)))
