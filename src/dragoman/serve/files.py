"""The routes that take files, and give them back translated."""

from __future__ import annotations

from pathlib import PurePosixPath
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from dragoman.serve.answers import Problem, Refusal
from dragoman.serve.body import Fields, upload_of
from dragoman.serve.context import Context, while_connected
from dragoman.serve.downloads import safe_name
from dragoman.serve.languages import AUTO
from dragoman.serve.pair import Pair
from dragoman.serve.workers import Deadline


async def translated_upload(request: Request, fields: Fields, context: Context) -> tuple[str, bytes, Pair]:
    """The uploaded file's name, its translation, and the model that made it."""
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
            sample = await context.engine.sample_file(name, content, deadline)
            source = context.engine.detect_source(sample, target).language
        pair = context.engine.pair(source, target)
        translation = await context.engine.translate_file(pair, name, content, deadline)
    context.note(request, pair=pair, bytes=len(content), text=name)
    context.metrics.translated(pair.source, pair.target, 1, len(content))
    return name, translation, pair


async def translate_file(request: Request, fields: Fields, context: Context) -> Response:
    name, content, pair = await translated_upload(request, fields, context)
    path = PurePosixPath(name)
    key = context.downloads.add(f"{path.stem}_{pair.target}{path.suffix}", content)
    return JSONResponse({"translatedFileUrl": f"{request.base_url}download_file/{quote(key)}"})


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
