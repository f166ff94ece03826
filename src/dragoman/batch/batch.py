"""Files through one model, shard by shard: what is there already is not done again.

A `Part` of the work, 3 of 64 say, is every 64th shard, so that a file keeps all parts busy; whichever process finishes
a file's last shard joins them.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from dragoman.batch.shard import Shard, ShardText, cut, survey
from dragoman.batch.store import Output
from dragoman.batch.translating import Engine, TranslatedShard
from dragoman.errors import ConfigError

SHARD_LINES = 1000


@dataclass(frozen=True, slots=True)
class Part:
    """One of `count` processes that share the work; `number` counts from 1."""

    number: int = 1
    count: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.number <= self.count:
            raise ConfigError(
                f"--shard {self.number}/{self.count} names no part; parts of {self.count} are 1 to {self.count}",
                "shard",
            )

    def has(self, file: int, shard: Shard) -> bool:
        """Files of few shards are spread over the parts, too."""
        return (file + shard.number) % self.count == self.number - 1


@dataclass(slots=True)
class BatchReport:
    """What one run did. Lines that were `there` had been translated before; of `damaged` shards, none was whole."""

    files: list[str] = field(default_factory=list)  # joined now
    unfinished: list[str] = field(default_factory=list)  # that wait for other parts
    lines: int = 0
    words: int = 0
    there: int = 0
    damaged: int = 0
    seconds: float = 0.0

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Task:
    """A file, its shards, and its output."""

    path: str
    shards: list[Shard]
    output: Output


Put = Callable[[Task, TranslatedShard], None]


class Batch:
    """Checks everything before any work is done; ConfigError or InputError where it cannot be done."""

    def __init__(
        self,
        files: Sequence[str],
        out: Path,
        state: str,
        *,
        part: Part | None = None,
        shard_lines: int = SHARD_LINES,
        overwrite: bool = False,
    ) -> None:
        self.part = part or Part()
        self.shard_lines = shard_lines
        outputs = [Output(out, output_name(path), state) for path in files]
        names: dict[Path, str] = {}
        for path, output in zip(files, outputs, strict=True):
            if output.path in names:
                raise ConfigError(
                    f"{names[output.path]} and {path} would both be written to {output.path}; translate them into two"
                    " folders",
                    "out",
                )
            names[output.path] = path
            if output.path.exists() and Path(path).exists() and output.path.samefile(path):
                raise ConfigError(f"{path} lies in --out and would be replaced; choose another folder", "out")
        self.tasks = [
            Task(path, survey(path, shard_lines), output) for path, output in zip(files, outputs, strict=True)
        ]
        if not overwrite:
            for task in self.tasks:
                if not task.output.is_done(task.shards):
                    task.output.require_replaceable()
        out.mkdir(parents=True, exist_ok=True)

    def run(self, engine: Engine, progress: Callable[[BatchReport, int], None] | None = None) -> BatchReport:
        """Translates what is missing; `progress` is called after each shard, with the number of lines of this part."""
        report = BatchReport()
        began = time.monotonic()
        work: dict[str, tuple[Task, list[Shard]]] = {}
        total = 0
        for number, task in enumerate(self.tasks):
            own = [shard for shard in task.shards if self.part.has(number, shard)]
            missing = [] if task.output.is_done(task.shards) else self._missing(task, own, report)
            total += sum(shard.lines for shard in own)
            report.there += sum(shard.lines for shard in own) - sum(shard.lines for shard in missing)
            work[task.path] = task, missing

        def put(task: Task, done: TranslatedShard) -> None:
            task.output.put(done.text.shard, done.data)
            report.lines += done.text.shard.lines
            report.words += done.words
            report.seconds = time.monotonic() - began
            if progress is not None:
                progress(report, total)

        for task, missing in work.values():
            if not missing:
                self._join(task, engine, report, put)
        left = {path: len(missing) for path, (_, missing) in work.items()}
        # All files are one stream, so that many workers are busy with many small ones.
        with contextlib.closing(self._texts(work.values())) as texts:
            for done in engine(texts):
                task, _ = work[done.text.path]
                put(task, done)
                left[task.path] -= 1
                if left[task.path] == 0:
                    self._join(task, engine, report, put)
        report.seconds = time.monotonic() - began
        return report

    def _missing(self, task: Task, own: Iterable[Shard], report: BatchReport) -> list[Shard]:
        missing = [shard for shard in own if task.output.get(shard) is None]
        report.damaged += sum(task.output.shard_path(shard).exists() for shard in missing)
        return missing

    def _texts(self, work: Iterable[tuple[Task, list[Shard]]]) -> Generator[ShardText]:
        for task, shards in work:
            wanted = {shard.number: shard for shard in shards}
            for text in cut(task.path, self.shard_lines) if wanted else ():
                shard = wanted.pop(text.shard.number, None)
                if shard is not None:
                    if text.shard != shard:
                        raise ConfigError(f"{task.path} has changed meanwhile; run the same command again", "files")
                    yield text
                if not wanted:
                    break
            if wanted:
                raise ConfigError(f"{task.path} has changed meanwhile; run the same command again", "files")

    def _join(self, task: Task, engine: Engine, report: BatchReport, put: Put) -> None:
        """Makes the output if all shards are there, and first those that turn out to be damaged."""
        if task.output.is_done(task.shards):
            task.output.sweep()
            return
        while task.output.may_be_complete(task.shards):
            damaged = task.output.join(task.shards)
            if not damaged:
                report.files.append(str(task.output.path))
                return
            report.damaged += len(damaged)
            for done in engine(self._texts([(task, damaged)])):
                put(task, done)
        if not task.output.is_done(task.shards):
            report.unfinished.append(str(task.output.path))


def output_name(path: str) -> str:
    name = Path(path).name
    if path == "-" or not name:
        raise ConfigError(f"{path} has no name that its translation could have; name a file", "files")
    return name
