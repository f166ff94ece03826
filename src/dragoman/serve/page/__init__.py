"""The page at `/`: a document, a style sheet, a picture and a script in modules, read once and served from memory."""

from __future__ import annotations

import hashlib
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

# Address -> (file, type).
FILES = {
    "/": ("page.html", "text/html; charset=utf-8"),
    "/page.css": ("page.css", "text/css; charset=utf-8"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
    "/favicon.ico": ("icon.svg", "image/svg+xml"),
}
# Nothing from elsewhere, nothing inline, no frame around it: text of users and of training data cannot become a script.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none';"
    " form-action 'none'; frame-ancestors 'none'"
)


def page_route(address: str, name: str, kind: str) -> Route:
    content = files(__name__).joinpath(name).read_bytes()
    headers = {
        "ETag": f'"{hashlib.sha256(content).hexdigest()[:16]}"',
        "Cache-Control": "no-cache",
        "Content-Security-Policy": POLICY,
    }

    async def serve(request: Request) -> Response:
        if request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=kind, headers=headers)

    return Route(address, serve, methods=["GET"])


def page_routes() -> list[Route]:
    scripts = sorted(file.name for file in files(__name__).iterdir() if file.name.endswith(".js"))
    return [
        *(page_route(address, name, kind) for address, (name, kind) in FILES.items()),
        *(page_route(f"/page/{name}", name, "text/javascript; charset=utf-8") for name in scripts),
    ]
