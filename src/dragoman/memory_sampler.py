"""The peak of anonymous memory, of which the system keeps none: looked at every few milliseconds."""

from __future__ import annotations

import threading
from types import TracebackType

from dragoman.process_memory import anonymous_bytes

SAMPLE_SECONDS = 0.002


class MemorySampler:
    """Watches this process while a block runs; `peak_anonymous` is None where the system does not tell."""

    def __init__(self) -> None:
        self.peak_anonymous: int | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def _watch(self) -> None:
        while not self._stop.wait(SAMPLE_SECONDS):
            self._look()

    def _look(self) -> None:
        now = anonymous_bytes()
        if now is not None:
            self.peak_anonymous = max(self.peak_anonymous or 0, now)

    def __enter__(self) -> MemorySampler:
        self._thread.start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._stop.set()
        self._thread.join()
        self._look()
