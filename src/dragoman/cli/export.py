"""dragoman export: what a model was taught, and what it was trained on, for other programs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from dragoman.cli.command import Command, model_argument
from dragoman.cli.options import CORRECTIONS, memory_option
from dragoman.cli.output import in_blocks, output
from dragoman.cli.progress import progress, stderr
from dragoman.errors import ConfigError
from dragoman.exchange import BY_EXTENSION, FORMATS, ExchangePair, written
from dragoman.index.sources import SourceRecord
from dragoman.learn.lesson_query import LessonQuery
from dragoman.learn.memory import DEFAULT, memory_of, own_name
from dragoman.translator import Translator


@click.command(cls=Command)
@model_argument()
@click.option("-o", "--out", type=click.Path(path_type=Path), help="File to write.  [default: standard output]")
@click.option(
    "--to", "format_name", type=click.Choice(tuple(FORMATS)), help="Format.  [default: what OUT ends in, or tsv]"
)
@click.option("--all", "everything", is_flag=True, help="Also the pairs that the model was trained on.")
@memory_option("Only what was taught to this memory.")
@CORRECTIONS
def export(
    model: Path,
    out: Path | None,
    format_name: str | None,
    everything: bool,
    memory: str | None,
    corrections: str | None,
) -> None:
    """Write the pairs that a model was taught by `add`, on the page or by other programs: TMX, XLIFF or TSV.

    Their names, and where they came from, go with them as far as the format has a place for it.

    \b
    dragoman export -m fr-en.model -o lessons.tmx
    dragoman export -m fr-en.model --in acme -o acme.tmx
    dragoman export -m fr-en.model --all -o everything.tmx
    """
    if everything and memory is not None:
        raise ConfigError("--all and --in exclude each other; training text belongs to no memory", "in")
    translator = Translator.load(model, corrections=corrections)
    translator.require_taught(memory or "")
    if everything and not translator.model.has("sources.bin"):
        raise ConfigError(
            f"{model} was made without the texts of its training pairs; `dragoman extract text` writes their words",
            "all",
        )
    chosen = format_name or BY_EXTENSION.get(out.suffix.lower() if out else "", "tsv")
    count = 0

    def pairs() -> Iterator[ExchangePair]:
        nonlocal count
        lessons = (lesson.records[0] for lesson in translator.lessons(LessonQuery(memory=memory or "")))
        for record in translator.pairs() if everything else lessons:
            yield exchange_pair(record)
            count += 1
            report(count, 0)

    with output(out) as write, progress("writing") as report:
        for piece in in_blocks(written(pairs(), chosen, translator.languages)):
            write(piece)
    stderr.print(f"{out or model}: {count:,} {'pairs' if count != 1 else 'pair'}", soft_wrap=True)


def exchange_pair(record: SourceRecord) -> ExchangePair:
    place = {"file": record.file, "line": str(record.line or ""), "unit": record.unit}
    attributes = {**{name: value for name, value in place.items() if value}, **record.attributes}
    if (memory := memory_of(record.id)) != DEFAULT:
        attributes["memory"] = memory
    return ExchangePair(record.source, record.target, own_name(record.id), attributes)
