"""Grammars for tokenized sentences, in cdec's format, a batch at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import islice

from dragoman import _core
from dragoman.config import ExtractOptions
from dragoman.errors import InputError

# Sentences whose grammars are held in memory at a time, for each thread.
BATCH = 8


def grammars(
    index: _core.Index | _core.LiveIndex,
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
    values = asdict(options or ExtractOptions())
    lines = iter(sentences)
    excluded = iter(leave_out) if leave_out is not None else None
    count = BATCH * (threads or _core.default_threads())
    while batch := [line.rstrip(b"\r\n") for line in islice(lines, count)]:
        without: Sequence[int | None] = []
        if excluded is not None:
            without = list(islice(excluded, len(batch)))
            if len(without) < len(batch):
                raise InputError("there are fewer training pairs to leave out than sentences")
        yield from _core.grammars(index, b"".join(line + b"\n" for line in batch), values, without, threads)
