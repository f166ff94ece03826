"""dragoman lessons and memories: what a model was taught, and to which of its memories."""

from __future__ import annotations

import json
from pathlib import Path

import click

from dragoman.cli.command import Command, model_argument
from dragoman.cli.options import CORRECTIONS, memory_option
from dragoman.cli.progress import stderr
from dragoman.learn.lesson import Lesson, by_time
from dragoman.learn.lesson_query import LessonQuery, moment
from dragoman.learn.memory import DEFAULT
from dragoman.learn.overlay import open_overlay
from dragoman.translator import Translator


@click.command(cls=Command)
@model_argument()
@click.option("--search", metavar="WORDS", help="Only those that have all these words, in a text or an id.")
@click.option("--id", "names", multiple=True, help="Only these ids; may be given several times.")
@memory_option("Only what was taught to this memory.")
@click.option("--file", "file", help="Only what came from this file.")
@click.option("--since", metavar="TIME", help="Only what was taught since then: 2026-05-31, or 2026-05-31T17:30.")
@CORRECTIONS
@click.option("--json", "as_json", is_flag=True, help="Print an object of JSON for each on a line of its own.")
def lessons(
    model: Path,
    search: str | None,
    names: tuple[str, ...],
    memory: str | None,
    file: str | None,
    since: str | None,
    corrections: str | None,
    as_json: bool,
) -> None:
    """Show what a model was taught since it was trained, the last lesson last.

    Each has its ids, its memory, when it was taught, where it came from, and both texts. `dragoman remove` with the
    same --id, --in, --file or --since takes them back, `dragoman export` writes all of them for other programs.
    """
    query = LessonQuery(search or "", file or "", None if since is None else moment(since), names, memory or "")
    translator = Translator.load(model, corrections=corrections)
    translator.require_taught(query.memory)
    taught = by_time(translator.lessons(query))
    for lesson in taught:
        click.echo(json.dumps(lesson.as_json(), ensure_ascii=False) if as_json else written(lesson))
    stderr.print(f"{model}: {len(taught):,} {'lesson' if len(taught) == 1 else 'lessons'}", soft_wrap=True)


def written(lesson: Lesson) -> str:
    """Names, time and place on a line, and the texts below."""
    added = lesson.added
    time = f"{added.astimezone():%Y-%m-%d %H:%M}" if added is not None else ""
    places = sorted({record.place for record in lesson.records if record.file} - set(lesson.ids))
    memory = f"in {lesson.memory}" if lesson.memory != DEFAULT else ""
    head = "  ".join(part for part in (", ".join(lesson.ids), memory, time, ", ".join(places)) if part)
    return f"{head}\n    {one_line(lesson.source)}\n    {one_line(lesson.target)}"


def one_line(text: str) -> str:
    return " ".join(text.split())


@click.command(cls=Command)
@model_argument()
@CORRECTIONS
@click.option("--json", "as_json", is_flag=True, help="Print an object of JSON: the number of lessons of each.")
def memories(model: Path, corrections: str | None, as_json: bool) -> None:
    """Show the memories of a model, and how many lessons each has.

    `dragoman add --in` teaches one, `dragoman translate --use` says which apply, `dragoman remove --in` takes one out
    whole, and `dragoman export --in` writes one for other programs.
    """
    counts = open_overlay(model, corrections).memories()
    if as_json:
        click.echo(json.dumps(counts, ensure_ascii=False))
        return
    width = max(len(f"{count:,}") for count in counts.values())
    for name, count in counts.items():
        click.echo(f"{count:>{width},}  {name}")
