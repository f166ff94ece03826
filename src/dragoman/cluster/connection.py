"""The workers of a cluster for the length of a work."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from dragoman.cluster.workers import ClusterPlace, Here, Workers


@contextlib.contextmanager
def workers_at(place: ClusterPlace | None, work: str) -> Iterator[Workers]:
    """Those of a cluster, or this process; `work` is its name."""
    if place is None:
        yield Here()
        return
    from dragoman.cluster.dask_workers import DaskWorkers

    with DaskWorkers(place, work) as workers:
        yield workers
