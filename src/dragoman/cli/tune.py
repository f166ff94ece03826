"""dragoman tune: learn the weights of a model on held-out text."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import click

from dragoman.cli.command import Command
from dragoman.cli.lines import lines_of
from dragoman.cli.options import collect, collect_given, options_of
from dragoman.cli.progress import progress
from dragoman.config import DecodeOptions, TuneOptions
from dragoman.errors import ConfigError
from dragoman.model.options import decode_options
from dragoman.model.weights import read_weights, write_weights
from dragoman.tune.result import TuneResult, TuneRound, TuningInterrupted, write_tuned
from dragoman.tune.tuning import tune_model


class RoundReport:
    """One line on standard error for each round."""

    def __init__(self) -> None:
        self.began = time.monotonic()

    def __call__(self, tune_round: TuneRound) -> None:
        seconds = time.monotonic() - self.began
        self.began = time.monotonic()
        narrowed = f", {tune_round.narrowed:,} searches cut short" if tune_round.narrowed else ""
        click.echo(
            f"round {tune_round.number:>2}  BLEU {tune_round.bleu:6.2f}  length {tune_round.length_ratio:.3f}  "
            f"{tune_round.fresh:,} new of {tune_round.candidates:,} candidates  {seconds:.1f} s{narrowed}",
            err=True,
        )


@click.command(cls=Command)
@click.option("-m", "--model", required=True, type=click.Path(path_type=Path), help="The model directory.")
@click.argument("dev_source", type=click.Path())
@click.argument("dev_target", type=click.Path(), nargs=-1, required=True)
@options_of(TuneOptions)
@options_of(DecodeOptions, of_model=True)
@click.option(
    "--grammar",
    type=click.Path(path_type=Path),
    help="For translating by this grammar or Moses phrase table; needs --start, with its features, and --out.",
)
@click.option("--start", type=click.Path(path_type=Path), help="Weights to begin with instead of the model's.")
@click.option(
    "--state", type=click.Path(path_type=Path), help="A folder that lets the same command go on when stopped."
)
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="Write the weights to this file; the model stays as it is."
)
@click.option("--threads", default=0, type=click.IntRange(0), help="Threads to use; 0 for all.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def tune(
    model: Path,
    dev_source: str,
    dev_target: tuple[str, ...],
    grammar: Path | None,
    start: Path | None,
    state: Path | None,
    out: Path | None,
    threads: int,
    as_json: bool,
    **values: Any,
) -> None:
    """Learn weights on DEV_SOURCE and its translation DEV_TARGET, line by line: raw text that was not trained on.

    Several files DEV_TARGET hold several translations of each line.

    The weights with the best BLEU replace those of the model; Ctrl-C keeps the best so far.
    """
    if grammar is not None and (start is None or out is None):
        raise ConfigError(
            "--grammar needs weights to begin with (--start), and a file for the result (--out)", "grammar"
        )
    options, decode = collect(TuneOptions, values), decode_options(model, collect_given(DecodeOptions, values))
    source, target, *further = (list(lines_of(path)) for path in (dev_source, *dev_target))
    begin = read_weights(start) if start else None
    interrupted = False
    try:
        with progress("translating the tuning text") as show:
            result = tune_model(
                model,
                source,
                target,
                options,
                further=further,
                decode=decode,
                weights=begin,
                grammar=grammar,
                state=state,
                threads=threads,
                progress=show,
                on_round=RoundReport(),
            )
    except TuningInterrupted as stop:
        if stop.result is None:
            raise
        result, interrupted = stop.result, True
    if out:
        write_weights(out, result.weights)
    else:
        write_tuned(model, result)
    report(result, out or model / "weights.txt", as_json)
    if interrupted:
        raise click.exceptions.Exit(130)


def report(result: TuneResult, path: Path, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(result.as_json()))
        return
    reached = f"in round {result.best_round} of {len(result.rounds)}; {result.why_stopped}"
    if result.unjudged_bleu is not None:
        reached += f"; {result.unjudged_bleu:.2f} without the judge"
    click.echo(f"BLEU {result.bleu:.2f} (tok:{result.tokenize}) {reached}")
    click.echo(f"weights written to {path}")
