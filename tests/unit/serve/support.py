"""A server in this process, and a client that says what came back."""

from __future__ import annotations

import contextlib
import http.client
import json
import logging
import threading
import time
import urllib.parse
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


@dataclass(frozen=True)
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> str:
        return str(self.json["error"])


class Undeclared(logging.Handler):
    """Notes refusals that the table of routes does not know."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[object] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.getMessage() == "undeclared refusal":
            self.seen.append(getattr(record, "values", None))


@dataclass(frozen=True)
class Server:
    host: str
    port: int
    context: Context
    uvicorn: uvicorn.Server
    undeclared: Undeclared = field(default_factory=Undeclared)

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    def ask(
        self, method: str, path: str, body: bytes | str | None = None, headers: dict[str, str] | None = None
    ) -> Answer:
        connection = http.client.HTTPConnection(self.host, self.port, timeout=30)
        with contextlib.closing(connection):
            connection.request(method, path, body.encode() if isinstance(body, str) else body, headers or {})
            answer = connection.getresponse()
            content = answer.read()
        assert not self.undeclared.seen
        return Answer(answer.status, answer.headers, content)

    def get(self, path: str, headers: dict[str, str] | None = None, **query: str) -> Answer:
        asked = f"?{urllib.parse.urlencode(query)}" if query else ""
        return self.ask("GET", path + asked, headers=headers)

    def post(self, path: str, headers: dict[str, str] | None = None, **values: Any) -> Answer:
        return self.ask("POST", path, json.dumps(values), {"Content-Type": "application/json", **(headers or {})})

    def form(self, path: str, **values: str) -> Answer:
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.ask("POST", path, urllib.parse.urlencode(values), kind)

    def upload(self, path: str, name: str, content: bytes, **values: str) -> Answer:
        edge = "----edge"
        parts = [
            f'--{edge}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
            for key, value in values.items()
        ]
        head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
        body = b"".join([*parts, head, content, f"\r\n--{edge}--\r\n".encode()])
        return self.ask("POST", path, body, {"Content-Type": f"multipart/form-data; boundary={edge}"})


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
