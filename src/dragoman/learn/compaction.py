"""One index again: what was added goes into the files of the model, what was removed leaves them.

The new directory takes the old one's place in one step. Whoever has the old one open goes on with it until its next
look; pairs that are added or removed while compaction runs are carried over. Afterwards the text of a removed pair is
in no file of the index, the sources or the alignment model. Language models are not taken apart: what they learned from
a pair stays until they are built again.
"""

from __future__ import annotations

import dataclasses
import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dragoman import _core
from dragoman.index.sources import SourceRecord, Sources, write_sources
from dragoman.learn.names import NAMES, write_names
from dragoman.learn.overlay import Overlay, Recovery, open_overlay
from dragoman.learn.steps_file import STEPS
from dragoman.model.directory import payload_hash, revising_model, sweep_model
from dragoman.model.manifest import OBSOLETE
from dragoman.progress import Progress

# What learned from the pairs beside the index.
LANGUAGE_MODELS = ("lm.bin", "nlm.bin", "source_nlm.bin", "judge.bin")


@dataclass(frozen=True, slots=True)
class Compaction:
    """What compaction did: pairs now in the index, those added to it and removed from it, and words that are gone."""

    pairs: int
    added: int
    removed: int
    words_gone: int
    # Language models of the model, and its judge, which still hold what they learned.
    language_models: list[str]
    recovery: Recovery

    def as_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


def compact(path: str | Path, *, corrections: str | None = None, progress: Progress | None = None) -> Compaction:
    """Merges the overlay of a model directory into its index.

    Of `corrections` in a database all replicas merge as many, so that their files are equal; what an earlier compaction
    has merged is deleted there.
    """
    overlay = open_overlay(path, corrections)
    overlay.log.drop_compacted()
    changed = bool(overlay.added() or overlay.index.removed)
    point = overlay.log.point() if changed else overlay.log.agreed_point()
    if point not in (None, overlay.log.offset):
        overlay = open_overlay(path, corrections, point)
    sweep_model(overlay.model.path)
    model, index = overlay.model, overlay.index
    end = overlay.log.offset
    added, removed = len(overlay.added()), index.removed
    before = index.pairs
    kept_models = [name for name in LANGUAGE_MODELS if model.has(name)]
    if not added and not removed:
        return Compaction(before, 0, 0, 0, kept_models, overlay.recovery)

    def carry(old: Path, new: Path) -> None:
        # The lock is held: nothing is appended any more.
        if payload := payload_hash(new / "bitext.bin"):
            overlay.log.carry(new, int(payload, 16), end)

    gone: tuple[list[str], list[str]] = ([], [])
    counts: dict[str, int] = {}
    with revising_model(model, lambda manifest: manifest, carry) as directory:
        counts, *both = index.compact(str(model.path), str(directory), progress)
        gone = (both[0], both[1])
        (directory / NAMES).unlink(missing_ok=True)
        overlay.write_steps(directory / STEPS)
        # Earlier versions kept text in other files, too.
        for name in OBSOLETE:
            (directory / name).unlink(missing_ok=True)
        names = overlay.names()
        if model.has("sources.bin"):
            first = write_merged_sources(directory / "sources.bin", overlay)
            names = {name: stable_id for name, stable_id in names.items() if first.get(stable_id) != name}
        if names:
            write_names(directory / NAMES, names)
        if model.has("align.bin") and any(gone):
            core = _core.AlignmentModel.open(str(model.file("align.bin")), True)
            core.without(*gone).save(str(directory / "align.bin"))
    return Compaction(counts["sentences"], added, removed, len(gone[0]) + len(gone[1]), kept_models, overlay.recovery)


def write_merged_sources(out: Path, overlay: Overlay) -> dict[int, str]:
    """The records of the pairs that are there, in order of stable ids; returns the names that lessons have there."""
    index = overlay.index
    added = set(overlay.added())
    first: dict[int, str] = {}

    def old_records() -> Iterator[SourceRecord]:
        for record in Sources.open(overlay.model.file("sources.bin"), trust=True):
            if index.has(record.stable_id) and record.stable_id not in added:
                names = [] if overlay.is_unnamed(record.id, record.stable_id) else [record.id]
                names += overlay.names_of(record.stable_id)
                first[record.stable_id] = names[0]
                yield dataclasses.replace(record, id=names[0])

    def new_records() -> Iterator[SourceRecord]:
        for lesson in sorted(overlay.lessons(), key=lambda lesson: lesson.stable_id):
            first[lesson.stable_id] = lesson.records[0].id
            yield lesson.records[0]

    write_sources(out, heapq.merge(old_records(), new_records(), key=lambda record: record.stable_id))
    return first
