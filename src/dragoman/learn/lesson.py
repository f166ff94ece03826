"""A lesson: a pair that a model was taught, under one name or several, and which lessons are meant."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from dragoman.errors import ConfigError
from dragoman.index.sources import SourceRecord
from dragoman.learn.imports import ADDED_AT, IMPORT

EARLIEST = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A pair with a record for each of its names: where that came from, and when."""

    records: tuple[SourceRecord, ...]

    @property
    def stable_id(self) -> int:
        return self.records[0].stable_id

    @property
    def ids(self) -> list[str]:
        return [record.id for record in self.records]

    @property
    def source(self) -> str:
        return self.records[0].source

    @property
    def target(self) -> str:
        return self.records[0].target

    @property
    def added(self) -> datetime | None:
        """When it was taught last; None where an earlier version taught it."""
        return max((each for record in self.records if (each := added_at(record)) is not None), default=None)

    def as_json(self) -> dict[str, Any]:
        added = self.added
        return {
            "ids": self.ids,
            "source": self.source,
            "target": self.target,
            "added": added and added.isoformat().replace("+00:00", "Z"),
            "imports": sorted({import_of(record) for record in self.records} - {""}),
            "places": sorted({record.place for record in self.records if record.file}),
        }


def by_time(lessons: Iterable[Lesson]) -> list[Lesson]:
    """The last one last; those of which the time is not known come first."""
    return sorted(lessons, key=lambda lesson: lesson.added or EARLIEST)


def added_at(record: SourceRecord) -> datetime | None:
    try:
        found = datetime.fromisoformat(record.attributes.get(ADDED_AT, ""))
    except ValueError:
        return None
    return found if found.tzinfo is not None else None


def import_of(record: SourceRecord) -> str:
    return record.attributes.get(IMPORT, "")


@dataclass(frozen=True, slots=True)
class LessonQuery:
    """Which lessons: those that all of this is true of."""

    # Each of its words occurs in a text or a name.
    text: str = ""
    # The file that it came from, by its path or the end of it.
    file: str = ""
    since: datetime | None = None
    ids: tuple[str, ...] = ()
    import_id: str = ""

    def __bool__(self) -> bool:
        return bool(self.text.strip() or self.file or self.since or self.ids or self.import_id)

    def matches(self, record: SourceRecord) -> bool:
        added = added_at(record)
        return (
            (not self.ids or record.id in self.ids)
            and (not self.file or record.file == self.file or record.file.endswith(f"/{self.file}"))
            and (self.since is None or (added is not None and added >= self.since))
            and (not self.import_id or import_of(record) == self.import_id)
            and self._has_words(record)
        )

    def _has_words(self, record: SourceRecord) -> bool:
        if not self.text:
            return True
        text = f"{record.source}\n{record.target}\n{record.id}".casefold()
        return all(word in text for word in self.text.casefold().split())


def moment(text: str, option: str = "since") -> datetime:
    """A day or a time as people write it; without a zone it is that of this machine."""
    try:
        return datetime.fromisoformat(text.strip()).astimezone()
    except (ValueError, OverflowError):
        raise ConfigError(f"{text!r} is no time; write a day such as 2026-05-31, or 2026-05-31T17:30", option) from None
