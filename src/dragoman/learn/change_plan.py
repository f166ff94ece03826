"""What is written to the log so that pairs are learned, or names forgotten: in one piece, which counts all or none."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from dragoman import _core
from dragoman.learn.change_log import LogEntry
from dragoman.learn.lesson_table import LessonTable
from dragoman.learn.log_record import ADDITION, REMOVAL, UNNAMING, LogRecord
from dragoman.learn.memory import full_name, memory_of


def text_of(record: LogRecord) -> int:
    """The same for two pairs that were given alike to one memory; what the log says of the texts of an addition."""
    source = full_name(record.source_text, memory_of(record.id))
    return _core.hash_bytes(source.encode() + bytes(1) + record.target_text.encode())


class ChangePlan:
    """Records that follow from each other. They are tried on a part of the table, which nobody else sees."""

    def __init__(
        self,
        table: LessonTable,
        trained: Callable[[str], list[int]],
        free: Callable[[str, set[int]], int],
        shares: bool,
    ) -> None:
        """`trained` finds pairs of the training text by name, `free` a stable id that nobody has; `shares` says whether
        a lesson can have several names."""
        self.records: list[LogRecord] = []
        self._table = table
        self._trained = trained
        self._free = free
        self._shares = shares
        self._given: set[int] = set()

    def add(self, record: LogRecord) -> None:
        """Teaches a pair; whatever had its name has it no more."""
        text = text_of(record)
        before = self._find(record.id)
        if before and self._table.has_text(before[0], text):
            self._write(record, before[0], text)
            return
        same = self._table.with_text(text) if self._shares else None
        others = bool(before) and self._is_shared(before[0])
        kept = before[0] if before and not others else self._free(record.id, self._given)
        self._write(record, kept if same is None else same, text)
        # After it, so that the record of a name follows the one that it had before.
        if before and (others or same is not None):
            self._write(LogRecord(UNNAMING if others else REMOVAL, record.id), before[0], 0)

    def remove(self, name: str) -> bool:
        """Forgets a name, and the pair with the last one; says whether there was one."""
        stable_ids = self._find(name)
        for stable_id in stable_ids:
            self._write(LogRecord(UNNAMING if self._is_shared(stable_id) else REMOVAL, name), stable_id, 0)
        return bool(stable_ids)

    def _find(self, name: str) -> list[int]:
        lesson_id = self._table.find(name)
        if lesson_id is not None:
            return [lesson_id]
        gone = {record.stable_id for record in self.records if record.kind == REMOVAL}
        return [stable_id for stable_id in self._trained(name) if stable_id not in gone]

    def _is_shared(self, stable_id: int) -> bool:
        return self._shares and len(self._table.names_of(stable_id)) > 1

    def _write(self, record: LogRecord, stable_id: int, text: int) -> None:
        self.records.append(dataclasses.replace(record, stable_id=stable_id))
        self._table.note(LogEntry(record.kind, stable_id, record.id, text, len(self.records)))
        if record.kind == ADDITION:
            self._given.add(stable_id)
