"""A server as a program of its own, which can be killed and started again. It knows loopback addresses only."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks.live import build
from dragoman.model.directory import ModelDirectory, revising_model
from examples.demo.phrasebook import phrases
from tests.unit.serve.client import Client

HOST = "127.0.0.1"


def phrasebook_model(path: Path) -> None:
    """A model of the phrasebook that can learn, and whose weights follow what it learns."""
    pairs = phrases()
    build(path, [source for source, _ in pairs], [target for _, target in pairs])
    with revising_model(
        ModelDirectory.open(path),
        lambda manifest: replace(manifest, options={**manifest.options, "live": {"follow_weights": True}}),
    ):
        pass


def make_soak_model(path: Path, given: Path | None) -> None:
    """A copy of the given model, or one of the phrasebook."""
    if given:
        shutil.copytree(given, path)
    else:
        phrasebook_model(path)


class SoakServer(Client):
    """`dragoman serve` with one model; `port` is that of the process that runs now."""

    def __init__(self, model: Path, log: Path, *arguments: str) -> None:
        super().__init__(HOST, 0)
        self._command = [sys.executable, "-m", "dragoman.cli.main", "serve", "-m", str(model), "--port", "0"]
        self._command += arguments
        self._log = log
        self._process: subprocess.Popen[str] | None = None
        self._up = threading.Event()
        self.start_seconds: list[float] = []

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        begun = time.perf_counter()
        with self._log.open("a") as stream:
            self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, stderr=stream, text=True)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the server did not start; {self._log} ends with {self._log.read_text()[-500:]!r}")
        self.port = int(line.split()[-1].rstrip("/").rsplit(":", 1)[1])
        self.start_seconds.append(time.perf_counter() - begun)
        self._up.set()

    def kill(self) -> None:
        """SIGKILL: nothing in the process gets to say goodbye."""
        self._up.clear()
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> int:
        """SIGTERM, and the exit code."""
        self._up.clear()
        assert self._process is not None
        self._process.terminate()
        return self._process.wait(60)

    def died(self) -> bool:
        return self._up.is_set() and self._process is not None and self._process.poll() is not None

    def wait_up(self, seconds: float) -> bool:
        return self._up.wait(seconds)


@contextlib.contextmanager
def running(model: Path, log: Path, *arguments: str) -> Iterator[SoakServer]:
    server = SoakServer(model, log, *arguments)
    server.start()
    try:
        yield server
    finally:
        server.kill()


def letters(number: int) -> str:
    """A number as letters, because digits would be tokens of their own; two for each place of 13."""
    made = ""
    while True:
        made = "bcdfghklmnprt"[number % 13] + "aeiou"[number % 5] + made
        number //= 13
        if number == 0:
            return made
