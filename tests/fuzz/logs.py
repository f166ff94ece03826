"""Logs in which a record was changed and its hash made right."""

from __future__ import annotations

import random
from pathlib import Path

from dragoman import _core
from dragoman.learn.log import OverlayLog
from dragoman.learn.overlay import bitext_hash, open_overlay
from dragoman.translator import Translator
from tests.unit.learn.support import make_model


def rehashed(data: bytes) -> bytes:
    """A record with the hash that its payload has."""
    return data[:8] + _core.hash_bytes(data[16:]).to_bytes(8, "little") + data[16:]


class MutatedLogs:
    """A model with three lessons, of which the second is another each time."""

    def __init__(self, model: Path) -> None:
        self._model = make_model(model)
        translator = Translator.load(model)
        for number in range(3):
            translator.add(f"Le mot{number} dort.", f"The word{number} sleeps.", id=str(number))
        self._path = model / "overlay" / "log"
        self._whole = self._path.read_bytes()
        entries = OverlayLog(model, bitext_hash(translator.model)).read_news().entries
        self._begin, self._end = (entry.offset for entry in entries[1:])
        self.refused = 0

    def check(self, chance: random.Random) -> None:
        """Whatever the record says, the model opens with the others."""
        middle = bytearray(self._whole[self._begin : self._end])
        for _ in range(chance.randint(1, 4)):
            middle[chance.randrange(16, len(middle))] = chance.randrange(256)
        self._path.write_bytes(self._whole[: self._begin] + rehashed(bytes(middle)) + self._whole[self._end :])
        overlay = open_overlay(self._model)
        self.refused += overlay.recovery.refused
        for stable_id in overlay.added():
            overlay.source(stable_id)
        names = set(overlay.names())
        assert {"0", "2"} <= names or len(overlay.added()) == 3, f"lessons are missing: {names}"
        if overlay.recovery:
            assert "passed over" in overlay.recovery.sentence(overlay.log.place)
