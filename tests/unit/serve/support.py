"""A server in this process."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import uvicorn

from dragoman.config import ServeOptions
from dragoman.serve import log
from dragoman.serve.app import make_app
from dragoman.serve.context import Context
from dragoman.serve.engine import Engine
from dragoman.serve.run import guarded, listening
from tests.unit.serve.client import Answer, Client


class Undeclared(logging.Handler):
    """Notes refusals that the table of routes does not know."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[object] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.getMessage() == "undeclared refusal":
            self.seen.append(getattr(record, "values", None))


@dataclass
class Server(Client):
    context: Context
    uvicorn: uvicorn.Server
    undeclared: Undeclared = field(default_factory=Undeclared)

    def ask(
        self, method: str, path: str, body: bytes | str | None = None, headers: dict[str, str] | None = None
    ) -> Answer:
        answer = super().ask(method, path, body, headers)
        assert not self.undeclared.seen
        return answer


@contextlib.contextmanager
def running(models: list[Path], **values: Any) -> Iterator[Server]:
    """A server on a free port until the block ends."""
    options = ServeOptions(**{"port": 0, "threads": 2, **values})
    listener = listening(options.host, options.port)
    context = Context.make(Engine(models, options), options)
    config = uvicorn.Config(
        make_app(context),
        http=guarded(options.body_seconds),
        lifespan="on",
        log_config=None,
        access_log=False,
        limit_concurrency=options.connections,
        timeout_graceful_shutdown=10,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    deadline = time.monotonic() + 30
    while not server.started:
        assert time.monotonic() < deadline, "the server did not start"
        time.sleep(0.01)
    host, port = listener.getsockname()[:2]
    started = Server(host, port, context, server)
    log.LOGGER.addHandler(started.undeclared)
    try:
        yield started
    finally:
        log.LOGGER.removeHandler(started.undeclared)
        server.should_exit = True
        thread.join(30)
        listener.close()
        assert not thread.is_alive(), "the server did not stop"
        assert not started.undeclared.seen
