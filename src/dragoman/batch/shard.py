"""Runs of lines that are translated by themselves, in any order and on any machine.

Where a text is cut depends on the text alone, so that every process that reads it finds the same shards, and one that
goes on where another stopped knows what is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from dragoman.files import reading
from dragoman.line_batch import decoded

# A shard ends with the line that fills it, by its number or by these bytes.
SHARD_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Shard:
    """`number` counts from 0 and `first_line` from 1, both within the file; the hash is of the text."""

    number: int
    first_line: int
    lines: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ShardText:
    """A shard with its text, which is all that whoever translates it needs."""

    path: str
    shard: Shard
    data: bytes

    def lines(self) -> Iterator[str]:
        """As `dragoman translate` has them."""
        rows = self.data.split(b"\n")
        if not rows[-1]:
            rows.pop()
        return (decoded(self.path, self.shard.first_line + place, row) for place, row in enumerate(rows))


def cut(path: str, shard_lines: int) -> Iterator[ShardText]:
    """The shards of a file, in order; at most one is held at a time."""
    first_line, number = 1, 0
    rows: list[bytes] = []
    size = 0

    def full() -> ShardText:
        data = b"".join(rows)
        return ShardText(path, Shard(number, first_line, len(rows), sha256(data).hexdigest()), data)

    with reading(path) as stream:
        for row in stream:
            rows.append(row)
            size += len(row)
            if len(rows) == shard_lines or size >= SHARD_BYTES:
                yield full()
                first_line, number = first_line + len(rows), number + 1
                rows, size = [], 0
    if rows:
        yield full()


def survey(path: str, shard_lines: int) -> list[Shard]:
    """All shards of a file, without their text; InputError for text that cannot be translated, before any is."""
    shards = []
    for text in cut(path, shard_lines):
        try:
            text.data.decode()
        except UnicodeDecodeError:
            list(text.lines())  # which names the line
        shards.append(text.shard)
    return shards
