"""What was added to a model and removed from it since it was built, and the ways to do either.

Every change is written to the log and synced before it takes effect, so whoever was told of it finds it again. Other
processes and other translators of the same model read on in the log before they translate.

People name pairs by strings, the index by numbers. The number of a new pair is a hash of its name with a bit that no
line number of a training corpus has; should two names meet, the later one takes the next free number. The log keeps
both, so the numbers stay.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from dragoman import _core
from dragoman.config import LiveOptions
from dragoman.errors import FormatError
from dragoman.index.sources import SourceRecord, Sources
from dragoman.learn.change_log import ChangeLog, LogEntry, LogPiece
from dragoman.learn.change_plan import ChangePlan, text_of
from dragoman.learn.imports import Undone, before_import, new_import, origin_of, said_when
from dragoman.learn.lesson import Lesson
from dragoman.learn.lesson_table import LessonTable
from dragoman.learn.log_place import open_log
from dragoman.learn.log_record import ADDITION, LogRecord, encode_records
from dragoman.learn.memory import DEFAULT, own_name
from dragoman.learn.names import NAMES, read_names
from dragoman.learn.new_pairs import LinkedWords, NewPair, NewPairs, Tokenize
from dragoman.learn.steps import Steps
from dragoman.learn.steps_file import STEPS
from dragoman.learn.weight_steps import Step
from dragoman.model.directory import ModelDirectory, payload_hash
from dragoman.model.manifest import MANIFEST

Pinned = TypeVar("Pinned")
# What pairs of the training text are called in a model without sources: line:1, line:2, ...
LINE = "line:"

# Set in the stable ids of added pairs; the bits below are the hash.
ADDED = 1 << 56
HASH = ADDED - 1


@dataclass(frozen=True, slots=True)
class Recovery:
    """What reading or writing the log had to pass over.

    Bytes of damaged records and of a tail half written, and records that are whole but that nobody can follow.
    """

    damaged: int = 0
    torn: int = 0
    refused: int = 0

    def __bool__(self) -> bool:
        return bool(self.damaged or self.torn or self.refused)

    def with_more(self, damaged: int = 0, torn: int = 0, refused: int = 0) -> Recovery:
        return Recovery(self.damaged + damaged, self.torn + torn, self.refused + refused)

    def sentence(self, place: str) -> str:
        parts = []
        if self.refused:
            parts.append(f"{self.refused} records that make no sense were passed over")
        if self.torn:
            parts.append(f"{self.torn} bytes at the end, which a writer left half written, were cut off")
        if self.damaged:
            parts.append(f"{self.damaged} damaged bytes were passed over; what they held is lost")
        return f"{place}: {' and '.join(parts)}"


class Overlay:
    """The changes of one opened model. Safe to share between threads."""

    def __init__(
        self,
        model: ModelDirectory,
        index: _core.LiveIndex,
        tokenize: Tokenize | None = None,
        log: ChangeLog | None = None,
    ) -> None:
        """Without `tokenize`, which gives the tokens of a pair, nothing can be added. Without `log`, changes are those
        of the model directory."""
        self.model = model
        self._index = index
        self._pairs = NewPairs(model, tokenize) if tokenize is not None else None
        self._lock = threading.Lock()  # while the log is read or written
        self._applying = threading.Lock()  # while the index and what is noted here change
        self._applied = 0  # the end of what they have of the log
        self._log = log or open_log(model.path, bitext_hash(model))
        self._table = LessonTable(read_names(model.file(NAMES)) if model.has(NAMES) else {})
        self._steps = Steps(model.file(STEPS).read_bytes() if model.has(STEPS) else b"")
        self.recovery = Recovery()
        self._identity = identity(model.path)
        self.refresh()

    @property
    def index(self) -> _core.LiveIndex:
        return self._index

    @property
    def log(self) -> ChangeLog:
        return self._log

    def replaced(self) -> bool:
        """Whether another model directory has taken the place of the one that was opened."""
        now = identity(self.model.path)
        return now is not None and now != self._identity

    def refresh(self) -> None:
        """Takes over what others have written since; costs a look at the file's size if that is nothing."""
        if not self._log.has_news():
            return
        with self._lock:
            self._read_news()

    def _read_news(self) -> LogPiece:
        piece = self._log.read_news()
        self.recovery = self.recovery.with_more(damaged=piece.damaged, refused=piece.refused)
        self._steps.take(piece.steps)
        self._apply(piece)
        return piece

    def _apply(self, piece: LogPiece) -> None:
        with self._applying:
            for entry in piece.entries:
                self._table.note(entry)
            self._index.apply_log(piece.data, 0, self._log.version)
            self._applied = self._log.offset

    def pinned(self, pin: Callable[[], Pinned]) -> tuple[Pinned, int]:
        """What `pin` makes of the index as it is now, and the place in the log that belongs to it."""
        with self._applying:
            return pin(), self._applied

    def add(
        self,
        pairs: Sequence[NewPair],
        steps: Sequence[Step] = (),
        tuned: Mapping[str, float] | None = None,
        import_id: str | None = None,
    ) -> list[str]:
        """Learns pairs, all or none, and returns their ids. A pair takes the place of another of its id and memory.

        `steps`, where there are any, are what each moves the `tuned` weights by. Those that are added with the same
        `import_id` are taken back together.
        """
        assert self._pairs is not None
        import_id = import_id or new_import()
        prepared = [said_when(record, import_id) for record in self._pairs.prepared(pairs)]
        with self._writing():
            planned = self._planned(add=prepared)
            taken = [record.stable_id for record in planned if record.kind == ADDITION]
            moved = dict(zip(taken, steps or [{}] * len(prepared), strict=True))
            self._commit(planned, self._steps.lines(moved, tuned))
        return [own_name(record.id) for record in prepared]

    def remove(self, names: Iterable[str]) -> list[bool]:
        """Forgets these ids, all or none, and each pair with its last; says of each whether there was one."""
        names = list(names)
        with self._writing():
            plan = self._plan(names)
            removed = [plan.remove(name) for name in names]
            self._commit(plan.records)
        return removed

    def undo(self, import_id: str, names: Iterable[str]) -> Undone:
        """Takes back the names that an import gave, all or none; what it replaced comes back, if the log has it."""
        with self._writing():
            before = before_import(self._log, import_id, names)
            restored = [record for record in before.values() if record is not None]
            trained = [name for name, record in before.items() if record is None and self._replaced_training(name)]
            planned = self._planned(remove=[name for name in before if before[name] is None], add=restored)
            # What the import moved the weights by goes with it; restored lessons have no step of their own.
            moved: dict[int, Step] = {record.stable_id: {} for record in planned if record.kind == ADDITION}
            self._commit(planned, self._steps.lines(moved, None))
        return Undone(import_id, len(before), len(restored), len(trained))

    def _replaced_training(self, name: str) -> bool:
        stable_id = self._table.find(name)
        return stable_id is not None and not stable_id & ADDED

    def _planned(self, *, remove: Sequence[str] = (), add: Sequence[LogRecord] = ()) -> list[LogRecord]:
        plan = self._plan([*remove, *(record.id for record in add)], add)
        for name in remove:
            plan.remove(name)
        for record in add:
            plan.add(record)
        return plan.records

    def _plan(self, names: Iterable[str], records: Sequence[LogRecord] = ()) -> ChangePlan:
        """Something to write about these names and pairs. The caller holds the locks."""
        involved = {
            lesson_id for record in records if (lesson_id := self._table.with_text(text_of(record))) is not None
        }
        for name in names:
            lesson_id = self._table.find(name)
            involved.update([lesson_id] if lesson_id is not None else filter(self._table.has, self._trained(name)))
        part = self._table.excerpt(involved)
        for stable_id in involved:
            own = self._sources.get(stable_id) if self._sources is not None else None
            # Names of compacted lessons stand in two places.
            if own is not None and not part.is_added(stable_id) and not self._table.is_unnamed(own.id, stable_id):
                part.also(own.id, stable_id)
        return ChangePlan(part, self._trained, self._free, self._log.shares)

    def linked(self, source: str, target: str) -> LinkedWords | None:
        """The words of a pair as the model has them, and the links it sees between them; nothing is learned."""
        return None if self._pairs is None else self._pairs.linked(source, target)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """Nobody else writes meanwhile, and all that others wrote is known."""
        # Who waits for other writers keeps nobody here from reading.
        with self._log.writing(), self._lock:
            if self.replaced():
                raise ModelReplacedError(f"{self.model.path} was replaced by another model meanwhile; open it again")
            if self._log.has_news():
                self._read_news()
            yield

    def _commit(self, records: list[LogRecord], steps: bytes = b"") -> None:
        if not records:
            return
        data = encode_records(records, self._log.version)
        start = self._log.offset or _core.LOG_HEADER_BYTES
        torn = self._log.append(data, steps)
        self._steps.take(steps)
        self.recovery = self.recovery.with_more(torn=torn)
        scanned, end, damaged, refused = _core.scan_log(data, 0, self._log.version)
        assert end == len(data) and not damaged and not refused
        self._apply(LogPiece(data, [LogEntry.scanned(fields, start) for fields in scanned]))

    def _free(self, name: str, taken: set[int]) -> int:
        """A stable id for a new name."""
        number = _core.hash_bytes(name.encode()) & HASH
        while (ADDED | number) in taken or self._table.has(ADDED | number) or self._index.has(ADDED | number):
            number = (number + 1) & HASH
        return ADDED | number

    def _trained(self, name: str) -> list[int]:
        """Stable ids of the pairs of the training text, or of compacted lessons, of this name."""
        if self._sources is not None:
            stable_ids = self._sources.find(name)
            return [
                stable_id
                for stable_id in stable_ids
                if self._index.has(stable_id) and not self._table.is_unnamed(name, stable_id)
            ]
        # Without records of the sources a trained pair has no name but its line.
        number = name.removeprefix(LINE)
        if number != name and number.isascii() and number.isdigit() and len(number) < 16:
            return [int(number) - 1] if int(number) > 0 and self._index.has(int(number) - 1) else []
        return []

    @functools.cached_property
    def _sources(self) -> Sources | None:
        return Sources.open(self.model.file("sources.bin"), trust=True) if self.model.has("sources.bin") else None

    def source(self, stable_id: int, end: int | None = None) -> SourceRecord | None:
        """What was given for a pair that was added since the model was built or compacted, before `end` of the log."""
        offset = self._table.offset(stable_id, end)
        return None if offset is None else source_record(self._log.record(offset), stable_id)

    def lessons(self) -> Iterator[Lesson]:
        """The pairs added since the model was built or compacted, each with all its names."""
        with self._applying:
            offsets = {stable_id: self._table.offsets(stable_id) for stable_id in self._table.added()}
        records = self._log.records(offset for places in offsets.values() for offset in places)
        for stable_id, places in offsets.items():
            own = [source_record(next(records), stable_id) for _ in places]
            if known := tuple(record for record in own if record is not None):
                yield Lesson(known)

    def names(self) -> dict[str, int]:
        """Names of all pairs that were ever added and are there, with their stable ids, as far as we keep them."""
        return self._table.names()

    def is_lesson(self, name: str) -> bool:
        """Whether a pair of this name was taught, and not trained."""
        return self._table.find(name) is not None or any(stable_id & ADDED for stable_id in self._trained(name))

    def names_of(self, stable_id: int) -> list[str]:
        return self._table.names_of(stable_id)

    def is_unnamed(self, name: str, stable_id: int) -> bool:
        """Whether a pair of sources.bin has lost the name that it has there."""
        return self._table.is_unnamed(name, stable_id)

    def memories(self) -> dict[str, int]:
        """Memories that were taught something, and how many lessons each has; the default one comes first."""
        (_, unnamed), *named = self._index.memories
        return {DEFAULT: unnamed, **{name: count for name, count in sorted(named) if count}}

    def steps(self, tuned: Mapping[str, float], applies: Callable[[int], bool] | None = None) -> list[Step]:
        """What the lessons that are there, or those that apply, have moved these weights by, in the order they were
        taught."""
        return self._steps.of(tuned, applies or self._index.has)

    def write_steps(self, path: Path) -> None:
        """The same, from whatever weights, as a file of a model."""
        self._steps.write_to(path, self._index.has)

    def state(self) -> str:
        """A name for what the model knows, which changes with every change by whomever; costs two looks at the disk."""
        try:
            built = (self.model.path / MANIFEST).stat()
        except FileNotFoundError:
            return ""
        return f"{built.st_ino:x}-{built.st_mtime_ns:x}-{self._log.size():x}"

    @property
    def version(self) -> int:
        """Rises with every change that this translator knows of."""
        return self._applied

    def added(self) -> list[int]:
        """Stable ids of the pairs added since the model was built or compacted."""
        return self._table.added()


