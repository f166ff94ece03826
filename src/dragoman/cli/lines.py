"""Lines of text as they come.

A program that writes a line and then reads one must get its answer, so lines are handed on before anybody waits for
more; where there is no waiting, as in a file, they are handed on by the batch, which keeps threads busy.
"""

from __future__ import annotations

import os
import select
import stat
from collections.abc import Iterator
from typing import BinaryIO

from dragoman.files import reading
from dragoman.line_batch import decoded

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
