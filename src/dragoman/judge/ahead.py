"""Things made ahead of who wants them, in another thread: batches, while a GPU is busy with those before."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from queue import Full, Queue
from typing import Generic, TypeVar

Thing = TypeVar("Thing")
DEPTH = 8
# How long the maker waits for room before it looks whether anybody still wants what it makes.
LOOK_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Made(Generic[Thing]):
    thing: Thing


def made_ahead(things: Iterable[Thing]) -> Generator[Thing, None, None]:
    """The same in the same order. An error in making them comes where the thing would have come."""
    queue: Queue[Made[Thing] | BaseException | None] = Queue(DEPTH)
    left = threading.Event()

    def put(entry: Made[Thing] | BaseException | None) -> None:
        while not left.is_set():
            try:
                queue.put(entry, timeout=LOOK_SECONDS)
            except Full:
                continue
            return

    def make() -> None:
        try:
            for thing in things:
                put(Made(thing))
                if left.is_set():
                    return
            put(None)
        except BaseException as error:
            put(error)

    maker = threading.Thread(target=make, name="made ahead", daemon=True)
    maker.start()
    try:
        while (entry := queue.get()) is not None:
            if isinstance(entry, BaseException):
                raise entry
            yield entry.thing
    finally:
        left.set()
        maker.join()
