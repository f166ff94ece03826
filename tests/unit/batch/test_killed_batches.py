"""Batches that are killed at any moment, with no time to clean up: a shard is there whole or not at all, and the next
run gives the bytes of one that was not killed."""

from __future__ import annotations

import gzip
import os
import random
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dragoman.batch.store import FOLDER, HEADER_BYTES
from dragoman.cli.main import run
from dragoman.translator import Translator
from tests.unit.batch.test_batch import sentences
from tests.unit.learn.killed import in_child, kill_after, kill_at
from tests.unit.translate.support import make_model

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="forks, and counts calls of the system as Linux has them"
)


class Case:
    """A model, two files, and what comes out when nobody interferes."""

    def __init__(self, folder: Path) -> None:
        self.model = make_model(folder / "fr-en.model")
        self.files = [str(folder / "a.txt"), str(folder / "b.gz")]
        Path(self.files[0]).write_bytes(sentences(23, 1))
        Path(self.files[1]).write_bytes(gzip.compress(sentences(9, 2)))
        self.whole = folder / "whole"
        assert self.run(self.whole) == 0

    def run(self, out: Path, *more: str) -> int:
        arguments = ["-m", str(self.model), *self.files, "--out", str(out), "--shard-lines", "4", *more]
        return run(["translate-batch", *arguments])

    def check(self, out: Path) -> None:
        """Whatever was left behind: each shard is whole, and the next run ends with the right bytes and no more."""
        for path in (out / FOLDER).rglob("0*") if out.exists() else ():
            assert path.read_bytes()[HEADER_BYTES:].count(b"\n") in (1, 3, 4)
        assert self.run(out) == 0
        assert {path.name for path in out.iterdir()} == {FOLDER, "a.txt", "b.gz"}
        assert {path.name for path in (out / FOLDER).iterdir()} == {"a.txt.json", "b.gz.json"}
        for name in ("a.txt", "b.gz"):
            assert (out / name).read_bytes() == (self.whole / name).read_bytes()


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return Case(tmp_path_factory.mktemp("case"))


def exit_with(code: int) -> None:
    if code:
        raise RuntimeError


@pytest.mark.parametrize("stride", [7, pytest.param(1, marks=pytest.mark.slow)])
def test_kills_at_every_step(case: Case, tmp_path: Path, stride: int) -> None:
    killed = 0
    for event in range(1, 10_000, stride):
        out = tmp_path / str(event)
        status = in_child(lambda out=out: exit_with(case.run(out)), kill_at(event))  # type: ignore[misc]
        if status == 0:
            break
        assert os.WTERMSIG(status) == signal.SIGKILL
        killed += 1
        case.check(out)
        shutil.rmtree(out)
    assert killed * stride > 50


def kill_in_translation(number: int) -> Callable[[], None]:
    """Ends the process in the middle of a shard: some of its lines are translated, none is on the disk."""

    def before() -> None:
        plain = Translator.translate
        left = [number]

        def translate(self: Translator, lines: list[str], *more: Any, **options: Any) -> Any:
            done = []
            for line in lines:
                left[0] -= 1
                if left[0] == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                done += plain(self, [line], *more, **options)
            return done

        Translator.translate = translate  # type: ignore[method-assign, assignment]

    return before


@pytest.mark.parametrize("line", [1, 6, 11, 24, 30])
def test_kills_in_the_middle_of_a_shard(case: Case, tmp_path: Path, line: int) -> None:
    out = tmp_path / "out"
    status = in_child(lambda: exit_with(case.run(out)), kill_in_translation(line))
    assert os.WTERMSIG(status) == signal.SIGKILL
    case.check(out)


def test_killed_again_and_again(case: Case, tmp_path: Path) -> None:
    """Each run gets a little further, and none begins anew."""
    out = tmp_path / "out"
    for _ in range(20):
        if in_child(lambda: exit_with(case.run(out)), kill_in_translation(6)) == 0:
            break
    else:
        pytest.fail("it does not get on")
    case.check(out)


@pytest.mark.slow
def test_kills_at_any_moment(case: Case, tmp_path: Path) -> None:
    chance = random.Random(11)
    for number in range(300):
        out = tmp_path / str(number)
        for _ in range(chance.randrange(1, 4)):
            in_child(lambda out=out: exit_with(case.run(out)), kill_after(chance.uniform(0, 0.15)))  # type: ignore[misc]
        case.check(out)
        shutil.rmtree(out)
