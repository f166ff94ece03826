"""What was taught together: one command, one request, one call. It is noted with every lesson, so that all of it can be
found and taken back.

A lesson's origin has, besides its place, when it was added and by which import, as attributes: they stay with it
through compaction and export. Lessons of earlier versions have neither.
"""

from __future__ import annotations

import dataclasses
import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from dragoman.learn.change_log import ChangeLog
from dragoman.learn.lesson_table import LessonTable
from dragoman.learn.log_record import ADDITION, LogRecord

ADDED_AT, IMPORT = "added", "import"


@dataclass(frozen=True, slots=True)
class Undone:
    """What an undo did: names that the import had given, those that have again what they had before, and those of pairs
    of the training text that it had replaced, which stay out."""

    import_id: str
    taken_back: int
    restored: int
    trained: int = 0


def new_import() -> str:
    """A name for what is taught together; later ones sort after earlier ones."""
    return f"{datetime.now(UTC):%Y%m%dT%H%M%S.%f}-{secrets.token_hex(3)}"


def said_when(record: LogRecord, import_id: str) -> LogRecord:
    """The record with the time, and the import that it is part of."""
    origin = json.loads(record.origin) if record.origin else {}
    now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    attributes = {**attributes_of(record), ADDED_AT: now, IMPORT: import_id}
    return dataclasses.replace(record, origin=json.dumps({**origin, "attributes": attributes}, ensure_ascii=False))


def before_import(log: ChangeLog, import_id: str, names: Iterable[str]) -> dict[str, LogRecord | None]:
    """For each of the names that an import gave: the record that it had before, if any."""
    before: dict[str, LogRecord | None] = dict.fromkeys(names)
    seen: set[str] = set()
    table = LessonTable()
    given: dict[int, LogRecord] = {}
    entries = log.entries()
    for entry, record in zip(entries, log.records(entry.offset for entry in entries), strict=True):
        if record is not None and entry.kind == ADDITION:
            given[entry.offset] = record
            if entry.id in before and entry.id not in seen and import_of(attributes_of(record)) == import_id:
                seen.add(entry.id)
                place = table.place(entry.id)
                before[entry.id] = None if place is None else given.get(place)
        table.note(entry)
    # Somebody may have taught a name anew meanwhile.
    taught = {name: given.get(place) for name in before if (place := table.place(name)) is not None}
    later = {name for name, record in taught.items() if record is None or import_of(attributes_of(record)) != import_id}
    return {name: record for name, record in before.items() if name not in later}


def import_of(attributes: Mapping[str, str]) -> str:
    """The import that a lesson of these attributes came with; empty for one of earlier versions."""
    return attributes.get(IMPORT, "")


def attributes_of(record: LogRecord) -> dict[str, str]:
    return origin_of(record.origin)[3]


def origin_of(text: str) -> tuple[str, int, str, dict[str, str]]:
    """File, line, unit and attributes of an origin as JSON; what does not look like one says nothing."""
    try:
        origin = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        origin = {}
    known = origin if isinstance(origin, dict) else {}
    line, attributes = known.get("line", 0), known.get("attributes", {})
    return (
        str(known.get("file", "")),
        line if isinstance(line, int) else 0,
        str(known.get("unit", "")),
        {str(key): str(value) for key, value in attributes.items()} if isinstance(attributes, dict) else {},
    )
