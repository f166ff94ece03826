"""Finds a figure by its name, TABLE.ROW.COLUMN, and says where it is from.

Results of the tables come first, of the larger size where all its rows were run; then benchmarks/results/quoted, whose
files have what was not taken by a table: figures of rivals from elsewhere, and figures that were taken with an earlier
version. Such figures always carry a sign, and a page that shows one says what the sign means.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.harness.results import RESULTS, Results
from benchmarks.harness.table import Setting, Size, Table, Value
from dragoman.errors import ConfigError

SIGNS = {"elsewhere": "†", "earlier": "‡"}
LARGER_FIRST: tuple[Size, Size] = ("full", "quick")


@dataclass(frozen=True, slots=True)
class Quoted:
    """Figures that no table took. `kind`: taken elsewhere or on another day, or by an earlier version of ours."""

    name: str
    kind: str
    source: str
    rows: dict[str, dict[str, Value]]

    @classmethod
    def read(cls, path: Path) -> Quoted:
        stored: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if stored.get("kind") not in SIGNS or not stored.get("source") or "rows" not in stored:
            raise ConfigError(f"{path} needs a kind ({' or '.join(SIGNS)}), a source and rows", "quoted")
        return cls(path.stem, stored["kind"], stored["source"], stored["rows"])


@dataclass(frozen=True, slots=True)
class Figure:
    value: Value
    quoted: Quoted | None = None

    def written(self, form: str = "") -> str:
        text = "–" if self.value is None else format(self.value, form) if form else f"{self.value}"
        return text + (SIGNS[self.quoted.kind] if self.quoted else "")


@dataclass(slots=True)
class Figures:
    folder: Path = RESULTS
    # What rows there are to be.
    tables: Mapping[str, Table] = field(default_factory=dict)
    quoted: dict[str, Quoted] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for path in sorted((self.folder / "quoted").glob("*.json")):
            self.quoted[path.stem] = Quoted.read(path)

    def results(self, table: str) -> tuple[Size, Results] | None:
        """Of the larger size that has been run whole, else of the smaller one: what was stopped after its first row
        takes nothing away."""
        return next(iter(self.sizes(table)), None)

    def shown(self, table: Table) -> list[tuple[Size, Results]]:
        """What pages show of a table: one size, or both where they say different things."""
        sizes = self.sizes(table.name)
        return sizes if table.both else sizes[:1]

    def sizes(self, table: str) -> list[tuple[Size, Results]]:
        """All that were run whole, the larger first; where none was, the smaller one."""
        taken = [(size, results) for size in LARGER_FIRST if (results := Results.of(table, size, self.folder)).values]
        whole = [(size, results) for size, results in taken if self.is_whole(table, size, results)]
        return whole or taken[-1:]

    def is_whole(self, table: str, size: Size, results: Results) -> bool:
        if table not in self.tables:
            return True
        rows = self.tables[table].rows(Setting(size, self.folder))
        return all(row.again or row.name in results.rows for row in rows)

    def find(self, table: str, row: str, column: str) -> Figure:
        taken = self.results(table)
        if taken is not None and column in taken[1].values.get(row, {}):
            return Figure(taken[1].values[row][column])
        if table in self.quoted and column in self.quoted[table].rows.get(row, {}):
            return Figure(self.quoted[table].rows[row][column], self.quoted[table])
        raise ConfigError(f"there is no figure {table}.{row}.{column}", "figure")

    def legend(self, used: Iterable[Quoted]) -> list[str]:
        """What the signs of these mean, with their sources."""
        meanings = {"elsewhere": "not taken in the same run", "earlier": "not taken by a table"}
        lines = []
        by_kind: dict[str, dict[str, str]] = {}
        for quoted in used:
            by_kind.setdefault(quoted.kind, {})[quoted.name] = quoted.source
        for kind, sources in sorted(by_kind.items()):
            told = " ".join(f"{source.rstrip('.')}." for source in dict.fromkeys(sources.values()))
            lines.append(f"{SIGNS[kind]} {meanings[kind]}: {told}")
        return lines
