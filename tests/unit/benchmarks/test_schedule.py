"""Rows side by side: their order, cores and limit of time; and results of another machine. No corpora are needed."""

from __future__ import annotations

import lzma
import threading
import time
from pathlib import Path

import pytest

from benchmarks.harness import digests
from benchmarks.harness.results import Results
from benchmarks.harness.schedule import Cores, Schedule, Step

RUN = {"commit": "", "digests": {"code": "1", "table": "2", "corpora": "3"}, "date": "2030-01-01", "command": "toy"}


class Log:
    """Steps that say when they begin and end, and on which cores."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.cores: dict[str, Cores] = {}
        self.at_once = self.most = 0
        self.lock = threading.Lock()

    def step(self, name: str, *after: str, cores: int = 1, fine: bool = True, seconds: float = 0.02) -> Step:
        def act(given: Cores) -> bool:
            with self.lock:
                self.told.append(name)
                self.cores[name] = given
                self.at_once += 1
                self.most = max(self.most, self.at_once)
            time.sleep(seconds)
            with self.lock:
                self.at_once -= 1
                self.told.append(f"/{name}")
            return fine

        return Step(name, act, after, cores)


def pinned(schedule: Schedule, monkeypatch: pytest.MonkeyPatch, cores: int) -> Schedule:
    monkeypatch.setattr(Schedule, "cores", lambda self: list(range(cores)))
    return schedule


def test_what_a_step_comes_after_is_done_before_it() -> None:
    log = Log()
    steps = [log.step("need", seconds=0.1), log.step("row", "need"), log.step("other")]
    assert Schedule(jobs=3).run(steps)
    assert log.told.index("/need") < log.told.index("row")
    # Others do not wait for it.
    assert log.told.index("other") < log.told.index("/need")


def test_no_more_steps_at_a_time_than_jobs() -> None:
    log = Log()
    assert Schedule(jobs=2).run([log.step(str(number)) for number in range(9)])
    assert log.most == 2 and len(log.told) == 18


def test_one_job_keeps_the_order() -> None:
    log = Log()
    assert Schedule().run([log.step("a"), log.step("b", "a"), log.step("c")])
    assert log.told == ["a", "/a", "b", "/b", "c", "/c"]


def test_steps_have_cores_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    log = Log()
    steps = [log.step("a", seconds=0.1), log.step("b", seconds=0.1), log.step("wide", cores=8), log.step("c")]
    assert pinned(Schedule(jobs=4), monkeypatch, 4).run(steps)
    assert not set(log.cores["a"]) & set(log.cores["b"])
    # It has all there are, alone: what comes later does not keep it waiting.
    assert log.cores["wide"] == (0, 1, 2, 3)
    assert log.told.index("wide") > max(log.told.index("/a"), log.told.index("/b"))
    assert log.told.index("c") > log.told.index("/wide")


def test_several_threads_take_several_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    log = Log()
    assert pinned(Schedule(jobs=2, threads=2), monkeypatch, 4).run([log.step("a"), log.step("b")])
    assert sorted(log.cores["a"] + log.cores["b"]) == [0, 1, 2, 3]


def test_a_failure_stops_nothing_else() -> None:
    log = Log()
    assert not Schedule().run([log.step("bad", fine=False), log.step("after", "bad")])
    assert "/after" in log.told


def test_an_error_is_raised_after_the_others_have_ended() -> None:
    def broken(cores: Cores) -> bool:
        raise ValueError("no")

    log = Log()
    with pytest.raises(ValueError, match="no"):
        Schedule(jobs=2).run([Step("broken", broken), log.step("a")])
    assert log.told == ["a", "/a"]


def test_nothing_begins_after_the_limit() -> None:
    log = Log()
    # The first step outlasts the limit, however busy the machine is.
    steps = [log.step(str(number), seconds=0.6) for number in range(5)]
    assert not Schedule(until=time.monotonic() + 0.5).run(steps)
    assert log.told in (["0", "/0"], [])


def test_results_of_another_machine_are_taken_where_they_are_fresh(tmp_path: Path) -> None:
    here, there = Results.of("toy", "full", tmp_path / "here"), Results.of("toy", "full", tmp_path / "there")
    here.add("old", RUN, {"n": 1}, {})
    elsewhere = {**RUN, "processor": "Abacus", "versions": {"python": "4"}}
    there.add("old", elsewhere, {"n": 2}, {"cpu_seconds": 3})
    there.add("changed", {**RUN, "digests": {**RUN["digests"], "code": "x"}}, {"n": 4}, {})  # type: ignore[dict-item]
    there.add("failed", RUN, {}, {}, "failed")
    there.add("absent", RUN, {}, {}, "pip install rival")
    assert here.take(Results.of("toy", "full", tmp_path / "there"), dict(RUN["digests"]), "abc") == ["old", "absent"]  # type: ignore[arg-type]
    stored = Results.of("toy", "full", tmp_path / "here")
    assert stored.values == {"old": {"n": 2}} and stored.rows["old"].cost == {"cpu_seconds": 3}
    assert stored.rows["absent"].missing == "pip install rival"
    run = stored.runs[stored.rows["old"].run]
    assert run["processor"] == "Abacus" and run["commit"] == "abc"


def test_how_a_text_is_compressed_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digests, "REMEMBERED", tmp_path / "remembered.json")
    for folder, preset in (("a", 0), ("b", 6)):
        (tmp_path / folder / "corpora").mkdir(parents=True)
        (tmp_path / folder / "corpora" / "t.en.xz").write_bytes(lzma.compress(b"one\n" * 500, preset=preset))
    first, second = (digests.corpora_digest(["corpora"], tmp_path / folder) for folder in ("a", "b"))
    assert first == second
    (tmp_path / "b" / "corpora" / "t.en.xz").write_bytes(lzma.compress(b"two\n" * 500))
    assert digests.corpora_digest(["corpora"], tmp_path / "b") != first


def test_of_a_text_the_lines_that_are_read_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digests, "REMEMBERED", tmp_path / "remembered.json")
    texts = {"whole": b"one\n" * 500, "cut": b"one\n" * 100, "other": b"one\n" * 99 + b"two\n" * 401}
    for folder, text in texts.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "t.en.xz").write_bytes(lzma.compress(text))

    def of(folder: str, lines: int) -> str:
        return digests.corpora_digest([f"t.en.xz:{lines}"], tmp_path / folder)

    assert of("whole", 100) == of("cut", 100) != of("other", 100)
    assert of("whole", 99) == of("other", 99) != of("whole", 100)
    assert of("whole", 500) != of("cut", 500)
    assert digests.corpora_digest(["t.en.xz:100", "u.en.xz:100"], tmp_path / "cut").endswith(" -")
