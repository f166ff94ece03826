"""Runs steps side by side, each on cores of its own and when those that it comes after are done.

Steps begin in the order they are given, as far as what they come after is done. One that wants more cores than are free
holds back those behind it, or it would never get them.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

# The cores that a step is to stay on; none for any.
Cores = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """`act` is true when it succeeded. `cores` are those it wants to itself, as far as there are so many."""

    name: str
    act: Callable[[Cores], bool]
    after: Collection[str] = ()
    cores: int = 1


@dataclass(slots=True)
class Schedule:
    """`jobs` steps of `threads` threads at a time; pinned where there are more than one and cores for all of them."""

    jobs: int = 1
    threads: int = 1
    # When no further step begins, by time.monotonic.
    until: float = float("inf")
    done: set[str] = field(default_factory=set)
    good: bool = True

    def cores(self) -> list[int]:
        own = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        wanted = self.jobs * max(1, self.threads)
        return own[:wanted] if self.jobs > 1 and len(own) >= wanted else []

    def run(self, steps: Sequence[Step]) -> bool:
        """False when a step failed, or was not begun for want of time."""
        pinned = self.cores()
        free = list(pinned) or [-1] * (self.jobs * max(1, self.threads))
        width, names, waiting = len(free), {step.name for step in steps}, list(steps)
        change = threading.Condition()

        def work(step: Step, taken: list[int]) -> None:
            try:
                succeeded = step.act(tuple(taken) if pinned else ())
            finally:
                with change:
                    free.extend(taken)
                    self.done.add(step.name)
                    change.notify()
            self.good = self.good and succeeded

        with ThreadPoolExecutor(self.jobs) as pool:
            begun = []
            with change:
                while waiting and time.monotonic() < self.until:
                    ready = next((step for step in waiting if self.done >= names & set(step.after)), None)
                    wanted = min(max(ready.cores, self.threads, 1), width) if ready else 0
                    if ready is None or wanted > len(free):
                        change.wait(min(1e6, self.until - time.monotonic()))
                        continue
                    waiting.remove(ready)
                    taken, free[:] = sorted(free)[:wanted], sorted(free)[wanted:]
                    begun.append(pool.submit(work, ready, taken))
            for future in begun:
                future.result()
        return self.good and not waiting
