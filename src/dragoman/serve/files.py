"""The routes that take files, and give them back translated."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from dragoman.corpus.recognizer import Doubt
from dragoman.serve.answers import Problem, Refusal
from dragoman.serve.body import Fields, upload_of
from dragoman.serve.choice import memories_of
from dragoman.serve.context import Context, while_connected
from dragoman.serve.downloads import safe_name
from dragoman.serve.languages import AUTO
from dragoman.serve.libre import looks_like
from dragoman.serve.pair import Direction
from dragoman.serve.schemas import Json
from dragoman.serve.workers import Deadline


@dataclass(frozen=True, slots=True)
class TranslatedUpload:
    """The uploaded file's name, its translation, the model that made it, and why it may be the wrong one."""

    name: str
    content: bytes
    pair: Direction
    doubt: Doubt | None


async def translated_upload(request: Request, fields: Fields, context: Context) -> TranslatedUpload:
    upload = upload_of(fields)
    name = safe_name(upload.filename or "")
    if PurePosixPath(name).suffix.lower() not in context.downloads.extensions:
        raise Refusal(
            f"Invalid request: file format not supported; use {' '.join(context.downloads.extensions)}",
        )
    content = await upload.read()
    source, target = fields.required("source"), fields.required("target")
    deadline = Deadline(context.options.file_seconds)
    async with while_connected(request, deadline):
        if source.lower() == AUTO:
            source = context.engine.surely(await context.engine.sample_file(name, content, deadline), target)
        pair = context.engine.pair(source, target)
        translation, doubt = await context.engine.translate_file(
            pair,
            name,
            content,
            deadline,
            force=fields.flag("force"),
            memories=memories_of(request, fields, context, pair),
        )
    context.note(request, pair=pair, bytes=len(content), text=name)
    context.metrics.translated(pair.source, pair.target, 1, len(content))
    return TranslatedUpload(name, translation, pair, doubt)


async def translate_file(request: Request, fields: Fields, context: Context) -> Response:
    upload = await translated_upload(request, fields, context)
    path = PurePosixPath(upload.name)
    key = context.downloads.add(f"{path.stem}_{upload.pair.target}{path.suffix}", upload.content)
    body: Json = {"translatedFileUrl": f"{request.base_url}download_file/{quote(key)}"}
    if upload.doubt is not None:
        body["looksLike"] = looks_like(upload.doubt)
    return JSONResponse(body)


async def download_file(request: Request, fields: Fields, context: Context) -> Response:
    download = context.downloads.get(request.path_params["name"])
    if download is None:
        raise Refusal("Invalid filename: there is no such file, or no longer", Problem.UNKNOWN)
    return attachment(download.name, download.content)


def attachment(name: str, content: bytes) -> Response:
    """Always to be saved, never shown: translated HTML must not run here."""
    plain = name.encode("ascii", "replace").decode().replace("?", "_")
    disposition = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name)}"
    return Response(content, media_type="application/octet-stream", headers={"Content-Disposition": disposition})
