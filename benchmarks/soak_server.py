"""A server as a program of its own, which can be killed and started again, and a client that takes anything for an
answer. Both know loopback addresses only."""

from __future__ import annotations

import contextlib
import http.client
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.live import build
from examples.demo.phrasebook import phrases

HOST = "127.0.0.1"
JSON = {"Content-Type": "application/json"}
EDGE = "----edge"


def phrasebook_model(path: Path) -> None:
    """A model of the phrasebook that can learn."""
    pairs = phrases()
    build(path, [source for source, _ in pairs], [target for _, target in pairs])


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class SoakServer:
    """`dragoman serve` with one model; `port` is that of the process that runs now."""

    def __init__(self, model: Path, log: Path, *arguments: str) -> None:
        self._command = [sys.executable, "-m", "dragoman.cli.main", "serve", "-m", str(model), "--port", "0"]
        self._command += arguments
        self._log = log
        self._process: subprocess.Popen[str] | None = None
        self._up = threading.Event()
        self.port = 0
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

    def ask(self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> Reply:
        """One request on a connection of its own; OSError or HTTPException where the server went away."""
        connection = http.client.HTTPConnection(HOST, self.port, timeout=60)
        with contextlib.closing(connection):
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return Reply(answer.status, answer.read())

    def post(self, path: str, **values: Any) -> Reply:
        return self.ask("POST", path, json.dumps(values).encode(), JSON)

    def upload(self, path: str, name: str, content: bytes, **values: str) -> Reply:
        parts = [
            f'--{EDGE}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
            for key, value in values.items()
        ]
        head = f'--{EDGE}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
        body = b"".join([*parts, head, content, f"\r\n--{EDGE}--\r\n".encode()])
        return self.ask("POST", path, body, {"Content-Type": f"multipart/form-data; boundary={EDGE}"})

    def download(self, reply: Reply) -> Reply:
        """The file that an upload's answer names."""
        return self.ask("GET", "/" + str(reply.json["translatedFileUrl"]).split("/", 3)[3])


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
