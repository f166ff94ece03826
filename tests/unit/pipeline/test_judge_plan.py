"""The judge in the plan: when there is to be one, what it takes of the memory, and what is said where it cannot be."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dragoman.cli.main import run
from dragoman.config import JudgeOptions, NlmOptions, TrainOptions
from dragoman.errors import ConfigError, DragomanError
from dragoman.judge import training as judge_training
from dragoman.judge.shape import completed, make_schedule, predicted_bytes, shape_of, warm_up_steps
from dragoman.pipeline import job as jobs
from dragoman.pipeline.budget import MAPPED, judge_working_bytes
from dragoman.pipeline.counts import CorpusCounts, Split
from dragoman.pipeline.job import Job, make_job
from dragoman.pipeline.networks import plan_judge, plan_networks, plan_neural, wants_judge
from dragoman.pipeline.plan import Plan, make_plan
from dragoman.pipeline.settings import StageOptions
from examples.demo.phrasebook import phrasebook_path
from tests.unit.pipeline.test_budget import COUNTS

SPLIT = Split(102_000, 100_000, 1000, 1000)


def planned(judge: str, memory: str = "200MB", **more: object) -> Plan:
    options = TrainOptions(memory=memory, judge=judge, **more)  # type: ignore[arg-type]
    return make_plan(COUNTS, SPLIT, options, StageOptions())


def size_of(dimension: int) -> int:
    return predicted_bytes(completed(JudgeOptions(dimension), COUNTS.pairs, 0)) + judge_working_bytes(dimension)


def counts_of(words: int) -> CorpusCounts:
    side = replace(COUNTS.target, tokens=words)
    return CorpusCounts(side, side)


@pytest.mark.parametrize(
    ("judge", "pairs", "wanted"),
    [("on", 10, True), ("auto", 20_000, True), ("auto", 19_999, False), ("off", 10**6, False)],
)
def test_who_has_a_judge(judge: str, pairs: int, wanted: bool) -> None:
    assert wants_judge(TrainOptions(judge=judge), pairs) is wanted


@pytest.mark.parametrize(
    ("words", "room", "dimension"),
    [
        (2_000_000, size_of(256), 256),
        (2_000_000, size_of(256) - 1, 128),
        (2_000_000, size_of(128), 128),
        (2_000_000, size_of(128) - 1, None),
        (2_000_000, 0, None),
        (2_000_000, 10**9, 256),
        (5_000_000, 10**9, 384),
        (20_000_000, 10**9, 512),
        (20_000_000, size_of(512) - 1, 384),
        (20_000_000, size_of(384) - 1, 256),
        (20_000_000, size_of(256) - 1, 128),
    ],
)
def test_it_is_as_large_as_fits_and_the_text_can_teach(words: int, room: int, dimension: int | None) -> None:
    chosen = plan_judge(counts_of(words), JudgeOptions(), room)
    assert (chosen and chosen.dimension) == dimension


def test_a_dimension_that_was_given_fits_or_not() -> None:
    given = JudgeOptions(dimension=512)
    assert plan_judge(COUNTS, given, size_of(512)) == replace(given, pieces=8000)
    assert plan_judge(COUNTS, given, size_of(512) - 1) is None


def test_it_comes_before_the_language_models() -> None:
    room = size_of(256) + plan_neural(("conditioned",), COUNTS, NlmOptions(), 10**9).total_bytes
    both = plan_networks(("neural", "conditioned"), COUNTS, NlmOptions(), JudgeOptions(), room, room)
    assert both.judge is not None and both.kinds == ("conditioned",) and both.total_bytes == room
    without = plan_networks(("neural", "conditioned"), COUNTS, NlmOptions(), None, room, room)
    assert without.judge is None and without.kinds == ("neural", "conditioned")


@pytest.mark.parametrize("fit", [False, True])
@pytest.mark.parametrize("memory", ["60MB", "80MB", "100MB", "120MB", "200MB", "1GB"])
def test_all_of_it_stays_within_the_budget(memory: str, fit: bool) -> None:
    plan, without = (planned(judge, memory, fit=fit) for judge in ("on", "off"))
    assert plan.refusal is without.refusal is None
    assert plan.memory_bytes <= plan.budget.memory_bytes
    if plan.networks.judge is None:
        assert plan.warnings == ("the memory leaves no room for the judge", *without.warnings)
        assert plan.files == without.files
    else:
        assert plan.files["judge.bin"] == plan.networks.judge_bytes and "judge.bin" in MAPPED
        dimension = plan.networks.judge_dimension
        taken = plan.budget.process_bytes(len(plan.networks.kinds), dimension) + plan.mapped_bytes
        assert plan.memory_bytes == taken > judge_working_bytes(dimension) + plan.networks.judge_bytes


def test_some_budgets_have_room_and_others_do_not() -> None:
    assert planned("on", "60MB").networks.judge is None
    assert planned("on", "200MB").networks.judge is not None
    assert planned("off", "200MB").networks.judge is None
    assert planned("auto").networks == planned("on").networks


def test_its_training_needs_memory_too() -> None:
    refusal = planned("on", work_memory="1GB").refusal
    assert refusal is not None and "stage judge needs" in str(refusal) and "or --judge off" in str(refusal)
    assert planned("off", work_memory="1GB").refusal is None


@pytest.mark.parametrize("pairs", [10, 5000, 29_000, 100_000, 700_000, 2_000_000, 10**8])
def test_the_schedule_follows_the_text(pairs: int) -> None:
    schedule = make_schedule(JudgeOptions(), pairs, 25 * pairs)
    assert 4 <= schedule.epochs <= 40 and 512 <= schedule.batch_pieces <= 25_000
    assert schedule.dropout == (0.1 if pairs >= 100_000 else 0.3)
    steps = schedule.epochs * 25 * pairs // schedule.batch_pieces
    assert 1 <= warm_up_steps(steps) <= max(1, min(2000, steps // 10))
    given = JudgeOptions(epochs=3, batch_pieces=77, dropout=0.0, learning_rate=0.5)
    made = make_schedule(given, pairs, 25 * pairs)
    assert (made.epochs, made.batch_pieces, made.dropout, made.learning_rate) == (3, 77, 0.0, 0.5)


def test_the_usual_judge_has_nine_million_numbers() -> None:
    options = completed(JudgeOptions(), 10**5, 10**6)
    assert shape_of(options).parameters(options.pieces) == pytest.approx(8.9e6, rel=0.02)
    assert predicted_bytes(options) == pytest.approx(9.3e6, rel=0.03)
    assert predicted_bytes(replace(options, precision="f32")) > 3.5 * predicted_bytes(options)


def job(judge: str, **network: object) -> Job:
    stages = {"judge_network": network}
    return make_job(phrasebook_path(), source_lang="fr", target_lang="en", out="no model", judge=judge, stages=stages)


def test_auto_is_off_without_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    for gpu, asked, chosen in ((False, "auto", "off"), (True, "auto", "auto"), (True, "off", "off")):
        monkeypatch.setattr(judge_training, "has_gpu", lambda gpu=gpu: gpu)
        assert job(asked).options.judge == chosen
    # Somebody who wants processors to be used has not asked for a judge on them.
    assert job("auto", device="cpu").options.judge == "off"


def test_on_without_pytorch_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge_training, "has_torch", lambda: False)
    with pytest.raises(DragomanError, match=r"trained with PyTorch; install it with `.*torch.*`, or pass --judge off"):
        job("on")
    assert job("off").options.judge == "off"


def test_a_gpu_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge_training, "has_torch", lambda: True)
    monkeypatch.setattr(judge_training, "has_gpu", lambda: False)
    with pytest.raises(ConfigError, match=r"no GPU that PyTorch can use; leave judge_network\.device at auto or cpu"):
        job("on", device="cuda")
    assert jobs.possible_judge("on", JudgeOptions(device="cpu")) == "on"


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("dimension=100", "judge_network.dimension must be a multiple of 64"),
        ("dimension=2048", "must be at most 1024"),
        ("encoder_layers=0", "must be at least 1"),
        ("precision=int4", "judge_network.precision is one of int8, f32"),
        ("dropout=1", "must be below 1"),
        ("size=3", "judge_network.size is not an option"),
    ],
)
def test_options_that_mean_nothing(option: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [str(phrasebook_path()), "-s", "fr", "-t", "en", "--set", f"judge_network.{option}"]
    assert run(["estimate", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_the_command_takes_it(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [str(phrasebook_path()), "-s", "fr", "-t", "en", "--memory", "200MB", "--json"]
    assert run(["estimate", *arguments, "--judge", "off"]) == 0
    assert "judge.bin" not in capsys.readouterr().out
    if judge_training.has_torch():
        assert run(["estimate", *arguments, "--judge", "on"]) == 0
        shown = capsys.readouterr().out
        assert '"judge.bin"' in shown and '"stage": "judge"' in shown
    assert run(["estimate", *arguments, "--judge", "perhaps"]) == 2
