"""Lines of a text file as strings: decompressed, checked, in blocks, so that memory does not grow with the file.

UTF-8 only, without NUL; a byte order mark and the carriage returns of CRLF files go. Each fault names file and line.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dragoman.corpus.pair import Account
from dragoman.errors import InputError

BLOCK_BYTES = 1 << 18
MARKS_16 = (b"\xff\xfe", b"\xfe\xff")


def read_lines(path: str | Path, max_line_bytes: int, account: Account | None = None) -> Iterator[str]:
    """Yields every line without its end; raises InputError at a line that is no text or too long to be a sentence."""
    number = 0
    for block in line_blocks(path, max_line_bytes, account or Account()):
        lines = decode_block(path, block, number + 1)
        number += len(lines)
        yield from lines


def line_blocks(path: str | Path, max_line_bytes: int, account: Account) -> Iterator[bytes]:
    """Yields blocks of whole lines, without the last newline of a block."""
    with account.reading(path) as stream:
        rest = b""
        number = 1
        first = True
        while chunk := stream.read(BLOCK_BYTES):
            if first:
                first = False
                if chunk.startswith(MARKS_16):
                    raise InputError(
                        f"{path} is UTF-16; convert it first with `iconv -f UTF-16 -t UTF-8 {path}`", number
                    )
                chunk = chunk.removeprefix(b"\xef\xbb\xbf")
            end = chunk.rfind(b"\n")
            if end < 0:
                rest += chunk
            else:
                block = rest + chunk[:end]
                rest = chunk[end + 1 :]
                longest_line(path, block, number, max_line_bytes)
                yield block
                number += block.count(b"\n") + 1
            if len(rest) > max_line_bytes:
                raise too_long(path, number, max_line_bytes)
        if rest:
            longest_line(path, rest, number, max_line_bytes)
            yield rest


def longest_line(path: str | Path, block: bytes, first_line: int, max_line_bytes: int) -> None:
    """Raises where a line of the block is over the limit; costs nothing for a block that is shorter itself."""
    if len(block) <= max_line_bytes:
        return
    for index, line in enumerate(block.split(b"\n")):
        if len(line) > max_line_bytes:
            raise too_long(path, first_line + index, max_line_bytes)


def too_long(path: str | Path, line: int, max_line_bytes: int) -> InputError:
    return InputError(
        f"{path}, line {line}: the line is longer than {max_line_bytes:,} bytes; give one sentence per line"
        " or raise --max-line-bytes",
        line,
    )


def decode_block(path: str | Path, block: bytes, first_line: int) -> list[str]:
    """The lines of a block, or an error that names the line at fault."""
    if b"\0" in block:
        line = first_line + block.count(b"\n", 0, block.index(b"\0"))
        raise InputError(f"{path}, line {line}: there is a NUL byte; this is not a text file, or it is UTF-16", line)
    try:
        text = block.decode("utf-8")
    except UnicodeDecodeError as error:
        line = first_line + block.count(b"\n", 0, error.start)
        raise InputError(
            f"{path}, line {line}: byte 0x{block[error.start]:02x} is not UTF-8; convert the file first,"
            " for example with `iconv -f ISO-8859-1 -t UTF-8`",
            line,
        ) from None
    lines = text.split("\n")
    if "\r" in text:
        lines = [line.removesuffix("\r") for line in lines]
    return lines
