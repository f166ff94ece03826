"""One writer at a time: a lock on the model.json of a model directory.

A directory may be replaced by a new one of the same name while somebody waits. Whoever gets the lock of the old one
sees that, and waits for the new one's. Locks end with the process that holds them.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from dragoman.leftovers import same_file

try:
    import fcntl
except ImportError:  # pragma: no cover - systems without it have one writer by the user's own care
    fcntl = None  # type: ignore[assignment]

MANIFEST = "model.json"


class ModelLock:
    """Held until `release`."""

    def __init__(self, directory: Path) -> None:
        while True:
            self._descriptor = os.open(directory / MANIFEST, os.O_RDONLY)
            try:
                if fcntl is not None:
                    fcntl.flock(self._descriptor, fcntl.LOCK_EX)
                if same_file(self._descriptor, directory / MANIFEST):
                    return
            except BaseException:
                os.close(self._descriptor)
                raise
            os.close(self._descriptor)

    def release(self) -> None:
        os.close(self._descriptor)


@contextlib.contextmanager
def model_lock(directory: Path) -> Iterator[None]:
    lock = ModelLock(directory)
    try:
        yield
    finally:
        lock.release()
