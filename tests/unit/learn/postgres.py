"""A PostgreSQL server of a test's own, which it starts, kills and starts again."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PLACES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)


def program(name: str) -> str:
    path = shutil.which(name, path=os.pathsep.join([*map(str, PLACES), os.environ.get("PATH", "")]))
    if path is None:
        pytest.skip(f"{name} is not here; apt-get install postgresql")
    return path


def somebody() -> dict[str, Any]:
    """Who it runs as: not root, which it refuses."""
    if os.geteuid() != 0:
        return {}
    try:
        user = pwd.getpwnam("postgres")
    except KeyError:
        user = pwd.getpwnam("nobody")
    return {"user": user.pw_uid, "group": user.pw_gid}


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


class PostgresServer:
    def __init__(self) -> None:
        pytest.importorskip("psycopg")
        self._initdb, self._postgres, self._isready = map(program, ("initdb", "postgres", "pg_isready"))
        self._user = somebody()
        # Somebody else than root may not come to the folder that TMPDIR names.
        self.folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp" if self._user else None))
        if self._user:
            os.chown(self.folder, self._user["user"], self._user["group"])
        command = [self._initdb, "-D", str(self.folder / "data"), "-U", "dragoman", "-A", "trust", "-E", "UTF8"]
        subprocess.run([*command, "--locale=C", "--no-sync"], check=True, capture_output=True, **self._in_folder())
        self._process: subprocess.Popen[bytes] | None = None
        # Somebody else may take a port that was free a moment ago.
        for _ in range(5):
            self.port = free_port()
            if self._comes_up(60):
                return
            self.stop()
        raise AssertionError("the database does not start on any port")

    @property
    def url(self) -> str:
        return f"postgresql://dragoman@127.0.0.1:{self.port}/postgres"

    def _in_folder(self) -> dict[str, Any]:
        return {"cwd": self.folder, **self._user}

    def start(self) -> None:
        """Again, where it was."""
        assert self._comes_up(600), "the database does not start"

    def _comes_up(self, looks: int) -> bool:
        place = ["-D", str(self.folder / "data"), "-p", str(self.port), "-k", str(self.folder)]
        # Asked in its own folder, where no other server answers.
        ready = [self._isready, "-q", "-h", str(self.folder), "-p", str(self.port)]
        for _ in range(looks):
            # After a kill, what the last one had started may still be ending; then a new one gives up at once.
            if self._process is None or self._process.poll() is not None:
                self._process = subprocess.Popen(
                    [self._postgres, *place, "-c", "listen_addresses=127.0.0.1"],
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    **self._in_folder(),
                )
            if subprocess.run(ready).returncode == 0:
                return True
            time.sleep(0.05)
        return False

    def kill(self) -> None:
        """As a power cut would; what was committed must be there afterwards."""
        self.stop(signal.SIGKILL)

    def stop(self, number: int = signal.SIGINT) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait()
            self._process = None

    def close(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextlib.contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    server = PostgresServer()
    try:
        yield server
    finally:
        server.close()
