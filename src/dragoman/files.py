"""Opening text, and writing files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import gzip
import io
import lzma
import os
import secrets
import shutil
import stat
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from dragoman import archive
from dragoman.errors import ConfigError, FormatError, InputError
from dragoman.leftovers import claimed, hidden_directory

# What file systems say that have no second names for a file.
NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EXDEV, errno.EMLINK}


def link_file(source: Path, target: Path) -> None:
    """A second name for the same bytes, which costs nothing, or a copy where the file system has no such thing."""
    try:
        os.link(source, target)
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        shutil.copyfile(source, target)


def decompressed(path: str | Path) -> BinaryIO:
    """Opens a file for reading bytes, through gzip or xz where its name ends so; `-` is standard input.

    It may lie in a zip archive, see dragoman.archive.
    """
    name = str(path)
    if name == "-":
        if sys.stdin is None:
            raise InputError("standard input is closed; name a file")
        return sys.stdin.buffer
    inside = archive.split_name(name)
    place: Any = name if inside is None else archive.open_member(*inside)
    if name.lower().endswith(".gz"):
        return cast(BinaryIO, gzip.open(place, "rb"))
    if name.lower().endswith(".xz"):
        return cast(BinaryIO, lzma.open(place, "rb"))
    return Path(name).open("rb") if inside is None else cast(BinaryIO, place)


@contextlib.contextmanager
def reading(path: str | Path) -> Iterator[BinaryIO]:
    """Like `decompressed`, and a damaged or truncated archive becomes one clear sentence."""
    stream = decompressed(path)
    try:
        yield stream
    except (EOFError, lzma.LZMAError, gzip.BadGzipFile, zipfile.BadZipFile, zlib.error) as error:
        raise InputError(f"{path}: the compressed file is damaged or cut off; fetch it again ({error})") from error
    finally:
        if str(path) != "-":
            stream.close()


def open_plain(path: str | Path) -> io.BufferedReader:
    """Opens a file of a model for reading bytes; FormatError where the name is no plain file's.

    Who opens a pipe waits until somebody writes into it, and a device may have no end.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    try:
        require_plain(path, os.fstat(descriptor))
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def require_plain(path: str | Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise FormatError(f"{path}: is not a plain file; copy the model again from a good source", str(path))


@contextlib.contextmanager
def writing(path: str | Path) -> Iterator[IO[bytes]]:
    """A binary file that replaces `path` when the block ends well, and otherwise leaves it as it was.

    A link stays a link, and a device or pipe is written into: renaming over it would put a file in its place.
    """
    target = Path(path)
    if target.exists() and not target.is_file():
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
        with naming(target), target.open("wb") as stream:
            yield stream
        return
    target = Path(os.path.realpath(target))
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        with naming(target), temporary.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        with naming(target):
            temporary.replace(target)
            sync_names(target.parent)
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


def any_name(name: str) -> bool:
    return True


@contextlib.contextmanager
def writing_directory(
    path: str | Path, overwrite: bool = False, ours: Callable[[str], bool] = any_name
) -> Iterator[Path]:
    """A directory that takes the name `path` when the block ends well; an existing one stays unless `overwrite`.

    Replacing a directory deletes what is in it, so only one that holds nothing but names that are `ours` is replaced.
    """
    target = Path(path)
    require_replaceable(target, overwrite, ours)
    with naming(target):
        target.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as claims:
        with naming(target):
            temporary = hidden_directory(target, claims)
        old: Path | None = None
        try:
            with naming(target):
                yield temporary
                # The content must reach the disk before the name does.
                for file in filter(Path.is_file, temporary.iterdir()):
                    sync(file)
                sync_names(temporary)
            temporary.chmod(0o777 & ~current_umask())
            if target.exists():
                # Again: the block may have taken hours.
                require_replaceable(target, overwrite, ours)
                # Whoever replaces it at the same time has it first, and then there is another.
                while target.exists() and claims.enter_context(claimed(target, wait=True)) is False:
                    pass
                if exchange(temporary, target):
                    old = temporary
                else:
                    old = target.with_name(f"{temporary.name}.old")
                    target.rename(old)
            if old is not temporary:
                temporary.rename(target)
            sync_names(target.parent)
        except BaseException:
            if old is not None and old.exists() and not target.exists():
                old.rename(target)
            shutil.rmtree(temporary, ignore_errors=True)
            raise
        if old is not None:
            shutil.rmtree(old)


def exchange(one: Path, other: Path) -> bool:
    """Two directories take each other's names in one step, so that there is no moment without either.

    False where the system cannot: then nothing has happened.
    """
    import ctypes

    try:
        swap = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError, TypeError):
        return False
    here, in_exchange = -100, 2
    return bool(swap(here, os.fsencode(one), here, os.fsencode(other), in_exchange) == 0)


def require_replaceable(target: Path, overwrite: bool, ours: Callable[[str], bool]) -> None:
    """ConfigError unless `target` is free or may be replaced."""
    if target.name in ("", ".."):
        raise ConfigError(f"{target} cannot be replaced by another directory; name one below it", "out")
    if not target.exists():
        return
    if not overwrite:
        raise ConfigError(f"{target} exists already; choose another name or pass --overwrite", "out")
    if not target.is_dir():
        raise ConfigError(f"{target} is a file; choose another name for the directory", "out")
    for entry in sorted(target.iterdir()):
        if not ours(entry.name):
            raise ConfigError(
                f"{target} holds {entry.name}, which replacing it would delete; move it away or choose another name",
                "out",
            )


def sync(path: Path) -> None:
    """Makes the content of a file survive a power cut."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_names(directory: Path) -> None:
    """The same for the names in a directory, where it may be read and its file system can."""
    try:
        sync(directory)
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.EINVAL, errno.ENOTSUP):
            raise


def current_umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
