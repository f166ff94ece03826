"""Text through the tokenizer as a stream: one line out per line in, in blocks, so that memory is bounded by the block
or the longest line, and results flow on before the input ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from dragoman import _core
from dragoman.corpus.lines import MARKS_16
from dragoman.errors import InputError
from dragoman.files import reading

BLOCK_BYTES = 1 << 20
MAX_LINE_BYTES = 256 << 20


def checked_blocks(path: str | Path, max_line_bytes: int = MAX_LINE_BYTES) -> Iterator[bytes]:
    """Blocks of whole lines of valid UTF-8 text, as soon as they can be had; each ends in a newline."""
    with reading(path) as stream:
        name = "standard input" if str(path) == "-" else str(path)
        # read1 gives what a pipe holds now; read would wait until the block is full.
        read: Callable[[int], bytes] = getattr(stream, "read1", stream.read)
        pending: list[bytes] = []
        pending_bytes = 0
        number = 1
        first = True
        while chunk := read(BLOCK_BYTES):
            if first:
                first = False
                if chunk.startswith(MARKS_16):
                    raise InputError(f"{name} is UTF-16; convert it to UTF-8 first with iconv", 1)
                chunk = chunk.removeprefix(b"\xef\xbb\xbf")
            end = chunk.rfind(b"\n") + 1
            if end == 0:
                pending.append(chunk)
                pending_bytes += len(chunk)
                if pending_bytes > max_line_bytes:
                    raise InputError(f"{name}, line {number}: the line is longer than {max_line_bytes:,} bytes", number)
                continue
            block = b"".join((*pending, chunk[:end]))
            pending = [chunk[end:]]
            pending_bytes = len(chunk) - end
            yield checked(name, block, number)
            number += block.count(b"\n")
        if last := b"".join(pending):
            yield checked(name, last + b"\n", number)


def checked(name: str, block: bytes, first_line: int) -> bytes:
    try:
        _core.require_text(block, first_line)
    except InputError as error:
        raise InputError(f"{name}, {error}", error.line) from None
    return block


def tokenize(path: str | Path, out: BinaryIO, lang: str, lowercase: bool = False, threads: int = 1) -> None:
    """Writes the tokens of each line, separated by spaces and marked so that `detokenize` gives the line back."""
    tokenizer = _core.Tokenizer(lang)
    for block in checked_blocks(path):
        out.write(tokenizer.tokenize(block, model=lowercase, threads=threads))
        out.flush()


def detokenize(path: str | Path, out: BinaryIO, lang: str, threads: int = 1) -> None:
    """Writes the text of each line of tokens."""
    tokenizer = _core.Tokenizer(lang)
    for block in checked_blocks(path):
        out.write(tokenizer.detokenize(block, threads=threads))
        out.flush()
