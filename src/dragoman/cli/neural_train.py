"""dragoman nlm train: train a neural language model."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dragoman.cli.command import Command
from dragoman.cli.options import collect, options_of
from dragoman.cli.progress import progress, stderr
from dragoman.config import NlmOptions
from dragoman.model.directory import component_output

if TYPE_CHECKING:
    from dragoman.neural.report import Epoch


@click.command("train", cls=Command, resumes=True)
@click.argument("text")
@click.option(
    "-o", "--out", required=True, help="The file to write, such as nlm.bin, or a model directory to put it into."
)
@click.option("--source", default=None, help="Tokenized source side of TEXT: the model then reads source words too.")
@click.option("--links", default=None, help="Links between SOURCE and TEXT, as `dragoman align` writes them.")
@click.option("--vocabulary", default=None, help="A file of the words to know; all others become <unk>.")
@click.option("--classes-from", default=None, help="A file of words and their classes instead of a clustering.")
@click.option("--checkpoint", default=None, help="Where the state of the run is kept; by default beside OUT.")
@options_of(NlmOptions)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def train(
    text: str,
    out: str,
    source: str | None,
    links: str | None,
    vocabulary: str | None,
    classes_from: str | None,
    checkpoint: str | None,
    as_json: bool,
    **values: Any,
) -> None:
    """Train a neural language model on tokenized TEXT (plain, .gz, .xz), one sentence per line.

    \b
    dragoman nlm train corpus.en --out nlm.bin
    dragoman nlm train corpus.en --source corpus.fr --links corpus.links --out source_nlm.bin
    torchrun --nproc-per-node 4 -m dragoman.cli.main nlm train corpus.en --out nlm.bin

    A run that was stopped goes on where it was when the same command is given again.
    """
    from dragoman.neural import train_model
    from dragoman.neural.allocator import keep_freed_memory
    from dragoman.neural.train import remove_checkpoint, uses_torch

    options = collect(NlmOptions, values)
    if uses_torch(options):
        keep_freed_memory()

    def show_epoch(row: Epoch) -> None:
        if stderr.is_terminal:
            stderr.print(f"epoch {row.epoch}: held-out perplexity {row.heldout_perplexity:.2f}, {row.seconds:.0f} s")

    name = "source_nlm.bin" if source else "nlm.bin"
    # Of several processes under torchrun the first one writes; the others must leave the model directory alone.
    first = os.environ.get("RANK", "0") == "0"
    place = component_output(out, name) if first else contextlib.nullcontext(Path(out))
    state = checkpoint if checkpoint is not None else f"{out.rstrip('/')}.checkpoint"
    with place as path, progress("words") as show:
        report = train_model(
            text,
            path,
            options,
            source=source,
            links=links,
            vocabulary=vocabulary,
            classes=classes_from,
            checkpoint=state,
            progress=show,
            on_epoch=show_epoch,
        )
    if not first:
        return
    remove_checkpoint(state)
    if as_json:
        click.echo(json.dumps({**report.as_json(), "out": out}))
        return
    plan = report.plan
    click.echo(f"words                {report.words:,}, in {plan.classes:,} classes at most")
    click.echo(f"dimension            {plan.dimension}, {'full' if plan.full else 'diagonal'} contexts")
    click.echo(f"trained on           {report.tokens:,} words, {report.epochs} epochs, {report.seconds:.0f} s")
    click.echo(f"held-out perplexity  {report.heldout_perplexity:.2f} after epoch {report.best_epoch}")
    click.echo(f"{out}  {report.bytes:,} bytes")
