"""Stages are skipped when nothing changed, run again when something did, and fail without a trace."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dragoman.child.crossing import ChildCrashError
from dragoman.errors import ConfigError, DragomanError, InputError
from dragoman.pipeline.runner import Runner
from dragoman.pipeline.stage import Stage, StageResult
from dragoman.pipeline.work import WorkFolder
from dragoman.progress import Progress
from tests.unit.pipeline import toy_stages
from tests.unit.pipeline.toy_stages import Toy, Toyed


class Recorder:
    def __init__(self) -> None:
        self.ran: list[str] = []
        self.progress: list[tuple[int, int]] = []

    @contextlib.contextmanager
    def stage(self, stage: Stage[Any, Any]) -> Iterator[Progress]:
        yield lambda done, total: self.progress.append((done, total))

    def finished(self, result: StageResult[Any]) -> None:
        if not result.skipped:
            self.ran.append(result.stage)

    def warn(self, message: str) -> None: ...


def toy(name: str, version: int = 1) -> Stage[Toy, Toyed]:
    return Stage(name, getattr(toy_stages, name), version, "does something")


@pytest.fixture
def text(tmp_path: Path) -> Path:
    (tmp_path / "text").write_text("hello")
    return tmp_path / "text"


@contextlib.contextmanager
def running(tmp_path: Path, threads: int = 1) -> Iterator[tuple[Runner, Recorder]]:
    recorder = Recorder()
    with WorkFolder.opened(tmp_path / "work") as work:
        yield Runner(work, tmp_path / "model", recorder, threads), recorder


def test_a_stage_runs_once(tmp_path: Path, text: Path) -> None:
    with running(tmp_path) as (runner, recorder):
        made = runner.run(toy("upper"), {"text": text}, Toy())
        assert made.file("text").read_text() == "HELLO" and made.facts == Toyed(5, 1)
        assert made.cost is not None and made.cost.peak_bytes and recorder.progress == [(1, 1)]
    with running(tmp_path, threads=2) as (runner, recorder):
        again = runner.run(toy("upper"), {"text": text}, Toy(threads=9))
        assert again.folder == made.folder and again.skipped and not recorder.ran
    events = [json.loads(line)["event"] for line in (tmp_path / "work/log.jsonl").read_text().splitlines()]
    assert events == ["begun", "done", "skipped"]


def test_what_changes_is_run_again(tmp_path: Path, text: Path) -> None:
    with running(tmp_path) as (runner, recorder):
        first = runner.run(toy("upper"), {"text": text}, Toy())
        assert runner.run(toy("upper"), {"text": text}, Toy("!")).file("text").read_text() == "HELLO!"
        assert runner.run(toy("upper", version=2), {"text": text}, Toy()).folder != first.folder
    text.write_text("other")
    with running(tmp_path) as (runner, recorder):
        assert runner.run(toy("upper"), {"text": text}, Toy()).file("text").read_text() == "OTHER"
        # A file of the work folder that is not as it was left.
        first.file("text").write_text("HELL")
        text.write_text("hello")
    with running(tmp_path) as (runner, recorder):
        assert runner.run(toy("upper"), {"text": text}, Toy()).file("text").read_text() == "HELLO"
        assert recorder.ran == ["upper"]


@pytest.mark.parametrize("facts", [{"characters": "five"}, {"characters": None, "threads": 1}, [], None])
def test_facts_that_cannot_be_read_any_more_are_made_again(tmp_path: Path, text: Path, facts: object) -> None:
    with running(tmp_path) as (runner, _):
        first = runner.run(toy("upper"), {"text": text}, Toy())
    record = json.loads(first.file("stage.json").read_text())
    first.file("stage.json").write_text(json.dumps({**record, "facts": facts}))
    with running(tmp_path) as (runner, recorder):
        again = runner.run(toy("upper"), {"text": text}, Toy())
        assert recorder.ran == ["upper"] and again.facts == first.facts


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("refuse", InputError, "^line 7 is odd$"),
        ("full_disk", DragomanError, "in stage full_disk .*make room and run the same command again"),
        ("killed", DragomanError, "stage killed was killed, most likely because memory ran out"),
        ("broken", ChildCrashError, "ZeroDivisionError"),
    ],
)
def test_failures(tmp_path: Path, text: Path, name: str, kind: type[Exception], message: str) -> None:
    with running(tmp_path) as (runner, _):
        kept = runner.run(toy("upper"), {"text": text}, Toy())
        with pytest.raises(kind, match=message):
            runner.run(toy(name), {"text": kept.file("text")}, Toy())
        names = sorted(path.name for path in (tmp_path / "work").iterdir())
    assert names == sorted(["lock", "log.jsonl", "jobs.json", kept.folder.name])
    log = [json.loads(line) for line in (tmp_path / "work/log.jsonl").read_text().splitlines()]
    assert [entry["event"] for entry in log] == ["begun", "done", "begun", "failed"]


SLOW = """
import sys
from pathlib import Path
from tests.unit.pipeline.test_runner import Toy, running, toy
with running(Path(sys.argv[1])) as (runner, _):
    runner.run(toy("slow"), {"text": Path(sys.argv[1]) / "text"}, Toy())
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_stage_ends_with_its_parent(tmp_path: Path, text: Path, number: signal.Signals) -> None:
    process = subprocess.Popen([sys.executable, "-c", SLOW, str(tmp_path)], stderr=subprocess.DEVNULL)
    while not list((tmp_path / "work").glob("keep-*/begun")):
        assert process.poll() is None
        time.sleep(0.02)
    os.kill(process.pid, number)
    assert process.wait() != 0
    # The lock is free as soon as the stage's own process is gone too; what it left is swept away.
    with running(tmp_path):
        names = {path.name.split("-")[0] for path in (tmp_path / "work").iterdir()}
        assert names == {"lock", "log.jsonl", "keep"}


def test_one_training_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dragoman.pipeline.work.LOCK_SECONDS", 0.2)
    with running(tmp_path), pytest.raises(ConfigError, match="in use by another training"), running(tmp_path):
        pass


def test_folders_that_are_not_ours(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work/thesis.doc").write_text("")
    with pytest.raises(ConfigError, match="holds other things"), running(tmp_path):
        pass


def test_what_no_training_uses_any_more_goes(tmp_path: Path, text: Path) -> None:
    with running(tmp_path) as (runner, _):
        old = runner.run(toy("upper"), {"text": text}, Toy("1"))
        shared = runner.run(toy("upper"), {"text": text}, Toy("2"))
        runner.work.finish(tmp_path / "model", [old.folder, shared.folder])
        runner.work.finish(tmp_path / "other", [shared.folder])
        new = runner.run(toy("upper"), {"text": text}, Toy("3"))
        runner.work.finish(tmp_path / "model", [new.folder])
        assert (old.folder.exists(), shared.folder.exists(), new.folder.exists()) == (False, True, True)
