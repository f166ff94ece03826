"""Files to translate, and translated files to fetch.

A translated file is kept in memory under a name nobody can guess until it is fetched often enough or grows old; what
is kept at once is bounded, the oldest goes first. File names come from strangers: only the last part of one is used,
and only to name the download.
"""

from __future__ import annotations

import re
import secrets
import time
import unicodedata
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from dragoman.config import ServeOptions
from dragoman.documents import BY_EXTENSION
from dragoman.serve.answers import Refusal
from dragoman.serve.body import Fields, upload_of
from dragoman.serve.context import Context, while_connected
from dragoman.serve.languages import AUTO
from dragoman.serve.pair import Pair
from dragoman.serve.workers import Deadline

KEPT_SECONDS = 1800.0
UNSAFE = re.compile(r"[^\w.()\[\] +,=@~-]")


def safe_name(name: str) -> str:
    """The last part of a path, without anything that means something to a shell, a header or a file system."""
    last = PurePosixPath(unicodedata.normalize("NFC", name).replace("\\", "/")).name
    return UNSAFE.sub("_", last).lstrip(".")[-100:] or "file"


@dataclass(slots=True)
class Download:
    name: str
    content: bytes
    made: float = field(default_factory=time.monotonic)


class FileStore:
    """Translated files that wait to be fetched."""

    def __init__(self, options: ServeOptions) -> None:
        self._most_bytes = 8 * options.file_limit
        self._kept: OrderedDict[str, Download] = OrderedDict()
        self._bytes = 0
        self.extensions = sorted(BY_EXTENSION) if options.file_limit else []

    def add(self, name: str, content: bytes) -> str:
        """The secret name under which it can be fetched."""
        self._forget_old()
        key = f"{secrets.token_hex(16)}.{name}"
        self._kept[key] = Download(name, content)
        self._bytes += len(content)
        while self._bytes > self._most_bytes and len(self._kept) > 1:
            self._bytes -= len(self._kept.popitem(last=False)[1].content)
        return key

    def get(self, key: str) -> Download | None:
        self._forget_old()
        return self._kept.get(key)

    def _forget_old(self) -> None:
        oldest = time.monotonic() - KEPT_SECONDS
        while self._kept and next(iter(self._kept.values())).made < oldest:
            self._bytes -= len(self._kept.popitem(last=False)[1].content)


async def translated_upload(request: Request, fields: Fields, context: Context) -> tuple[str, bytes, Pair]:
    """The uploaded file's name, its translation, and the model that made it."""
    upload = upload_of(fields)
    name = safe_name(upload.filename or "")
    if PurePosixPath(name).suffix.lower() not in context.files.extensions:
        raise Refusal(400, f"Invalid request: file format not supported; use {' '.join(context.files.extensions)}")
    content = await upload.read()
    source, target = fields.required("source"), fields.required("target")
    if source.lower() == AUTO:
        source = context.engine.detect_source(content[:20_000].decode(errors="ignore"), target).language
    pair = context.engine.pair(source, target)
    deadline = Deadline(context.options.file_seconds)
    async with while_connected(request, deadline):
        made = await context.engine.translate_file(pair, name, content, deadline)
    context.note(request, pair=pair, bytes=len(content), text=name)
    context.metrics.translated(pair.source, pair.target, 1, len(content))
    return name, made, pair


async def translate_file(request: Request, fields: Fields, context: Context) -> Response:
    context.admit(request, fields, "translate")
    name, content, pair = await translated_upload(request, fields, context)
    path = PurePosixPath(name)
    key = context.files.add(f"{path.stem}_{pair.target}{path.suffix}", content)
    return JSONResponse({"translatedFileUrl": f"{request.base_url}download_file/{quote(key)}"})


async def download_file(request: Request, fields: Fields, context: Context) -> Response:
    found = context.files.get(request.path_params["name"])
    if found is None:
        raise Refusal(404, "Invalid filename: there is no such file, or no longer")
    return attachment(found.name, found.content)


def attachment(name: str, content: bytes) -> Response:
    """Always to be saved, never shown: translated HTML must not run here."""
    plain = name.encode("ascii", "replace").decode().replace("?", "_")
    disposition = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name)}"
    return Response(content, media_type="application/octet-stream", headers={"Content-Disposition": disposition})
