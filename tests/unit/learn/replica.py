"""Replicas of a model that share their corrections, and what tests ask of them."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

from dragoman.translator import Translator

SECONDS = 30.0
TEXT = "Le bidule dort. Une maison zorglub et un truc."


def copies(original: Path, folder: Path, count: int) -> list[Path]:
    return [Path(shutil.copytree(original, folder / f"{number}.model")) for number in range(count)]


def replicas(original: Path, folder: Path, url: str, count: int = 2) -> list[Translator]:
    return [Translator.load(path, corrections=url) for path in copies(original, folder, count)]


def soon(check: Callable[[], bool]) -> None:
    """Another thread has to hear of it; how fast it does is no matter of tests."""
    deadline = time.monotonic() + SECONDS
    while not check():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.02)


def names(translator: Translator) -> dict[str, int]:
    translator.translate("maison")
    return translator.overlay.names()


def assert_equal(translators: list[Translator]) -> None:
    """They know the same, down to the last bit of their weights."""
    first, *others = translators
    for other in others:
        soon(lambda other=other: other.overlay.log.size() == first.overlay.log.size())
        assert names(other) == names(first)
        assert str(other.translate(TEXT)) == str(first.translate(TEXT))
        assert other.weights == first.weights
        assert [lesson.as_json() for lesson in other.lessons()] == [lesson.as_json() for lesson in first.lessons()]


def assert_equal_names(translators: list[Translator], expected: set[str]) -> None:
    for translator in translators:
        soon(
            lambda translator=translator: (
                {record.id for lesson in translator.lessons() for record in lesson.records} | set(names(translator))
                == expected
            )
        )


def lost(translator: Translator) -> str:
    """Why it cannot be taught any more."""
    from dragoman.learn.shared_log import SharedLog

    log = translator.overlay.log
    assert isinstance(log, SharedLog)
    return str(log.lost)


def contents(model: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(model.iterdir()) if path.is_file()}


def stored(url: str) -> int:
    import psycopg

    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT count(*) FROM dragoman_change").fetchone()
    assert row is not None
    return int(row[0])


def change(url: str, command: str) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(command)
