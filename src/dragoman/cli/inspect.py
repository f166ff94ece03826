"""dragoman inspect, pack, unpack, upgrade: what a model directory holds, moving it as one file, and renewing it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from dragoman.cli.command import Command, model_argument
from dragoman.cli.progress import progress, stderr, stdout
from dragoman.model import pack as packing
from dragoman.model.description import describe
from dragoman.model.directory import ModelDirectory
from dragoman.model.manifest import KNOWN, MANIFEST, NOT_TO_TRANSLATE, OVERLAY
from dragoman.model.options import options_of_model
from dragoman.model.upgrade import upgrade as upgrade_model
from dragoman.sizes import format_bytes


@click.command(cls=Command)
@model_argument()
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option("--sections", is_flag=True, help="List the sections inside each file too.")
@click.option("--trust", is_flag=True, help="Skip reading every byte to compare its hash.")
def inspect(model: Path, as_json: bool, sections: bool, trust: bool) -> None:
    """Show what a model directory holds, in bytes per component, after checking every file."""
    opened = ModelDirectory.open(model, verify=not trust)
    described = describe(opened)
    if as_json:
        click.echo(json.dumps(described.as_json(), indent=2))
        return
    title = f"{model}: {described.source_lang} → {described.target_lang}, {described.tool}"
    table = Table(title=Text(title))
    table.add_column("file")
    table.add_column("holds")
    table.add_column("bytes", justify="right")
    table.add_column("share", justify="right")
    total = described.bytes
    for name, entry in described.components.items():
        table.add_row(name, entry.holds, f"{entry.bytes:,}", f"{entry.bytes / total:.1%}")
        if sections:
            for section, size in (entry.sections or {}).items():
                table.add_row(Text(f"  {section}"), "", f"{size:,}", f"{size / total:.1%}", style="dim")
    table.add_section()
    table.add_row("total", f"with {MANIFEST}", f"{total:,}", format_bytes(total))
    if overlay := described.overlay:
        holds = f"{overlay.added:,} pairs added, {overlay.removed:,} removed"
        table.add_row(OVERLAY, f"{holds}; {format_bytes(overlay.memory)} of memory", f"{overlay.bytes:,}", "")
    stdout.print(table)
    stdout.print(f"search: {options_of_model(opened).decoder}")
    for line in score_lines(described.scores):
        stdout.print(line, soft_wrap=True, markup=False)


def score_lines(scores: dict[str, Any]) -> Iterator[str]:
    """Scores for people to read, with their intervals; signatures and the like are in the JSON."""
    test = scores.get("test")
    intervals = test.get("intervals") if isinstance(test, dict) else None
    for name, score in scores.items():
        if isinstance(score, dict):
            facts = [f"{key.replace('_', ' ')} {value}" for key, value in score.items() if not isinstance(value, dict)]
            yield f"{name}: {', '.join(facts)}"
        elif isinstance(intervals, dict) and isinstance(intervals.get(name), list):
            yield f"{name}: {score} ({' to '.join(map(str, intervals[name]))})"
        else:
            yield f"{name}: {score}"


@click.command(cls=Command)
@model_argument()
@click.option("-o", "--out", type=click.Path(path_type=Path), help="The archive to write.  [default: MODEL.dragoman]")
@click.option(
    "--translate-only",
    is_flag=True,
    help="Leave out what translating does not need: texts for explanations, and what learning needs.",
)
def pack(model: Path, out: Path | None, translate_only: bool) -> None:
    """Make one uncompressed archive of a model directory.

    It contains the training text: translations are made of it. Give the archive to those who may read that.
    """
    opened = ModelDirectory.open(model, verify=True)
    # `.` has no name to make another of.
    named = model if model.name not in ("", "..") else model.resolve()
    target = out or named.with_name(named.name + ".dragoman")
    left_out = NOT_TO_TRANSLATE if translate_only else frozenset()
    with progress("packing") as report:
        packing.pack(opened, target, report, left_out)
    stderr.print(f"{target}: {format_bytes(target.stat().st_size)}", soft_wrap=True)
    for line in what_readers_get(opened, left_out):
        stderr.print(line, soft_wrap=True)


def what_readers_get(model: ModelDirectory, left_out: Collection[str]) -> Iterator[str]:
    """What somebody should know before giving the archive away."""
    if model.has("bitext.bin"):
        whole = model.has("sources.bin") and "sources.bin" not in left_out
        form = "as it was written" if whole else "in the words of the model"
        yield f"It contains the training text, {form}: give it only to those who may read that."
    if gone := [name for name in KNOWN if model.has(name) and name in left_out]:
        yield f"Left out, with explanations by training sentences and learning: {', '.join(gone)}."


@click.command(cls=Command)
@click.argument("archive", type=click.Path(path_type=Path))
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="The directory to make.  [default: ARCHIVE without its ending]"
)
@click.option("--overwrite", is_flag=True, help="Replace the directory if it exists.")
def unpack(archive: Path, out: Path | None, overwrite: bool) -> None:
    """Make a model directory of an archive, after checking every path and hash in it."""
    target = out or (archive.with_suffix("") if archive.suffix else archive.with_name(archive.name + ".model"))
    with progress("unpacking") as report:
        packing.unpack(archive, target, report, overwrite=overwrite)
    stderr.print(f"{target}: a checked model directory", soft_wrap=True)


@click.command(cls=Command)
@model_argument()
@click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON.")
def upgrade(model: Path, as_json: bool) -> None:
    """Bring a model directory of an earlier version to the present format.

    Such models work without it. Files that nothing reads any more are dropped; everything else stays as it is. The
    model can be used, and pairs can be added, while this runs.
    """
    done = upgrade_model(model)
    if as_json:
        click.echo(json.dumps(done.as_json()))
        return
    if not done:
        stderr.print(f"{model}: is of the present format; nothing was changed", soft_wrap=True)
    for sentence in done.sentences():
        stderr.print(f"{model}: {sentence}", soft_wrap=True)
