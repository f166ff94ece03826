"""A model on disk: a directory of a few named files and a manifest that says what they are.

The manifest, model.json, holds the languages, the options of every stage, scores, and bytes and SHA-256 of each file.
Opening checks that every file is there with the size and the content hash of its header that the manifest names, which
costs next to nothing; the core then verifies the sections it maps. `verify` reads everything and compares SHA-256.
A directory appears under its name complete or not at all, and changing one file makes a new directory of hard links
that takes the old one's place.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from dragoman import _core
from dragoman.errors import FormatError
from dragoman.files import link_file, open_plain, require_plain, writing, writing_directory
from dragoman.leftovers import sweep
from dragoman.model.lock import ModelLock, model_lock
from dragoman.model.manifest import EDITABLE, KNOWN, MANIFEST, OVERLAY, FileEntry, Manifest, is_left_over, is_model_file


@dataclass(frozen=True, slots=True)
class ModelDirectory:
    """A model that was checked when it was opened."""

    path: Path
    manifest: Manifest
    # Where a component is read from, where that is not the directory; see dragoman.model.private_files.
    find: Callable[[str], Path] | None = field(default=None, compare=False)

    @classmethod
    def open(cls, path: str | Path, *, verify: bool = False) -> ModelDirectory:
        """Checks the manifest and every file's size and header; with `verify` also every byte."""
        directory = Path(path)
        manifest_path = directory / MANIFEST
        try:
            with open_plain(manifest_path) as stream:
                text = stream.read()
        except (FileNotFoundError, NotADirectoryError):
            if directory.is_dir():
                raise FormatError(f"{path}: is not a model directory, it holds no {MANIFEST}", str(path)) from None
            if directory.is_file():
                hint = (
                    f"is a file, not a model directory; if `dragoman pack` made it, run `dragoman unpack {path}` first"
                )
                raise FormatError(f"{path}: {hint}", str(path)) from None
            raise FormatError(f"{path}: there is no such model directory", str(path)) from None
        model = cls(directory, Manifest.from_json(text, str(manifest_path)))
        for name, entry in model.manifest.files.items():
            check_file(directory / name, entry, verify=verify)
        return model

    def has(self, name: str) -> bool:
        return name in self.manifest.files

    def file(self, name: str) -> Path:
        """The path of a component; FormatError where the model was built without it."""
        if not self.has(name):
            raise FormatError(f"{self.path}: the model has no {name} ({KNOWN[name]})", str(self.path))
        path = self.path / name if self.find is None else self.find(name)
        require_plain(path, path.stat())
        return path

    def sections(self, name: str) -> dict[str, int]:
        """Bytes of each section of a .bin file."""
        return dict(_core.describe_container(str(self.file(name)), True)["sections"])


def check_file(path: Path, entry: FileEntry, *, verify: bool) -> None:
    """FormatError unless the file is the one the manifest describes."""

    def refuse(what: str) -> FormatError:
        return FormatError(f"{path}: {what}; copy the model again from a good source or build it again", str(path))

    try:
        size = path.stat().st_size
        if not path.is_file():
            raise refuse("is not a file")
        if path.name in EDITABLE:
            return
        if size != entry.bytes:
            raise refuse(f"is {size} bytes long where {MANIFEST} says {entry.bytes}")
        if entry.payload is not None and payload_hash(path) != entry.payload:
            raise refuse("belongs to another model")
        # Text files are small and have no hash of their own.
        if (verify or entry.payload is None) and sha256_of(path) != entry.sha256:
            raise refuse("is damaged: its SHA-256 is not the one of the manifest")
    except FileNotFoundError:
        raise refuse("is missing") from None


def payload_hash(path: Path) -> str | None:
    """The content hash in the header of a container; None for other files."""
    if path.suffix != ".bin":
        return None
    with open_plain(path) as stream:
        header = stream.read(64)
    return header[48:56][::-1].hex() if len(header) == 64 else ""


def sha256_of(path: Path) -> str:
    with open_plain(path) as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def describe_file(path: Path) -> FileEntry:
    return FileEntry(path.stat().st_size, sha256_of(path), payload_hash(path))


@contextlib.contextmanager
def building_model(path: str | Path, manifest: Manifest, overwrite: bool = False) -> Iterator[Path]:
    """Yields a new directory to fill; when the block ends well it is sealed with a manifest and takes its name."""
    with writing_directory(path, overwrite, is_model_file) as directory:
        yield directory
        seal(directory, manifest)


@contextlib.contextmanager
def revising_model(
    model: ModelDirectory,
    change: Callable[[Manifest], Manifest],
    overlay: Callable[[Path, Path], None] | None = None,
) -> Iterator[Path]:
    """Yields a copy of a model, made of hard links, in which files may be added or replaced; then it takes its place.

    Replace files by writing new ones, as files.writing does, never in place: the links share their content. Pairs that
    others add meanwhile go to the same log; nobody adds while the new directory takes the old one's place. `overlay`
    makes the overlay folder of the new directory out of the old one, where it is not to be the same.
    """
    sweep_model(model.path)
    lock = None
    try:
        with writing_directory(model.path, overwrite=True, ours=is_model_file) as directory:
            for name in model.manifest.files:
                link_file(model.path / name, directory / name)
            yield directory
            lock = ModelLock(model.path)
            (overlay or link_overlay)(model.path, directory)
            seal(directory, change(model.manifest))
    finally:
        if lock:
            lock.release()


def sweep_model(path: Path) -> int:
    """Removes what killed writers of a model left beside it; returns how many directories that were."""
    with model_lock(path):
        return sweep(path, is_left_over)


def link_overlay(old: Path, new: Path) -> None:
    """The same log under both names."""
    if (old / OVERLAY).is_dir():
        (new / OVERLAY).mkdir()
        for file in (old / OVERLAY).iterdir():
            os.link(file, new / OVERLAY / file.name)


@contextlib.contextmanager
def component_output(path: str | Path, name: str) -> Iterator[Path]:
    """Where to write a component: `path` itself, or that component of the model directory that `path` is."""
    if not (Path(path) / MANIFEST).exists():
        yield Path(path)
        return
    with revising_model(ModelDirectory.open(path), lambda manifest: manifest) as directory:
        yield directory / name


def seal(directory: Path, manifest: Manifest) -> None:
    """Describes the files of a directory in its manifest."""
    unknown = sorted(entry.name for entry in directory.iterdir() if not is_model_file(entry.name))
    if unknown:
        raise FormatError(f"{directory}: {', '.join(unknown)} has no place in a model directory", str(directory))
    files = {name: describe_file(directory / name) for name in KNOWN if (directory / name).exists()}
    with writing(directory / MANIFEST) as stream:
        stream.write(dataclasses.replace(manifest, files=files).to_json().encode())
