"""A table: what it claims, its columns, and rows that can be run one at a time.

A row is run in a process of its own, so that its time and memory are its alone, and its result is stored at once, so
that a run that was killed loses one row. What several rows need (a trained model) is a `Need`: it is there before the
row runs, and costs the row nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Literal, Protocol, TypeVar

Value = float | int | str | None
# What a row found, by the names of columns.
Values = Mapping[str, Value]
# What is known of a table, by the names of rows.
Rows = Mapping[str, Values]
Size = Literal["quick", "full"]
T = TypeVar("T")


class NotHereError(Exception):
    """Raised by a row whose rival or corpus is not on this machine, with what to install; the table says so."""


@dataclass(frozen=True, slots=True)
class Setting:
    """How large to run, and on what."""

    size: Size
    # Where needs keep what they make.
    folder: Path
    threads: int = 1
    # Rows that are run at a time.
    jobs: int = 1
    device: Literal["cpu", "cuda"] = "cpu"

    def either(self, *, quick: T, full: T) -> T:
        return quick if self.size == "quick" else full


class Need(Protocol):
    """Something that takes long to make and that rows, also of several tables, use.

    It may have `needs` of its own, which are made before it, and `cores` that it wants."""

    @property
    def name(self) -> str: ...

    def is_there(self) -> bool: ...

    def make(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Column:
    """`better` says which end is good, for the report's bars; a text column has neither digits nor bars."""

    name: str
    title: str
    digits: int = 1
    better: Literal["high", "low", ""] = ""


@dataclass(frozen=True, slots=True)
class Row:
    """`run` may take minutes, not hours: a kill loses what it has. `thesis` has the thesis' figures of this row."""

    name: str
    title: str
    run: Callable[[], Values]
    needs: Sequence[Need] = ()
    thesis: Values = field(default_factory=dict)
    # Who it is about, for the report: ours, a rival measured here, or neither.
    of: Literal["ours", "rival", "other"] = "ours"
    # That it is to have to itself where there are as many.
    cores: int = 1
    # Another seed of a row: what it finds makes the table surer, and the table is whole without it.
    again: bool = False


class Verdict(StrEnum):
    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    UNDECIDED = "not decided"
    NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of a claim, and a sentence that says it with the numbers."""

    verdict: Verdict
    sentence: str


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines of the report: one column over another, and for each line how the names of its rows begin."""

    x: str
    y: str
    lines: Mapping[str, str] = field(default_factory=dict)
    logarithmic: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    title: str
    # What is claimed, in a sentence, and who claims it: "Thesis, table 4.4", "README".
    claim: str
    claimed_by: str
    columns: Sequence[Column]
    rows: Callable[[Setting], Sequence[Row]]
    # Folders and files below the shared folder, such as "corpora/multi30k", whose bytes the result depends on; with a
    # colon and a number after a file, so many lines of it.
    corpora: Sequence[str] = ()
    # Files and folders of the checkout that are measured. What else benchmarks/tables/NAME.py imports of benchmarks
    # counts by itself.
    code: Sequence[str] = ("core", "src/dragoman")
    # Distributions whose versions are recorded.
    rivals: Sequence[str] = ()
    seeds: Sequence[int] = (1,)
    # What became of the claim. It may take a row that has not been run: that KeyError reads as "not run".
    finding: Callable[[Rows], Finding] | None = None
    # What text it is run on, by size, where rows do not say.
    texts: Mapping[Size, str] = field(default_factory=dict)
    # What these figures do not show.
    caveat: str = ""
    chart: Chart | None = None
    # Sizes that say different things, so that pages show both where both were run.
    both: bool = False
    # Sizes that it can be run in; a table that says nothing on a small text is full alone.
    sizes: Sequence[Size] = ("quick", "full")

    def told(self, size: Size) -> str:
        """What is said below the figures."""
        return " ".join(part for part in (self.texts.get(size), self.caveat) if part)
