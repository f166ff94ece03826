"""A server in this process."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn

from dragoman.config import ServeOptions
from dragoman.serve.app import make_app
from dragoman.serve.context import Context
from dragoman.serve.engine import Engine
from dragoman.serve.run import guarded, listening
from tests.unit.serve.client import Client


@dataclass
class Server(Client):
    context: Context
    uvicorn: uvicorn.Server


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
    try:
        yield Server(host, port, context, server)
    finally:
        server.should_exit = True
        thread.join(30)
        listener.close()
        assert not thread.is_alive(), "the server did not stop"
