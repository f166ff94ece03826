"""dragoman confidence: teach a model how far its translations can be trusted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from dragoman.cli.command import Command
from dragoman.cli.lines import lines_of
from dragoman.cli.options import collect_given, options_of
from dragoman.cli.progress import progress, stderr, stdout
from dragoman.confidence.training import learn_confidence
from dragoman.config import DecodeOptions
from dragoman.model.options import decode_options


@click.command(cls=Command)
@click.option("-m", "--model", required=True, type=click.Path(path_type=Path), help="The model directory.")
@click.argument("source", type=click.Path())
@click.argument("reference", type=click.Path())
@options_of(DecodeOptions, of_model=True)
@click.option("--threads", default=1, type=click.IntRange(0), help="Threads to use; 0 for all.")
@click.option("--json", "as_json", is_flag=True, help="Print the measurements as JSON.")
def confidence(model: Path, source: str, reference: str, threads: int, as_json: bool, **values: Any) -> None:
    """Learn from SOURCE and REFERENCE, held-out text and its translation line by line, how sure to be.

    The model keeps what was learned in confidence.json. The text must not have been trained on; two thousand lines are
    plenty, some hundreds will do. What is printed was measured on parts of the text that were not fitted to.
    """
    options = decode_options(model, collect_given(DecodeOptions, values))
    with progress("translating") as show:
        report = learn_confidence(
            model, list(lines_of(source)), list(lines_of(reference)), options, threads=threads, progress=show
        )
    if as_json:
        click.echo(json.dumps(report.as_json()))
        return
    for measured, title in (
        (report.sentence, "sentences: chrF2 to expect"),
        (report.word, "words: chance to be in the reference"),
    ):
        table = Table("promised", "observed", "count", title=title, title_justify="left", box=None, pad_edge=False)
        for row in measured.reliability:
            table.add_row(f"{row.promised:.3f}", f"{row.observed:.3f}", f"{row.count:,}")
        stdout.print(table)
        stdout.print(f"calibration error {measured.calibration_error:.4f}\n")
    stderr.print(f"{model}: confidence.json learned from {report.sentences:,} sentences")
