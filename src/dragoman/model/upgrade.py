"""`dragoman upgrade`: a model directory of an earlier version loses what this version would not write any more.

Earlier versions' models can be used as they are. Files that nothing reads are dropped, and a log of changes of an
earlier version is written anew, with the same records. All other files stay byte for byte, and the words of format 1
keep the marks of spacing that they have in them: only training again gives others. The new directory takes the old
one's place in one step, while nobody adds or removes pairs.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dragoman import _core
from dragoman.learn.log import OverlayLog, renew_log
from dragoman.learn.overlay import bitext_hash
from dragoman.model.directory import ModelDirectory, link_overlay, revising_model
from dragoman.model.manifest import LOG, OBSOLETE, OVERLAY


@dataclass(frozen=True, slots=True)
class Upgrade:
    """What was done: files that were dropped and their bytes, the log's version before. `format` stays what it was."""

    format: int
    dropped: list[str]
    dropped_bytes: int
    log_version: int

    def __bool__(self) -> bool:
        """Whether there was anything to do."""
        return bool(self.dropped) or self.log_version != _core.LOG_VERSION

    def sentences(self) -> Iterator[str]:
        for name in self.dropped:
            yield f"dropped {name} ({OBSOLETE[name]}), which this version does not read"
        if self.log_version != _core.LOG_VERSION:
            yield f"the log of added and removed pairs became version {_core.LOG_VERSION}; it was {self.log_version}"

    def as_json(self) -> dict[str, Any]:
        return {"changed": bool(self), **dataclasses.asdict(self)}


def upgrade(path: str | Path) -> Upgrade:
    """Brings a model directory to the present format, after reading every byte of it; a present one stays untouched."""
    model = ModelDirectory.open(path, verify=True)
    dropped = [name for name in OBSOLETE if model.has(name)]
    size = sum(model.file(name).stat().st_size for name in dropped)
    todo = Upgrade(model.manifest.format, dropped, size, log_version(model))
    if todo:
        with revising_model(model, lambda manifest: manifest, carried_log) as directory:
            for name in dropped:
                (directory / name).unlink()
    return todo


def log_version(model: ModelDirectory) -> int:
    """Of the log there is, else the present one."""
    if not model.has("bitext.bin"):
        return _core.LOG_VERSION
    log = OverlayLog(model.path, bitext_hash(model))
    log.read_news()
    return log.version


def carried_log(old: Path, new: Path) -> None:
    """The overlay of the new directory; the model's lock is held, so that nothing is appended meanwhile."""
    if not renew_log(old / OVERLAY / LOG, new / OVERLAY / LOG):
        link_overlay(old, new)
