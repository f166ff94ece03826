"""What the demo did, step by step: how long each took, and what came of it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """One step that was done."""

    name: str
    result: str
    seconds: float


class Journal:
    """Times the steps of a run and tells a listener about each as it ends."""

    def __init__(self, listener: Callable[[Entry], None]) -> None:
        self.entries: list[Entry] = []
        self._listener = listener

    @contextlib.contextmanager
    def step(self, name: str) -> Iterator[Callable[[str], None]]:
        """Yields a function that takes the step's result in a few words; a step that fails leaves no entry."""
        results: list[str] = []
        begin = time.perf_counter()
        yield results.append
        self.record(Entry(name, "; ".join(results), time.perf_counter() - begin))

    def record(self, entry: Entry) -> None:
        """A step that somebody else has timed."""
        self.entries.append(entry)
        self._listener(entry)

    @property
    def seconds(self) -> float:
        return sum(entry.seconds for entry in self.entries)
