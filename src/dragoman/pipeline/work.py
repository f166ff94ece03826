"""The folder a training keeps its work in: one folder per finished stage, a log, and who uses what.

    lock                  held while a training runs here
    log.jsonl             every stage of every run: begun, done, skipped or failed, with time and memory
    jobs.json             the folders each model was made from; what none was made from any more is thrown away
    align-0123456789ab/   what the stage made, and stage.json: its key, its facts, hash and size of each file
    keep-0123456789ab/    what an unfinished stage wants to find again
    .align-….tmp          of a run that was killed; removed by the next

A stage's folder appears whole, with its stage.json, or not at all. That is all there is to resuming.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dragoman.child.call import Cost
from dragoman.child.typed_json import from_json
from dragoman.errors import ConfigError
from dragoman.files import writing
from dragoman.model.directory import sha256_of
from dragoman.pipeline.stage import Result, Stage, StageResult

RECORD = "stage.json"
KEY_DIGITS = 16
LOCK_SECONDS = 5.0


class WorkFolder:
    """Use `opened`; it holds the lock."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    @contextlib.contextmanager
    def opened(cls, path: Path) -> Iterator[WorkFolder]:
        if path.exists() and not path.is_dir():
            raise ConfigError(f"{path} is a file; name a folder for the work of the training", "work")
        if path.is_dir() and not (path / "lock").exists() and any(path.iterdir()):
            raise ConfigError(f"{path} holds other things; name an empty or a new folder with --work", "work")
        path.mkdir(parents=True, exist_ok=True)
        with (path / "lock").open("a") as lock:
            acquire(lock.fileno(), path)
            folder = cls(path)
            folder.sweep()
            yield folder

    def sweep(self) -> None:
        """Removes what killed runs left half-done."""
        for entry in self.path.iterdir():
            if entry.name.startswith(".") and entry.name.endswith((".tmp", ".tmp.old")):
                if entry.is_dir():
                    shutil.rmtree(entry)
                else:
                    entry.unlink()

    def folder_of(self, stage: str, key: str) -> Path:
        return self.path / f"{stage}-{key[:KEY_DIGITS]}"

    def keep_of(self, key: str) -> Path:
        return self.path / f"keep-{key[:KEY_DIGITS]}"

    def find(self, stage: Stage[Any, Result], key: str) -> StageResult[Result] | None:
        """What the stage made earlier, if it is there as it was left and can still be read."""
        folder = self.folder_of(stage.name, key)
        try:
            record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
            if record["key"] != key:
                return None
            files = {}
            for name, (size, sha256) in record["files"].items():
                if (folder / name).stat().st_size != size:
                    return None
                files[name] = sha256
            facts = from_json(stage.result_type, record["facts"])
            return StageResult(stage.name, folder, facts, files, Cost(**record["cost"]), skipped=True)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def log(self, event: str, stage: str, **more: Any) -> None:
        entry = {"time": time.strftime("%Y-%m-%dT%H:%M:%S%z"), "event": event, "stage": stage, **more}
        with (self.path / "log.jsonl").open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(entry, ensure_ascii=False) + "\n")

    def note(self, out: Path, folder: Path) -> None:
        """Records that the training of a model has come to use a folder."""
        jobs = self.jobs()
        names = jobs.setdefault(str(out.absolute()), [])
        if folder.name not in names:
            names.append(folder.name)
            self.write_jobs(jobs)

    def finish(self, out: Path, used: list[Path]) -> None:
        """Removes what earlier trainings of a model left and no training uses any more."""
        jobs = self.jobs()
        name = str(out.absolute())
        earlier = set(jobs.get(name, []))
        jobs[name] = sorted(path.name for path in used)
        self.write_jobs(jobs)
        for unused in earlier - {folder for names in jobs.values() for folder in names}:
            shutil.rmtree(self.path / unused, ignore_errors=True)

    def jobs(self) -> dict[str, list[str]]:
        """By model, the folders its trainings have come to use."""
        try:
            jobs = json.loads((self.path / "jobs.json").read_text(encoding="utf-8"))
            return {str(out): [str(name) for name in names] for out, names in jobs.items()}
        except (OSError, ValueError, AttributeError, TypeError):
            return {}

    def write_jobs(self, jobs: dict[str, list[str]]) -> None:
        with writing(self.path / "jobs.json") as stream:
            stream.write((json.dumps(jobs, indent=2) + "\n").encode())


def record_of(folder: Path, key: str, facts: dict[str, Any], cost: Cost) -> dict[str, Any]:
    """What stage.json says, with the files of the folder, those in folders inside it too."""
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    files = {name: [(folder / name).stat().st_size, sha256_of(folder / name)] for name in names}
    spent = {"seconds": cost.seconds, "cpu_seconds": cost.cpu_seconds, "peak_bytes": cost.peak_bytes}
    return {"key": key, "facts": facts, "files": files, "cost": spent}


def acquire(lock: int, path: Path) -> None:
    """Waits a little: a process whose parent was killed needs a moment to notice."""
    end = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > end:
                raise ConfigError(
                    f"{path} is in use by another training; wait for it, or name another folder with --work", "work"
                ) from None
            time.sleep(0.1)
