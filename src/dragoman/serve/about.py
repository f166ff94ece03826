"""What the server says of itself: that it works, what it has counted, and how to speak to it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response

from dragoman.serve.body import Fields
from dragoman.serve.context import Context
from dragoman.serve.page import POLICY
from dragoman.serve.page.docs import docs_page
from dragoman.serve.spec import swagger


async def health(request: Request, fields: Fields, context: Context) -> Response:
    return JSONResponse({"status": "ok"})


async def metrics(request: Request, fields: Fields, context: Context) -> Response:
    return PlainTextResponse(context.metrics.text(context.engine), media_type="text/plain; version=0.0.4")


async def openapi_document(request: Request, fields: Fields, context: Context) -> Response:
    return JSONResponse(request.app.state.description)


async def swagger_document(request: Request, fields: Fields, context: Context) -> Response:
    return JSONResponse(swagger(request.app.state.description))


async def docs(request: Request, fields: Fields, context: Context) -> Response:
    return HTMLResponse(docs_page(request.app.state.description), headers={"Content-Security-Policy": POLICY})
