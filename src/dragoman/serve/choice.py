"""Which memories a request means: those whose lessons apply to a translation, and the one that is taught."""

from __future__ import annotations

from starlette.requests import Request

from dragoman.errors import ConfigError
from dragoman.learn.memory import DEFAULT, MemoryChoice, require_known, require_memory, required_choice
from dragoman.serve.answers import Refusal
from dragoman.serve.body import Fields
from dragoman.serve.context import Context
from dragoman.serve.pair import Direction, ThroughPair


def memories_of(request: Request, fields: Fields, context: Context, pair: Direction) -> MemoryChoice | None:
    """Those that the request says apply; None where it says nothing.

    Their names may be those of clients, so that only who may see the training text is told which there are.
    """
    given = fields.get("memories")
    if given is None or given in ("", [], {}):
        return None
    try:
        choice = required_choice(given)
    except ConfigError as error:
        raise Refusal(f"Invalid request: {error}") from None
    if isinstance(pair, ThroughPair):
        raise Refusal(
            f"Invalid request: {pair.source} to {pair.target} goes through {pair.middle}, and memories with one model;"
            " ask for one step"
        )
    assert choice is not None
    overlay = pair.translator.overlay
    overlay.refresh()
    try:
        require_known(choice, overlay.memories())
    except ConfigError as error:
        why = str(error) if context.may_see_sources(request) else str(error).partition(";")[0]
        raise Refusal(f"Invalid request: {why}") from None
    return choice


def memory_in(fields: Fields, otherwise: str = DEFAULT) -> str:
    """The one that is taught or asked about."""
    name = fields.text("memory")
    try:
        return require_memory(name) if name else otherwise
    except ConfigError as error:
        raise Refusal(f"Invalid request: {error}") from None
