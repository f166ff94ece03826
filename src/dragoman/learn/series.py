"""Changes that replicas of a server share, in a PostgreSQL database.

A series is one sequence of bytes, the records of all replicas one after another, as a log file has them, with the steps
of weights that belong to them. Whoever appends holds its row, so there is one order, and all replicas give a new pair
the same number. What `append` returned from is committed.

An index that was made by compaction begins further down in the same series: at the point up to which it has everything.
The first replica that compacts an index chooses the point and the others take the same, so that their files are equal.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, LiteralString

from dragoman import _core
from dragoman.errors import ConfigError, UnavailableError
from dragoman.learn.database import DatabaseError, answering, connect, first_line, place_of

CHANNEL = "dragoman_corrections"
SCHEMA = """
CREATE TABLE dragoman_series (
    series text PRIMARY KEY, version integer NOT NULL, size bigint NOT NULL);
CREATE TABLE dragoman_index (
    index text PRIMARY KEY, series text NOT NULL REFERENCES dragoman_series, base bigint NOT NULL, compacted_at bigint);
CREATE TABLE dragoman_change (
    series text NOT NULL REFERENCES dragoman_series, start bigint NOT NULL, records bytea NOT NULL,
    steps bytea NOT NULL, made timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (series, start));
"""
# Of the lock under which the tables are made.
SCHEMA_LOCK = 1_684_107_631
# So many changes are asked for at once: the time for a statement is limited, the length of a series is not.
PAGE = 256


@dataclass(frozen=True, slots=True)
class Change:
    """What one transaction appended, and where that begins."""

    start: int
    records: bytes
    steps: bytes

    @property
    def end(self) -> int:
        return self.start + len(self.records)


@dataclass(frozen=True, slots=True)
class News:
    """What was appended from some place on, and where that must end if nothing of it is missing."""

    changes: list[Change]
    end: int


class Series:
    """The part of a series that concerns one index: what follows its `base`. Safe to share between threads."""

    def __init__(self, url: str, index: int) -> None:
        """UnavailableError where the database does not answer."""
        self.url = url
        self._index = name_of(index)
        self._writing = threading.Lock()
        self._connection: Any = None
        with answering(url), connect(url) as connection:
            self.name, self.base, self.version = registered(connection, url, self._index)

    @contextlib.contextmanager
    def locked(self, end: int) -> Iterator[Appender]:
        """Nobody else appends meanwhile; `end` is up to where the caller knows the series."""
        with self._writing, answering(self.url):
            size = self._locked()
            try:
                yield Appender(self, self._connection, self._news(self._connection, size, end))
            finally:
                with contextlib.suppress(DatabaseError):
                    self._connection.rollback()

    def _locked(self) -> int:
        """Holds the row, and returns the size of the series. A connection of earlier may have ended with the database,
        so that a new one is worth a try."""
        while True:
            known, self._connection = self._connection, None
            connection = known or connect(self.url)
            try:
                size = self._size(connection, "FOR UPDATE")
                self._connection = connection
                return size
            except ConfigError:
                connection.close()
                raise
            except DatabaseError:
                connection.close()
                if known is None:
                    raise

    def _size(self, connection: Any, lock: LiteralString = "") -> int:
        """Where the series ends, with what all replicas appended."""
        query: LiteralString = f"SELECT size FROM dragoman_series WHERE series = %s {lock}"
        row = connection.execute(query, [self.name]).fetchone()
        if row is None:
            raise lacking(self.url)
        return int(row[0])

    def news(self, connection: Any, start: int, until: int | None = None) -> News:
        """What was appended from there on; ConfigError where the database does not reach that far."""
        # The size is asked for first, so that the changes reach it even if somebody appends in between.
        return self._news(connection, self._size(connection), start, until)

    def _news(self, connection: Any, size: int, start: int, until: int | None = None) -> News:
        if size < start:
            raise ConfigError(
                f"{place_of(self.url)}: the database is older than this replica, as after a backup was brought back;"
                " open the model again to go on with what the database has",
                "corrections",
            )
        end = size if until is None else until
        changes: list[Change] = []
        while page := self._page(connection, start, end):
            changes += page
            start = page[-1].end
        return News(changes, end)

    def _page(self, connection: Any, start: int, end: int) -> list[Change]:
        rows = connection.execute(
            "SELECT start, records, steps FROM dragoman_change WHERE series = %s AND start >= %s AND start < %s"
            " ORDER BY start LIMIT %s",
            [self.name, start, end, PAGE],
        ).fetchall()
        return [Change(row[0], bytes(row[1]), bytes(row[2])) for row in rows]

    def read(self, until: int | None = None) -> News:
        """All of this index."""
        with answering(self.url), connect(self.url) as connection:
            return self.news(connection, self.base, until)

    def has(self, change: Change) -> bool:
        """Whether a change that this replica tried to commit was kept; UnavailableError where nobody can tell."""
        try:
            with connect(self.url) as connection:
                # Whoever still works on the commit holds the row.
                self._size(connection, "FOR UPDATE")
                return change in self._page(connection, change.start, change.end)
        except DatabaseError as error:
            raise UnavailableError(
                f"the database of corrections, {place_of(self.url)}, went away in the middle of this"
                f" ({first_line(error)}), and it is not known whether it was kept; look when the database is back",
                "the database of corrections went away in the middle of this, and it is not known whether the lesson"
                " was kept; look for it when the database is back",
            ) from error

    def point(self, end: int) -> int:
        """Up to where this index is compacted, by whichever replica: `end`, for the first that asks."""
        with answering(self.url), connect(self.url) as connection:
            row = connection.execute(
                "UPDATE dragoman_index SET compacted_at = coalesce(compacted_at, %s) WHERE index = %s"
                " RETURNING compacted_at",
                [end, self._index],
            ).fetchone()
        if row is None:
            raise lacking(self.url)
        return int(row[0])

    def agreed_point(self) -> int | None:
        """The same where a replica has asked already."""
        with answering(self.url), connect(self.url) as connection:
            row = connection.execute(
                "SELECT compacted_at FROM dragoman_index WHERE index = %s", [self._index]
            ).fetchone()
        return None if row is None else row[0]

    def begin(self, index: int, base: int) -> None:
        """Says that an index has everything up to there.

        Pairs that were added and removed again may lead back to an index of earlier, which then begins further down.
        """
        with answering(self.url), connect(self.url) as connection:
            connection.execute(
                "INSERT INTO dragoman_index (index, series, base) VALUES (%s, %s, %s) ON CONFLICT (index) DO UPDATE"
                " SET series = excluded.series, base = excluded.base, compacted_at = NULL"
                " WHERE dragoman_index.base < excluded.base",
                [name_of(index), self.name, base],
            )

    def forget(self) -> None:
        """Deletes what this index has in its files. Replicas that have not been compacted find it missing."""
        with answering(self.url), connect(self.url) as connection:
            connection.execute("DELETE FROM dragoman_change WHERE series = %s AND start < %s", [self.name, self.base])


class Appender:
    """The end of a series, for who holds it: what the caller did not know, and a way to append once."""

    def __init__(self, series: Series, connection: Any, news: News) -> None:
        self._series = series
        self._connection = connection
        self.news = news

    def append(self, change: Change) -> None:
        """Commits; all replicas are told."""
        name = self._series.name
        with self._connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO dragoman_change (series, start, records, steps) VALUES (%s, %s, %s, %s)",
                [name, change.start, change.records, change.steps],
            )
            cursor.execute("UPDATE dragoman_series SET size = %s WHERE series = %s", [change.end, name])
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, name])
        try:
            self._connection.commit()
        except DatabaseError:
            # The answer may have been lost after the work was done.
            self._connection.close()
            if not self._series.has(change):
                raise


def registered(connection: Any, url: str, index: str) -> tuple[str, int, int]:
    """Series, base and version of an index; one that nobody has brought yet begins a series."""
    # One after another, so that no two make the same thing.
    connection.execute("SELECT pg_advisory_xact_lock(%s)", [SCHEMA_LOCK])
    if connection.execute("SELECT to_regclass('dragoman_series')").fetchone()[0] is None:
        connection.execute(SCHEMA)
    query = "SELECT series, base, version FROM dragoman_index JOIN dragoman_series USING (series) WHERE index = %s"
    row = connection.execute(query, [index]).fetchone()
    if row is None:
        row = index, 0, _core.LOG_VERSION
        connection.execute("INSERT INTO dragoman_series VALUES (%s, %s, 0)", [index, _core.LOG_VERSION])
        connection.execute("INSERT INTO dragoman_index (index, series, base) VALUES (%s, %s, 0)", [index, index])
    series, base, version = row
    if version > _core.LOG_VERSION:
        raise ConfigError(
            f"{place_of(url)}: its corrections were written by a newer version of Dragoman; install that", "corrections"
        )
    there = connection.execute(
        "SELECT size = %s OR EXISTS (SELECT FROM dragoman_change WHERE series = %s AND start = %s)"
        " FROM dragoman_series WHERE series = %s",
        [base, series, base, series],
    ).fetchone()[0]
    if not there:
        raise forgotten(url)
    return series, base, version


def forgotten(url: str) -> ConfigError:
    return ConfigError(
        f"{place_of(url)}: corrections of this model were compacted and deleted; copy the model from a replica that was"
        " compacted",
        "corrections",
    )


def lacking(url: str) -> ConfigError:
    return ConfigError(
        f"{place_of(url)}: the corrections of this model are not in the database any more; bring them back from a"
        " backup, or open the model again to begin anew",
        "corrections",
    )


def name_of(index: int) -> str:
    return f"{index:016x}"
