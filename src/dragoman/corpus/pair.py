"""A sentence pair and where it came from."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from dragoman import files


@dataclass(frozen=True, slots=True)
class Origin:
    """The file a pair was read from, its line (1-based) or unit there, and what the file says about it."""

    file: str
    line: int = 0
    unit: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Only what is known, in a fixed order."""
        known: dict[str, Any] = {"file": self.file}
        if self.line:
            known["line"] = self.line
        if self.unit:
            known["unit"] = self.unit
        if self.attributes:
            known["attributes"] = dict(self.attributes)
        return known

    def __str__(self) -> str:
        place = self.line or self.unit
        return f"{self.file}:{place}" if place else self.file


@dataclass(frozen=True, slots=True)
class SentencePair:
    """Two texts that mean the same. `id` is stable: the file's own where it has one, else file and line."""

    source: str
    target: str
    id: str
    origin: Origin


@dataclass(slots=True)
class Account:
    """What a reader tells besides pairs: units that gave none, by reason, and how far into its files it is."""

    skipped: Counter[str] = field(default_factory=Counter)
    streams: list[BinaryIO] = field(default_factory=list)

    @contextlib.contextmanager
    def reading(self, path: str | Path) -> Iterator[BinaryIO]:
        """files.reading, with the stream on record while it is open."""
        with files.reading(path) as stream:
            self.streams.append(stream)
            try:
                yield stream
            finally:
                self.streams.remove(stream)

    def position_bytes(self) -> int:
        """Bytes of the open files that have been read so far, as they lie on disk."""
        return sum(raw_position(stream) for stream in self.streams)


def raw_position(stream: BinaryIO) -> int:
    # Each kind of compressed file has another name for what it decompresses; a plain file is itself.
    raw = next((inner for name in ("fileobj", "_fp", "_fileobj") if (inner := getattr(stream, name, None))), stream)
    try:
        return int(raw.tell())
    except (OSError, ValueError):
        return 0
