"""One writer at a time: a lock on the model.json of a model directory.

A directory may be replaced by a new one of the same name while somebody waits. Whoever gets the lock of the old one
sees that, and waits for the new one's. Locks end with the process that holds them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from dragoman.files import open_plain
from dragoman.leftovers import same_file
from dragoman.model.manifest import MANIFEST

try:
    import fcntl
except ImportError:  # pragma: no cover - systems without it have one writer by the user's own care
    fcntl = None  # type: ignore[assignment]


class ModelLock:
    """Held until `release`."""

    def __init__(self, directory: Path) -> None:
        while True:
            self._manifest = open_plain(directory / MANIFEST)
            try:
                if fcntl is not None:
                    fcntl.flock(self._manifest, fcntl.LOCK_EX)
                if same_file(self._manifest.fileno(), directory / MANIFEST):
                    return
            except BaseException:
                self._manifest.close()
                raise
            self._manifest.close()

    def release(self) -> None:
        self._manifest.close()


@contextlib.contextmanager
def model_lock(directory: Path) -> Iterator[None]:
    lock = ModelLock(directory)
    try:
        yield
    finally:
        lock.release()
