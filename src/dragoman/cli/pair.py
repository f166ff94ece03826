"""`dragoman corpus pair`: bilingual text from documents that are translations of each other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from dragoman.cli.command import Command
from dragoman.cli.options import collect, options_of
from dragoman.cli.progress import progress, stderr, stdout
from dragoman.config import PairOptions
from dragoman.errors import ConfigError, InputError


@click.command(cls=Command)
@click.argument("documents", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="A B [A B]...")
@click.option(
    "-s", "--source-lang", default="", help="Language of each A, such as fr; that of the model, if one is given."
)
@click.option("-t", "--target-lang", default="", help="Language of each B; that of the model, if one is given.")
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="File to write: .tmx or .tsv.")
@click.option("-m", "--model", type=click.Path(path_type=Path), help="A model whose lexicon to ask about words.")
@options_of(PairOptions)
@click.option("--column", multiple=True, help="CSV: a column with text, by its name or number; may be given again.")
@click.option("--overwrite", is_flag=True, help="Replace the file if it exists.")
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON.")
def pair(
    documents: tuple[Path, ...],
    source_lang: str,
    target_lang: str,
    out: Path,
    model: Path | None,
    column: tuple[str, ...],
    overwrite: bool,
    as_json: bool,
    **values: Any,
) -> None:
    """Makes sentence pairs of documents A and their translations B.

    A and B are files of any format that `translate-file` reads and that holds one language, or two folders of such
    files, which belong together by their names: guide.fr.html and guide.en.html. Of CSV files, --column says which
    columns hold the text. Sentences are paired by their lengths and by their words; what has no counterpart is left
    out. Each pair says how probable it is, from 0 to 1.

    \b
    dragoman corpus pair guide.fr.html guide.en.html -s fr -t en -o guide.tmx
    dragoman corpus pair pages/fr pages/en -s fr -t en -o pages.tmx
    """
    from dragoman.documents import Columns
    from dragoman.model.directory import ModelDirectory
    from dragoman.pairing import pair_documents, write_pairs
    from dragoman.pairing.folders import match_paths
    from dragoman.pairing.writer import require_format

    options = collect(PairOptions, values)
    if model is not None:
        manifest = ModelDirectory.open(model).manifest
        source_lang, target_lang = source_lang or manifest.source_lang, target_lang or manifest.target_lang
    for name, lang in (("--source-lang", source_lang), ("--target-lang", target_lang)):
        if not lang:
            raise ConfigError(f"say the language of the documents with {name}, such as fr", name[2:])
    require_format(out)
    if out.exists() and not overwrite:
        raise ConfigError(f"{out} exists already; choose another name or pass --overwrite", "out")
    matched = match_paths(documents, source_lang, target_lang, tables=bool(column))
    if column and not matched.holds_tables:
        raise ConfigError("--column is for CSV files, and none of the documents is one", "column")
    with progress("Pairing") as step:
        paired = pair_documents(
            matched.pairs, source_lang, target_lang, options, model=model, columns=Columns(column), progress=step
        )
    if not paired.pairs:
        raise InputError(
            "no sentences were found that are translations of each other; are the documents in"
            f" {source_lang} and {target_lang}, in this order?"
        )
    write_pairs(out, paired.pairs, source_lang, target_lang)
    for path in matched.alone:
        stderr.print(f"{path}: no document of the other language has its name", soft_wrap=True)
    for path in matched.tables:
        stderr.print(f"{path}: left out; --column says which columns of a table hold the text", soft_wrap=True)
    for source, target in paired.doubtful:
        stderr.print(f"{source} and {target} hardly look like translations of each other; look at them", soft_wrap=True)
    if as_json:
        click.echo(
            json.dumps(
                {
                    **paired.as_json(),
                    "alone": [str(path) for path in matched.alone],
                    "tables": [str(path) for path in matched.tables],
                },
                indent=2,
            )
        )
        return
    table = Table(title=f"{len(paired.pairs):,} pairs in {out}", title_justify="left")
    table.add_column("")
    table.add_column("", justify="right")
    table.add_row("documents", f"{paired.documents:,}")
    table.add_row(f"sentences in {source_lang}", f"{paired.source_sentences:,}")
    table.add_row(f"sentences in {target_lang}", f"{paired.target_sentences:,}", end_section=True)
    for kind, count in paired.beads.most_common():
        table.add_row(f"{kind.replace('-', ' to ')}", f"{count:,}")
    table.add_section()
    table.add_row(f"left out: quality below {options.least_quality}", f"{paired.low_quality:,}")
    stdout.print(table)
