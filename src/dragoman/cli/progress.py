"""Progress on standard error, and only on a terminal: a bar with rate and time left for every long stage."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import rich.progress
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from dragoman.progress import Progress

# What is printed are names of files and text of users, in which brackets and colons mean nothing.
PLAIN: Any = {"highlight": False, "markup": False, "emoji": False}
stderr = Console(stderr=True, **PLAIN)
stdout = Console(**PLAIN)


class RateColumn(ProgressColumn):
    """Steps per second."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{speed:,.0f}/s")


@contextlib.contextmanager
def progress(label: str, total: int | None = None) -> Iterator[Progress]:
    """Yields a function (done, total) that long calls of the core and of Python take as `progress`."""
    if not stderr.is_terminal:
        yield lambda done, total: None
        return
    columns = [
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        RateColumn(),
        TimeRemainingColumn(),
    ]
    with rich.progress.Progress(*columns, console=stderr, transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield lambda done, total: bar.update(task, completed=done, total=total or None)
