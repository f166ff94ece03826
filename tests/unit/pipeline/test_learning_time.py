"""A limit on the time of training: what is planned within it, that it is kept, and what is said of too short a one."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from types import SimpleNamespace

import pytest

from dragoman.cli.main import run
from dragoman.config import TrainOptions
from dragoman.judge import training as judge_training
from dragoman.neural.shape import epochs_for
from dragoman.pipeline import training
from dragoman.pipeline.costs import JUDGE_START, StageCost
from dragoman.pipeline.counts import CorpusCounts, Split
from dragoman.pipeline.job import Job, make_job
from dragoman.pipeline.learning_time import RECORD, TimePlan, kept_plan, plan_time, warning_of
from dragoman.pipeline.plan import Plan, make_plan
from dragoman.pipeline.runner import Silence
from examples.demo.phrasebook import phrasebook_path
from tests.unit.pipeline.test_budget import COUNTS

SPLIT = Split(102_000, 100_000, 1000, 1000)
OTHERS = StageCost("align", 100.0, 0.0)


def job_of(time: str, **more: object) -> Job:
    options = {"source_lang": "fr", "target_lang": "en", "out": "no model", "time": time, **more}
    return make_job(phrasebook_path(), **options)  # type: ignore[arg-type]


def plan_of(job: Job, words: int = 2_000_000) -> Plan:
    side = dataclasses.replace(COUNTS.target, tokens=words)
    options = dataclasses.replace(job.options, memory="1GB", judge="on")
    return make_plan(CorpusCounts(side, side), SPLIT, options, job.stages)


def costs_of(neural: float, judge: float) -> list[StageCost]:
    return [OTHERS, StageCost("neural", neural, 0.0, parallel=True), StageCost("judge", judge, 0.0)]


def test_without_a_limit_nothing_changes() -> None:
    job = job_of("")
    assert not plan_time(job, plan_of(job), costs_of(1e6, 1e6), 1).any
    assert TimePlan().applied(job) == job


def test_where_all_fits_the_judge_may_have_the_rest() -> None:
    job = job_of("1000s")
    made = plan_time(job, plan_of(job), costs_of(200, 100 + JUDGE_START), 1)
    assert made == TimePlan(0, 700 - JUDGE_START, 256)
    # Threads share the work of a network.
    assert plan_time(job, plan_of(job), costs_of(200, 100), 2).judge_seconds == 800 - JUDGE_START


@pytest.mark.parametrize("share", [0.9, 0.5, 0.2, 0.01])
def test_all_that_learn_learn_less(share: float) -> None:
    job = job_of("1100s")
    made = plan_time(job, plan_of(job), costs_of(400 / share, 600 / share), 1)
    assert made.network_epochs == max(1, int(share * epochs_for(2_000_000)))
    assert made.judge_seconds == pytest.approx(600 - JUDGE_START)
    applied = made.applied(job)
    assert applied.stages.neural_lm.epochs == made.network_epochs
    assert applied.stages.judge_network.seconds == made.judge_seconds
    assert dataclasses.replace(applied, stages=job.stages) == job


def test_a_judge_that_could_hardly_begin_is_smaller() -> None:
    job = job_of("1000s")
    plan = plan_of(job, 20_000_000)
    assert plan.networks.judge is not None and plan.networks.judge.dimension == 512
    sizes = [
        plan_time(job, plan, [OTHERS, StageCost("judge", cost, 0.0)], 1).judge_dimension for cost in (1e3, 1e4, 1e5)
    ]
    assert sizes[0] == 512 > sizes[1] > sizes[2] == 128
    given = job_of("1000s", stages={"judge_network": {"dimension": 320}})
    assert plan_time(given, plan_of(given), costs_of(1e5, 1e5), 1).judge_dimension == 0


def test_no_time_at_all_still_gives_one_pass() -> None:
    job = job_of("1s")
    made = plan_time(job, plan_of(job), costs_of(1000, 1000), 1)
    assert made.network_epochs == 1 and made.judge_seconds == 1.0


def test_the_same_training_keeps_its_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job, plan, warnings = job_of("30min"), TimePlan(2, 33.5, 128), []
    assert kept_plan(tmp_path, job) is None
    estimated = SimpleNamespace(time=plan, lateness="too late")
    monkeypatch.setattr(training, "estimate_job", lambda job: estimated)
    monkeypatch.setattr(Silence, "warn", lambda self, message: warnings.append(message))
    assert training.within_time(job, tmp_path, Silence()) == plan.applied(job)
    assert kept_plan(tmp_path, job) == plan and warnings == ["too late"]
    monkeypatch.setattr(training, "estimate_job", None)
    assert training.within_time(job, tmp_path, Silence()) == plan.applied(job)
    assert training.within_time(job_of(""), tmp_path, Silence()) == job_of("")
    assert kept_plan(tmp_path, job_of("31min")) is None
    (tmp_path / RECORD).write_text("{}")
    assert kept_plan(tmp_path, job) is None


def test_what_is_said_where_it_is_too_short() -> None:
    assert warning_of(TrainOptions(time="30min"), 2000) == ""
    assert warning_of(TrainOptions(), 1e9) == ""
    assert warning_of(TrainOptions(time="30min"), 7200) == "training will take about 2.0 h where 30 min is given"


def test_the_command_foretells_it(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["estimate", str(phrasebook_path()), "-s", "fr", "-t", "en", "--judge"]
    if judge_training.has_torch():
        assert run([*arguments, "on", "--time", "2min", "--json"]) == 0
        assert '"judge_seconds"' in capsys.readouterr().out
    assert run([*arguments, "off", "--time", "1s"]) == 0
    assert "where 1 s is given" in capsys.readouterr().out
    assert run([*arguments, "off", "--time", "soon"]) == 2
    assert "--time must be a time, written as 90s, 30min or 2h" in capsys.readouterr().err
