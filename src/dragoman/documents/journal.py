"""What has been translated of a file so far, so that an interrupted run goes on where it stopped.

One JSON line for each segment: a key made of the segment, the model and the options, and the translation, in which
numbers stand for the segment's tags. A line that is torn or makes no sense is as good as none.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import IO

from dragoman.documents.segment import Segment, Tag


class Journal:
    """Translations by segment. `identity` is whatever else they depend on."""

    def __init__(self, path: Path, identity: str) -> None:
        self.path = path
        self.identity = identity
        self.resumed = 0
        self._known: dict[str, list[str | int]] = {}
        self._stream: IO[bytes] | None = None

    @contextmanager
    def recording(self) -> Iterator[Journal]:
        """Reads what is there and appends to it; when the block ends well the journal has served and goes."""
        for line in self.path.read_bytes().split(b"\n") if self.path.exists() else ():
            try:
                entry = json.loads(line)
                key, pieces = entry["key"], entry["pieces"]
            except (ValueError, TypeError, KeyError, RecursionError):
                continue
            if isinstance(key, str) and isinstance(pieces, list):
                self._known[key] = pieces
        served = False
        try:
            with self.path.open("ab") as self._stream:
                # After a torn line.
                self._stream.write(b"\n" if self._known else b"")
                yield self
            served = True
        finally:
            self._stream = None
            # One that holds nothing serves nobody.
            if served or not self.path.stat().st_size:
                self.path.unlink(missing_ok=True)

    def depend_on(self, more: object) -> None:
        """What was recorded under anything else does not count; before anything is asked for."""
        self.identity = sha256(json.dumps([self.identity, more]).encode("utf-8", "surrogatepass")).hexdigest()

    def key(self, segment: Segment) -> str:
        content = [piece if isinstance(piece, str) else [piece.raw, piece.pair, piece.closing] for piece in segment]
        return sha256(json.dumps([self.identity, content]).encode()).hexdigest()[:32]

    def get(self, segment: Segment) -> Segment | None:
        pieces = self._known.get(self.key(segment))
        tags = [piece for piece in segment if isinstance(piece, Tag)]
        if pieces is None or sorted(p for p in pieces if isinstance(p, int)) != list(range(len(tags))):
            return None
        if not all(isinstance(piece, str | int) for piece in pieces):
            return None
        self.resumed += 1
        return tuple(tags[piece] if isinstance(piece, int) else piece for piece in pieces)

    def put(self, segment: Segment, translation: Segment) -> None:
        if self._stream is None:
            return
        places: dict[Tag, list[int]] = {}
        for number, tag in enumerate(piece for piece in segment if isinstance(piece, Tag)):
            places.setdefault(tag, []).append(number)
        pieces = [piece if isinstance(piece, str) else places[piece].pop(0) for piece in translation]
        line = json.dumps({"key": self.key(segment), "pieces": pieces}, ensure_ascii=False, separators=(",", ":"))
        self._stream.write(line.encode("utf-8", "surrogatepass") + b"\n")
        self._stream.flush()
