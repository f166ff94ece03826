"""The log of changes in a database that replicas share.

All of it is kept here, too: a thread takes over what others append, as soon as the database tells of it, and asks twice
a second in any case. So translating never waits for the database, and goes on where that is away; teaching does not.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dragoman import _core
from dragoman.errors import ConfigError, UnavailableError
from dragoman.learn.change_log import ChangeLog, LogEntry, LogPiece
from dragoman.learn.database import answering, connect, first_line, place_of
from dragoman.learn.log import SHARED, write_mark
from dragoman.learn.series import CHANNEL, Appender, Change, News, Series, forgotten
from dragoman.model.manifest import OVERLAY

POLL_SECONDS = 0.5
LOGGER = logging.getLogger("dragoman.corrections")
HEADER = _core.LOG_HEADER_BYTES


class SharedLog(ChangeLog):
    """The log of one index; it begins at the base of the index."""

    def __init__(self, series: Series, until: int | None = None) -> None:
        """With `until` it ends there, whatever comes later."""
        super().__init__(series.version)
        self._series = series
        self._offset = HEADER
        self._data = bytearray(HEADER)
        self._steps = bytearray()  # those that nobody has read yet
        self._growing = threading.Lock()
        self._appender: Appender | None = None
        self.lost: ConfigError | None = None  # why it cannot be followed any more
        self.take(series.read(None if until is None else self.position(until)))
        if until is None:
            stop = threading.Event()
            weakref.finalize(self, stop.set)
            following = (weakref.ref(self), series.url, stop)
            threading.Thread(target=follow, args=following, name="corrections", daemon=True).start()

    @property
    def place(self) -> str:
        return place_of(self._series.url)

    def size(self) -> int:
        return len(self._data)

    @property
    def end(self) -> int:
        """The same as a place in the series."""
        return self.position(self.size())

    def position(self, offset: int) -> int:
        return self._series.base + offset - HEADER

    def take(self, news: News) -> None:
        """Goes on with what follows; what is here already is passed over. ConfigError where something is missing."""
        with self._growing:
            for change in news.changes:
                if change.start == self.end:
                    self._steps += change.steps
                    self._data += change.records
            if self.end < news.end:
                raise forgotten(self._series.url)

    def has_news(self) -> bool:
        return len(self._data) > self._offset

    def read_news(self) -> LogPiece:
        with self._growing:
            data, steps = bytes(self._data[self._offset :]), bytes(self._steps)
            self._steps.clear()
        scanned, end, damaged, refused = _core.scan_log(data, 0, self._version)
        entries = [LogEntry.scanned(fields, self._offset) for fields in scanned]
        self._offset += len(data)
        return LogPiece(data[:end], entries, damaged + len(data) - end, 0, refused, steps)

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        with contextlib.ExitStack() as stack:
            try:
                if self.lost is not None:
                    raise self.lost
                appender = stack.enter_context(self._series.locked(self.end))
                self.take(appender.news)
            except ConfigError as error:
                self.lost = error
                raise UnavailableError(
                    str(error),
                    "nothing was learned, because this server cannot follow the corrections of the others any more; its"
                    " log says why",
                ) from error
            self._appender = appender
            try:
                yield
            finally:
                self._appender = None

    def append(self, records: bytes, steps: bytes = b"") -> int:
        # Nobody takes it over from the database before it is here.
        with self._growing, answering(self._series.url):
            if self._appender is None or self.has_news():
                raise UnavailableError("others append to these corrections at this moment; try again")
            self._appender.append(Change(self.end, records, steps))
            self._data += records
            self._offset = len(self._data)
        return 0

    def point(self) -> int:
        """The same on all replicas: that of the first one."""
        return self._series.point(self.position(self._offset)) - self.position(0)

    def agreed_point(self) -> int | None:
        agreed = self._series.agreed_point()
        return None if agreed is None else agreed - self.position(0)

    def carry(self, directory: Path, index: int, start: int) -> None:
        self._series.begin(index, self.position(start))
        write_mark(directory / OVERLAY / SHARED, self.place)

    def drop_compacted(self) -> None:
        self._series.forget()

    def bytes_from(self, start: int, count: int | None = None) -> bytes:
        # Without the lock, which waits for the database while somebody teaches: one slice of what only grows.
        return bytes(self._data[start : None if count is None else start + count])

    def catch_up(self, connection: Any) -> bool:
        """Takes over what others appended; whether that can go on."""
        try:
            self.take(self._series.news(connection, self.end))
        except ConfigError as error:
            self.lost = error
        return self.lost is None


def follow(log: weakref.ref[SharedLog], url: str, stop: threading.Event) -> None:
    """Takes over what others append, for as long as there is such a log."""
    told = ""
    while not stop.is_set():
        try:
            with connect(url) as connection:
                connection.autocommit = True
                connection.execute(f"LISTEN {CHANNEL}")
                while not stop.is_set():
                    if why := caught_up(log, connection):
                        LOGGER.error("corrections of others are not followed any more: %s", why)
                        return
                    told = ""
                    for _ in connection.notifies(timeout=POLL_SECONDS, stop_after=1):
                        pass
        # Whatever it is, translating goes on, and others append as before; so this is tried again, and told once.
        except Exception as error:
            if told != type(error).__name__:
                told = type(error).__name__
                LOGGER.warning("corrections of others do not arrive: %s; trying again", first_line(error))
        stop.wait(POLL_SECONDS)


def caught_up(log: weakref.ref[SharedLog], connection: Any) -> str:
    """Why there is nothing to follow any more. Nobody but this call keeps the log, so that it can go."""
    shared_log = log()
    if shared_log is None or shared_log.catch_up(connection):
        return ""
    return str(shared_log.lost)
