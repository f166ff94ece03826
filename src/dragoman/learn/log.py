"""The log of changes as a file: MODEL/overlay/log, appended to by one process at a time, read by any.

What `append` returned from is on the disk. A process that died while it wrote leaves a tail that is no whole record;
the next writer cuts it off and says so. What the records mean is core/index/overlay_log.h.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from dragoman import _core
from dragoman.errors import FormatError
from dragoman.files import naming, open_plain, sync_names
from dragoman.learn.log_record import LogRecord, decode_record, encode_records
from dragoman.model.manifest import OVERLAY

LOG = "log"


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One record: what it does to the pair of an id, a hash of the pair's texts, and where it stands in the file."""

    kind: str
    stable_id: int
    id: str
    text: int
    offset: int

    @classmethod
    def scanned(cls, fields: tuple[str, int, str, int, int], start: int) -> LogEntry:
        """What the core found in a piece of a log that begins there."""
        kind, stable_id, name, text, offset = fields
        return cls(kind, stable_id, name, text, start + offset)


@dataclass(frozen=True, slots=True)
class LogPiece:
    """What was appended since the last look.

    `damaged` bytes were no records, `refused` records said nothing that can be done; `torn` bytes at the end are no
    record yet.
    """

    data: bytes
    entries: list[LogEntry]
    damaged: int = 0
    torn: int = 0
    refused: int = 0


class OverlayLog:
    """The log of one model directory. Reading needs no lock; `append` needs the model's."""

    def __init__(self, directory: Path, index: int) -> None:
        self.path = directory / OVERLAY / LOG
        self._index = index
        self._offset = 0  # whole records were read up to here
        self._version = _core.LOG_VERSION  # of its records, once it has a header
        self._looked: tuple[int, int] | None = None  # size and time of the file at the last look

    def size(self) -> int:
        try:
            return self.path.stat().st_size
        except FileNotFoundError:
            return 0

    @property
    def version(self) -> int:
        return self._version

    def has_news(self) -> bool:
        try:
            status = self.path.stat()
        except FileNotFoundError:
            return False
        # A tail half written is looked at again when something has happened to it.
        return status.st_size > self._offset and (status.st_size, status.st_mtime_ns) != self._looked

    def read_news(self) -> LogPiece:
        """Records that were appended since the last call."""
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
        return LogPiece(data[:end], entries, damaged, len(data) - end, refused)

    def append(self, records: bytes) -> int:
        """Writes records and syncs them; cuts off a torn tail first and returns how long it was.

        The caller holds the model's lock and has read all news, so that what follows them is torn.
        """
        self.path.parent.mkdir(exist_ok=True)
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

    def record(self, offset: int) -> LogRecord | None:
        """The record at an offset that an entry named."""
        try:
            with open_plain(self.path) as stream:
                stream.seek(offset + 4)
                size = int.from_bytes(stream.read(4), "little")
                stream.seek(offset)
                return decode_record(stream.read(16 + size), 0, self._version)
        except FileNotFoundError:
            return None

    def entries(self) -> list[LogEntry]:
        """All that the log says, up to where it was read."""
        start = _core.LOG_HEADER_BYTES
        data = self.tail(start)[: max(self._offset - start, 0)]
        return [LogEntry.scanned(fields, start) for fields in _core.scan_log(data, 0, self._version)[0]]

    def records(self, offsets: Iterable[int]) -> Iterator[LogRecord | None]:
        """The records at these offsets; the file is read once."""
        try:
            with open_plain(self.path) as stream:
                data = stream.read()
        except FileNotFoundError:
            data = b""
        for offset in offsets:
            yield decode_record(data, offset, self._version)

    @property
    def shares(self) -> bool:
        """Whether a pair can have several names: logs of earlier versions have no way to take one of them away."""
        return self._version >= 3

    @property
    def offset(self) -> int:
        return self._offset

    def tail(self, offset: int) -> bytes:
        """The bytes of the records from an offset on."""
        try:
            with open_plain(self.path) as stream:
                stream.seek(offset)
                data = stream.read()
        except FileNotFoundError:
            return b""
        return data[: _core.scan_log(data, 0, self._version)[1]]


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
