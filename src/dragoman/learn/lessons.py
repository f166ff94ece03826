"""What a model was taught since it was trained, whether compaction has merged it into the index or not."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from dragoman.index.sources import SourceRecord, Sources
from dragoman.learn.lesson import Lesson
from dragoman.learn.overlay import ADDED, Overlay


def all_records(overlay: Overlay, sources: Sources | None) -> Iterator[SourceRecord]:
    """Records of the pairs that are there, trained ones first; those of which no record was kept are left out."""
    later = set(overlay.added())
    for record in sources or ():
        if record.stable_id not in later and overlay.index.has(record.stable_id):
            yield record
    yield from (lesson.records[0] for lesson in overlay.lessons())


def recorded_lessons(overlay: Overlay, sources: Sources | None) -> Iterator[Lesson]:
    """Those of which there is a record, as it was given; what was merged into the index comes first."""
    later = set(overlay.added())
    for record in sources.since(ADDED) if sources is not None else ():
        if record.stable_id not in later and overlay.index.has(record.stable_id):
            yield Lesson(tuple(with_names(record, overlay)))
    yield from overlay.lessons()


def with_names(record: SourceRecord, overlay: Overlay) -> Iterator[SourceRecord]:
    """A record of sources.bin under each of its pair's names."""
    own = [] if overlay.is_unnamed(record.id, record.stable_id) else [record.id]
    for name in [*own, *overlay.names_of(record.stable_id)]:
        yield dataclasses.replace(record, id=name)


def unrecorded(overlay: Overlay, sources: Sources | None) -> Iterator[tuple[int, list[str]]]:
    """Stable ids and names of lessons that were merged into the index of a model that keeps no sources."""
    if sources is None:
        later = set(overlay.added())
        for stable_id in dict.fromkeys(overlay.names().values()):
            if stable_id not in later:
                yield stable_id, overlay.names_of(stable_id)
