"""The application: what happens around every request, made from the table of routes.

Both interfaces share `/translate` and `/suggest`: a request with `langpair` is Apertium's. Whatever goes wrong becomes
one sentence in the shape the caller's interface expects.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import AsyncIterator, Collection
from typing import Any

import starlette.routing
from starlette.applications import Starlette
from starlette.convertors import PathConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from dragoman.serve import log
from dragoman.serve.answers import LingeringResponse, Problem, Refusal, apertium_error, libre_error
from dragoman.serve.body import BodyLimits, read_fields
from dragoman.serve.context import Context
from dragoman.serve.page import page_routes
from dragoman.serve.route import Address, Dialect, Method, Route, addresses, dialects, refusals
from dragoman.serve.routes import ROUTES
from dragoman.serve.spec import openapi

HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
# For the rest of a body that was refused, where no time is set for bodies.
LINGER_SECONDS = 10.0
# What an operator can do something about.
TOLD = (Problem.SLOW_DOWN, Problem.TOO_LARGE, Problem.REQUEST_TIMEOUT, Problem.CANNOT_LEARN)


class Endpoint:
    """An address with all that surrounds its handlers."""

    def __init__(self, context: Context, path: str, address: Address) -> None:
        self._context = context
        self._path = path
        self._address = address
        routes = [route for operation in address.values() for route in operation]
        self._dialects = dialects(routes)
        most_bytes = max(route.most_bytes(context.options) for route in routes)
        seconds = context.options.body_seconds
        self._limits = BodyLimits(most_bytes, seconds * (1 + most_bytes / 2_000_000) if seconds else 0)

    async def handle(self, request: Request) -> Response:
        begun = time.perf_counter()
        metrics = self._context.metrics
        request.state.notes = {}
        request.state.caller = None
        # The body may tell more.
        request.state.dialect = self._dialect("langpair=" in request.url.query)
        metrics.open_requests += 1
        fault: Exception | None = None
        try:
            response = await self._answer(request)
        except Refusal as refusal:
            response = self._refused(request, refusal)
        except Exception as error:
            fault = error
            response = self._refused(
                request, Refusal("the server failed to answer this; its log says more", Problem.FAULT)
            )
        finally:
            metrics.open_requests -= 1
        seconds = time.perf_counter() - begun
        metrics.request(self._path, response.status_code, seconds)
        caller = request.state.caller
        log.event(
            "request",
            fault=fault,
            route=self._path,
            method=request.method,
            status=response.status_code,
            ms=round(1000 * seconds, 1),
            **({"caller": caller.name} if caller and caller.name else {}),
            **request.state.notes,
        )
        return response

    async def _answer(self, request: Request) -> Response:
        context = self._context
        with context.budget.share() as share:
            fields = await read_fields(request, self._limits, share)
            try:
                route = self._route(request, fields.values)
                # JSONP is a way around what CORS forbids.
                if "callback" in fields.values and context.options.cors_origin != "*" and route.dialect == "apertium":
                    raise Refusal(
                        "callback is not allowed here: this server does not answer to all pages", Problem.NO_RIGHT
                    )
                if route.right:
                    request.state.caller = context.admit(request, fields, route.right)
                return await route.handler(request, fields, context)
            finally:
                await fields.close()

    def _dialect(self, has_langpair: bool) -> Dialect:
        return "apertium" if has_langpair and "apertium" in self._dialects else self._dialects[0]

    def _route(self, request: Request, values: Collection[str]) -> Route:
        """The route that a request means, among those that share this address."""
        request.state.dialect = self._dialect("langpair" in values)
        for route in self._address[method_of(request)]:
            if route.dialect == request.state.dialect:
                return route
        raise Refusal("Method Not Allowed: send source and target by POST, or langpair by GET", Problem.WRONG_METHOD)

    def _refused(self, request: Request, refusal: Refusal) -> Response:
        request.state.notes["error"] = refusal.message if refusal.problem in TOLD else refusal.status
        method = method_of(request)
        if refusal.problem not in refusals(self._address, method):
            log.event(
                "undeclared refusal", level=logging.WARNING, route=self._path, method=method, status=refusal.status
            )
        answer = (apertium_error if request.state.dialect == "apertium" else libre_error)(refusal)
        # One that was too slow has had its time.
        if refusal.close and refusal.problem is not Problem.REQUEST_TIMEOUT:
            return LingeringResponse(answer, self._context.options.body_seconds or LINGER_SECONDS)
        return answer


def method_of(request: Request) -> Method:
    """HEAD is GET, without the body of the answer."""
    return "POST" if request.method == "POST" else "GET"


class Outside:
    """Headers of every answer: those that keep browsers careful, and CORS for the routes other pages may call."""

    PRIVATE = frozenset(route.path for route in ROUTES if not route.cors)

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
                message["headers"] = [*message["headers"], *(header for header in raw if header[0] not in present)]
            await send(message)

        await self._app(scope, receive, send_more)


async def not_here(request: Request, error: Exception) -> Response:
    """Addresses and methods that lead nowhere."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    what = {404: "Not Found: there is no such address here", 405: "Method Not Allowed"}.get(status, "Bad Request")
    return JSONResponse({"error": what}, status, headers=getattr(error, "headers", None))


class TextConvertor(PathConvertor):
    """The rest of an address, line breaks too."""

    regex = "(?s:.*)"


register_url_convertor("text", TextConvertor())


def pattern_of(path: str) -> str:
    """How starlette writes an address: what stands at its end may hold slashes and lines, as a text does."""
    return f"{path[:-1]}:text}}" if path.endswith("}") else path


def make_app(context: Context) -> Outside:
    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            context.close()

    endpoints = [
        starlette.routing.Route(pattern_of(path), Endpoint(context, path, address).handle, methods=list(address))
        for path, address in addresses(ROUTES).items()
    ]
    app = Starlette(
        routes=[*page_routes(), *endpoints],
        lifespan=lifespan,
        exception_handlers={HTTPException: not_here},
    )
    app.state.description = openapi(
        ROUTES, context.options.compat_title, context.engine.languages, context.downloads.extensions
    )
    return Outside(app, context.options.cors_origin)
