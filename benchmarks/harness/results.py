"""Results of a table as they lie in benchmarks/results: rows with what they found and cost, and the runs they are from.

A row is written as soon as it is there, by replacing the file. Rows of different runs may stand in one file: each names
its run, and what was measured with other code is known by the digests of its run.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks.harness.digests import ROOT, staleness
from benchmarks.harness.table import Rows, Size, Values
from dragoman.errors import FormatError
from dragoman.files import writing

RESULTS = ROOT / "benchmarks" / "results"
# How the reasons end for which a row has no values through a fault, not for want of a rival.
UNDONE = ("could not be made", "failed")


@dataclass(frozen=True, slots=True)
class StoredRow:
    """`missing` says why there are no values: a rival that is not installed, a failure. `kept` says why values that
    were measured with other code could not be had again."""

    run: str
    values: Values = field(default_factory=dict)
    cost: dict[str, float] = field(default_factory=dict)
    missing: str = ""
    kept: str = ""

    def as_json(self) -> dict[str, Any]:
        found = {"missing": self.missing} if self.missing else {"values": self.values, "cost": self.cost}
        return {"run": self.run, **found, **({"kept": self.kept} if self.kept else {})}


def conditions(run: dict[str, Any]) -> str:
    return json.dumps({name: run[name] for name in run if name not in ("commit", "date", "command")}, sort_keys=True)


@dataclass(slots=True)
class Results:
    """Of one table in one size."""

    path: Path
    runs: dict[str, dict[str, Any]] = field(default_factory=dict)
    rows: dict[str, StoredRow] = field(default_factory=dict)
    # Rows end in any order, on several threads.
    lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def of(cls, table: str, size: Size, folder: Path = RESULTS) -> Results:
        path = folder / size / f"{table}.json"
        results = cls(path)
        if path.exists():
            try:
                stored = json.loads(path.read_text(encoding="utf-8"))
                results.runs = stored["runs"]
                results.rows = {name: StoredRow(**row) for name, row in stored["rows"].items()}
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise FormatError(
                    f"{path}: not a file of results ({error}); remove it and run the table again"
                ) from None
        return results

    def groups(self) -> list[dict[str, Any]]:
        """Runs under different conditions, latest last; commit, date and command alone make no difference."""
        different: dict[str, dict[str, Any]] = {}
        for run in sorted(self.runs.values(), key=lambda run: str(run["date"])):
            different[conditions(run)] = run
        return list(different.values())

    def group_of(self, row: str) -> int:
        """Which of them, from 1."""
        wanted = conditions(self.runs[self.rows[row].run])
        return [conditions(run) for run in self.groups()].index(wanted) + 1

    @property
    def values(self) -> Rows:
        return {name: row.values for name, row in self.rows.items() if not row.missing}

    def digests(self, row: str) -> dict[str, str]:
        digests: dict[str, str] = self.runs[self.rows[row].run]["digests"]
        return digests

    def forget_all_but(self, names: Iterable[str]) -> None:
        known = set(names)
        if set(self.rows) - known:
            self.rows = {name: row for name, row in self.rows.items() if name in known}
            self.write()

    def add(self, name: str, run: dict[str, Any], values: Values, cost: dict[str, float], missing: str = "") -> None:
        """Stores a row of a run at once. What was measured stays where it cannot be had again, and is stale."""
        if missing and self.is_measured(name):
            if not missing.endswith(UNDONE):
                with self.lock:
                    self.rows[name] = replace(self.rows[name], kept=missing)
                    self.write()
            return
        key = hashlib.sha256(json.dumps(run, sort_keys=True).encode()).hexdigest()[:8]
        with self.lock:
            self.runs[key] = run
            self.rows[name] = StoredRow(key, values, cost, missing)
            self.write()

    def is_measured(self, name: str) -> bool:
        return name in self.rows and not self.rows[name].missing

    def take(self, other: Results, today: dict[str, str], commit: str = "") -> list[str]:
        """Rows of another machine, of today's code and corpora, which are those of this commit; their names. What could
        not be had there is among them, unless it could here."""
        taken = []
        for name, row in other.rows.items():
            run = other.runs[row.run]
            if not row.missing.endswith(UNDONE) and not staleness(run["digests"], today):
                if not (row.missing and self.is_measured(name)):
                    self.add(name, {**run, "commit": run["commit"] or commit}, row.values, row.cost, row.missing)
                taken.append(name)
        return taken

    def write(self) -> None:
        used = {row.run for row in self.rows.values()}
        self.runs = {key: run for key, run in self.runs.items() if key in used}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        rows = {name: row.as_json() for name, row in self.rows.items()}
        text = json.dumps({"runs": self.runs, "rows": rows}, indent=1, ensure_ascii=False) + "\n"
        with writing(self.path) as out:
            out.write(text.encode())
