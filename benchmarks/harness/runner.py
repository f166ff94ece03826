"""Runs the rows of tables that have no fresh result, each in a process of its own, and stores what they find."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.harness.digests import digests_of, staleness
from benchmarks.harness.provenance import provenance
from benchmarks.harness.registry import table_named
from benchmarks.harness.results import RESULTS, Results
from benchmarks.harness.table import NotHereError, Row, Setting, Table
from benchmarks.measure import run_command

# What runs a row.
CHILD = [sys.executable, "-m", "benchmarks.harness.runner"]


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def is_fresh(results: Results, row: str, today: dict[str, str]) -> bool:
    return row in results.rows and not results.rows[row].missing and not staleness(results.digests(row), today)


def run_table(
    table: Table, setting: Setting, *, again: bool = False, only: Sequence[str] = (), folder: Path = RESULTS
) -> bool:
    """True when every row that was asked for has a result or says what it would need."""
    results = Results.of(table.name, setting.size, folder)
    rows = table.rows(setting)
    today, run = digests_of(table), provenance(table, setting)
    complete = True
    for row in rows:
        if (only and row.name not in only) or (not again and is_fresh(results, row.name, today)):
            continue
        complete = run_row(table, row, setting, results, run) and complete
    dropped = [name for name in results.rows if name not in {row.name for row in rows}]
    if dropped:
        for name in dropped:
            del results.rows[name]
        results.write()
    return complete


def run_row(table: Table, row: Row, setting: Setting, results: Results, run: dict[str, Any]) -> bool:
    say(f"{table.name} ({setting.size}): {row.name}")
    with tempfile.TemporaryDirectory() as place:
        answer = Path(place) / "answer.json"
        for need in row.needs:
            if not need.is_there() and not in_child(table, row, setting, answer, need.name):
                results.add(row.name, run, {}, {}, f"{need.name} could not be made")
                return False
        begin = time.perf_counter()
        cost = in_child(table, row, setting, answer)
        if cost is None:
            results.add(row.name, run, {}, {}, "failed")
            return False
        found = json.loads(answer.read_text(encoding="utf-8"))
        if "unavailable" in found:
            say(f"  {found['unavailable']}")
            results.add(row.name, run, {}, {}, found["unavailable"])
        else:
            results.add(row.name, run, found["values"], cost)
            say(f"  {found['values']} in {time.perf_counter() - begin:.1f} s")
    return True


def in_child(table: Table, row: Row, setting: Setting, answer: Path, need: str = "") -> dict[str, float] | None:
    """What the row, or making one of its needs, cost; None where it failed, which it has said itself."""
    given = {"size": setting.size, "folder": str(setting.folder), "threads": setting.threads, "device": setting.device}
    command: list[str | Path] = [*CHILD, table.name, row.name, json.dumps(given), answer, need]
    try:
        return run_command(command).as_json()
    except subprocess.CalledProcessError as error:
        say(f"  {table.name} {row.name} {need}: exit status {error.returncode}")
        return None


def main(arguments: Sequence[str]) -> None:
    """The child: runs one row, or makes one of its needs."""
    name, row_name, given, answer, need_name = arguments
    values = json.loads(given)
    setting = Setting(**{**values, "folder": Path(values["folder"])})
    row = next(row for row in table_named(name).rows(setting) if row.name == row_name)
    found: dict[str, Any]
    try:
        if need_name:
            next(need for need in row.needs if need.name == need_name).make()
            found = {}
        else:
            found = {"values": dict(row.run())}
    except NotHereError as reason:
        found = {"unavailable": str(reason)}
    Path(answer).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
