"""A scheduler and workers on this machine, and what kills a worker in the middle of a stage."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

distributed = pytest.importorskip("distributed")


class Killer(distributed.SchedulerPlugin):  # type: ignore[name-defined, misc]
    """Kills the worker that is given the n-th piece of a work, a moment later, with SIGKILL."""

    def __init__(self, scheduler: Any, pieces: Mapping[str, int]) -> None:
        self.scheduler = scheduler
        self.left = dict(pieces)
        self.killed: list[str] = []

    def transition(self, key: Any, start: str, finish: str, *_: Any, **__: Any) -> None:
        work = str(key).split("-")[1] if str(key).startswith("dragoman-") else ""
        if finish != "processing" or work not in self.left:
            return
        self.left[work] -= 1
        if self.left[work] == 0:
            pid = self.scheduler.tasks[key].processing_on.pid
            threading.Timer(0.03, kill, (pid,)).start()
            self.killed.append(work)


def kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


@contextlib.contextmanager
def local_cluster(workers: int, kills: Mapping[str, int] | None = None) -> Iterator[tuple[str, Killer]]:
    """The address, and who kills workers."""
    with distributed.LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster:
        killer = Killer(cluster.scheduler, kills or {})
        cluster.scheduler.add_plugin(killer)
        yield cluster.scheduler_address, killer
