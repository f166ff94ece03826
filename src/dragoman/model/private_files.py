"""Files of a model that nobody else can reach: copies without a name, for processes that live long.

What is mapped into memory changes with the file. Who copies another model over a directory that is in use, instead of
putting a new directory in its place, takes the ground from under every process that has it open. A server therefore
maps copies: made when it opens the model, on the disk and not in memory, with no name in any directory, so that nothing
can change them and nothing is left of them when the process ends, however it ends. Where the file system can, a copy
shares its blocks with the original.

The core opens directories. For that moment there is one of links to the copies.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from dragoman.errors import DragomanError, FormatError
from dragoman.model.directory import ModelDirectory
from dragoman.model.manifest import MANIFEST, is_model_file

DESCRIPTORS = Path("/proc/self/fd")
# A model whose files were written so recently may still be on its way here.
QUIET_SECONDS = 1.0
# Files at one moment: name, device, inode, size and time of the last change of content.
Fingerprint = tuple[tuple[str, int, int, int, int], ...]


def fingerprint(directory: Path) -> Fingerprint:
    """What shows, without reading, that files of a model are others now; empty where there is no model."""
    return tuple(
        sorted(
            (name, status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
            for name, status in model_files(directory)
        )
    )


def model_files(directory: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Names of the files of a model and what the system says of them; nothing of those that go away meanwhile."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        for entry in os.scandir(directory):
            with contextlib.suppress(FileNotFoundError):
                if is_model_file(entry.name) and entry.is_file():
                    yield entry.name, entry.stat()


def same_text(one: Fingerprint, other: Fingerprint) -> bool:
    """Whether both have the same training text, which added pairs belong to."""

    def text(files: Fingerprint) -> list[tuple[str, int, int, int, int]]:
        return [entry for entry in files if entry[0] in (MANIFEST, "vocab.bin", "bitext.bin")]

    return text(one) == text(other)


def is_quiet(directory: Path) -> bool:
    """Whether nothing was written for a while."""
    latest = max((status.st_ctime for _, status in model_files(directory)), default=0.0)
    # A clock that was set back must not keep anybody waiting for ever.
    return not 0 <= time.time() - latest < QUIET_SECONDS


class PrivateFiles:
    """Copies of all files of a model directory, as they were at one moment; closed when nobody has them any more."""

    def __init__(self, directory: Path) -> None:
        self._files: dict[str, IO[bytes]] = {}
        self.fingerprint = fingerprint(directory)
        try:
            for name, *_ in self.fingerprint:
                self._files[name] = private_copy(directory / name)
        except BaseException:
            self.close()
            raise
        if fingerprint(directory) != self.fingerprint:
            self.close()
            raise FormatError(f"{directory}: changed while it was opened; try again", str(directory))

    def path(self, name: str) -> Path:
        """A name for a copy that works in this process, as long as this object is there."""
        if name not in self._files:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
        return DESCRIPTORS / str(self._files[name].fileno())

    @contextlib.contextmanager
    def directory(self) -> Iterator[Path]:
        """A directory of links to the copies, for the time of the block."""
        with tempfile.TemporaryDirectory(prefix="dragoman-") as place:
            for name in self._files:
                (Path(place) / name).symlink_to(self.path(name))
            yield Path(place)

    def close(self) -> None:
        for file in self._files.values():
            file.close()
        self._files.clear()

    def __del__(self) -> None:
        self.close()


def private_copy(path: Path) -> IO[bytes]:
    """The content of a file in another one that has no name: beside the model, or else where temporary files go."""
    # Not in the model directory itself: where the system knows no files without names it has one for a moment.
    with path.open("rb", buffering=0) as source:
        for place in (path.resolve().parent.parent, None):
            try:
                copy = tempfile.TemporaryFile(dir=place, buffering=0)  # noqa: SIM115, the caller closes it
            except OSError as error:
                if place is None:
                    raise no_room(path, error) from None
                continue
            try:
                copy_content(source, copy)
                return copy
            except OSError as error:
                copy.close()
                if place is None or error.errno not in (errno.ENOSPC, errno.EDQUOT):
                    raise no_room(path, error) from None
                source.seek(0)
            except BaseException:
                copy.close()
                raise
    raise AssertionError


def copy_content(source: IO[bytes], target: IO[bytes]) -> None:
    """By the system where it can: it may share the blocks."""
    try:
        while os.copy_file_range(source.fileno(), target.fileno(), 1 << 30):
            pass
    except (AttributeError, OSError) as error:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
            raise
        source.seek(0)
        target.seek(0)
        target.truncate()
        shutil.copyfileobj(source, target, 1 << 20)


def no_room(path: Path, error: OSError) -> DragomanError:
    return DragomanError(
        f"{path}: cannot be copied for the server's own use ({error.strerror}); make room beside it, set TMPDIR to a"
        " folder on a disk that has some, or serve with --in-place"
    )


def is_read_only(path: Path) -> bool:
    """Whether nobody here can change it. A copy would as a rule have no other place than memory then."""
    try:
        return bool(os.statvfs(path).f_flag & os.ST_RDONLY)
    except OSError:
        return False


@contextlib.contextmanager
def opening(path: Path, private: bool) -> Iterator[tuple[ModelDirectory, Path, Fingerprint | None]]:
    """A model that was checked, the directory where its files can be opened during the block, and what tells its files
    from others if they are `private` copies. Errors name files as the user knows them."""
    if not private or not DESCRIPTORS.is_dir() or is_read_only(path):
        yield ModelDirectory.open(path), path, None
        return
    # What does not fit together is not worth copying.
    ModelDirectory.open(path)
    files = PrivateFiles(path)
    with files.directory() as links:
        names = {str(links): str(path)} | {str(files.path(name)): str(path / name) for name, *_ in files.fingerprint}
        try:
            model = ModelDirectory.open(links)
            yield ModelDirectory(path, model.manifest, files.path), links, files.fingerprint
        except DragomanError as error:
            message = str(error)
            for name in sorted(names, key=len, reverse=True):
                message = message.replace(name, names[name])
            error.args = (message, *error.args[1:])
            if isinstance(error, FormatError):
                error.path = str(path)
            raise
