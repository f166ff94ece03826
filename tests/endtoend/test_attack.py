"""The attack in short. All of it is `python -m benchmarks.attack`."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="the server's packages are not installed")

from benchmarks import attack
from benchmarks.attack import ROWS, Row

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks, kills and reads what Linux says of a process")
CHEAP = ["long lessons", "models: model.json", "text files: weights.txt", "killed compactions", "logs", "archives"]


def test_cheap_rows_find_nothing() -> None:
    made = attack.attack([*CHEAP, "special files"], wanted=5, seed=random.randrange(1000))
    assert {name: row["first"] for name, row in made.items() if row["failures"]} == {}
    assert all(row["tries"] >= 1 for row in made.values())


def odd(folder: Path, tries: int, seed: int) -> Iterator[str | None]:
    for number in range(tries):
        yield f"{number} of seed {seed}" if number % 2 else None


def raising(folder: Path, tries: int, seed: int) -> Iterator[str | None]:
    yield None
    raise ZeroDivisionError


def ending(folder: Path, tries: int, seed: int) -> Iterator[str | None]:
    os.abort()
    yield None


def test_failures_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    for work in (odd, raising, ending):
        monkeypatch.setitem(ROWS, work.__name__, Row(work, 2))
    made = attack.attack(["odd", "raising", "ending"], wanted=20, seed=3)
    assert [(row["tries"], row["failures"]) for row in made.values()] == [(10, 5), (2, 1), (1, 1)]
    assert made["odd"]["first"] == ["1 of seed 3", "3 of seed 3", "5 of seed 3"]
    assert "ZeroDivisionError" in made["raising"]["first"][0]
    monkeypatch.setattr(sys, "argv", ["attack", "--rows", "odd", "--tries", "4"])
    with pytest.raises(SystemExit) as ended:
        attack.main()
    assert ended.value.code == 1
