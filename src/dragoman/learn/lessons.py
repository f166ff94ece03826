"""What a model was taught since it was trained, whether compaction has merged it into the index or not."""

from __future__ import annotations

from collections.abc import Iterator

from dragoman.index.sources import SourceRecord, Sources
from dragoman.learn.overlay import ADDED, Overlay


def all_records(overlay: Overlay, sources: Sources | None) -> Iterator[SourceRecord]:
    """Records of the pairs that are there, trained ones first; those of which no record was kept are left out."""
    added = overlay.added()
    later = set(added)
    for record in sources or ():
        if record.stable_id not in later and overlay.index.has(record.stable_id):
            yield record
    for stable_id in added:
        found = overlay.source(stable_id)
        if found is not None:
            yield found


def lesson_records(overlay: Overlay, sources: Sources | None) -> Iterator[SourceRecord]:
    """Those that were added, in the order of `all_records`."""
    later = set(overlay.added())
    return (each for each in all_records(overlay, sources) if each.stable_id & ADDED or each.stable_id in later)


def unrecorded(overlay: Overlay, sources: Sources | None) -> Iterator[tuple[int, str]]:
    """Stable ids and names of lessons that were merged into the index of a model that keeps no sources."""
    if sources is None:
        later = set(overlay.added())
        yield from ((stable_id, name) for stable_id, name in overlay.names().items() if stable_id not in later)
