"""The routes that show stored pairs: ours, and those of tmserver and amaGama, which Weblate and Virtaal speak."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from dragoman.errors import DragomanError
from dragoman.explain.match import Match
from dragoman.serve.answers import Problem, Refusal
from dragoman.serve.body import Fields
from dragoman.serve.choice import memories_of
from dragoman.serve.context import Context, while_connected
from dragoman.serve.explain import camel_case
from dragoman.serve.libre import check_size
from dragoman.serve.pair import ThroughPair, View
from dragoman.serve.workers import Deadline

MOST_MATCHES = 20
# What a caller gets that does not say how many, and how near; amaGama's defaults.
MATCHES, AT_LEAST = 5, 70
HIDDEN = "the stored text is not shown to everybody here: a key with the right to sources is needed"


async def nearest_matches(
    request: Request, fields: Fields, context: Context, languages: tuple[str, str], text: str, most: int, at_least: int
) -> list[Match]:
    """For whoever may see training text."""
    if not context.may_see_sources(request):
        raise Refusal(HIDDEN, Problem.NO_RIGHT)
    check_size(len(text), context)
    pair = context.engine.pair(*languages)
    context.note(request, pair=pair, characters=len(text), text=text)
    # Two models have no pairs of the first and the last language.
    if isinstance(pair, ThroughPair):
        return []
    view = View(pair, memories_of(request, fields, context, pair))
    deadline = Deadline(context.options.request_seconds)
    async with context.engine.workers.place(), while_connected(request, deadline):
        try:
            return await context.engine.workers.run(
                lambda: view.translator.matches(text, most, at_least=at_least), deadline
            )
        except DragomanError as error:
            raise Refusal(f"Invalid request: {error}") from None


async def matches(request: Request, fields: Fields, context: Context) -> Response:
    """The stored pairs nearest to a text."""
    languages = fields.required("source"), fields.required("target")
    most = fields.whole("most", MATCHES, 1, MOST_MATCHES)
    at_least = fields.whole("atLeast", AT_LEAST, 1, 100)
    nearest = await nearest_matches(request, fields, context, languages, fields.required("q"), most, at_least)
    return JSONResponse({"matches": [camel_case(match.as_json()) for match in nearest]})


async def units(request: Request, fields: Fields, context: Context) -> Response:
    """The same as tmserver gives it."""
    given = request.path_params
    most = fields.whole("max_candidates", MATCHES, 1, MOST_MATCHES)
    at_least = fields.whole("min_similarity", AT_LEAST, 1, 100)
    languages = given["source"], given["target"]
    nearest = await nearest_matches(request, fields, context, languages, given["text"], most, at_least)
    return JSONResponse(
        [
            {"source": match.source, "target": match.target, "quality": match.percent, "context": match.place}
            for match in nearest
        ]
    )


async def unit_languages(request: Request, fields: Fields, context: Context) -> Response:
    """Languages of the models, as tmserver names them."""
    models = context.engine.models
    return JSONResponse(
        {
            "sourceLanguages": sorted({source for source, _ in models}),
            "targetLanguages": sorted({target for _, target in models}),
        }
    )
