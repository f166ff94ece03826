"""Which names the lessons of a model have, and where their records stand in its log.

A lesson is a pair that was taught. Whoever teaches the same pair under another name gives the lesson one more: it
counts once, and is there until its last name is gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dragoman.learn.change_log import LogEntry
from dragoman.learn.log_record import REMOVAL, UNNAMING


class LessonTable:
    """What the records of a log, in their order, make of the names that there were before it."""

    def __init__(self, names: Mapping[str, int] | None = None) -> None:
        self._stable_ids: dict[str, int] = {}
        # Names of each lesson, with the place of the record that gave it; none for what was there before the log.
        self._names: dict[int, dict[str, int | None]] = {}
        # Names that were taken away: sources.bin may still have them.
        self._unnamed: dict[int, set[str]] = {}
        # Hashes of the texts of lessons, and the lesson of a text.
        self._texts: dict[int, int] = {}
        self._by_text: dict[int, int] = {}
        # Places of all records of a pair, also of those that were replaced or removed: snapshots may still want them.
        self._history: dict[int, list[int]] = {}
        for name, stable_id in (names or {}).items():
            self._name(name, stable_id, None)

    def note(self, entry: LogEntry) -> None:
        """Takes the next record of the log into account."""
        if entry.kind == REMOVAL:
            self._drop(entry.stable_id)
        elif entry.kind == UNNAMING:
            self._take_name(entry.id, entry.stable_id)
        else:
            if self._texts.get(entry.stable_id) != entry.text:
                self._drop(entry.stable_id)
            self._name(entry.id, entry.stable_id, entry.offset)
            self._texts[entry.stable_id] = entry.text
            self._by_text[entry.text] = entry.stable_id
            self._history.setdefault(entry.stable_id, []).append(entry.offset)

    def _name(self, name: str, stable_id: int, offset: int | None) -> None:
        before = self._stable_ids.get(name, stable_id)
        if before != stable_id:
            self._take_name(name, before)
        self._stable_ids[name] = stable_id
        self._names.setdefault(stable_id, {})[name] = offset
        self._unnamed.get(stable_id, set()).discard(name)

    def _take_name(self, name: str, stable_id: int) -> None:
        if self._stable_ids.get(name) == stable_id:
            del self._stable_ids[name]
        names = self._names.get(stable_id, {})
        names.pop(name, None)
        self._unnamed.setdefault(stable_id, set()).add(name)

    def _drop(self, stable_id: int) -> None:
        for name in self._names.pop(stable_id, {}):
            if self._stable_ids.get(name) == stable_id:
                del self._stable_ids[name]
        text = self._texts.pop(stable_id, None)
        if text is not None and self._by_text.get(text) == stable_id:
            del self._by_text[text]

    def find(self, name: str) -> int | None:
        """The lesson of a name."""
        return self._stable_ids.get(name)

    def place(self, name: str) -> int | None:
        """Where the record stands that gave this name."""
        stable_id = self._stable_ids.get(name)
        return None if stable_id is None else self._names[stable_id][name]

    def names(self) -> dict[str, int]:
        """All names, with the stable ids of their lessons."""
        return dict(self._stable_ids)

    def names_of(self, stable_id: int) -> list[str]:
        return list(self._names.get(stable_id, ()))

    def is_unnamed(self, name: str, stable_id: int) -> bool:
        """Whether a pair had this name and has it no more."""
        return name in self._unnamed.get(stable_id, ())

    def has_text(self, stable_id: int, text: int) -> bool:
        return self._texts.get(stable_id) == text

    def with_text(self, text: int) -> int | None:
        """The lesson whose texts have this hash."""
        return self._by_text.get(text)

    def has(self, stable_id: int) -> bool:
        return bool(self._names.get(stable_id))

    def is_added(self, stable_id: int) -> bool:
        """Whether it has a record in the log."""
        return stable_id in self._texts

    def added(self) -> list[int]:
        """Lessons that have a record in the log."""
        return [stable_id for stable_id in self._names if stable_id in self._texts]

    def offsets(self, stable_id: int) -> list[int]:
        """Places of the records that gave a lesson its names."""
        return [offset for offset in self._names.get(stable_id, {}).values() if offset is not None]

    def offset(self, stable_id: int, end: int | None = None) -> int | None:
        """The place of the latest record of a lesson, or of the latest before the end that a snapshot has."""
        if end is None:
            return max(self.offsets(stable_id), default=None)
        return max((offset for offset in self._history.get(stable_id, ()) if offset < end), default=None)

    def also(self, name: str, stable_id: int) -> None:
        """Notes a name of a pair that others keep the record of."""
        self._name(name, stable_id, None)

    def excerpt(self, stable_ids: Iterable[int]) -> LessonTable:
        """What there is of these lessons, to try changes on."""
        part = LessonTable()
        for stable_id in stable_ids:
            for name, offset in self._names.get(stable_id, {}).items():
                part._name(name, stable_id, offset)
            if (text := self._texts.get(stable_id)) is not None:
                part._texts[stable_id] = text
                if self._by_text.get(text) == stable_id:
                    part._by_text[text] = stable_id
        return part
