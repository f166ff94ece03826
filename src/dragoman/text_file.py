"""Whole files of text that people bring; what is wrong in one is said with its name and line."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from dragoman import _core
from dragoman.errors import InputError
from dragoman.files import reading

# Lines are handed to the core in pieces of about this many bytes.
PIECE_BYTES = 1 << 22


def read_all(path: str | Path) -> bytes:
    with reading(path) as stream:
        return stream.read()


def pieces(path: str | Path) -> Iterator[bytes]:
    """Whole lines of a file, many at a time."""
    with reading(path) as stream:
        while lines := stream.readlines(PIECE_BYTES):
            yield b"".join(lines)


def read_lines(path: str | Path) -> list[str]:
    """Lines of UTF-8 text without their ends, split where the core splits them."""
    content = read_all(path)
    with naming(path):
        _core.require_text(content)
    lines = content.decode().split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


@contextlib.contextmanager
def naming(path: str | Path, lines_before: int = 0) -> Iterator[None]:
    """Puts the file's name, and the line as counted within it, into what the core says about its text."""
    try:
        yield
    except InputError as error:
        line = max(0, error.line - lines_before) if error.line else 0
        message = str(error)
        if error.line:
            message = message.replace(f"line {error.line}:", f"line {line}:", 1)
        raise InputError(message if message.startswith(f"{path}:") else f"{path}: {message}", line) from error
