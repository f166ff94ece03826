"""What can be said of a batch of pairs by itself, in any process: its lines in normal form, and what they are like."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from dragoman.config import CleanOptions
from dragoman.corpus.clean import Cleaner
from dragoman.corpus.normalise import as_lines, normalise_lines
from dragoman.corpus.pair import SentencePair

Sides = tuple[list[str], list[str]]


@dataclass(frozen=True, slots=True)
class Examination:
    """How batches are looked at."""

    clean: CleanOptions
    source_lang: str
    target_lang: str
    key_seed: int
    normalise: bool


@dataclass(frozen=True, slots=True)
class Examined:
    """Lines of both sides, what was changed in them, and findings for `Cleaner.settle`."""

    blocks: list[bytes]
    findings: bytes
    changes: Counter[str] = field(default_factory=Counter)


def both_sides(pairs: Sequence[SentencePair]) -> Sides:
    return [pair.source for pair in pairs], [pair.target for pair in pairs]


def examine(sides: Sides, how: Examination) -> Examined:
    changes: Counter[str] = Counter()
    blocks = [as_lines(side, changes) for side in sides]
    if how.normalise:
        blocks = [normalise_lines(block, changes, how.clean.drop_control) for block in blocks]
    return Examined(blocks, examiner(how).examine(*blocks), changes)


@functools.lru_cache(maxsize=4)
def examiner(how: Examination) -> Cleaner:
    return Cleaner(how.clean, how.source_lang, how.target_lang, how.key_seed)