def source_record(record: LogRecord | None, stable_id: int) -> SourceRecord | None:
    # After a compaction there is another log of this name.
    if record is None or record.stable_id != stable_id:
        return None
    file, line, unit, attributes = origin_of(record.origin)
    texts = (record.source_text, record.target_text)
    return SourceRecord(stable_id, record.id, *texts, file, line, unit, attributes)


def open_overlay(path: str | Path, corrections: str | None = None, until: int | None = None) -> Overlay:
    """The overlay of a model directory without a translator: for looking, removing and compacting.

    `corrections` is the address of a database that has its log, `until` up to where that is read.
    """
    model = ModelDirectory.open(path)
    for name in ("vocab.bin", "bitext.bin", "lexicon.bin"):
        model.file(name)
    index = _core.LiveIndex.open(str(model.path), correction_weight=correction_weight(model))
    return Overlay(model, index, log=open_log(model.path, bitext_hash(model), corrections, until))


def correction_weight(model: ModelDirectory) -> int:
    """How often an added pair counts in this model: what its manifest says, else the default."""
    stored = model.manifest.options.get("live", {})
    weight = stored.get("correction_weight") if isinstance(stored, dict) else None
    return weight if isinstance(weight, int) and 1 <= weight <= 1000 else LiveOptions().correction_weight


def follow_weights(model: ModelDirectory) -> bool:
    """Whether the weights of this model follow corrections."""
    stored = model.manifest.options.get("live", {})
    return isinstance(stored, dict) and stored.get("follow_weights") is True


def bitext_hash(model: ModelDirectory) -> int:
    entry = model.manifest.files.get("bitext.bin")
    payload = entry.payload if entry else payload_hash(model.path / "bitext.bin")
    if not payload:
        raise FormatError(f"{model.path}: the model has no bitext.bin to add to", str(model.path))
    return int(payload, 16)


def identity(directory: Path) -> tuple[int, int] | None:
    """What tells a directory from another of the same name; None in the moment between the two."""
    try:
        status = (directory / MANIFEST).stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


class ModelReplacedError(FormatError):
    """The model directory is not the one that was opened any more."""
