"""The threads that translate, and who may wait for one.

Requests are cut into pieces of a few lines, and a piece that has worked for a few sentences goes back to the end of the
one queue that all requests share: so neither a long text nor a long line holds up a short one. A request beyond the
queue is told to slow down instead of making everybody wait longer. Python's lock is free while the core works, so
threads run side by side.
"""

from __future__ import annotations

import asyncio
import collections
import concurrent.futures
import contextlib
import enum
import functools
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

from dragoman import _core
from dragoman.serve.answers import Problem, Refusal, slow_down

WorkResult = TypeVar("WorkResult")


class Again(enum.Enum):
    """What a piece of work returns that has done enough for one turn and wants another."""

    TURN = enum.auto()


AGAIN = Again.TURN
Piece = Callable[[], WorkResult | Again]


class Stopped(Exception):  # noqa: N818, nothing went wrong
    """Raised inside a piece of work whose request has ended."""


@dataclass(slots=True, eq=False)
class Deadline:
    """When a request must be done. Pieces of work ask it how long they may take."""

    seconds: float
    begun: float = field(default_factory=time.monotonic)
    stopped: bool = False

    def left(self) -> float:
        return self.begun + self.seconds - time.monotonic() if self.seconds else float("inf")

    def stop(self) -> None:
        self.stopped = True

    def check(self, done: int = 0, total: int = 0) -> None:
        """To be called now and then by the thread at work; its arguments are those of a progress function."""
        if self.stopped or self.left() <= 0:
            raise Stopped

    def sentence_seconds(self, done: float, total: float) -> float:
        """Time for one sentence when `done` of `total` characters are translated; 0 for no limit.

        A request that is on time may take its time. One that would come too late gives each sentence its share.
        """
        if not self.seconds:
            return 0.0
        left = max(self.left(), 0.01)
        elapsed = self.seconds - left
        late = done and elapsed * total > 0.8 * self.seconds * done
        # About a hundred characters to a sentence.
        return max(0.01, left * 100 / max(total - done, 100)) if late else 0.8 * left

    def expired(self) -> Refusal:
        return Refusal(
            f"the translation took longer than {self.seconds:g} s; send less text at once", Problem.TRANSLATION_TIMEOUT
        )


class Workers:
    """A pool of threads with a bounded number of requests at its door."""

    def __init__(self, threads: int, queue: int) -> None:
        self.threads = threads or _core.default_threads()
        self._places = self.threads + queue
        self._pool = ThreadPoolExecutor(self.threads, thread_name_prefix="translate")
        self.requests = 0
        self.refused = 0

    @property
    def waiting(self) -> int:
        return max(0, self.requests - self.threads)

    @contextlib.asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """A place in the queue for one request."""
        if self.requests >= self._places:
            self.refused += 1
            raise slow_down("the server has more work than it can do; try again in a moment", 1)
        self.requests += 1
        try:
            yield
        finally:
            self.requests -= 1

    async def run(self, piece: Piece[WorkResult], deadline: Deadline) -> WorkResult:
        """One piece of work, in as many turns as it takes; a refusal if time ran out, before or while it ran."""
        loop = asyncio.get_running_loop()
        turn = functools.partial(checked, piece, deadline)
        try:
            while True:
                result = await loop.run_in_executor(self._pool, turn)
                if result is not AGAIN:
                    return result
        except Stopped:
            raise deadline.expired() from None
        except asyncio.CancelledError:
            # Nobody waits any more: what is at work stops at its next look at the time.
            deadline.stop()
            raise

    async def run_all(self, pieces: Sequence[Piece[WorkResult]], deadline: Deadline) -> list[WorkResult]:
        """All pieces of one request, at most as many at once as there are threads, results in order."""
        results: dict[int, WorkResult] = {}
        numbers = iter(range(len(pieces)))

        async def lane() -> None:
            for number in numbers:
                results[number] = await self.run(pieces[number], deadline)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(self.threads, len(pieces))):
                    group.create_task(lane())
        except BaseExceptionGroup as errors:
            deadline.stop()
            raise errors.exceptions[0] from None
        return [results[number] for number in range(len(pieces))]

    def run_here(self, pieces: Sequence[Piece[WorkResult]], deadline: Deadline) -> list[WorkResult]:
        """The same for a thread that may wait: its pieces queue with everybody's."""
        results: dict[int, WorkResult] = {}
        waiting = collections.deque(range(len(pieces)))
        running: dict[concurrent.futures.Future[WorkResult | Again], int] = {}
        while waiting or running:
            while waiting and len(running) < self.threads:
                number = waiting.popleft()
                running[self._pool.submit(checked, pieces[number], deadline)] = number
            for future in concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED).done:
                number = running.pop(future)
                if (result := future.result()) is AGAIN:
                    waiting.appendleft(number)
                else:
                    results[number] = result
        return [results[number] for number in range(len(pieces))]

    def close(self) -> None:
        self._pool.shutdown(wait=True)


def checked(piece: Piece[WorkResult], deadline: Deadline) -> WorkResult | Again:
    deadline.check()
    return piece()
