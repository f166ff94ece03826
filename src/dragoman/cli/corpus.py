"""`dragoman corpus`: prepare bilingual text for training, count it, split it, and filter text by the tokenizer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from dragoman.cli.options import collect, options_of
from dragoman.cli.progress import progress, stdout
from dragoman.config import CleanOptions, ReadOptions, SplitOptions
from dragoman.errors import ConfigError

SOURCE_LANG = click.option("--source-lang", required=True, help="Language to translate from, such as fr or pt-BR.")
TARGET_LANG = click.option("--target-lang", required=True, help="Language to translate into.")
OUT = click.option("--out", required=True, type=click.Path(path_type=Path), help="Directory to write.")
OVERWRITE = click.option("--overwrite", is_flag=True, help="Replace the directory if it exists.")
JSON = click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON.")


@click.group()
def corpus() -> None:
    """Bilingual text: prepare it, count it, split it, tokenize it."""


@corpus.command()
@click.argument("inputs", nargs=-1, metavar="INPUT...")
@SOURCE_LANG
@TARGET_LANG
@OUT
@click.option("--source", "sources", multiple=True, help="Text file in the source language; goes with --target.")
@click.option("--target", "targets", multiple=True, help="Text file in the target language, line by line as --source.")
@OVERWRITE
@click.option("--dropped", type=click.Path(path_type=Path), help="File for the dropped pairs and why, as JSON lines.")
@JSON
@options_of(ReadOptions)
@options_of(CleanOptions)
@options_of(SplitOptions)
def prepare(
    inputs: tuple[str, ...],
    source_lang: str,
    target_lang: str,
    out: Path,
    sources: tuple[str, ...],
    targets: tuple[str, ...],
    overwrite: bool,
    dropped: Path | None,
    as_json: bool,
    **values: Any,
) -> None:
    """Reads sentence pairs, normalises, cleans and de-duplicates them and holds out dev and test sets.

    INPUT is a TSV, JSONL, TMX, XLIFF, PO or MO file, or two text files such as train.fr train.en; each may be
    compressed (.gz, .xz). Writes OUT/{train,dev,test}.LANG with one sentence per line, OUT/*.origin.jsonl with where
    each came from, and OUT/report.json.
    """
    from dragoman.corpus import prepare as prepare_corpus
    from dragoman.corpus.formats import Input, require_file

    if len(sources) != len(targets):
        raise ConfigError("give as many --target as --source; they go together in order", "target")
    for path in (*sources, *targets):
        require_file(path)
    named = [Input("plain", ours, theirs) for ours, theirs in zip(sources, targets, strict=True)]
    entries: list[str | Path | Input] = [*inputs, *named]
    with progress("Preparing") as step:
        report = prepare_corpus(
            entries,
            out,
            source_lang=source_lang,
            target_lang=target_lang,
            read=collect(ReadOptions, values),
            clean=collect(CleanOptions, values),
            split=collect(SplitOptions, values),
            overwrite=overwrite,
            dropped=dropped,
            progress=step,
        )
    if as_json:
        click.echo(json.dumps(report.as_dict(), indent=2, ensure_ascii=False))
        return
    table = Table(title=f"{source_lang}-{target_lang} in {out}", title_justify="left")
    table.add_column("")
    table.add_column("pairs", justify="right")
    table.add_column("share", justify="right")
    for why, count in sorted(report.skipped.items()):
        table.add_row(f"units skipped: {why}", f"{count:,}", "")
    table.add_row("read", f"{report.read:,}", "100%")
    for rule, count in report.dropped.items():
        table.add_row(f"  dropped: {rule}", f"{count:,}", share(count, report.read))
    table.add_row("kept", f"{report.kept:,}", share(report.kept, report.read), end_section=True)
    for name, count in report.splits.items():
        table.add_row(f"  {name}", f"{count:,}", share(count, report.read))
    if report.changes:
        table.add_section()
    for change, count in sorted(report.changes.items()):
        table.add_row(f"normalised: {change}", f"{count:,}", "")
    stdout.print(table)


def share(count: int, total: int) -> str:
    return f"{100 * count / total:.2f}%" if count and total else ""
