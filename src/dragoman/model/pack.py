"""One file for a whole model: an uncompressed tar archive, manifest first.

Members of a tar file begin at multiples of 512 bytes, so the 64-byte alignment of the sections survives. The archive is
the same bytes for the same model. Unpacking trusts nothing: only the files the manifest names, only plain files, sizes
and SHA-256 checked before the directory takes its name.
"""

from __future__ import annotations

import dataclasses
import hashlib
import io
import tarfile
from collections.abc import Collection
from pathlib import Path
from typing import IO

from dragoman.errors import ConfigError, FormatError
from dragoman.files import open_plain, writing, writing_directory
from dragoman.model.directory import ModelDirectory, seal
from dragoman.model.manifest import EDITABLE, KNOWN, LOG, MANIFEST, OVERLAY, FileEntry, Manifest, is_model_file
from dragoman.progress import Progress

BLOCK = 1 << 20
MANIFEST_LIMIT = 1 << 24

# What tarfile raises for headers that make no sense: numbers that are none, headers before headers without end.
UNREADABLE = (tarfile.TarError, ValueError, IndexError, OverflowError, RecursionError, EOFError)


def pack(model: ModelDirectory, path: str | Path, progress: Progress, without: Collection[str] = ()) -> None:
    """Writes the files of a model, which the caller has verified, as one archive, but for those named by `without`."""
    if Path(path).resolve().parent == model.path.resolve():
        raise ConfigError(f"{path} lies inside the model itself; choose another place for the archive", "out")
    if (model.path / OVERLAY / LOG).exists():
        raise ConfigError(
            f"{model.path} has an overlay of added and removed pairs, which an archive does not hold; run `dragoman"
            f" compact -m {model.path}` first",
            "model",
        )
    names = [name for name in KNOWN if model.has(name) and name not in without]
    files = {name: entry for name, entry in model.manifest.files.items() if name in names}
    manifest = dataclasses.replace(model.manifest, files=files).to_json().encode()
    total = len(manifest) + sum((model.path / name).stat().st_size for name in names)
    done = len(manifest)
    with writing(path) as stream, tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
        first = tarfile.TarInfo(MANIFEST)
        first.size = len(manifest)
        archive.addfile(first, io.BytesIO(manifest))
        for name in names:
            member = tarfile.TarInfo(name)
            member.size = (model.path / name).stat().st_size
            with open_plain(model.path / name) as content:
                archive.addfile(member, content)
            done += member.size
            progress(done, total)


def unpack(
    archive_path: str | Path, path: str | Path, progress: Progress, *, overwrite: bool = False
) -> ModelDirectory:
    """Makes a model directory of an archive, or nothing at all."""
    source = Path(archive_path)
    with source.open("rb") as stream, writing_directory(path, overwrite, is_model_file) as directory:
        try:
            with tarfile.open(fileobj=stream, mode="r:") as archive:
                manifest = extract(archive, directory, source, progress)
        except UNREADABLE as error:
            what = type(error).__name__ if isinstance(error, RecursionError) else str(error)
            raise FormatError(f"{source}: is not a packed model or is cut off ({what})", str(source)) from None
        seal(directory, manifest)
    return ModelDirectory.open(path)


def extract(archive: tarfile.TarFile, directory: Path, source: Path, progress: Progress) -> Manifest:
    """Copies the members the manifest names; FormatError on anything else."""

    def refuse(what: str) -> FormatError:
        return FormatError(f"{source}: {what}; fetch the packed model again", str(source))

    manifest: Manifest | None = None
    seen: set[str] = set()
    total = source.stat().st_size
    for member in archive:
        name = member.name
        if not member.isreg() or member.issparse() or name in seen:
            raise refuse(f"has an odd member '{name}'")
        seen.add(name)
        content = archive.extractfile(member)
        assert content is not None
        if manifest is None:
            if name != MANIFEST or member.size > MANIFEST_LIMIT:
                raise refuse(f"is not a packed model: it does not begin with {MANIFEST}")
            manifest = Manifest.from_json(content.read(), f"{source}:{MANIFEST}")
            continue
        entry = manifest.files.get(name)
        if entry is None:
            raise refuse(f"has a member '{name}' that its manifest does not name")
        if member.size != entry.bytes and name not in EDITABLE:
            raise refuse(f"has a '{name}' of the wrong size")
        if not copy(content, directory / name, entry) and name not in EDITABLE:
            raise refuse(f"has a damaged '{name}'")
        progress(member.offset_data + member.size, total)
    if manifest is None:
        raise refuse("is empty")
    if missing := set(manifest.files) - seen:
        raise refuse(f"lacks {', '.join(sorted(missing))}")
    return manifest


def copy(content: IO[bytes], path: Path, entry: FileEntry) -> bool:
    """Writes a member and says whether its SHA-256 is the one of the manifest."""
    digest = hashlib.sha256()
    with path.open("xb") as stream:
        while block := content.read(BLOCK):
            digest.update(block)
            stream.write(block)
    return digest.hexdigest() == entry.sha256
