"""What was counted of a corpus, or foretold of it: all that a plan goes by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

# Words seen less often than one of these may be unknown to a network.
LEAST_COUNTS = (2, 3, 4, 6, 8, 12, 16)


@dataclass(frozen=True, slots=True)
class TextCounts:
    """Of a tokenized text. For each of LEAST_COUNTS: different words that are seen less often, and how much of the text
    they are."""

    lines: int
    tokens: int
    types: int
    type_bytes: int
    rare_types: dict[int, int]
    rare_tokens: dict[int, int]

    def known_words(self, min_count: int, most: int = 0) -> int:
        """Different words that are seen so often, at most `most` of them; 0 for all."""
        # What was counted is not above what is asked for.
        least = max(count for count in (1, *LEAST_COUNTS) if count <= min_count)
        known = self.types - (self.rare_types[least] if least > 1 else 0)
        return min(known, most) if most else known


@dataclass(frozen=True, slots=True)
class CorpusCounts:
    """Of both sides of the pairs to train on, and of the text in the target language alone where there is any."""

    source: TextCounts
    target: TextCounts
    monolingual: TextCounts | None = None

    @property
    def pairs(self) -> int:
        return self.source.lines

    def target_texts(self) -> Iterator[TextCounts]:
        """Everything that a model of the target language alone learns from."""
        yield self.target
        if self.monolingual is not None:
            yield self.monolingual


@dataclass(frozen=True, slots=True)
class Split:
    """Pairs that were read, and how many of them are for what."""

    read: int
    train: int
    dev: int
    test: int


def counts_of(lines: int, words: Mapping[Any, int], type_bytes: int) -> TextCounts:
    """Of a text whose words were seen so often each."""
    rare = {least: [count for count in words.values() if count < least] for least in LEAST_COUNTS}
    return TextCounts(
        lines,
        sum(words.values()),
        len(words),
        type_bytes,
        {least: len(counts) for least, counts in rare.items()},
        {least: sum(counts) for least, counts in rare.items()},
    )
