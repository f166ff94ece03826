"""A directory says that its corrections are elsewhere, where it can be locked and written to."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from dragoman.errors import ConfigError
from dragoman.learn import log_place
from dragoman.learn.log import SHARED, write_mark
from dragoman.learn.log_place import close_own_log
from dragoman.model import lock
from dragoman.model.lock import model_lock
from dragoman.model.manifest import LOG, MANIFEST, OVERLAY

REFUSALS = [errno.EBADF, errno.ENOLCK, errno.EROFS, errno.EACCES]


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    (tmp_path / MANIFEST).write_text("{}")
    return tmp_path


def add_log(directory: Path) -> None:
    (directory / OVERLAY).mkdir(exist_ok=True)
    (directory / OVERLAY / LOG).write_bytes(b"records")


def refuse_locks(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def refuse(*_: Any) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(lock.fcntl, "flock", refuse)


def test_it_is_marked_once(directory: Path) -> None:
    close_own_log(directory, "one")
    close_own_log(directory, "other")
    assert (directory / OVERLAY / SHARED).read_text() == "one\n"


def test_a_marked_one_needs_no_lock(directory: Path) -> None:
    """Somebody may hold it for as long as a compaction takes."""
    write_mark(directory / OVERLAY / SHARED, "place")
    with model_lock(directory):
        close_own_log(directory, "place")


@pytest.mark.parametrize("number", REFUSALS)
def test_one_that_cannot_be_locked_is_taken_as_it_is(
    directory: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    refuse_locks(monkeypatch, number)
    close_own_log(directory, "place")
    assert not (directory / OVERLAY).exists()
    add_log(directory)
    with pytest.raises(ConfigError, match="has corrections of its own"):
        close_own_log(directory, "place")


@pytest.mark.parametrize("marked", [False, True])
def test_corrections_of_its_own_are_not_lost(directory: Path, marked: bool) -> None:
    add_log(directory)
    if marked:
        write_mark(directory / OVERLAY / SHARED, "place")
    with pytest.raises(ConfigError, match="has corrections of its own"):
        close_own_log(directory, "place")


@pytest.mark.parametrize("number", [errno.EIO, errno.ENOSPC])
def test_other_errors_are_told(directory: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def fail(*_: Any) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(log_place, "write_mark", fail)
    with pytest.raises(OSError, match=os.strerror(number)):
        close_own_log(directory, "place")
