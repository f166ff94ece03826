"""What every route needs: the engine, who may do what, and where things are counted and noted."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request

from dragoman.config import ServeOptions
from dragoman.serve.answers import Problem, Refusal
from dragoman.serve.body import BodyBudget, Fields
from dragoman.serve.downloads import Downloads
from dragoman.serve.engine import Engine
from dragoman.serve.keys import Caller, Gate, read_keys
from dragoman.serve.metrics import Metrics
from dragoman.serve.pair import Direction
from dragoman.serve.teaching import Teacher
from dragoman.serve.workers import Deadline

FOREIGN = "only pages of this server may do this; other programs send no Origin, other pages an API key"


def is_loopback(host: str) -> bool:
    if host.lower() in ("localhost", "localhost.localdomain"):
        return True
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    # What a socket of both kinds says of a caller that came by the older.
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


@contextlib.asynccontextmanager
async def while_connected(request: Request, deadline: Deadline) -> AsyncIterator[None]:
    """Stops the work of a request, wherever it is, when the caller goes away; to be used when its body was read."""

    async def watch() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        deadline.stop()

    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        watching.cancel()


def anonymous_rights(options: ServeOptions) -> frozenset[str]:
    """Rights of callers without a key."""
    chosen = options.anonymous
    if chosen == "auto":
        chosen = "nothing" if options.keys else "teach" if is_loopback(options.host) else "translate"
    rights = {
        "nothing": set[str](),
        "translate": {"translate"},
        "teach": {"translate", "teach", "sources"},
    }[chosen]
    return frozenset(rights)


@dataclass(slots=True)
class Context:
    """One server's parts."""

    engine: Engine
    teacher: Teacher
    options: ServeOptions
    gate: Gate
    budget: BodyBudget
    metrics: Metrics
    downloads: Downloads

    @classmethod
    def make(cls, engine: Engine, options: ServeOptions) -> Context:
        keys = read_keys(options.keys) if options.keys else {}
        gate = Gate(keys, anonymous_rights(options), options.rate)
        budget = BodyBudget(max(64_000_000, 4 * options.file_limit))
        return cls(engine, Teacher(engine), options, gate, budget, Metrics(), Downloads(options))

    def close(self) -> None:
        """Waits for what is under way; every lesson that was taken is in the model's log by then."""
        self.engine.stop_files()
        self.teacher.close()
        self.engine.close()

    def key_of(self, request: Request, fields: Fields) -> str | None:
        header = request.headers.get("authorization", "")
        if header:
            scheme, _, rest = header.partition(" ")
            return rest.strip() if scheme.lower() in ("bearer", "apikey", "deepl-auth-key") else header
        key = fields.get("api_key") or fields.get("key")
        return key if isinstance(key, str) else None

    def admit(self, request: Request, fields: Fields, right: str) -> Caller:
        """The caller, if it may do this now.

        What changes a model is for no web page but our own, or a key's owner. Counters are for keys that may read them,
        and where there are no keys for programs of this machine.
        """
        address = request.client.host if request.client else "unknown"
        key = self.key_of(request, fields)
        if right == "metrics" and not self.gate.has_keys and self.is_local(request):
            return self.gate.caller(key, address)
        caller = self.gate.admit(key, address, right)
        if right == "teach" and not (key and self.gate.has_keys) and self.is_foreign(request):
            raise Refusal(FOREIGN, Problem.NO_RIGHT)
        return caller

    def is_local(self, request: Request) -> bool:
        """Whether a program of this machine asks for itself: a proxy that asks for somebody else says so."""
        headers = request.headers
        host = urlsplit(f"//{headers.get('host', '')}").hostname or ""
        return (
            is_loopback(request.client.host if request.client else "")
            and is_loopback(host)
            and not any(name in headers for name in ("forwarded", "via", "x-forwarded-for", "origin"))
        )

    def may_translate(self, request: Request, fields: Fields) -> bool:
        """Whether this caller could translate; costs it nothing of its rate, unless its key is wrong."""
        address = request.client.host if request.client else "unknown"
        try:
            return "translate" in self.gate.caller(self.key_of(request, fields), address).rights
        except Refusal:
            return False

    def may_see_sources(self, request: Request) -> bool:
        """Training text may be private: it is not shown to other sites' pages in the browser of a user who may."""
        caller: Caller = request.state.caller
        return "sources" in caller.rights and (bool(caller.name) or not self.is_foreign(request))

    def is_foreign(self, request: Request) -> bool:
        """Whether a page of another origin asks, or one whose name was made to point here."""
        host = request.headers.get("host", "")
        if is_loopback(self.options.host) and not is_loopback(urlsplit(f"//{host}").hostname or ""):
            return True
        origin = request.headers.get("origin")
        return origin is not None and urlsplit(origin).netloc.lower() != host.lower()

    def note(self, request: Request, *, pair: Direction | None = None, text: Any = None, **values: Any) -> None:
        """Values for the request's line in the log; `text` gets there only if the operator asked for it."""
        notes: dict[str, Any] = request.state.notes
        notes.update(values)
        if pair is not None:
            notes["pair"] = f"{pair.source}-{pair.target}"
        if text is not None and self.options.log_text:
            notes["text"] = text

    def taught(self, request: Request, pair: Direction, names: Sequence[str], text: Any) -> None:
        self.metrics.taught(pair.source, pair.target, len(names))
        self.note(request, pair=pair, lessons=len(names), text=text)
