"""What the server says when it cannot do what was asked: one sentence, in the shape the caller's interface expects."""

from __future__ import annotations

import asyncio
import contextlib
import enum
import http
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

CALLBACK = re.compile(r"[A-Za-z_$][\w$]{0,63}(\.[A-Za-z_$][\w$]{0,63}){0,3}", re.ASCII)


# What is read of a body that was refused, and thrown away, so that its sender gets to the answer.
MOST_LEFT_BYTES = 64_000_000


class Problem(enum.Enum):
    """Why a request is refused: the status of HTTP, and what the description of our routes says of it."""

    BAD_REQUEST = 400, "The request cannot be used; the message says why."
    NO_RIGHT = 403, "No key, a wrong key, or one without this right."
    UNKNOWN = 404, "There is no such thing, or no longer."
    WRONG_METHOD = 405, "Nothing answers to this method here; the message says which to use."
    REQUEST_TIMEOUT = 408, "The request took too long to arrive, or its translation longer than the server allows."
    TOO_LARGE = 413, "The body is too large."
    SLOW_DOWN = 429, "Too many requests: try again after Retry-After seconds."
    FAULT = 500, "A fault of the server, which its log tells more about."
    CANNOT_LEARN = 501, "This model cannot learn."
    CANNOT_LEARN_NOW = 503, "Nothing can be learned now, the message says why: try again after Retry-After seconds."
    TRANSLATION_TIMEOUT = 504, "The translation took longer than the server allows."
    DISK_FULL = 507, "The lesson could not be kept: the disk is full."

    def __init__(self, status: int, meaning: str) -> None:
        self.status = status
        self.meaning = meaning


@dataclass(eq=False)
class Refusal(Exception):  # noqa: N818, it is an answer
    """A request that is answered with an error; `retry_after` in seconds, where trying again makes sense."""

    message: str
    problem: Problem = Problem.BAD_REQUEST
    retry_after: int | None = None
    close: bool = False

    @property
    def status(self) -> int:
        return self.problem.status

    def headers(self) -> dict[str, str]:
        later = {} if self.retry_after is None else {"Retry-After": str(self.retry_after)}
        # What is left of a body that was not read must not be taken for the next request.
        return {**later, "Connection": "close"} if self.close else later


def slow_down(why: str, retry_after: int = 1, *, close: bool = False) -> Refusal:
    return Refusal(f"Slowdown: {why}", Problem.SLOW_DOWN, retry_after, close)


class LingeringResponse(Response):
    """An answer to a request that is still arriving.

    Whoever hangs up on a sender makes its system throw the answer away unread. So the answer goes out at once, and what
    still comes is read and forgotten for a while: most senders look for an answer only when they have sent everything.
    """

    def __init__(self, inner: Response, seconds: float) -> None:
        super().__init__(inner.body, inner.status_code, dict(inner.headers))
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": True})
        # Who waits for permission to send has sent nothing, and must not be given it now.
        if (b"expect", b"100-continue") not in [(name, value.lower()) for name, value in scope["headers"]]:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._seconds):
                    await drain(receive)
        await send({"type": "http.response.body", "body": b""})


async def drain(receive: Receive) -> None:
    left = MOST_LEFT_BYTES
    while left > 0:
        message = await receive()
        if message["type"] == "http.disconnect" or not message.get("more_body", False):
            return
        left -= len(message.get("body", b""))


def libre_error(refusal: Refusal) -> Response:
    return JSONResponse({"error": refusal.message}, refusal.status, headers=refusal.headers())


def apertium_error(refusal: Refusal) -> Response:
    """Both what Apertium's clients read and what OmegaT insists on."""
    body = {
        "status": "error",
        "code": refusal.status,
        "message": http.HTTPStatus(refusal.status).phrase,
        "explanation": refusal.message,
        "responseData": None,
        "responseDetails": refusal.message,
        "responseStatus": refusal.status,
        "error": refusal.message,
    }
    return JSONResponse(body, refusal.status, headers=refusal.headers())


def apertium_answer(values: Mapping[str, Any], body: Any) -> Response:
    """JSON, or a call of the function that the request's values name (JSONP)."""
    callback = values.get("callback")
    if not callback:
        return JSONResponse(body)
    if not isinstance(callback, str) or not CALLBACK.fullmatch(callback):
        raise Refusal("callback must be the name of a function")
    script = f"/**/{callback}({bytes(JSONResponse(body).body).decode()})"
    # Two line ends of Unicode that JSON allows and JavaScript once did not.
    script = script.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return Response(script, media_type="application/javascript")


def data_answer(values: Mapping[str, Any], data: Any) -> Response:
    return apertium_answer(values, {"responseData": data, "responseDetails": None, "responseStatus": 200})
