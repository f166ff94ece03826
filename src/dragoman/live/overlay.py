"""What was added to a model and removed from it since it was built, and the ways to do either.

Every change is written to the log and synced before it takes effect, so whoever was told of it finds it again. Other
processes and other translators of the same model read on in the log before they translate.

People name pairs by strings, the index by numbers. The number of a new pair is a hash of its name with a bit that no
line number of a training corpus has; should two names meet, the later one takes the next free number. The log keeps
both, so the numbers stay.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dragoman import _core
from dragoman.align import AlignmentModel
from dragoman.errors import ConfigError, FormatError, InputError
from dragoman.live.lock import model_lock
from dragoman.live.log import LogPiece, OverlayLog
from dragoman.model import ModelDirectory, payload_hash

# Set in the stable ids of added pairs; the bits below are the hash.
ADDED = 1 << 56
HASH = ADDED - 1


@dataclass(frozen=True, slots=True)
class NewPair:
    """A sentence pair to learn. `links` between the model's tokens are found by the alignment model unless given."""

    source: str
    target: str
    id: str | None = None
    origin: Mapping[str, Any] = field(default_factory=dict)
    links: str | None = None


@dataclass(frozen=True, slots=True)
class Recovery:
    """What reading or writing the log had to pass over: bytes of damaged records, and of a tail half written."""

    damaged: int = 0
    torn: int = 0

    def sentence(self, path: Path) -> str:
        parts = []
        if self.torn:
            parts.append(f"{self.torn} bytes at the end, which a writer left half written, were cut off")
        if self.damaged:
            parts.append(f"{self.damaged} damaged bytes were passed over; what they held is lost")
        return f"{path}: {' and '.join(parts)}"


def default_id(source: str, target: str) -> str:
    """The name of a pair that was given none: the same for the same pair, so adding it twice adds it once."""
    return f"pair-{_core.hash_bytes(f'{source}\0{target}'.encode()):016x}"


