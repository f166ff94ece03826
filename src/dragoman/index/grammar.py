"""Grammars for tokenized sentences, in cdec's format, one after the other, and counts of what is in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass

from dragoman import _core
from dragoman.config import ExtractOptions
from dragoman.errors import InputError
from dragoman.progress import Progress


def grammars(
    index: _core.Index | _core.LiveIndex | _core.ListedIndex,
    sentences: Iterable[bytes],
    options: ExtractOptions | None = None,
    *,
    leave_out: Iterable[int | None] | None = None,
    threads: int = 1,
) -> Iterator[bytes]:
    """One grammar per tokenized sentence.

    `leave_out` names, for every sentence, the training pair that is to be treated as absent, by its line number from
    0, or None: the way to tune on training data.
    """
    excluded = iter(leave_out) if leave_out is not None else None
    pool = _core.GrammarPool(index, asdict(options or ExtractOptions()), threads)
    for line in sentences:
        without = None
        if excluded is not None:
            try:
                without = next(excluded)
            except StopIteration:
                raise InputError("there are fewer training pairs to leave out than sentences") from None
        pool.add(line.rstrip(b"\r\n"), without)
        if pool.full:
            yield pool.take()
    while len(pool) > 0:
        yield pool.take()


@dataclass(frozen=True, slots=True)
class RuleCounts:
    """What extraction for some sentences finds, and how many comparisons matching the gapped patterns takes."""

    sentences: int
    patterns: int
    matches: int
    rules: int
    gapped_patterns: int
    comparisons: int


def count_rules(
    index: _core.Index | _core.LiveIndex | _core.ListedIndex,
    text: bytes,
    options: ExtractOptions | None = None,
    progress: Progress | None = None,
) -> RuleCounts:
    """Of the rules of all lines of tokenized text; their text is never made."""
    return RuleCounts(**_core.count_rules(index, text, asdict(options or ExtractOptions()), progress))
