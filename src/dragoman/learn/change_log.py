"""What was done to a model since it was built, in order: records of pairs that were added and removed, and the steps of
weights that go with them. What the records mean is core/index/overlay_log.h.
"""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from dragoman import _core
from dragoman.learn.log_record import LogRecord, decode_record


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One record: what it does to the pair of an id, a hash of the pair's texts, and where it stands in the log."""

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
    record yet. `steps` are lines for `Steps.take`.
    """

    data: bytes
    entries: list[LogEntry]
    damaged: int = 0
    torn: int = 0
    refused: int = 0
    steps: bytes = b""


class ChangeLog(ABC):
    """Positions count bytes, from a header on. For one thread at a time, but for what only looks."""

    def __init__(self, version: int) -> None:
        self._version = version  # of its records
        self._offset = 0  # whole records were read up to here

    @property
    @abstractmethod
    def place(self) -> str:
        """What to call it in sentences."""

    @abstractmethod
    def size(self) -> int:
        """How long it is, as far as that is known here."""

    @abstractmethod
    def has_news(self) -> bool:
        """Whether something was appended since the last look; costs next to nothing."""

    @abstractmethod
    def read_news(self) -> LogPiece:
        """What was appended since the last call."""

    @abstractmethod
    def writing(self) -> contextlib.AbstractContextManager[None]:
        """Nobody else appends meanwhile, and what they appended before is there to be read."""

    @abstractmethod
    def append(self, records: bytes, steps: bytes = b"") -> int:
        """Appends, while `writing` and after all news were read; when it returns that is durable.

        Returns how many bytes of a tail half written were cut off.
        """

    @abstractmethod
    def point(self) -> int:
        """Up to where the index is to be compacted, after all news were read."""

    def agreed_point(self) -> int | None:
        """The same where somebody else has compacted the index already, whatever was done to it since."""
        return None

    @abstractmethod
    def carry(self, directory: Path, index: int, start: int) -> None:
        """Makes what follows `start` the log of a new directory, whose index has the rest; the model is locked."""

    def drop_compacted(self) -> None:  # noqa: B027, most keep nothing
        """Deletes what the index has in its files already, where that is still kept."""

    @abstractmethod
    def bytes_from(self, start: int, count: int | None = None) -> bytes:
        """So many bytes of the log, or all."""

    @property
    def version(self) -> int:
        return self._version

    @property
    def offset(self) -> int:
        return self._offset

    @property
    def shares(self) -> bool:
        """Whether a pair can have several names: logs of earlier versions have no way to take one of them away."""
        return self._version >= 3

    def record(self, offset: int) -> LogRecord | None:
        """The record at an offset that an entry named."""
        size = int.from_bytes(self.bytes_from(offset + 4, 4), "little")
        return decode_record(self.bytes_from(offset, 16 + size), 0, self._version)

    def records(self, offsets: Iterable[int]) -> Iterator[LogRecord | None]:
        """The records at these offsets; the log is read once."""
        data = self.bytes_from(0)
        for offset in offsets:
            yield decode_record(data, offset, self._version)

    def entries(self) -> list[LogEntry]:
        """All that the log says, up to where it was read."""
        start = _core.LOG_HEADER_BYTES
        data = self.bytes_from(start, max(self._offset - start, 0))
        return [LogEntry.scanned(fields, start) for fields in _core.scan_log(data, 0, self._version)[0]]

    def tail(self, offset: int) -> bytes:
        """The bytes of the records from an offset on."""
        data = self.bytes_from(offset)
        return data[: _core.scan_log(data, 0, self._version)[1]]
