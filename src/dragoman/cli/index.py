"""`dragoman extract`: index a word-aligned bitext, and take grammars, counts or a phrase table out of it."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

import click

from dragoman import _core
from dragoman.cli.command import Group, model_argument
from dragoman.cli.options import CORRECTIONS, collect, options_of
from dragoman.cli.progress import progress, stderr
from dragoman.config import ExtractOptions, IndexOptions
from dragoman.errors import ConfigError, InputError
from dragoman.files import writing, writing_directory
from dragoman.index.build import build_index, open_index
from dragoman.index.grammar import count_rules, grammars
from dragoman.learn.overlay import open_overlay
from dragoman.model.manifest import OVERLAY

MODEL = model_argument()
TRUST = click.option("--trust", is_flag=True, help="Skip reading the whole index to compare its hashes.")


@click.group(cls=Group)
def extract() -> None:
    """Translation rules from a word-aligned bitext: build its index, extract grammars, write a phrase table."""


@extract.command()
@click.argument("source", type=click.Path(path_type=Path))
@click.argument("target", type=click.Path(path_type=Path))
@click.argument("links", type=click.Path(path_type=Path))
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="Model directory to write.")
@click.option("--overwrite", is_flag=True, help="Replace the directory if it exists.")
@click.option("-s", "--source-lang", default="", help="Language of SOURCE, to be recorded in the model.")
@click.option("-t", "--target-lang", default="", help="Language of TARGET, to be recorded in the model.")
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON.")
@options_of(IndexOptions)
def index(
    source: Path,
    target: Path,
    links: Path,
    out: Path,
    overwrite: bool,
    source_lang: str,
    target_lang: str,
    as_json: bool,
    **values: Any,
) -> None:
    """Build the index of a bitext.

    SOURCE and TARGET hold tokenized sentences, one per line; LINKS holds the word links of each pair as `0-0 1-2`.
    Files that end in .gz or .xz are decompressed.
    """
    options = collect(IndexOptions, values)
    with progress("indexing") as report:
        counts = build_index(
            source,
            target,
            links,
            out,
            options,
            source_lang=source_lang,
            target_lang=target_lang,
            overwrite=overwrite,
            progress=report,
        )
    if as_json:
        click.echo(json.dumps(counts))
        return
    stderr.print(
        f"{out}: {counts['sentences']:,} pairs, {counts['source_tokens']:,} and {counts['target_tokens']:,} words,"
        f" {counts['links']:,} links",
        highlight=False,
    )


@extract.command()
@MODEL
@click.option("--out-dir", type=click.Path(path_type=Path), help="Write grammar.0, grammar.1, ... into this directory.")
@click.option("--overwrite", is_flag=True, help="Replace the directory if it exists.")
@click.option("--leave-one-out", is_flag=True, help="Sentence N is training pair N: treat that pair as absent.")
@click.option("--threads", type=click.IntRange(min=0), default=1, help="Sentences at a time; 0 for one per core.")
@TRUST
@CORRECTIONS
@options_of(ExtractOptions)
def grammar(
    model: Path,
    out_dir: Path | None,
    overwrite: bool,
    leave_one_out: bool,
    threads: int,
    trust: bool,
    corrections: str | None,
    **values: Any,
) -> None:
    """Extract the rules that apply to each tokenized sentence of standard input.

    Rules come as lines in cdec's format. On standard output the grammars of all sentences follow each other; with
    --out-dir each sentence has a file of its own.
    """
    options = collect(ExtractOptions, values)
    if threads != 1:
        _core.return_large_blocks()
    opened = open_index(model, trust=trust)
    texts = grammars(
        with_additions(model, opened, corrections),
        checked_lines(sys.stdin.buffer),
        options,
        leave_out=range(opened.sentences) if leave_one_out else None,
        threads=threads,
    )
    with progress("extracting") as report:
        if out_dir is None:
            for number, text in enumerate(texts, 1):
                sys.stdout.buffer.write(text)
                report(number, 0)
            return
        with writing_directory(out_dir, overwrite) as directory:
            for number, text in enumerate(texts):
                (directory / f"grammar.{number}").write_bytes(text)
                report(number + 1, 0)


@extract.command()
@MODEL
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON.")
@TRUST
@CORRECTIONS
@options_of(ExtractOptions)
def count(model: Path, as_json: bool, trust: bool, corrections: str | None, **values: Any) -> None:
    """Count the rules that apply to the tokenized sentences of standard input, and what finding them takes.

    Patterns are those with matches, matches those that rules are taken from; comparisons are of words, or of pairs of
    matches, while gapped patterns are matched: --matching extend and --matching merge compare two algorithms by them.
    """
    options = collect(ExtractOptions, values)
    index = with_additions(model, open_index(model, trust=trust), corrections)
    text = b"".join(checked_lines(sys.stdin.buffer))
    with progress("counting") as report:
        counts = asdict(count_rules(index, text, options, report))
    if as_json:
        click.echo(json.dumps(counts))
        return
    for name, value in counts.items():
        click.echo(f"{name.replace('_', ' '):<16}{value:>16,}")


def with_additions(model: Path, index: _core.Index, corrections: str | None) -> _core.Index | _core.LiveIndex:
    """The index with what was added since, where something was."""
    has_changes = corrections is not None or (model / OVERLAY).exists()
    return open_overlay(model, corrections).index if has_changes else index


def checked_lines(stream: IO[bytes]) -> Iterator[bytes]:
    for number, line in enumerate(stream, 1):
        try:
            _core.require_text(line, number)
        except InputError as error:
            raise InputError(f"standard input: {error}", error.line) from None
        yield line


@extract.command()
@MODEL
@click.option("-o", "--out", type=click.Path(path_type=Path), help="File to write.  [default: standard output]")
@click.option("--max-phrase-length", type=int, default=7, help="Most words of a phrase on either side.")
@click.option("--least-count", type=click.IntRange(1), default=1, help="Leave out pairs that were seen less often.")
@click.option(
    "--most-targets",
    type=click.IntRange(0),
    default=0,
    help="Most translations of a phrase, the most frequent; 0 for all.",
)
@TRUST
def table(
    model: Path, out: Path | None, max_phrase_length: int, least_count: int, most_targets: int, trust: bool
) -> None:
    """Write the phrase table of the bitext in Moses' format, contiguous phrases only.

    The four scores are φ(s|t), lex(s|t), φ(t|s), lex(t|s), those of the whole table also where pairs are left out.
    """
    if out is not None and out.is_dir():
        raise ConfigError(f"{out} is a directory; name a file", "out")
    opened = open_index(model, trust=trust)
    with progress("phrase table") as report, writing(out) if out else contextlib.nullcontext(sys.stdout.buffer) as to:
        pairs = _core.phrase_table(opened, max_phrase_length, to.write, report, least_count, most_targets)
    stderr.print(f"{pairs:,} phrase pairs", highlight=False)


@extract.command()
@MODEL
@click.option("--side", type=click.Choice(["source", "target"]), default="target", help="Which side to write.")
@CORRECTIONS
def text(model: Path, side: str, corrections: str | None) -> None:
    """Write the sentences of one side of the bitext in tokens, with what was added and without what was removed.

    Language models are built from such text: `dragoman extract text MODEL | dragoman lm build - --out MODEL`.
    """
    open_overlay(model, corrections).index.write_side(side == "target", sys.stdout.buffer.write)
