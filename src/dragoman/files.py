"""Opening text, and writing files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import gzip
import lzma
import os
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, BinaryIO, cast

from dragoman.errors import ConfigError, InputError


def decompressed(path: str | Path) -> BinaryIO:
    """Opens a file for reading bytes, through gzip or xz where its name ends so; `-` is standard input."""
    name = str(path)
    if name == "-":
        return sys.stdin.buffer
    if name.endswith(".gz"):
        return cast(BinaryIO, gzip.open(name, "rb"))
    if name.endswith(".xz"):
        return cast(BinaryIO, lzma.open(name, "rb"))
    return Path(name).open("rb")


@contextlib.contextmanager
def reading(path: str | Path) -> Iterator[BinaryIO]:
    """Like `decompressed`, and a damaged or truncated archive becomes one clear sentence."""
    stream = decompressed(path)
    try:
        yield stream
    except (EOFError, lzma.LZMAError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{path}: the compressed file is damaged or cut off; fetch it again ({error})") from error
    finally:
        if stream is not sys.stdin.buffer:
            stream.close()


@contextlib.contextmanager
def writing(path: str | Path) -> Iterator[IO[bytes]]:
    """A binary file that replaces `path` when the block ends well, and otherwise leaves it as it was."""
    target = Path(path)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with naming(target), temporary.open("wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        with naming(target):
            temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Errors of the system that name no file, or a temporary one, name `path`: it is what the user knows."""
    try:
        yield
    except OSError as error:
        if error.filename is None or str(error.filename).endswith(".tmp"):
            error.filename, error.filename2 = str(path), None
        raise


@contextlib.contextmanager
def writing_directory(path: str | Path, overwrite: bool = False) -> Iterator[Path]:
    """A directory that takes the name `path` when the block ends well; an existing one stays unless `overwrite`."""
    target = Path(path)
    if target.exists() and not overwrite:
        raise ConfigError(f"{target} exists already; choose another name or pass --overwrite", "out")
    with naming(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent))
    old: Path | None = None
    try:
        with naming(target):
            yield temporary
        temporary.chmod(0o777 & ~current_umask())
        if target.exists():
            old = target.with_name(f"{temporary.name}.old")
            target.rename(old)
        temporary.rename(target)
    except BaseException:
        if old is not None and old.exists() and not target.exists():
            old.rename(target)
        shutil.rmtree(temporary, ignore_errors=True)
        raise
    if old is not None:
        if old.is_dir():
            shutil.rmtree(old)
        else:
            old.unlink()


def current_umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
