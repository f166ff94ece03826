"""Runs the rows of tables that have no fresh result, each in a process of its own, and stores what they find."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.harness.digests import digests_of, staleness
from benchmarks.harness.provenance import provenance
from benchmarks.harness.registry import table_named
from benchmarks.harness.results import RESULTS, UNDONE, Results
from benchmarks.harness.schedule import Cores, Schedule, Step
from benchmarks.harness.table import Need, NotHereError, Row, Setting, Table
from benchmarks.measure import run_command

# What runs a row.
CHILD = [sys.executable, "-m", "benchmarks.harness.runner"]


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def is_fresh(results: Results, row: str, today: dict[str, str]) -> bool:
    return row in results.rows and not results.rows[row].missing and not staleness(results.digests(row), today)


@dataclass(frozen=True, slots=True)
class Task:
    """A row to run, and where its result goes."""

    table: Table
    row: Row
    results: Results
    run: dict[str, Any]


def tasks_of(table: Table, setting: Setting, again: bool, only: Sequence[str], folder: Path) -> list[Task]:
    """Rows without a fresh result; rows that the table no longer has are forgotten."""
    results = Results.of(table.name, setting.size, folder)
    rows = table.rows(setting)
    results.forget_all_but(row.name for row in rows)
    today, run = digests_of(table), provenance(table, setting)
    asked = [row for row in rows if not only or row.name in only]
    return [Task(table, row, results, run) for row in asked if again or not is_fresh(results, row.name, today)]


def run_tables(
    tables: Iterable[Table],
    setting: Setting,
    *,
    again: bool = False,
    only: Sequence[str] = (),
    minutes: float = float("inf"),
    folder: Path = RESULTS,
) -> bool:
    """True when every row that was asked for has a result or says what it would need.

    Further seeds come after all that tables are whole with. After so many minutes no further row is begun."""
    tasks = [task for table in tables for task in tasks_of(table, setting, again, only, folder)]
    tasks.sort(key=lambda task: task.row.again)
    schedule = Schedule(setting.jobs, setting.threads, time.monotonic() + 60 * minutes)
    return schedule.run(steps_of(tasks, Making(setting)))


@dataclass(frozen=True, slots=True)
class Making:
    """Makes what rows need, each once, and knows what could not be made and why."""

    setting: Setting
    reasons: dict[str, str] = field(default_factory=dict)

    def make(self, task: Task, need: Need, cores: Cores) -> bool:
        """False where it failed; what cannot be had here is no failure."""
        with tempfile.TemporaryDirectory() as place:
            answer = Path(place) / "answer.json"
            cost = in_child(task.table, task.row, self.setting, answer, need.name, cores)
            if cost is None:
                self.reasons[need.name] = f"{need.name} {UNDONE[0]}"
                return False
            say(f"{need.name}, for {task.table.name}: {cost['cpu_seconds']:.0f} s of CPU")
            if reason := json.loads(answer.read_text(encoding="utf-8")).get("unavailable"):
                self.reasons[need.name] = reason
            return True


def steps_of(tasks: Sequence[Task], making: Making) -> list[Step]:
    """Each row after what it needs, which stands before the first row that does."""
    steps: dict[str, Step] = {}

    def after(task: Task, needs: Iterable[Need]) -> list[str]:
        names = []
        for need in needs:
            name = f"need {need.name}"
            if not need.is_there() and name not in steps:
                earlier = after(task, needs_of(need))
                act = partial(making.make, task, need)
                steps[name] = Step(name, act, earlier, getattr(need, "cores", 1))
            names.append(name)
        return names

    for task in tasks:
        earlier, name = after(task, task.row.needs), f"{task.table.name} {task.row.name}"
        steps[name] = Step(name, partial(run_row, task, making), earlier, task.row.cores)
    return list(steps.values())


def needs_of(need: Need) -> Sequence[Need]:
    known: Sequence[Need] = getattr(need, "needs", ())
    return known


def run_row(task: Task, making: Making, cores: Cores) -> bool:
    table, row, results, run, setting = task.table, task.row, task.results, task.run, making.setting
    for need in row.needs:
        if reason := making.reasons.get(need.name):
            results.add(row.name, run, {}, {}, reason)
            return not reason.endswith(UNDONE)
    say(f"{table.name} ({setting.size}): {row.name}")
    with tempfile.TemporaryDirectory() as place:
        answer = Path(place) / "answer.json"
        cost = in_child(table, row, setting, answer, "", cores)
        if cost is None:
            results.add(row.name, run, {}, {}, UNDONE[1])
            return False
        told = json.loads(answer.read_text(encoding="utf-8"))
    if "unavailable" in told:
        say(f"{table.name} ({setting.size}): {row.name}: {told['unavailable']}")
        results.add(row.name, run, {}, {}, told["unavailable"])
    else:
        results.add(row.name, run, told["values"], cost)
        say(f"{table.name} ({setting.size}): {row.name}: {told['values']}, {cost['cpu_seconds']:.0f} s of CPU")
    return True


def in_child(
    table: Table, row: Row, setting: Setting, answer: Path, need: str, cores: Cores
) -> dict[str, float] | None:
    """What the row, or making one of its needs, cost; None where it failed, which it has said itself."""
    given = {"size": setting.size, "folder": str(setting.folder), "threads": setting.threads, "device": setting.device}
    command: list[str | Path] = [*CHILD, table.name, row.name, json.dumps(given), json.dumps(cores), answer, need]
    try:
        return run_command(command).as_json()
    except subprocess.CalledProcessError as error:
        say(f"  {table.name} {row.name} {need}: exit status {error.returncode}")
        return None


def main(arguments: Sequence[str]) -> None:
    """The child: runs one row, or makes one of its needs."""
    name, row_name, given, cores, answer, need_name = arguments
    if json.loads(cores):
        os.sched_setaffinity(0, json.loads(cores))
    values = json.loads(given)
    setting = Setting(**{**values, "folder": Path(values["folder"])})
    row = next(row for row in table_named(name).rows(setting) if row.name == row_name)
    told: dict[str, Any]
    try:
        if need_name:
            needs = [need for each in row.needs for need in (each, *needs_of(each))]
            next(need for need in needs if need.name == need_name).make()
            told = {}
        else:
            told = {"values": dict(row.run())}
    except NotHereError as reason:
        told = {"unavailable": str(reason)}
    Path(answer).write_text(json.dumps(told), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
