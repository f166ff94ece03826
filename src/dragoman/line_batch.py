"""Lines in groups that are translated in one call, and how a line of a file becomes text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dragoman.errors import InputError

# Lines translated in one call: enough to keep threads busy, few enough that output comes soon; and characters for each
# thread, because what is known of every word of a batch is held at once.
BATCH_LINES = 64
BATCH_CHARACTERS = 5000


def decoded(path: str, number: int, line: bytes) -> str:
    """A line without its end and, where it is the first, without a byte order mark."""
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
