"""Clusters of real processes that end, or have other programs: one sentence says so, and nothing hangs."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("distributed")

from dragoman.cluster import dask_workers
from dragoman.cluster.dask_workers import DaskWorkers, called
from dragoman.cluster.workers import ClusterPlace
from dragoman.errors import ConfigError, DragomanError

REPOSITORY = Path(__file__).parents[3]
WITHOUT_DRAGOMAN = "import sys\nsys.modules['dragoman'] = None\n"


class Processes:
    """A scheduler, as somebody would start it, and workers without anybody who starts them again."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        self.all: list[subprocess.Popen[bytes]] = []
        told = folder / "scheduler.json"
        place = ["--port", "0", "--host", "127.0.0.1", "--scheduler-file", str(told)]
        self.scheduler = self._start("scheduler", *place, **environment)
        self.address: str = waited_for(lambda: json.loads(told.read_text())["address"])

    def worker(self, **environment: str) -> subprocess.Popen[bytes]:
        return self._start("worker", self.address, "--nthreads", "1", "--no-nanny", **environment)

    def _start(self, *arguments: str, **environment: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments, "--no-dashboard"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY), **environment},
        )
        self.all.append(process)
        return process


def waited_for(look: Callable[[], str]) -> str:
    for _ in range(600):
        with contextlib.suppress(OSError, ValueError, KeyError):
            return look()
        time.sleep(0.05)
    raise AssertionError("it never came")


@contextlib.contextmanager
def running(folder: Path, **environment: str) -> Iterator[Processes]:
    started = Processes(folder, **environment)
    try:
        yield started
    finally:
        for process in started.all:
            process.kill()
            process.wait()


@pytest.fixture
def processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Processes]:
    monkeypatch.setattr(dask_workers, "WORKERS_SECONDS", 1.0)
    monkeypatch.setattr(dask_workers, "LOOK_SECONDS", 0.5)
    with running(tmp_path) as started:
        yield started


def waiting_worker(processes: Processes) -> tuple[subprocess.Popen[bytes], DaskWorkers]:
    worker = processes.worker()
    return worker, DaskWorkers(ClusterPlace(processes.address), "test")


def test_all_workers_are_lost(processes: Processes) -> None:
    worker, workers = waiting_worker(processes)
    with workers, pytest.raises(DragomanError, match="has had no workers for 1 seconds"):
        for number, _ in workers.map(time.sleep, [0.01, 30.0, 30.0, 30.0, 30.0]):
            assert number == 0.01
            worker.kill()


def test_the_scheduler_is_lost(processes: Processes) -> None:
    _, workers = waiting_worker(processes)
    with workers, pytest.raises(DragomanError, match="has ended; start it again"):
        for _ in workers.map(time.sleep, [0.01, 30.0, 30.0, 30.0, 30.0]):
            processes.scheduler.kill()


def test_a_worker_that_comes_later_goes_on(processes: Processes, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what the one before it held."""
    monkeypatch.setattr(dask_workers, "WORKERS_SECONDS", 60.0)
    worker, workers = waiting_worker(processes)
    done = []
    with workers:
        held = workers.hold(b"held")
        for number, result in workers.map(both, range(20), held):
            assert result == (number, b"held")
            done.append(number)
            if number == 3:
                worker.kill()
                worker.wait()
                processes.worker()
    assert done == list(range(20))


def both(number: int, held: bytes) -> tuple[int, bytes]:
    return number, held


def test_errors_of_the_work_come_back(processes: Processes) -> None:
    _, workers = waiting_worker(processes)
    with workers:
        with pytest.raises(FileNotFoundError, match="nowhere"):
            list(workers.map(read, ["/nowhere"]))
        with pytest.raises(ConfigError, match="install the same"):
            list(workers.map(called_as_another, ["0.0"]))


def read(path: str) -> bytes:
    return Path(path).read_bytes()


def called_as_another(version: str) -> None:
    called(version, read, "/nowhere")


def test_other_versions(processes: Processes, monkeypatch: pytest.MonkeyPatch) -> None:
    processes.worker()
    monkeypatch.setattr(dask_workers, "__version__", "0.0.1")
    with pytest.raises(ConfigError, match=r"has Dragoman .* and this is 0\.0\.1; install the same"):
        DaskWorkers(ClusterPlace(processes.address), "test")


def test_machines_without_the_package(processes: Processes, tmp_path: Path) -> None:
    (tmp_path / "without").mkdir()
    (tmp_path / "without" / "sitecustomize.py").write_text(WITHOUT_DRAGOMAN)
    without = {"PYTHONPATH": str(tmp_path / "without")}
    processes.worker(**without)
    with pytest.raises(ConfigError, match=r"worker .* cannot load Dragoman"):
        DaskWorkers(ClusterPlace(processes.address), "test")
    with running(tmp_path / "without", **without) as others:
        others.worker()
        with pytest.raises(ConfigError, match="the scheduler cannot load Dragoman"):
            DaskWorkers(ClusterPlace(others.address), "test")


def test_a_scheduler_without_workers(processes: Processes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_workers, "CONNECT_SECONDS", 1.0)
    with pytest.raises(ConfigError, match="has had no workers for 1 seconds; start some"):
        DaskWorkers(ClusterPlace(processes.address), "test")
