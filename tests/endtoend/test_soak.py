"""The soak in short: a server killed while it is taught and read, and one that gets requests of every kind.

The hour and the hundred thousand requests are `python -m benchmarks.soak` and `benchmarks.soak_memory`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="the server's packages are not installed")

from benchmarks.soak import History, soak
from benchmarks.soak_memory import measure
from benchmarks.soak_server import phrasebook_model
from examples.demo.phrasebook import phrases


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("soak") / "fr-en.model"
    phrasebook_model(path)
    return path


def test_the_oracle_takes_states_of_the_window_and_no_others() -> None:
    history = History(["a", "b"])
    history.issue({0: "x"})
    begin = history.begin()
    assert history.fits(("a", "b"), begin)
    assert history.fits(("x", "b"), begin)
    history.acknowledge()
    begin = history.begin()
    assert not history.fits(("a", "b"), begin), "an acknowledged lesson is lost"
    history.issue({0: "y", 1: "z"})
    assert not history.fits(("y", "b"), begin), "half a change"
    assert history.fits(("y", "z"), begin)
    history.withdraw()
    assert not history.fits(("y", "z"), begin), "what was refused happened"


def test_the_oracle_settles_what_a_kill_cut_off() -> None:
    history = History(["a"])
    history.issue({0: "x"})
    assert history.settle(("a",)) is False
    assert history.last == ("a",)
    history.issue({0: "y"})
    assert history.settle(("y",)) is True
    assert not history.fits(("a",), history.begin())
    history.issue({0: "z"})
    assert history.settle(("x",)) is None


def failures(made: dict[str, object]) -> object:
    return made["examples"] if made["violations"] else None


def test_kills_lose_nothing_acknowledged_and_no_answer_mixes_states(model: Path, tmp_path: Path) -> None:
    made = soak(model, tmp_path / "log", seconds=12, kill_every=3, writers=2, readers=2, compact_every=2)
    assert failures(made) is None
    assert made["kills"] >= 1
    assert made["answers checked"] > 0
    assert made["lessons acknowledged"] > 0


def test_requests_of_every_kind_are_answered(model: Path, tmp_path: Path) -> None:
    texts = [source for source, _ in phrases()]
    made = measure(model, tmp_path / "log", texts, requests=400, connections=2, words=20)
    assert not made["failures"]
    assert not made["died"]
    assert made["requests"] == 400


@pytest.mark.slow
def test_minutes_of_kills(model: Path, tmp_path: Path) -> None:
    made = soak(model, tmp_path / "log", seconds=180, kill_every=6, writers=3, readers=3, compact_every=3)
    assert failures(made) is None


@pytest.mark.slow
def test_thousands_of_requests_do_not_add_up(model: Path, tmp_path: Path) -> None:
    texts = [source for source, _ in phrases()]
    made = measure(model, tmp_path / "log", texts, requests=5000, connections=4, words=100)
    assert not made["failures"]
    assert not made["died"]
    assert made["anonymous"]["growth_mb"] < 10