class Overlay:
    """The changes of one opened model. Safe to share between threads."""

    def __init__(self, model: ModelDirectory, core: _core.TextTranslator) -> None:
        self.model = model
        self._core = core
        self._index = core.index
        self._lock = threading.Lock()
        self._log = OverlayLog(model.path, bitext_hash(model))
        self._ids: dict[str, int] = {}
        self._offsets: dict[int, int] = {}  # of the record of each pair added
        self._names: dict[int, str] = {}
        self._aligner: AlignmentModel | None = None
        self.recovery = Recovery()
        self.refresh()

    @property
    def path(self) -> Path:
        return self._log.path

    @property
    def index(self) -> _core.LiveIndex:
        return self._index

    @property
    def log(self) -> OverlayLog:
        return self._log

    def refresh(self) -> None:
        """Takes over what others have written since; costs a look at the file's size if that is nothing."""
        if not self._log.has_news():
            return
        with self._lock:
            self._read_news()

    def _read_news(self) -> LogPiece:
        piece = self._log.read_news()
        self._note(piece)
        if piece.damaged:
            self.recovery = Recovery(self.recovery.damaged + piece.damaged, self.recovery.torn)
        self._index.apply_log(piece.data)
        return piece

    def _note(self, piece: LogPiece) -> None:
        for entry in piece.entries:
            if entry.kind == "removal":
                self._ids.pop(self._names.pop(entry.stable_id, entry.id), None)
                self._offsets.pop(entry.stable_id, None)
                continue
            self._ids[entry.id] = entry.stable_id
            self._names[entry.stable_id] = entry.id
            if entry.kind == "addition":
                self._offsets[entry.stable_id] = entry.offset

    def add(self, pairs: Sequence[NewPair]) -> list[str]:
        """Learns pairs, all or none, and returns their ids. A pair with the id of another takes its place."""
        prepared = self._prepared(pairs)
        with self._lock, model_lock(self.model.path):
            require_current(self.model)
            self._read_news()
            records, taken = [], dict[str, int]()
            for name, record in prepared:
                stable_id = taken.get(name)
                if stable_id is None:
                    stable_id = taken[name] = self._stable_id(name, set(taken.values()))
                records.append({**record, "stable_id": stable_id})
            self._commit(records)
        return [name for name, _ in prepared]

    def remove(self, names: Iterable[str]) -> list[bool]:
        """Forgets the pairs of these ids; says of each whether there was one."""
        with self._lock, model_lock(self.model.path):
            require_current(self.model)
            self._read_news()
            records: list[dict[str, Any]] = []
            found = []
            for name in names:
                stable_ids = self._find(name)
                found.append(bool(stable_ids))
                records += [{"kind": "removal", "stable_id": each, "id": name} for each in stable_ids]
            if records:
                self._commit(records)
        return found

    def _commit(self, records: list[dict[str, Any]]) -> None:
        data = _core.encode_log_records(records)
        start = self._log.offset or _core.LOG_HEADER_BYTES
        torn = self._log.append(data)
        if torn:
            self.recovery = Recovery(self.recovery.damaged, self.recovery.torn + torn)
        found, end, damaged = _core.scan_log(data, 0)
        assert end == len(data) and not damaged
        self._note(LogPiece(data, [entry_of(each, start) for each in found], 0, 0))
        self._index.apply_log(data)

    def _stable_id(self, name: str, taken: set[int]) -> int:
        known = self._find(name)
        if known:
            return known[0]
        number = _core.hash_bytes(name.encode()) & HASH
        while (ADDED | number) in taken or (ADDED | number) in self._names or self._index.has(ADDED | number):
            number = (number + 1) & HASH
        return ADDED | number

    def _find(self, name: str) -> list[int]:
        """Stable ids of the pairs of this name: added ones, else those of the training text."""
        if name in self._ids:
            return [self._ids[name]]
        if self.model.has("sources.bin"):
            return [each for each in trained_ids(self.model, name) if self._index.has(each)]
        # Without records of the sources a trained pair has no name but its line number, from 0.
        if name.isascii() and name.isdigit() and len(name) < 18 and self._index.has(int(name)):
            return [int(name)]
        return []

    def _prepared(self, pairs: Sequence[NewPair]) -> list[tuple[str, dict[str, Any]]]:
        """Tokens and links of each pair; whatever cannot be learned is refused here, before anything is written."""
        tokens = []
        for pair in pairs:
            if pair.id is not None and not pair.id.strip():
                raise InputError("the id of a pair must not be empty")
            for text in (pair.source, pair.target, pair.id or ""):
                require_unicode(text)
            tokens.append(self._core.tokenize_pair(pair.source, pair.target))
            if not tokens[-1][0] or not tokens[-1][1]:
                raise InputError(f"{pair.id or 'a pair'}: has no words on one side, so nothing can be learned from it")
        links = self._aligned(pairs, tokens)
        prepared = []
        for pair, (source, target, written), link in zip(pairs, tokens, links, strict=True):
            name = pair.id if pair.id is not None else default_id(pair.source, pair.target)
            record = {
                "kind": "addition",
                "id": name,
                "source_text": pair.source,
                "target_text": pair.target,
                "source": source,
                "target": target,
                "written": written,
                "links": link,
                "origin": json.dumps(dict(pair.origin), ensure_ascii=False) if pair.origin else "",
            }
            # Raises for links outside the sentence and the like.
            _core.encode_log_records([{**record, "stable_id": 0}])
            prepared.append((name, record))
        return prepared

    def _aligned(self, pairs: Sequence[NewPair], tokens: Sequence[tuple[str, str, str]]) -> list[str]:
        links = [pair.links for pair in pairs]
        open_pairs = [number for number, each in enumerate(links) if each is None]
        if open_pairs:
            found = self._align([tokens[n][0] for n in open_pairs], [tokens[n][1] for n in open_pairs])
            for number, each in zip(open_pairs, found, strict=True):
                links[number] = each
        return [each or "" for each in links]

    def _align(self, source: list[str], target: list[str]) -> list[str]:
        if self._aligner is None:
            if not self.model.has("align.bin"):
                raise ConfigError(
                    f"{self.model.path} has no align.bin, which links the words of new pairs: make one from the text"
                    " the model was trained on with `dragoman align SOURCE TARGET --save align.bin` and put it in"
                    " with `dragoman live align MODEL align.bin`",
                    "model",
                )
            self._aligner = AlignmentModel.open(self.model.file("align.bin"))
        text = self._aligner.align_text(source, target)
        return [
            covering(link, ours, theirs)
            for link, ours, theirs in zip(text.decode().split("\n")[:-1], source, target, strict=True)
        ]

    def text(self, stable_id: int) -> dict[str, Any] | None:
        """What was given for an added pair: id, source, target and origin; None for others."""
        offset = self._offsets.get(stable_id)
        record = self._log.record(offset) if offset is not None else None
        if record is None:
            return None
        origin = json.loads(str(record["origin"])) if record["origin"] else {}
        return {
            "id": record["id"],
            "source": record["source_text"],
            "target": record["target_text"],
            "origin": origin,
        }

    def names(self) -> dict[int, str]:
        """Names of all pairs that were ever added and are there, by stable id."""
        return dict(self._names)

    def added(self) -> list[int]:
        """Stable ids of the pairs added since the model was built or compacted."""
        return list(self._offsets)


def entry_of(found: tuple[str, int, str, int], start: int) -> Any:
    from dragoman.live.log import LogEntry

    kind, stable_id, name, offset = found
    return LogEntry(kind, stable_id, name, start + offset)


def covering(links: str, source: str, target: str) -> str:
    """The links of the aligner; all to all where it found none, or a correction would teach nothing.

    A term that the aligner has never seen on either side is the usual case.
    """
    if links.strip():
        return links
    return " ".join(f"{i}-{j}" for i in range(len(source.split(" "))) for j in range(len(target.split(" "))))


def bitext_hash(model: ModelDirectory) -> int:
    entry = model.manifest.files.get("bitext.bin")
    payload = entry.payload if entry else payload_hash(model.path / "bitext.bin")
    if not payload:
        raise FormatError(f"{model.path}: the model has no bitext.bin to add to", str(model.path))
    return int(payload, 16)


def require_current(model: ModelDirectory) -> None:
    """The caller opened this very model; compaction by another process makes a new one."""
    now = ModelDirectory.open(model.path)
    if bitext_hash(now) != bitext_hash(model):
        raise ReplacedModel(f"{model.path} was replaced by another model meanwhile; open it again")


class ReplacedModel(FormatError):
    """The model directory is not the one that was opened any more."""


def trained_ids(model: ModelDirectory, name: str) -> list[int]:
    from dragoman.extract.sources import Sources

    return list(Sources.open(model.file("sources.bin"), trust=True).find(name))


def require_unicode(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError("the text holds half a surrogate pair; it is not Unicode text") from None
