"""Where results go: a file that appears when all of it is written, or standard output."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import click

from dragoman.files import writing


@contextlib.contextmanager
def output(path: Path | None) -> Iterator[Callable[[str], None]]:
    """What writes text there; to standard output at once."""
    if path is None:
        yield lambda text: click.echo(text, nl=False)
        return
    with writing(path) as stream:

        def write(text: str) -> None:
            stream.write(text.encode("utf-8", "replace"))

        yield write


def in_blocks(pieces: Iterable[str], characters: int = 1 << 16) -> Iterator[str]:
    """The same text in fewer pieces, which cost a write each."""
    block: list[str] = []
    size = 0
    for piece in pieces:
        block.append(piece)
        size += len(piece)
        if size >= characters:
            yield "".join(block)
            block, size = [], 0
    yield "".join(block)
