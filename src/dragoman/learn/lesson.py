"""A lesson: a pair that a model was taught, under one name or several."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from dragoman.index.sources import SourceRecord
from dragoman.learn.imports import ADDED_AT, import_of
from dragoman.learn.memory import memory_of, own_name

EARLIEST = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A pair with a record for each of its names: where that came from, and when."""

    records: tuple[SourceRecord, ...]

    @property
    def stable_id(self) -> int:
        return self.records[0].stable_id

    @property
    def memory(self) -> str:
        """The memory that it belongs to."""
        return memory_of(self.records[0].id)

    @property
    def ids(self) -> list[str]:
        """Its names in that memory."""
        return [own_name(record.id) for record in self.records]

    @property
    def source(self) -> str:
        return self.records[0].source

    @property
    def target(self) -> str:
        return self.records[0].target

    @property
    def added(self) -> datetime | None:
        """When it was taught last; None where an earlier version taught it."""
        return max((moment for record in self.records if (moment := added_at(record)) is not None), default=None)

    def as_json(self) -> dict[str, Any]:
        added = self.added
        return {
            "memory": self.memory,
            "ids": self.ids,
            "source": self.source,
            "target": self.target,
            "added": added and added.isoformat().replace("+00:00", "Z"),
            "imports": sorted({import_of(record.attributes) for record in self.records} - {""}),
            "places": sorted({record.place for record in self.records if record.file}),
        }


def by_time(lessons: Iterable[Lesson]) -> list[Lesson]:
    """The last one last; those of which the time is not known come first."""
    return sorted(lessons, key=lambda lesson: lesson.added or EARLIEST)


def added_at(record: SourceRecord) -> datetime | None:
    try:
        moment = datetime.fromisoformat(record.attributes.get(ADDED_AT, ""))
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else None
