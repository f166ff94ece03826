"""`dragoman corpus`: prepare bilingual text for training, count it, split it, and filter text by the tokenizer."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from dragoman.cli.command import Group
from dragoman.cli.options import collect, options_of
from dragoman.cli.pair import pair
from dragoman.cli.progress import PLAIN, progress, stderr, stdout
from dragoman.config import CleanOptions, ReadOptions, SplitOptions
from dragoman.errors import ConfigError

SOURCE_LANG = click.option(
    "-s", "--source-lang", required=True, help="Language to translate from, such as fr or pt-BR."
)
TARGET_LANG = click.option("-t", "--target-lang", required=True, help="Language to translate into.")
OUT = click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="Directory to write.")
OVERWRITE = click.option("--overwrite", is_flag=True, help="Replace the directory if it exists.")
JSON = click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON.")


@click.group(cls=Group)
def corpus() -> None:
    """Bilingual text: make it from documents, prepare it, count it, split it, tokenize it."""


corpus.add_command(pair)


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

    INPUT is a TMX, XLIFF, PO, MO, TSV, CSV or JSONL file, or two text files such as train.fr train.en or `train` for
    both; each may be compressed (.gz, .xz). A zip archive or a folder stands for what is in it. Writes
    OUT/{train,dev,test}.LANG with one sentence per line, OUT/*.origin.jsonl with where each came from, and
    OUT/report.json.
    """
    from dragoman.corpus.formats import Input, require_file
    from dragoman.corpus.preparation import prepare as prepare_corpus

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
    for doubt in report.doubts:
        stderr.print(f"note: {doubt}", soft_wrap=True)
    if as_json:
        click.echo(json.dumps(report.as_json(), indent=2))
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


@corpus.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--lang", default="", help="Language of all files; else each file's extension says.")
@JSON
def stats(files: tuple[str, ...], lang: str, as_json: bool) -> None:
    """Counts lines, tokens, types and lengths, and the words of dev and test that train lacks.

    FILE is text with one sentence per line, perhaps compressed, or a directory that `prepare` wrote.
    """
    from dragoman.corpus.stats import gather, ratios

    with progress("Counting files") as step:
        counted = gather(files, lang, step)
    pairs = ratios(counted)
    if as_json:
        summary = {"files": [entry.as_json() for entry in counted], "pairs": [asdict(pair) for pair in pairs]}
        click.echo(json.dumps(summary, indent=2))
        return
    table = Table()
    table.add_column("file")
    for heading in ("lines", "tokens", "types", "mean", "median", "p99", "max", "OOV tokens", "OOV types"):
        table.add_column(heading, justify="right")
    for entry in counted:
        unknown = (entry.unknown_tokens_percent, entry.unknown_types_percent)
        table.add_row(
            entry.file,
            *(f"{count:,}" for count in (entry.lines, entry.tokens, len(entry.types))),
            *map(str, (entry.mean_length, entry.length_at(0.5), entry.length_at(0.99), entry.longest)),
            *(f"{percent:.2f}%" if entry.known_from else "" for percent in unknown),
        )
    # Where nobody looks at the width, nothing should be cut off.
    console = stdout if stdout.is_terminal else Console(width=200, **PLAIN)
    console.print(table)
    for ratio in pairs:
        note = "" if ratio.same_number_of_lines else "; the files differ in their number of lines"
        console.print(f"{' : '.join(ratio.files)} = {ratio.tokens_ratio:.3f} tokens{note}", soft_wrap=True)


@corpus.command()
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@SOURCE_LANG
@TARGET_LANG
@OUT
@OVERWRITE
@JSON
@options_of(ReadOptions)
@options_of(SplitOptions)
def split(
    inputs: tuple[str, ...],
    source_lang: str,
    target_lang: str,
    out: Path,
    overwrite: bool,
    as_json: bool,
    **values: Any,
) -> None:
    """Splits text that is clean already into train, dev and test, by content; nothing else is changed."""
    from dragoman.corpus.preparation import split_corpus

    with progress("Splitting") as step:
        report = split_corpus(
            list(inputs),
            out,
            source_lang=source_lang,
            target_lang=target_lang,
            read=collect(ReadOptions, values),
            split=collect(SplitOptions, values),
            overwrite=overwrite,
            progress=step,
        )
    if as_json:
        click.echo(json.dumps({"read": report.read, "splits": report.splits}, indent=2))
        return
    click.echo("  ".join(f"{name}: {count:,}" for name, count in report.splits.items()))


FILE = click.argument("file", default="-")
LANG = click.option("--lang", required=True, help="Language of the text, such as fr.")
THREADS = click.option(
    "--threads", default=1, type=click.IntRange(1, 1024), help="Threads to use; the result is the same."
)


@corpus.command()
@FILE
@LANG
@click.option("--lowercase", is_flag=True, help="The form that models see: lower case, apostrophes straight.")
@THREADS
def tokenize(file: str, lang: str, lowercase: bool, threads: int) -> None:
    """Tokens of each line of FILE or standard input, separated by spaces; one line out per line in."""
    from dragoman.corpus import filters
    from dragoman.corpus.formats import require_file
    from dragoman.corpus.languages import canonical, require_code

    require_file(file)
    filters.tokenize(file, sys.stdout.buffer, canonical(require_code(lang, "lang")), lowercase, threads)


@corpus.command()
@FILE
@LANG
@THREADS
def detokenize(file: str, lang: str, threads: int) -> None:
    """The text of each line of tokens in FILE or standard input; one line out per line in."""
    from dragoman.corpus import filters
    from dragoman.corpus.formats import require_file
    from dragoman.corpus.languages import canonical, require_code

    require_file(file)
    filters.detokenize(file, sys.stdout.buffer, canonical(require_code(lang, "lang")), threads)


@corpus.command()
@click.argument("file")
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--lang", default="", help="Language of FILE where it is raw text; else it is tokens already.")
@click.option(
    "--pairs",
    nargs=2,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="SOURCE TARGET",
    help="Two encoded texts whose links are in FILE, as `0-0 1-2 ...` per line.",
)
@THREADS
def encode(file: str, out: Path, lang: str, pairs: tuple[Path, Path] | None, threads: int) -> None:
    """Text, or links, as the stages of training hand them to each other: numbers, counted once.

    Of raw text the words are kept as models see them and as they were written; `decode` gives both again.

    \b
    dragoman corpus encode corpus.fr source.bin --lang fr
    dragoman corpus encode corpus.en target.bin --lang en
    dragoman corpus encode corpus.links links.bin --pairs source.bin target.bin
    """
    from dragoman import _core
    from dragoman.corpus.formats import require_file
    from dragoman.corpus.id_text import encode_links, encode_text
    from dragoman.corpus.languages import require_code

    require_file(file)
    if lang and pairs:
        raise ConfigError("--lang is for text, --pairs for links; leave one of them out", "pairs")
    if pairs:
        source, target = (_core.IdText.open(str(path)) for path in pairs)
        encode_links(file, source, target).save(str(out))
    else:
        encode_text(file, lang=require_code(lang, "lang") if lang else "", threads=threads).save(str(out))


@corpus.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--written", is_flag=True, help="The words as they were written, not as models see them.")
def decode(file: str, written: bool) -> None:
    """The lines of an encoded text, or of encoded links; also those in the work folder of a training."""
    from dragoman.corpus.id_text import decode_file

    decode_file(file, sys.stdout.buffer, written=written)
