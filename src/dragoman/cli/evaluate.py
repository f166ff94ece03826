"""dragoman evaluate: what a model, or a file of translations, is worth."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from dragoman.cli.command import Command
from dragoman.cli.lines import lines_of
from dragoman.cli.options import collect_given, options_of
from dragoman.cli.progress import progress
from dragoman.config import DecodeOptions
from dragoman.evaluate.bleu_tokenizer import TOKENIZERS
from dragoman.evaluate.evaluation import SAMPLES, Comparison, Evaluation, evaluate_model, evaluate_texts
from dragoman.evaluate.run import Memory
from dragoman.evaluate.scores import MetricScore
from dragoman.evaluate.speed import Speed
from dragoman.files import writing
from dragoman.model.options import decode_options


@click.command(cls=Command)
@click.option(
    "-m", "--model", type=click.Path(path_type=Path), help="A model to evaluate; else the first text is scored."
)
@click.argument("text", type=click.Path())
@click.argument("reference", type=click.Path(), nargs=-1, required=True)
@click.option("--against", type=click.Path(path_type=Path), help="Compare with this model, or these translations.")
@click.option("--samples", default=SAMPLES, help="Test sets drawn for intervals and comparison.")
@click.option(
    "--tokenize",
    type=click.Choice(TOKENIZERS),
    help="sacreBLEU's tokenizer for BLEU; else by language: zh, ja-mecab or char for text without spaces, or 13a.",
)
@click.option(
    "--translations", type=click.Path(path_type=Path), help="Also write the model's translations to this file."
)
@click.option("--threads", default=1, type=click.IntRange(0), help="Threads to translate with; 0 for all.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@options_of(DecodeOptions, of_model=True)
def evaluate(
    model: Path | None,
    text: str,
    reference: tuple[str, ...],
    against: Path | None,
    samples: int,
    tokenize: str | None,
    translations: Path | None,
    threads: int,
    as_json: bool,
    **values: Any,
) -> None:
    """Score translations of a test text with sacreBLEU.

    With -m MODEL, TEXT is source text: it is translated, and speed and memory are measured. Without, TEXT holds
    translations. REFERENCE holds the right ones, line by line; several files hold several translations of each line.
    """
    given = collect_given(DecodeOptions, values)
    lines, references, *further = (list(lines_of(path)) for path in (text, *reference))
    if model is None:
        other = list(lines_of(str(against))) if against else None
        result = evaluate_texts(lines, references, further=further, against=other, samples=samples, tokenize=tokenize)
    else:
        with progress("translating", len(lines)) as show:
            result = evaluate_model(
                model,
                lines,
                references,
                further=further,
                against=against,
                decode=decode_options(model, given),
                against_decode=decode_options(against, given) if against else None,
                threads=threads,
                samples=samples,
                tokenize=tokenize,
                progress=show,
            )
    if translations:
        with writing(translations) as stream:
            stream.write("".join(f"{line}\n" for line in result.translations).encode())
    if as_json:
        click.echo(json.dumps(result.as_json()))
        return
    for line in report(result):
        click.echo(line)


def report(result: Evaluation) -> Iterator[str]:
    """For people to read."""
    yield f"sentences       {result.sentences:,}"
    yield from score_lines(result.scores)
    yield from measurement_lines(result)
    other = result.against
    if other is not None:
        yield ""
        yield "against"
        yield from score_lines(other.scores)
        yield from measurement_lines(other)
        yield ""
        yield "difference"
        for row in other.differences:
            bounds = f"  95 % [{row.low:+.2f}, {row.high:+.2f}]" if row.low is not None else ""
            yield f"{row.name:<14} {row.difference:+7.2f}{bounds}  p {row.p_value:.3f}"


def score_lines(scores: list[MetricScore]) -> Iterator[str]:
    for row in scores:
        yield f"{row.name:<14} {row.score:7.2f}  95 % [{row.low:.2f}, {row.high:.2f}]  {row.signature}"


def measurement_lines(result: Evaluation | Comparison) -> Iterator[str]:
    yield f"length ratio   {result.length_ratio:8.3f}"
    if result.unknown_rate is not None:
        yield f"unknown words  {100 * result.unknown_rate:7.2f} %"
    if result.speed is not None:
        yield from speed_lines(result.speed)
    if result.memory is not None:
        yield from memory_lines(result.memory)


def speed_lines(speed: Speed) -> Iterator[str]:
    yield (
        f"speed           {speed.sentences_per_second:,.1f} sentences/s, {speed.words_per_second:,.0f} words/s on"
        f" {speed.threads} thread{'s' if speed.threads != 1 else ''}, {speed.cpu_seconds:.1f} s of CPU"
    )
    yield f"per sentence    {speed.p50_milliseconds:.1f} ms (median), {speed.p95_milliseconds:.1f} ms (95 % are faster)"


def memory_lines(memory: Memory) -> Iterator[str]:
    if memory.budget is None or memory.mapped is None or memory.peak_anonymous is None:
        return
    yield (
        f"memory          {memory.budget / 1e6:,.1f} MB: {memory.mapped / 1e6:,.1f} MB of the model mapped,"
        f" {memory.peak_anonymous / 1e6:,.1f} MB anonymous at the peak"
    )
