"""sources.bin: where each sentence pair of a model came from, so that a translation can show its examples.

A record holds both texts as they were before tokenization, the pair's own id, file, line, unit and attributes. It is
found by the number the index knows the pair by, its stable id, or by its own id. The core reads the file
(core/index/sources.h has the format); here it is written, with zlib's help.
"""

from __future__ import annotations

import itertools
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from dragoman import _core
from dragoman.errors import InputError
from dragoman.files import reading
from dragoman.progress import Progress

BATCH_RECORDS = 4096
# Names of files may hold what is no character, and a reader of JSON takes half a surrogate pair for a character.
NOT_UTF_8 = "surrogatepass"


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """One pair: `stable_id` is its number in the index, `id` its own name, `line` counts from 1 (0: none known)."""

    stable_id: int
    id: str
    source: str
    target: str
    file: str = ""
    line: int = 0
    unit: str = ""
    attributes: dict[str, str] = field(default_factory=dict)

    @property
    def place(self) -> str:
        """File and line or unit, as a person would look them up."""
        where = str(self.line) if self.line else self.unit
        return f"{self.file}:{where}" if where and self.file else self.file or where or self.id


@dataclass(frozen=True, slots=True)
class SourcesReport:
    """What was written."""

    pairs: int
    bytes: int

    def as_json(self) -> dict[str, Any]:
        return {"pairs": self.pairs, "bytes": self.bytes, "bytes_per_pair": self.bytes / max(1, self.pairs)}


class Sources:
    """The sources of a model. Safe to share between threads."""

    def __init__(self, core: _core.Sources) -> None:
        self._core = core

    @classmethod
    def open(cls, path: str | Path, *, trust: bool = False) -> Sources:
        return cls(_core.Sources.open(str(path), trust))

    def __len__(self) -> int:
        return self._core.pairs

    def __iter__(self) -> Iterator[SourceRecord]:
        """All records by rising stable id; one block at a time is in memory."""
        for block in range(self._core.blocks):
            yield from map(record_of, self._core.read_block(block))

    def since(self, stable_id: int) -> Iterator[SourceRecord]:
        """Records from this stable id on; costs no more than these are."""
        first = self._core.blocks
        while first > 0 and all(fields[0] >= stable_id for fields in self._core.read_block(first - 1)[:1]):
            first -= 1
        for block in range(max(first - 1, 0), self._core.blocks):
            records = map(record_of, self._core.read_block(block))
            yield from (record for record in records if record.stable_id >= stable_id)

    def get(self, stable_id: int) -> SourceRecord | None:
        if not 0 <= stable_id < 1 << 64:
            return None
        fields = self._core.get(stable_id)
        return None if fields is None else record_of(fields)

    def find(self, id: str) -> list[int]:
        """Stable ids of the pairs that have this id of their own; ids of different files may be the same."""
        return self._core.find(id.encode("utf-8", NOT_UTF_8))


def record_of(fields: _core.SourceTuple) -> SourceRecord:
    stable_id, own, source, target, file, line, unit, attributes = fields
    return SourceRecord(
        stable_id,
        text_of(own),
        text_of(source),
        text_of(target),
        text_of(file),
        line,
        text_of(unit),
        {text_of(key): text_of(value) for key, value in attributes},
    )


def text_of(data: bytes) -> str:
    try:
        return data.decode("utf-8", NOT_UTF_8)
    except UnicodeDecodeError:
        # Only a file that was tampered with holds such text.
        return data.decode("utf-8", "replace")


def tuple_of(record: SourceRecord) -> _core.SourceTuple:
    def encoded(text: str) -> bytes:
        return text.encode("utf-8", NOT_UTF_8)

    return (
        record.stable_id,
        encoded(record.id),
        encoded(record.source),
        encoded(record.target),
        encoded(record.file),
        record.line,
        encoded(record.unit),
        [(encoded(key), encoded(value)) for key, value in record.attributes.items()],
    )


