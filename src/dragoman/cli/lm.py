"""dragoman lm: build a language model, ask it for scores, measure its perplexity."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import click

from dragoman.cli.command import Group, model_argument
from dragoman.cli.options import collect, options_of
from dragoman.cli.progress import progress
from dragoman.cli.scored_text import perplexity_lines, print_tokens
from dragoman.config import LmOptions
from dragoman.model.directory import component_output


@click.group(cls=Group)
def lm() -> None:
    """Back-off n-gram language models."""


@lm.command()
@click.argument("texts", metavar="[TEXT]...", nargs=-1)
@click.option(
    "-o", "--out", required=True, help="The file to write, such as lm.bin, or a model directory to put it into."
)
@click.option("--from-arpa", default=None, help="Build from this ARPA file (plain, .gz or .xz) instead of from text.")
@click.option("--arpa", default=None, help="Write the model as ARPA text too; compressed if the name ends in .gz.")
@click.option("--vocabulary", default=None, help="A file of the words to know; all others become <unk>.")
@click.option("--classes", default=None, help="A file of words and their classes, one pair a line: a class model.")
@options_of(LmOptions)
@click.option("--threads", default=0, help="Threads to use; 0 for all cores. The result is the same for any number.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def build(
    texts: tuple[str, ...],
    out: str,
    from_arpa: str | None,
    arpa: str | None,
    vocabulary: str | None,
    classes: str | None,
    threads: int,
    as_json: bool,
    **values: Any,
) -> None:
    """Build a model from tokenized TEXT (plain, .gz, .xz or -), one sentence per line, words separated by spaces."""
    from dragoman.lm import build_model

    with component_output(out, "lm.bin") as path, progress("language model") as show:
        report = build_model(
            path,
            texts,
            options=collect(LmOptions, values),
            from_arpa=from_arpa,
            vocabulary=vocabulary,
            classes=classes,
            arpa=arpa,
            threads=threads,
            progress=show,
        )
    if as_json:
        click.echo(json.dumps(report.as_json()))
        return
    for length, (estimated, stored) in enumerate(zip(report.estimated, report.stored, strict=True), 1):
        pruned = f" of {estimated:,}" if stored != estimated else ""
        click.echo(f"{length}-grams  {stored:>14,}{pruned}")
    fallback = [str(length) for length, used in enumerate(report.discounts_fallback, 1) if used]
    if fallback:
        click.echo(f"discounts of order {', '.join(fallback)} are the fallback: too little text to estimate them")
    click.echo(f"{out}  {report.bytes:,} bytes, {report.bytes / max(1, sum(report.stored)):.2f} per n-gram")


@lm.command()
@model_argument(str, "The language model: a file, or a model directory that has one.")
@click.argument("text", default="-")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per sentence.")
@click.option("--threads", default=1, help="Threads to use; 0 for all cores.")
def query(model: str, text: str, as_json: bool, threads: int) -> None:
    """Score every word of TEXT: the word, the length of the n-gram that was found, and log10 of its probability."""
    from dragoman.lm import LanguageModel
    from dragoman.text_file import read_lines

    opened = LanguageModel(model)
    print_tokens(opened.tokens(read_lines(text), threads), lengths=True, as_json=as_json)


@lm.command()
@model_argument(str, "The language model: a file, or a model directory that has one.")
@click.argument("text", default="-")
@click.option("--sentences", is_flag=True, help="One line per sentence before the total.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option("--threads", default=0, help="Threads to use; 0 for all cores.")
def perplexity(model: str, text: str, sentences: bool, as_json: bool, threads: int) -> None:
    """Perplexity of TEXT per word (sentence ends count as words), with unknown words and without."""
    from dragoman.lm import LanguageModel, Perplexity
    from dragoman.text_file import naming, read_all

    opened = LanguageModel(model)
    content = read_all(text)
    with naming(text):
        rows = opened.score_bytes(content, threads)
    result = Perplexity.of(rows)
    if as_json:
        report = asdict(result)
        if sentences:
            report["by_sentence"] = [asdict(row) for row in rows]
        click.echo(json.dumps(report))
        return
    if sentences:
        for row in rows:
            click.echo(f"{row.log10_prob:.6f}\t{row.tokens} tokens\t{row.unknown} unknown")
    for line in perplexity_lines(result):
        click.echo(line)
