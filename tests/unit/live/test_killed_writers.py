"""Writers that are killed: the model stays whole, and what they left is gone after the next one."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.live.support import make_model

from dragoman.files import writing_directory
from dragoman.leftovers import sweep
from dragoman.live.compaction import compact
from dragoman.model import is_left_over
from dragoman.translator import Translator

FORGOTTEN = "zorglub"

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="forks, and counts calls of the system as Linux has them"
)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with a pair that was taken back and one that stays."""
    path = make_model(tmp_path_factory.mktemp("template") / "model")
    translator = Translator.load(path)
    translator.add(f"Le {FORGOTTEN} dort.", "The snark sleeps.", id="forgotten")
    translator.add("Le bidule dort.", "The gizmo sleeps.", id="kept")
    translator.remove("forgotten")
    return path


def in_child(work: Callable[[], None], before: Callable[[], None]) -> int:
    """The status of a process that works."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            before()
            work()
            status = 0
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1]


def kill_at(event: int) -> Callable[[], None]:
    """Ends the process at its n-th call that touches files."""
    left = [event]

    def hook(name: str, _: object) -> None:
        if name.split(".")[0] in ("os", "shutil", "open", "ctypes"):
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    return lambda: sys.addaudithook(hook)


def hidden(model: Path) -> list[Path]:
    return list(model.parent.glob(".*"))


def holding(folder: Path, text: str) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


def check_after_kill(model: Path, add: bool) -> None:
    if add:
        translator = Translator.load(model)
        translator.add("Le machin dort.", "The thingy sleeps.", id="later")
        assert not hidden(model)
        assert str(translator.translate("Le bidule dort.")) == "The gizmo sleeps."
    compact(model)
    assert not hidden(model)
    assert not holding(model.parent, FORGOTTEN)
    assert str(Translator.load(model).translate("Le bidule dort.")) == "The gizmo sleeps."


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
        seconds = chance.uniform(0, 0.05)

        def alarm(seconds: float = seconds) -> None:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, seconds)

        in_child(lambda model=model: compact(model) and None, alarm)  # type: ignore[misc]
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
