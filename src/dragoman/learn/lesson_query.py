"""Which lessons are meant."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from dragoman.errors import ConfigError
from dragoman.index.sources import SourceRecord
from dragoman.learn.lesson import added_at
from dragoman.learn.memory import memory_of, own_name


@dataclass(frozen=True, slots=True)
class LessonQuery:
    """Which lessons: those that all of this is true of."""

    # Each of its words occurs in a text or a name.
    text: str = ""
    # The file that it came from, by its path or the end of it.
    file: str = ""
    since: datetime | None = None
    ids: tuple[str, ...] = ()
    memory: str = ""

    def __bool__(self) -> bool:
        return bool(self.text.strip() or self.file or self.since or self.ids or self.memory)

    def matches(self, record: SourceRecord) -> bool:
        added = added_at(record)
        return (
            (not self.ids or own_name(record.id) in self.ids)
            and (not self.memory or memory_of(record.id) == self.memory)
            and (not self.file or record.file == self.file or record.file.endswith(f"/{self.file}"))
            and (self.since is None or (added is not None and added >= self.since))
            and self._has_words(record)
        )

    def _has_words(self, record: SourceRecord) -> bool:
        if not self.text:
            return True
        text = f"{record.source}\n{record.target}\n{own_name(record.id)}".casefold()
        return all(word in text for word in self.text.casefold().split())


def moment(text: str, option: str = "since") -> datetime:
    """A day or a time as people write it; without a zone it is that of this machine."""
    try:
        return datetime.fromisoformat(text.strip()).astimezone()
    except (ValueError, OverflowError):
        raise ConfigError(f"{text!r} is no time; write a day such as 2026-05-31, or 2026-05-31T17:30", option) from None
