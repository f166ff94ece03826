"""The log of changes as a file: MODEL/overlay/log, appended to by one process at a time, read by any.

What `append` returned from is on the disk. A process that died while it wrote leaves a tail that is no whole record;
the next writer cuts it off and says so.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from dragoman import _core
from dragoman.errors import ConfigError, FormatError
from dragoman.files import naming, open_plain, sync_names, writing
from dragoman.learn.change_log import ChangeLog, LogEntry, LogPiece
from dragoman.learn.log_record import decode_record, encode_records
from dragoman.learn.steps_file import StepsFile, carry_steps
from dragoman.leftovers import sweep
from dragoman.model.lock import model_lock
from dragoman.model.manifest import LOG, OVERLAY, is_left_over

# Says that the log is elsewhere, and where.
SHARED = "shared"


class OverlayLog(ChangeLog):
    """The log of one model directory. Reading needs no lock; `append` needs the model's."""

    def __init__(self, directory: Path, index: int) -> None:
        super().__init__(_core.LOG_VERSION)  # until it has a header that says another
        self.path = directory / OVERLAY / LOG
        self._directory = directory
        self._index = index
        self._steps = StepsFile(directory)
        self._looked: tuple[int, int] | None = None  # size and time of the file at the last look
        self._swept = False  # what killed writers left

    @property
    def place(self) -> str:
        return str(self.path)

    def size(self) -> int:
        try:
            return self.path.stat().st_size
        except FileNotFoundError:
            return 0

    def has_news(self) -> bool:
        try:
            status = self.path.stat()
        except FileNotFoundError:
            return False
        # A tail half written is looked at again when something has happened to it.
        return status.st_size > self._offset and (status.st_size, status.st_mtime_ns) != self._looked

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        with model_lock(self._directory):
            if not self._swept:
                sweep(self._directory, is_left_over)
                self._swept = True
            require_own_log(self._directory)
            yield

    def read_news(self) -> LogPiece:
        try:
            with open_plain(self.path) as stream:
                status = os.fstat(stream.fileno())
                if self._offset == 0:
                    header = stream.read(_core.LOG_HEADER_BYTES)
                    # A process that died right after making the file left less than a header: nothing was promised.
                    if len(header) < _core.LOG_HEADER_BYTES:
                        return LogPiece(b"", [], torn=len(header))
                    index, self._version = _core.read_log_header(header, str(self.path))
                    if index != self._index:
                        raise FormatError(
                            f"{self.path}: is about another index; move the overlay folder away to use the model"
                            " without what was added",
                            str(self.path),
                        )
                    self._offset = _core.LOG_HEADER_BYTES
                stream.seek(self._offset)
                data = stream.read()
        except FileNotFoundError:
            return LogPiece(b"", [])
        self._looked = (status.st_size, status.st_mtime_ns)
        scanned, end, damaged, refused = _core.scan_log(data, 0, self._version)
        entries = [LogEntry.scanned(fields, self._offset) for fields in scanned]
        self._offset += end
        # A step is written before its lesson, so whoever found that finds the step now.
        return LogPiece(data[:end], entries, damaged, len(data) - end, refused, self._steps.read_news())

    def append(self, records: bytes, steps: bytes = b"") -> int:
        # All news were read, so what follows them is torn.
        self.path.parent.mkdir(exist_ok=True)
        if steps:
            self._steps.append(steps)
        with naming(self.path):
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            try:
                size = os.fstat(descriptor).st_size
                torn = size - self._offset
                start = self._offset
                if self._offset == 0:
                    records = _core.log_header(self._index, self._version) + records
                if torn:
                    os.ftruncate(descriptor, start)
                try:
                    write_at(descriptor, records, start)
                    os.fsync(descriptor)
                except BaseException:
                    # Nothing was promised yet; the next writer would cut it off too.
                    os.ftruncate(descriptor, start)
                    raise
            finally:
                os.close(descriptor)
            if start == 0:
                sync_names(self.path.parent)
                sync_names(self.path.parent.parent)
        self._offset = start + len(records)
        return torn

    def point(self) -> int:
        return self._offset

    def carry(self, directory: Path, index: int, start: int) -> None:
        tail = self.tail(max(start, _core.LOG_HEADER_BYTES))
        if tail:
            new_log(directory / OVERLAY / LOG, index, tail, self._version)
            carry_steps(self._directory, directory)

    def bytes_from(self, start: int, count: int | None = None) -> bytes:
        try:
            with open_plain(self.path) as stream:
                stream.seek(start)
                return stream.read(-1 if count is None else count)
        except FileNotFoundError:
            return b""


def require_own_log(directory: Path) -> None:
    """ConfigError where the log is elsewhere: without it, pairs that were removed would be used again."""
    mark = directory / OVERLAY / SHARED
    if mark.exists():
        raise ConfigError(
            f"corrections of {directory} are kept in {mark.read_text().strip()}; name it with --corrections or in the"
            f" variable DRAGOMAN_CORRECTIONS, or remove the file {mark} to do without them and keep new ones here",
            "corrections",
        )


def write_mark(mark: Path, place: str) -> None:
    """Says in a directory that its log is in another place."""
    mark.parent.mkdir(exist_ok=True)
    with writing(mark) as stream:
        stream.write(f"{place}\n".encode())


def write_at(descriptor: int, data: bytes, offset: int) -> None:
    view = memoryview(data)
    while view:
        written = os.pwrite(descriptor, view, offset)
        view = view[written:]
        offset += written


def new_log(path: Path, index: int, records: bytes, version: int) -> None:
    """Writes a whole log of records of this version, synced."""
    path.parent.mkdir(exist_ok=True)
    with path.open("xb") as stream:
        stream.write(_core.log_header(index, version) + records)
        stream.flush()
        os.fsync(stream.fileno())


def renew_log(old: Path, new: Path) -> bool:
    """Writes the records of a log of an earlier version as a log of the present one; False where there is none such.

    FormatError for a damaged one, of which something would get lost.
    """
    data = old.read_bytes() if old.is_file() else b""
    if len(data) < _core.LOG_HEADER_BYTES:
        return False
    index, version = _core.read_log_header(data[: _core.LOG_HEADER_BYTES], str(old))
    if version == _core.LOG_VERSION:
        return False
    body = data[_core.LOG_HEADER_BYTES :]
    entries, _, damaged, refused = _core.scan_log(body, 0, version)
    if damaged or refused:
        raise FormatError(f"{old}: is damaged; run `dragoman compact` first, which keeps what can be read", str(old))
    records = [decode_record(body, offset, version) for *_, offset in entries]
    new_log(new, index, encode_records(record for record in records if record is not None), _core.LOG_VERSION)
    return True
