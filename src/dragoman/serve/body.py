"""Reading what callers send, within bounds of size, time and memory.

A body may be JSON, a form or multipart, whatever its Content-Type says, because clients differ. All bodies being read
at once share one budget of bytes, so that many large uploads end in 429 instead of the machine's memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import urllib.parse
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request

from dragoman.serve.answers import Problem, Refusal, slow_down

# A character may take 12 bytes (\uD83D\uDE00) in JSON; names, keys and a glossary come on top.
BYTES_PER_CHARACTER = 12
MAX_FIELDS = 64


@dataclass(slots=True)
class BodyBudget:
    """Bytes of request bodies that may be in memory at once."""

    total: int
    used: int = 0

    @contextlib.contextmanager
    def share(self) -> Iterator[BodyShare]:
        share = BodyShare(self)
        try:
            yield share
        finally:
            self.used -= share.taken


@dataclass(slots=True)
class BodyShare:
    budget: BodyBudget
    taken: int = 0

    def take(self, count: int) -> None:
        if self.budget.used + count > self.budget.total:
            raise slow_down("the server is reading too many large requests at once", 2, close=True)
        self.budget.used += count
        self.taken += count


@dataclass(frozen=True, slots=True)
class BodyLimits:
    most_bytes: int
    seconds: float


@dataclass(slots=True)
class Fields:
    """Parameters of a request, from its address and its body; those of the body win."""

    values: dict[str, Any] = field(default_factory=dict)
    form: FormData | None = None

    def get(self, name: str, default: Any = None) -> Any:
        return self.values.get(name, default)

    def text(self, name: str, default: str | None = None) -> str | None:
        """A parameter that must be a string if it is there."""
        value = self.values.get(name)
        if value is None:
            return default
        if not isinstance(value, str):
            raise Refusal(f"Invalid request: {name} must be a string")
        return value

    def required(self, name: str) -> str:
        value = self.text(name)
        if not value:
            raise Refusal(f"Invalid request: missing {name} parameter")
        return value

    def whole(self, name: str, default: int, least: int, most: int) -> int:
        value = self.values.get(name, default)
        try:
            if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
                raise ValueError
            number = int(value)
        except (ValueError, TypeError, OverflowError):
            raise Refusal(f"Invalid request: {name} parameter is not a number") from None
        return max(least, min(most, number))

    def flag(self, name: str, default: bool = False) -> bool:
        value = self.values.get(name, default)
        if isinstance(value, str):
            return value.strip().lower() in ("1", "true", "yes", "on")
        return bool(value)

    async def close(self) -> None:
        if self.form is not None:
            await self.form.close()


async def chunks(request: Request, limits: BodyLimits, share: BodyShare) -> AsyncIterator[bytes]:
    """The body as it arrives; too much of it, or too slowly, is refused as soon as that is known."""
    declared = request.headers.get("content-length", "")
    too_large = Refusal(
        f"Invalid request: the body is larger than {limits.most_bytes} bytes", Problem.TOO_LARGE, close=True
    )
    if declared.isdecimal() and int(declared) > limits.most_bytes:
        raise too_large
    read = 0
    stream = aiter(request.stream())
    deadline = asyncio.get_running_loop().time() + limits.seconds if limits.seconds else None
    while True:
        try:
            async with asyncio.timeout_at(deadline):
                chunk = await anext(stream, None)
        except TimeoutError:
            raise Refusal(
                f"the request took longer than {limits.seconds:g} s to arrive", Problem.REQUEST_TIMEOUT, close=True
            ) from None
        except ClientDisconnect:
            raise Refusal("the connection was closed before the request had arrived", close=True) from None
        if chunk is None:
            return
        read += len(chunk)
        if read > limits.most_bytes:
            raise too_large
        share.take(len(chunk))
        yield chunk


def query_fields(text: str | bytes) -> dict[str, str]:
    """Parameters of an address or a form; the first of several of one name counts."""
    try:
        raw = text.encode("latin-1") if isinstance(text, str) else text
        pairs = urllib.parse.parse_qsl(raw.decode(), keep_blank_values=True, errors="strict", max_num_fields=MAX_FIELDS)
    except UnicodeError:
        raise Refusal("Invalid request: the text is not UTF-8") from None
    except ValueError:
        raise Refusal(f"Invalid request: more than {MAX_FIELDS} parameters") from None
    fields: dict[str, str] = {}
    for name, value in pairs:
        fields.setdefault(name, value)
    return fields


def json_fields(body: bytes) -> dict[str, Any]:
    try:
        data = json.loads(body)
    except UnicodeDecodeError:
        raise Refusal("Invalid request: the body is not UTF-8 text") from None
    except (ValueError, RecursionError):
        raise Refusal("Invalid request: the body is not valid JSON") from None
    if not isinstance(data, dict):
        raise Refusal("Invalid request: the body is not a JSON object")
    # Half a surrogate pair, which JSON can write and nothing else can.
    if b"\\ud" in body or b"\\uD" in body:
        try:
            json.dumps(data, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise Refusal("Invalid request: the text holds half a surrogate pair") from None
    return data


async def multipart_fields(request: Request, limits: BodyLimits, share: BodyShare) -> Fields:
    async def stream() -> AsyncGenerator[bytes, None]:
        async for chunk in chunks(request, limits, share):
            yield chunk

    parser = MultiPartParser(
        request.headers, stream(), max_files=1, max_fields=MAX_FIELDS, max_part_size=limits.most_bytes
    )
    try:
        form = await parser.parse()
    except MultiPartException as error:
        raise Refusal(f"Invalid request: {error.message}", close=True) from None
    except (UnicodeError, KeyError, ValueError, LookupError):
        raise Refusal("Invalid request: the body is not a valid form", close=True) from None
    values: dict[str, Any] = {}
    for name, value in form.multi_items():
        values.setdefault(name, value)
    return Fields(values, form)


async def read_fields(request: Request, limits: BodyLimits, share: BodyShare) -> Fields:
    """All parameters of a request."""
    query = query_fields(request.scope["query_string"])
    if request.method not in ("POST", "PUT", "DELETE"):
        return Fields(dict(query))
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "multipart/form-data":
        fields = await multipart_fields(request, limits, share)
        return Fields({**query, **fields.values}, fields.form)
    body = b"".join([chunk async for chunk in chunks(request, limits, share)])
    # Some clients send JSON under no name, or under that of a form.
    if kind == "application/json" or kind.endswith("+json") or body.lstrip()[:1] == b"{":
        return Fields({**query, **json_fields(body)})
    return Fields({**query, **query_fields(body.strip())})


def upload_of(fields: Fields) -> UploadFile:
    upload = fields.get("file")
    if not isinstance(upload, UploadFile):
        raise Refusal("Invalid request: missing file parameter")
    if not upload.filename:
        raise Refusal("Invalid request: empty file")
    return upload
