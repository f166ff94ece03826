"""What is known of one route of the server: its description, its limits and the checks around it are made from this."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal

from starlette.requests import Request
from starlette.responses import Response

from dragoman.config import ServeOptions
from dragoman.serve.answers import Problem
from dragoman.serve.body import BYTES_PER_CHARACTER, Fields
from dragoman.serve.context import Context
from dragoman.serve.schemas import Json, record

Handler = Callable[[Request, Fields, Context], Awaitable[Response]]
Method = Literal["GET", "POST"]
Dialect = Literal["libre", "apertium"]

# Names, keys, a glossary.
ROOM = 100_000


@dataclass(frozen=True, slots=True)
class Route:
    """An address, who answers there, what it takes and gives, who may ask, and how it may refuse."""

    path: str
    handler: Handler
    summary: str
    methods: tuple[Method, ...] = ("GET",)
    # The shape of its refusals.
    dialect: Dialect = "libre"
    # What the caller must be allowed to do; asked before the handler is.
    right: Literal["", "translate", "teach", "metrics"] = ""
    # Parameters: of the address for GET, of the body for POST.
    takes: Json = field(default_factory=record)
    gives: Json = field(default_factory=record)
    gives_kind: str = "application/json"
    # Refusals of the handler itself; `refusals` also has those that come before it.
    refuses: frozenset[Problem] = frozenset()
    # Whether pages of other origins may call it.
    cors: bool = True

    @property
    def takes_file(self) -> bool:
        return "file" in self.takes["properties"]

    def most_bytes(self, options: ServeOptions) -> int:
        """Of the body. Where no right is asked for, nothing is translated or taught: names are all there is to send."""
        if self.takes_file:
            return options.file_limit + ROOM
        return (BYTES_PER_CHARACTER * (2 * options.char_limit or 5_000_000) if self.right else 0) + ROOM

    def refusals(self, method: Method) -> frozenset[Problem]:
        """All that may go wrong."""
        problems = {Problem.BAD_REQUEST, Problem.FAULT, *self.refuses}
        if method == "POST":
            problems |= {Problem.REQUEST_TIMEOUT, Problem.TOO_LARGE, Problem.SLOW_DOWN}
        if self.right:
            problems |= {Problem.NO_RIGHT, Problem.SLOW_DOWN}
        # A callback, where only some pages may call.
        if self.dialect == "apertium":
            problems.add(Problem.NO_RIGHT)
        return frozenset(problems)


# The routes of one method of one address: one, or two of which a request with `langpair` means Apertium's.
Operation = tuple[Route, ...]
Address = dict[Method, Operation]


def addresses(routes: Iterable[Route]) -> dict[str, Address]:
    """Routes by address and method."""
    table: dict[str, Address] = {}
    for route in routes:
        address = table.setdefault(route.path, {})
        for method in route.methods:
            address[method] = (*address.get(method, ()), route)
    return table


def dialects(routes: Iterable[Route]) -> list[Dialect]:
    return [route.dialect for route in routes]


def refusals(address: Address, method: Method) -> frozenset[Problem]:
    """How a request may be refused there."""
    operation = address[method]
    problems = frozenset[Problem]().union(*(route.refusals(method) for route in operation))
    # A request of the dialect that this method has no route for.
    incomplete = set(dialects(operation)) < {dialect for routes in address.values() for dialect in dialects(routes)}
    return problems | {Problem.WRONG_METHOD} if incomplete else problems
