"""Runs stages one after the other, skips those whose result is there already, and keeps the log."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import shutil
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from dragoman.errors import DragomanError, InputError
from dragoman.files import writing, writing_directory
from dragoman.model.directory import sha256_of
from dragoman.pipeline.process import run_in_child
from dragoman.pipeline.stage import Made, Progress, Request, Stage, stage_key
from dragoman.pipeline.work import RECORD, WorkFolder, record_of

NO_ROOM = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)
# Options that change how fast a stage is and not what it makes.
RESOURCES = frozenset({"threads"})


class Listener(Protocol):
    """Who shows a run: a bar for each stage, and what came of it."""

    def stage(self, stage: Stage) -> AbstractContextManager[Progress]: ...
    def made(self, made: Made) -> None: ...
    def warn(self, message: str) -> None: ...


class Runner:
    """One training in one work folder."""

    def __init__(self, work: WorkFolder, out: Path, listener: Listener, threads: int) -> None:
        self.work = work
        self.out = out
        self.listener = listener
        self.threads = threads
        self.made: list[Made] = []
        self._hashes: dict[Path, str] = {}

    def run(self, stage: Stage, inputs: Mapping[str, Path], options: Mapping[str, Any]) -> Made:
        """What the stage makes of these inputs, now or earlier."""
        hashed = without_resources(options)
        key = stage_key(stage, hashed, {name: self.hash_of(path) for name, path in inputs.items()})
        found = self.work.find(stage.name, key)
        if found is None:
            found = self.make(stage, key, inputs, options)
        else:
            self.work.log("skipped", stage.name, key=key)
        for name, sha256 in found.files.items():
            self._hashes[found.file(name)] = sha256
        self.work.note(self.out, found.folder)
        self.made.append(found)
        self.listener.made(found)
        return found

    def make(self, stage: Stage, key: str, inputs: Mapping[str, Path], options: Mapping[str, Any]) -> Made:
        self.work.log("begun", stage.name, key=key)
        keep = self.work.keep_of(key)
        folder = self.work.folder_of(stage.name, key)
        try:
            with self.listener.stage(stage) as progress, writing_directory(folder, overwrite=True) as out:
                request = Request(inputs, options, out, keep, self.threads, progress)
                facts, cost = run_in_child(stage, request)
                record = record_of(out, key, facts, cost)
                with writing(out / RECORD) as stream:
                    stream.write((json.dumps(record, indent=2, ensure_ascii=False) + "\n").encode())
        except BaseException as error:
            self.log_failure(stage, key, error)
            if isinstance(error, OSError) and error.errno in NO_ROOM:
                raise DragomanError(
                    f"{self.work.path}: cannot write there in stage {stage.name} ({error.strerror}); make room and run"
                    " the same command again: finished stages are kept"
                ) from error
            raise
        shutil.rmtree(keep, ignore_errors=True)
        self.work.log(
            "done",
            stage.name,
            key=key,
            seconds=round(cost.seconds, 3),
            cpu_seconds=round(cost.cpu_seconds, 3),
            peak_bytes=cost.peak_bytes,
        )
        return Made(stage.name, folder, facts, {name: entry[1] for name, entry in record["files"].items()}, cost)

    def log_failure(self, stage: Stage, key: str, error: BaseException) -> None:
        # A full disk must not hide why the stage failed.
        with contextlib.suppress(OSError):
            self.work.log("failed", stage.name, key=key, why=str(error) or type(error).__name__)

    def hash_of(self, path: Path) -> str:
        known = self._hashes.get(path)
        if known is None:
            known = self._hashes[path] = hash_of_input(path)
        return known


def hash_of_input(path: Path) -> str:
    """SHA-256 of a file, or of the names and files of a folder."""
    if path.is_dir():
        digest = hashlib.sha256()
        for file in sorted(path.rglob("*")):
            if file.is_file():
                digest.update(f"{file.relative_to(path).as_posix()} {sha256_of(file)}\n".encode())
        return digest.hexdigest()
    if str(path) == "-":
        raise InputError("training reads its input more than once; name a file instead of standard input")
    return sha256_of(path)


def without_resources(options: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: without_resources(value) if isinstance(value, Mapping) else value
        for name, value in options.items()
        if name not in RESOURCES
    }
