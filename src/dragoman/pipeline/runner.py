"""Runs stages one after the other, skips those whose result is there already, and keeps the log."""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import hashlib
import json
import shutil
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from dragoman.child.call import call
from dragoman.child.typed_json import from_json
from dragoman.cluster.workers import ClusterPlace
from dragoman.errors import DragomanError, InputError
from dragoman.files import writing, writing_directory
from dragoman.model.directory import sha256_of
from dragoman.pipeline.stage import (
    RUN_HERE,
    Options,
    Request,
    Result,
    Stage,
    StageResult,
    as_call,
    stage_key,
)
from dragoman.pipeline.work import RECORD, WorkFolder, record_of
from dragoman.progress import Progress

NO_ROOM = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)
# Options that change how fast a stage is and not what it makes.
RESOURCES = frozenset({"threads", "work_memory", "rule_megabytes"})


class Listener(Protocol):
    """Who shows a run: a bar for each stage, and what came of it."""

    def stage(self, stage: Stage[Any, Any]) -> AbstractContextManager[Progress]: ...
    def finished(self, result: StageResult[Any]) -> None: ...
    def warn(self, message: str) -> None: ...


class Silence:
    """Shows nothing."""

    def stage(self, stage: Stage[Any, Any]) -> AbstractContextManager[Progress]:
        return contextlib.nullcontext(lambda done, total: None)

    def finished(self, result: StageResult[Any]) -> None: ...

    def warn(self, message: str) -> None: ...


class Runner:
    """One training in one work folder."""

    def __init__(
        self,
        work: WorkFolder,
        out: Path,
        listener: Listener,
        threads: int,
        work_memory: int | None = None,
        cluster: ClusterPlace | None = None,
    ) -> None:
        self.work = work
        self.out = out
        self.listener = listener
        self.threads = threads
        self.work_memory = work_memory
        self.cluster = cluster
        self.results: list[StageResult[Any]] = []
        self._hashes: dict[Path, str] = {}

    def run(self, stage: Stage[Options, Result], inputs: Mapping[str, Path], options: Options) -> StageResult[Result]:
        """What the stage makes of these inputs, now or earlier."""
        hashed = without_resources(dataclasses.asdict(options))  # type: ignore[call-overload]
        key = stage_key(stage, hashed, {name: self.hash_of(path) for name, path in inputs.items()})
        result = self.work.find(stage, key)
        if result is None:
            result = self.make(stage, key, inputs, options)
        else:
            self.work.log("skipped", stage.name, key=key)
        for name, sha256 in result.files.items():
            self._hashes[result.file(name)] = sha256
        self.work.note(self.out, result.folder)
        self.results.append(result)
        self.listener.finished(result)
        return result

    def make(
        self, stage: Stage[Options, Result], key: str, inputs: Mapping[str, Path], options: Options
    ) -> StageResult[Result]:
        self.work.log("begun", stage.name, key=key)
        keep = self.work.keep_of(key)
        folder = self.work.folder_of(stage.name, key)
        try:
            with self.listener.stage(stage) as progress, writing_directory(folder, overwrite=True) as out:
                request = Request(inputs, options, out, keep, self.threads, progress, cluster=self.cluster)
                answer = call(
                    RUN_HERE,
                    as_call(stage, request, self.work_memory),
                    what=f"stage {stage.name}",
                    advice="run the same command again to go on from there",
                    progress=progress,
                )
                record = record_of(out, key, answer.result, answer.cost)
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
        cost = answer.cost
        self.work.log(
            "done",
            stage.name,
            key=key,
            seconds=round(cost.seconds, 3),
            cpu_seconds=round(cost.cpu_seconds, 3),
            peak_bytes=cost.peak_bytes,
        )
        files = {name: entry[1] for name, entry in record["files"].items()}
        return StageResult(stage.name, folder, from_json(stage.result_type, answer.result), files, cost)

    def log_failure(self, stage: Stage[Any, Any], key: str, error: BaseException) -> None:
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