def compressed(plain: bytes, dictionary: bytes) -> bytes:
    """Raw DEFLATE, without zlib's header."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_DEFAULT_STRATEGY, dictionary)
    return packer.compress(plain) + packer.flush()


def write_sources(
    out: str | Path, records: Iterable[SourceRecord], *, progress: Progress | None = None
) -> SourcesReport:
    """Writes records that come by rising stable id; the file appears whole or not at all."""
    return write_tuples(out, map(tuple_of, records), progress)


def write_tuples(out: str | Path, tuples: Iterator[_core.SourceTuple], progress: Progress | None) -> SourcesReport:
    builder = _core.SourcesBuilder(compressed)
    while batch := list(itertools.islice(tuples, BATCH_RECORDS)):
        builder.add(batch)
        if progress is not None:
            progress(builder.pairs, 0)
    builder.write(str(out))
    return SourcesReport(builder.pairs, Path(out).stat().st_size)


def write_prepared(
    out: str | Path,
    source: str | Path,
    target: str | Path,
    origins: str | Path | None = None,
    *,
    chosen: Sequence[int] | None = None,
    progress: Progress | None = None,
) -> SourcesReport:
    """Writes what `corpus prepare` left: two texts and their .origin.jsonl. The line's number from 0 is the stable id;
    where pairs were chosen, its number among them.

    Without origins, the file and line of the source text are the origin.
    """
    with reading(source) as ours, reading(target) as theirs:
        if origins is None:
            places: Iterator[bytes | None] = itertools.repeat(None)
            tuples = prepared_tuples(source, target, ours, theirs, places, "")
            return write_tuples(out, only_chosen(tuples, chosen), progress)
        with reading(origins) as stream:
            tuples = prepared_tuples(source, target, ours, theirs, iter(stream), origins)
            return write_tuples(out, only_chosen(tuples, chosen), progress)


def only_chosen(tuples: Iterator[_core.SourceTuple], chosen: Sequence[int] | None) -> Iterator[_core.SourceTuple]:
    """Those whose numbers are among the chosen ones, which rise, numbered anew."""
    if chosen is None:
        yield from tuples
        return
    wanted = iter(chosen)
    next_one, number = next(wanted, None), 0
    for record in tuples:
        if record[0] == next_one:
            yield (number, *record[1:])
            next_one, number = next(wanted, None), number + 1


def prepared_tuples(
    source: str | Path,
    target: str | Path,
    ours: BinaryIO,
    theirs: BinaryIO,
    places: Iterator[bytes | None],
    origins: str | Path,
) -> Iterator[_core.SourceTuple]:
    plain_name = str(source).encode("utf-8", NOT_UTF_8)
    for number in itertools.count():
        line, other = ours.readline(), theirs.readline()
        place = next(places, b"")
        if not line and not other and not place:
            return
        if not line or not other or place == b"":
            raise InputError(
                f"{source}, {target}{f' and {origins}' if origins else ''} have different numbers of lines; one ends"
                f" before line {number + 1}",
                number + 1,
            )
        own, file, at, unit, attributes = (
            (b"%s:%d" % (plain_name, number + 1), plain_name, number + 1, b"", [])
            if place is None
            else parsed(place, number + 1, origins)
        )
        yield number, own, line.rstrip(b"\r\n"), other.rstrip(b"\r\n"), file, at, unit, attributes


def parsed(line: bytes, number: int, path: str | Path) -> tuple[bytes, bytes, int, bytes, list[tuple[bytes, bytes]]]:
    """A line of .origin.jsonl."""

    def encoded(value: Any) -> bytes:
        if not isinstance(value, str):
            raise TypeError
        return value.encode("utf-8", NOT_UTF_8)

    try:
        entry = json.loads(line)
        attributes = [(encoded(key), encoded(value)) for key, value in entry.get("attributes", {}).items()]
        at = entry.get("line", 0)
        if type(at) is not int or not 0 <= at < 1 << 62:
            raise TypeError
        return encoded(entry["id"]), encoded(entry["file"]), at, encoded(entry.get("unit", "")), attributes
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise InputError(
            f"{path}, line {number}: is not an origin as `dragoman corpus prepare` writes it", number
        ) from None
