"""Writers that are killed: the model stays whole, and what they left is gone after the next one."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from dragoman.files import writing_directory
from dragoman.learn.compaction import compact
from dragoman.leftovers import sweep
from dragoman.model.manifest import is_left_over
from tests.unit.learn.killed import (
    FORGOTTEN,
    check_after_kill,
    hidden,
    holding,
    in_child,
    kill_after,
    kill_at,
    taught_model,
)

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="forks, and counts calls of the system as Linux has them"
)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return taught_model(tmp_path_factory.mktemp("template") / "model")


def test_kills_at_every_step_of_compaction(template: Path, tmp_path: Path) -> None:
    left = 0
    for event in range(1, 10_000):
        model = tmp_path / str(event) / "model"
        shutil.copytree(template, model)
        assert holding(model, FORGOTTEN)
        status = in_child(lambda model=model: compact(model) and None, kill_at(event))  # type: ignore[misc]
        left += bool(hidden(model))
        if status == 0:
            break
        assert os.WTERMSIG(status) == signal.SIGKILL
        check_after_kill(model, add=event % 2 == 0)
        shutil.rmtree(model.parent)
    assert event > 20
    # Otherwise there was nothing to sweep.
    assert left > 10


@pytest.mark.slow
def test_kills_at_any_moment(template: Path, tmp_path: Path) -> None:
    chance = random.Random(7)
    for number in range(200):
        model = tmp_path / str(number) / "model"
        shutil.copytree(template, model)
        in_child(lambda model=model: compact(model) and None, kill_after(chance.uniform(0, 0.05)))  # type: ignore[misc]
        check_after_kill(model, add=number % 2 == 0)
        shutil.rmtree(model.parent)


def test_directories_of_others_and_of_living_writers_stay(template: Path, tmp_path: Path) -> None:
    model = tmp_path / "model"
    shutil.copytree(template, model)
    foreign = tmp_path / ".model.0123abcd.tmp"
    foreign.mkdir()
    (foreign / "diary.txt").write_text("mine")
    other = tmp_path / ".model2.0123abcd.tmp"
    other.mkdir()
    left = tmp_path / ".model.0123abce.tmp.old"
    shutil.copytree(template, left)
    (left / ".model.json.1234abcd.tmp").touch()
    (left / "bitext.bin.tmp123-1").touch()
    began, end = threading.Event(), threading.Event()

    def write() -> None:
        with writing_directory(model, overwrite=True) as directory:
            (directory / "model.json").write_text("{}")
            began.set()
            end.wait(10)
            raise ZeroDivisionError

    def fail() -> None:
        with pytest.raises(ZeroDivisionError):
            write()

    thread = threading.Thread(target=fail)
    thread.start()
    began.wait(10)
    assert sweep(model, is_left_over) == 1
    assert not left.exists()
    assert len(hidden(model)) == 3
    end.set()
    thread.join()
    assert sorted(hidden(model)) == [foreign, other]


def test_writers_and_sweepers_side_by_side(tmp_path: Path) -> None:
    target = tmp_path / "made"
    target.mkdir()
    stop = time.monotonic() + 2
    failures: list[BaseException] = []

    def write(number: int) -> None:
        try:
            while time.monotonic() < stop:
                with writing_directory(target, overwrite=True) as directory:
                    (directory / "file").write_text(str(number))
        except BaseException as error:
            failures.append(error)

    def clean() -> None:
        while time.monotonic() < stop:
            sweep(target, lambda name: True)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(2)]
    threads += [threading.Thread(target=clean) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert (target / "file").read_text() in ("0", "1")
    assert not hidden(target)
