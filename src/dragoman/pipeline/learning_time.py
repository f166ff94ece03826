"""A limit on the time of training, `--time`: what networks and the judge may take of it.

All other stages take what they take. What they leave is divided between those that learn by what they would take
without a limit; networks then make fewer passes over the text, at least one, and the judge as many as the first steps
on this machine promise, with shorter vectors where even a few would take too long. The plan follows from an estimate,
whose seconds are never twice the same, so it lies in the work folder: the same training keeps it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from dragoman.child.typed_json import from_json
from dragoman.config import TrainOptions
from dragoman.durations import format_seconds, parse_seconds
from dragoman.files import writing
from dragoman.judge.shape import EPOCHS, dimensions_for
from dragoman.neural.shape import epochs_for
from dragoman.pipeline.costs import JUDGE_START, StageCost, judge_learning
from dragoman.pipeline.job import Job
from dragoman.pipeline.plan import Plan

RECORD = "time.json"
LEARNING = ("neural", "conditioned", "judge")


@dataclass(frozen=True, slots=True)
class TimePlan:
    """What goes over the options of a job; 0 leaves them as they are."""

    network_epochs: int = 0
    judge_seconds: float = 0.0
    judge_dimension: int = 0

    @property
    def any(self) -> bool:
        return self != TimePlan()

    def applied(self, job: Job) -> Job:
        stages = job.stages
        networks, judge = stages.neural_lm, stages.judge_network
        networks = dataclasses.replace(networks, epochs=self.network_epochs or networks.epochs)
        judge = dataclasses.replace(
            judge,
            seconds=self.judge_seconds or judge.seconds,
            dimension=self.judge_dimension or judge.dimension,
        )
        return dataclasses.replace(job, stages=dataclasses.replace(stages, neural_lm=networks, judge_network=judge))


def time_limit(options: TrainOptions) -> float | None:
    return parse_seconds(options.time) if options.time else None


def plan_time(job: Job, plan: Plan, costs: list[StageCost], threads: int) -> TimePlan:
    """`costs` are those of a training without a limit."""
    limit = time_limit(job.options)
    learning = {cost.stage: cost.seconds(threads) for cost in costs if cost.stage in LEARNING}
    if limit is None or not learning:
        return TimePlan()
    left = max(0.0, limit - sum(cost.seconds(threads) for cost in costs if cost.stage not in LEARNING))
    share = left / sum(learning.values())
    epochs = 0
    if share < 1 and plan.networks.kinds:
        asked = job.stages.neural_lm.epochs or epochs_for(plan.counts.target.tokens)
        epochs = max(1, int(share * asked))
    judge = plan.networks.judge
    if judge is None:
        return TimePlan(epochs)
    # Where all fits, it may have what networks leave.
    others = sum(seconds for stage, seconds in learning.items() if stage != "judge")
    seconds = max(1.0, round(left - min(1.0, share) * others - JUDGE_START, 1))
    if job.stages.judge_network.dimension:
        return TimePlan(epochs, seconds)
    # A few passes of a smaller judge are worth more than one or two of a larger one.
    passes = min(EPOCHS[0], judge.epochs or EPOCHS[0])
    whole = judge_learning(judge, plan.counts)
    sized = {size: dataclasses.replace(judge, dimension=size) for size in dimensions_for(plan.counts.target.tokens)}
    smaller = {
        size: (learning["judge"] - JUDGE_START) * judge_learning(network, plan.counts, passes) / whole
        for size, network in sized.items()
        if size <= judge.dimension
    }
    fitting = (size for size, needed in smaller.items() if needed <= seconds)
    return TimePlan(epochs, seconds, next(fitting, min(smaller)))


def kept_plan(work: Path, job: Job) -> TimePlan | None:
    """What was planned for this training before."""
    try:
        record = json.loads((work / RECORD).read_text(encoding="utf-8"))
        return from_json(TimePlan, record["plan"]) if record["of"] == key_of(job) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def keep_plan(work: Path, job: Job, plan: TimePlan) -> None:
    record = {"of": key_of(job), "plan": dataclasses.asdict(plan)}
    with writing(work / RECORD) as stream:
        stream.write((json.dumps(record, indent=2) + "\n").encode())


def key_of(job: Job) -> str:
    """Of the text, by names and sizes, and of all that was asked for."""
    files: list[str | Path] = [*(job.dev or ()), *(job.test or ()), *job.monolingual]
    files += [file for entry in job.inputs for file in entry.files]
    asked = [dataclasses.asdict(job.options), dataclasses.asdict(job.stages), str(job.out.absolute())]
    sizes = [(str(file), Path(file).stat().st_size) for file in files]
    return hashlib.sha256(json.dumps([sizes, asked], default=str).encode()).hexdigest()


def warning_of(options: TrainOptions, seconds: float) -> str:
    """What to say where even the least of everything is foretold to take longer; empty where it is not."""
    limit = time_limit(options)
    # Foretold times err by this much easily.
    if limit is None or seconds <= 1.2 * limit:
        return ""
    return f"training will take about {format_seconds(seconds)} where {format_seconds(limit)} is given"
