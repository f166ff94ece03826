"""Lines of text as they come.

A program that writes a line and then reads one must get its answer, so lines are handed on before anybody waits for
more; where there is no waiting, as in a file, they are handed on by the batch, which keeps threads busy.
"""

from __future__ import annotations

import os
import select
import stat
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from dragoman.errors import InputError
from dragoman.files import reading

# Lines translated in one call: enough to keep threads busy, few enough that output comes soon; and characters for each
# thread, because what is known of every word of a batch is held at once.
BATCH_LINES = 64
BATCH_CHARACTERS = 5000
CHUNK_BYTES = 1 << 16


def lines_of(path: str) -> Iterator[str]:
    """Lines without their ends and a byte order mark; bytes that are not UTF-8 give an error with the line's number."""
    return (line for line in arriving(path) if line is not None)


def arriving(path: str) -> Iterator[str | None]:
    """The same lines, and None wherever the next has not been written yet."""
    number = 0
    begun: list[bytes] = []
    with reading(path) as stream:
        while True:
            if is_late(stream):
                yield None
            chunk = stream.read1(CHUNK_BYTES)  # type: ignore[attr-defined]
            if not chunk:
                break
            *ended, rest = chunk.split(b"\n")
            for end in ended:
                number += 1
                yield decoded(path, number, b"".join([*begun, end]))
                begun.clear()
            if rest:
                begun.append(rest)
    if begun:
        yield decoded(path, number + 1, b"".join(begun))


def is_late(stream: BinaryIO) -> bool:
    """Whether reading would wait for somebody to write."""
    try:
        descriptor = stream.fileno()
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            return False
        return not select.select([descriptor], [], [], 0)[0]
    except (OSError, ValueError):
        # No file behind it, or one that nobody can be asked about: better too often than never.
        return True


def decoded(path: str, number: int, line: bytes) -> str:
    try:
        return line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        raise InputError(f"{path}, line {number}: is not UTF-8 text; convert the file first", number) from None


def batches(lines: Iterable[str | None], most_characters: int) -> Iterator[list[str]]:
    """Lines in groups of at most BATCH_LINES; a group ends with the line that fills it, or when others are late."""
    batch: list[str] = []
    characters = 0
    for line in lines:
        if line is not None:
            batch.append(line)
            characters += len(line)
        if batch and (line is None or len(batch) == BATCH_LINES or characters >= most_characters):
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch
