"""Processes that are killed while they write a model, and what must be true of it afterwards. For Linux: they fork, and
count calls of the system as Python tells of them there."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from dragoman.learn.compaction import compact
from dragoman.translator import Translator
from tests.unit.learn.support import make_model

FORGOTTEN = "zorglub"


def taught_model(path: Path) -> Path:
    """A model with a pair that was taken back and one that stays."""
    make_model(path)
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


def kill_after(seconds: float) -> Callable[[], None]:
    """Ends the process when so much time has passed."""

    def alarm() -> None:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)

    return alarm


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
