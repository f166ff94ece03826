"""The route that goes on with a translation while it is typed."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from dragoman.completion import completions
from dragoman.errors import DragomanError
from dragoman.serve.answers import Refusal
from dragoman.serve.body import Fields
from dragoman.serve.choice import memories_of
from dragoman.serve.context import Context, while_connected
from dragoman.serve.engine import options_of
from dragoman.serve.libre import check_size, glossary_of
from dragoman.serve.pair import ThroughPair, View
from dragoman.serve.workers import Deadline

MOST_COMPLETIONS = 20


async def complete(request: Request, fields: Fields, context: Context) -> Response:
    source, prefix = fields.required("q"), fields.text("prefix") or ""
    check_size(len(source) + len(prefix), context)
    pair = context.engine.pair(fields.required("source"), fields.required("target"))
    if isinstance(pair, ThroughPair):
        raise Refusal(
            f"Invalid request: {pair.source} to {pair.target} goes through {pair.middle}, and typing goes on with one"
            " model; ask for one step"
        )
    most = fields.whole("alternatives", 0, 0, MOST_COMPLETIONS - 1) + 1
    glossary = glossary_of(fields, context)
    view = View(pair, memories_of(request, fields, context, pair))
    deadline = Deadline(context.options.request_seconds)
    context.note(request, pair=pair, characters=len(source), text=[source, prefix])
    async with context.engine.workers.place(), while_connected(request, deadline):
        try:
            completed = await context.engine.workers.run(
                lambda: completions(
                    view.translator.opened, source, prefix, most, options_of(view), glossary, deadline.check
                ),
                deadline,
            )
        except DragomanError as error:
            raise Refusal(f"Invalid request: {error}") from None
    rests = [completion.rest for completion in completed]
    return JSONResponse(
        {"rest": rests[0], "nextWords": completed[0].next_words, **({"alternatives": rests[1:]} if most > 1 else {})}
    )
