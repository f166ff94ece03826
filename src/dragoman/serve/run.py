"""Running the application: the socket, the protocol's guards, and an orderly end."""

from __future__ import annotations

import asyncio
import contextlib
import resource
import signal
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from dragoman.config import ServeOptions
from dragoman.errors import ConfigError, DragomanError
from dragoman.serve import log
from dragoman.serve.app import make_app
from dragoman.serve.context import Context
from dragoman.serve.engine import Engine

KEEP_ALIVE_SECONDS = 15
# The first line and the headers; OmegaT sends its text in the first line.
MAX_HEADER_BYTES = 64 << 10


def guarded(seconds: float) -> type[H11Protocol]:
    """The protocol of uvicorn, which waits for ever for the rest of a header; this one hangs up."""

    class GuardedProtocol(H11Protocol):
        _guard: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._watch()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._watch()

        def connection_lost(self, exc: Exception | None) -> None:
            self._unwatch()
            super().connection_lost(exc)

        def _watch(self) -> None:
            """Starts the clock when a request is awaited or half here, and stops it when one is whole."""
            busy = self.cycle is not None and not self.cycle.response_complete
            if busy:
                self._unwatch()
            elif self._guard is None and seconds:
                self._guard = self.loop.call_later(seconds, self._hang_up)

        def _unwatch(self) -> None:
            if self._guard is not None:
                self._guard.cancel()
                self._guard = None

        def _hang_up(self) -> None:
            self._guard = None
            if not self.transport.is_closing() and (self.cycle is None or self.cycle.response_complete):
                self.transport.close()

    return GuardedProtocol


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens there; ConfigError if it cannot."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except (OSError, OverflowError, UnicodeError):
        raise ConfigError(f"--host {host} --port {port}: is no address of this machine", "host") from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(1024)
    except (OSError, OverflowError) as error:
        listener.close()
        why = error.strerror if isinstance(error, OSError) else "the port is out of range"
        raise DragomanError(f"cannot listen on {host} port {port}: {why}; choose another with --port") from None
    return listener


def allow_connections(count: int) -> None:
    """Raises the limit of open files as far as the system lets us."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count + 200
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(
                resource.RLIMIT_NOFILE, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard)
            )


def serve(models: Sequence[str | Path], options: ServeOptions, ready: Callable[[str, Engine], None]) -> None:
    """Serves until told to stop, by SIGINT, SIGTERM or SIGHUP; calls `ready` with the address when it listens."""
    listener = listening(options.host, options.port)
    with contextlib.closing(listener):
        engine = Engine(models, options)
        context = Context.make(engine, options)
        log.set_up()
        allow_connections(options.connections)
        config = uvicorn.Config(
            make_app(context),
            http=guarded(options.body_seconds),
            loop="asyncio",
            lifespan="on",
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=options.connections,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            # What is under way may finish; lessons finish in any case.
            timeout_graceful_shutdown=int(options.body_seconds + options.request_seconds) + 5,
            h11_max_incomplete_event_size=MAX_HEADER_BYTES,
        )
        server = uvicorn.Server(config)
        host, port = listener.getsockname()[:2]
        url = f"http://{f'[{host}]' if ':' in host else host}:{port}/"
        log.event("started", url=url, pairs=[f"{s}-{t}" for s, t in engine.pairs], threads=engine.workers.threads)
        ready(url, engine)
        with contextlib.suppress(ValueError, AttributeError):
            signal.signal(signal.SIGHUP, server.handle_exit)
        # uvicorn gives a signal on to whoever handled it before, when all is done.
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listener])
        log.event("stopped")
