"""The application: which address leads where, and what happens around every request.

Both interfaces share `/translate` and `/suggest`: a request with `langpair` is Apertium's. Whatever goes wrong becomes
one sentence in the shape the caller's interface expects.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from dragoman.serve import apertium, files, libre, log
from dragoman.serve.answers import LingeringResponse, Refusal, apertium_error, libre_error
from dragoman.serve.body import BYTES_PER_CHARACTER, BodyLimits, Fields, read_fields
from dragoman.serve.context import Context
from dragoman.serve.page import POLICY, page_routes
from dragoman.serve.page.docs import docs_page
from dragoman.serve.spec import openapi, swagger

Handler = Callable[[Request, Fields, Context], Awaitable[Response]]
GET, POST, BOTH = ["GET"], ["POST"], ["GET", "POST"]
HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
# Names, keys, a glossary.
ROOM = 100_000
# For the rest of a body that was refused, where no time is set for bodies.
LINGER_SECONDS = 10.0


class Endpoint:
    """A handler with all that surrounds it."""

    def __init__(self, context: Context, name: str, handler: Handler, shape: str, most_bytes: int) -> None:
        self._context = context
        self._name = name
        self._handler = handler
        self._shape = shape
        seconds = context.options.body_seconds
        self._limits = BodyLimits(most_bytes, seconds * (1 + most_bytes / 2_000_000) if seconds else 0)

    async def handle(self, request: Request) -> Response:
        begun = time.perf_counter()
        metrics = self._context.metrics
        request.state.notes = {}
        request.state.caller = ""
        # The route may find out more while it reads.
        request.state.shape = "apertium" if "langpair=" in request.url.query else self._shape
        metrics.open_requests += 1
        fault: Exception | None = None
        try:
            response = await self._answer(request)
        except Refusal as refusal:
            response = self._refused(request, refusal)
        except Exception as error:
            fault = error
            response = self._refused(request, Refusal(500, "the server failed to answer this; its log says more"))
        finally:
            metrics.open_requests -= 1
        seconds = time.perf_counter() - begun
        metrics.request(self._name, response.status_code, seconds)
        log.event(
            "request",
            fault=fault,
            route=self._name,
            method=request.method,
            status=response.status_code,
            ms=round(1000 * seconds, 1),
            **({"caller": request.state.caller} if request.state.caller else {}),
            **request.state.notes,
        )
        return response

    async def _answer(self, request: Request) -> Response:
        with self._context.budget.share() as share:
            fields = await read_fields(request, self._limits, share)
            try:
                if "langpair" in fields.values:
                    request.state.shape = "apertium"
                # JSONP is a way around what CORS forbids.
                if "callback" in fields.values and self._context.options.cors_origin != "*":
                    raise Refusal(403, "callback is not allowed here: this server does not answer to all pages")
                return await self._handler(request, fields, self._context)
            finally:
                await fields.close()

    def _refused(self, request: Request, refusal: Refusal) -> Response:
        request.state.notes["error"] = refusal.message if refusal.status in (429, 413, 408, 501) else refusal.status
        answer = (apertium_error if request.state.shape == "apertium" else libre_error)(refusal)
        # One that was too slow has had its time.
        if refusal.close and refusal.status != 408:
            return LingeringResponse(answer, self._context.options.body_seconds or LINGER_SECONDS)
        return answer


async def translate(request: Request, fields: Fields, context: Context) -> Response:
    if "langpair" in fields.values:
        return await apertium.translate(request, fields, context)
    if request.method == "GET":
        raise Refusal(405, "Method Not Allowed: send source and target by POST, or langpair by GET")
    return await libre.translate(request, fields, context)


async def suggest(request: Request, fields: Fields, context: Context) -> Response:
    if "langpair" in fields.values:
        return await apertium.suggest(request, fields, context)
    return await libre.suggest(request, fields, context)


async def health(request: Request, fields: Fields, context: Context) -> Response:
    return JSONResponse({"status": "ok"})


async def metrics(request: Request, fields: Fields, context: Context) -> Response:
    context.admit_watcher(request, fields)
    return PlainTextResponse(context.metrics.text(context.engine), media_type="text/plain; version=0.0.4")


def routes_of(context: Context) -> list[Route]:
    options = context.options
    text = BYTES_PER_CHARACTER * (2 * options.char_limit or 5_000_000) + ROOM
    file = options.file_limit + ROOM
    document = openapi(options.compat_title, context.engine.languages, context.files.extensions)
    old_document = swagger(document)

    async def spec(request: Request, fields: Fields, context: Context) -> Response:
        return JSONResponse(document if request.url.path == "/openapi.json" else old_document)

    async def docs(request: Request, fields: Fields, context: Context) -> Response:
        return HTMLResponse(docs_page(document), headers={"Content-Security-Policy": POLICY})

    table: list[tuple[str, Handler, list[str], str, int]] = [
        ("/translate", translate, BOTH, "libre", text),
        ("/detect", libre.detect, POST, "libre", text),
        ("/languages", libre.languages, GET, "libre", 0),
        ("/suggest", suggest, POST, "libre", text),
        ("/forget", libre.forget, POST, "libre", text),
        ("/translate_file", files.translate_file, POST, "libre", file),
        ("/download_file/{name}", files.download_file, GET, "libre", 0),
        ("/frontend/settings", libre.settings, GET, "libre", 0),
        ("/health", health, GET, "libre", 0),
        ("/spec", spec, GET, "libre", 0),
        ("/openapi.json", spec, GET, "libre", 0),
        ("/docs", docs, GET, "libre", 0),
        ("/metrics", metrics, GET, "libre", 0),
        ("/listPairs", apertium.list_pairs, BOTH, "apertium", ROOM),
        ("/list", apertium.list_modes, BOTH, "apertium", ROOM),
        ("/listLanguageNames", apertium.language_names, BOTH, "apertium", ROOM),
        ("/identifyLang", apertium.identify_language, BOTH, "apertium", text),
        ("/translateDoc", apertium.translate_doc, POST, "apertium", file),
        ("/stats", apertium.stats, GET, "apertium", 0),
        ("/pairprefs", apertium.pair_preferences, GET, "apertium", 0),
    ]
    return [
        Route(path, Endpoint(context, path, handler, shape, most).handle, methods=methods)
        for path, handler, methods, shape, most in table
    ]


class Outside:
    """Headers of every answer: those that keep browsers careful, and CORS for the routes other pages may call."""

    PRIVATE = ("/forget", "/metrics")

    def __init__(self, app: Any, origin: str) -> None:
        self._app = app
        self._origin = "" if origin == "none" else origin

    def headers(self, path: str) -> dict[str, str]:
        if not self._origin or path in self.PRIVATE:
            return HEADERS
        return {
            **HEADERS,
            "Access-Control-Allow-Origin": self._origin,
            "Access-Control-Allow-Headers": "Authorization, Content-Type",
            "Access-Control-Allow-Methods": "GET, POST",
            "Access-Control-Expose-Headers": "Authorization",
            "Access-Control-Max-Age": "1728000",
        }

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        extra = self.headers(scope["path"])
        if scope["method"] == "OPTIONS":
            await Response(status_code=204, headers=extra)(scope, receive, send)
            return
        raw = [(name.lower().encode(), value.encode()) for name, value in extra.items()]

        async def send_more(message: Any) -> None:
            if message["type"] == "http.response.start":
                present = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(each for each in raw if each[0] not in present)]
            await send(message)

        await self._app(scope, receive, send_more)


async def not_here(request: Request, error: Exception) -> Response:
    """Addresses and methods that lead nowhere."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    what = {404: "Not Found: there is no such address here", 405: "Method Not Allowed"}.get(status, "Bad Request")
    return JSONResponse({"error": what}, status, headers=getattr(error, "headers", None))


def make_app(context: Context) -> Outside:
    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            context.engine.close()

    app = Starlette(
        routes=[*page_routes(), *routes_of(context)],
        lifespan=lifespan,
        exception_handlers={HTTPException: not_here},
    )
    return Outside(app, context.options.cors_origin)
