"""Directories that a writer left behind when it was killed.

`files.writing_directory` fills a hidden directory beside the one it is to become, and removes the one it replaces. Who
is killed meanwhile leaves one of the two behind, perhaps with text that was to be forgotten. A writer keeps both
locked, and locks end with the process however that ends: what has such a name and is locked by nobody is nobody's.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

try:
    import fcntl
except ImportError:  # pragma: no cover - without it nobody knows whether a writer lives, and nothing is swept
    fcntl = None  # type: ignore[assignment]

HIDDEN = r"\.[0-9a-f]{8}\.tmp(\.old)?"


def hidden_directory(target: Path, claims: contextlib.ExitStack) -> Path:
    """A new directory beside `target`, claimed for as long as `claims` last."""
    while True:
        # The name first, so that an interruption at any moment finds the directory to remove.
        directory = target.parent / f".{target.name}.{secrets.token_hex(4)}.tmp"
        try:
            directory.mkdir(mode=0o700)
            if claims.enter_context(claimed(directory)) is not False:
                return directory
        except BaseException:
            shutil.rmtree(directory, ignore_errors=True)
            raise


@contextlib.contextmanager
def claimed(directory: Path, wait: bool = False) -> Iterator[bool | None]:
    """Whether the directory is this caller's for the length of the block; None where the system cannot say."""
    if fcntl is None:  # pragma: no cover
        yield None
        return
    try:
        descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError as error:
        yield None if error.errno != errno.ENOENT else False
        return
    try:
        yield lock(descriptor, wait) and same_file(descriptor, directory)
    finally:
        os.close(descriptor)


def lock(descriptor: int, wait: bool) -> bool | None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        # A file system without such locks.
        return None
    return True


def same_file(descriptor: int, path: Path) -> bool:
    """Whether an open file still is the one of this name."""
    try:
        named = path.stat()
    except FileNotFoundError:
        return False
    held = os.fstat(descriptor)
    return (held.st_dev, held.st_ino) == (named.st_dev, named.st_ino)


def sweep(target: Path, ours: Callable[[str], bool]) -> int:
    """Removes what dead writers of `target` left beside it if all of it is `ours`; returns how many directories."""
    pattern = re.compile(re.escape(f".{target.name}") + HIDDEN)
    swept = 0
    try:
        directories = [
            target.parent / entry.name for entry in os.scandir(target.parent) if pattern.fullmatch(entry.name)
        ]
    except OSError:
        return 0
    for directory in directories:
        with claimed(directory) as free:
            if free and target.exists() and all(ours(entry.name) for entry in directory.iterdir()):
                shutil.rmtree(directory, ignore_errors=True)
                swept += not directory.exists()
    return swept
