"""`python -m examples.demo`, or `make demo`: runs the steps and shows what they did."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from dragoman.cli.main import handle_signals, run
from dragoman.cli.progress import progress
from examples.demo.journal import Journal
from examples.demo.models import train_models
from examples.demo.screen import Screen
from examples.demo.show import show_models, show_text
from examples.demo.steps import count_tokens, get_corpus, prepare_corpus


@click.command(
    "python -m examples.demo", context_settings={"help_option_names": ["-h", "--help"], "show_default": True}
)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("data"),
    help="Folder for what is fetched and made; a later run finds it there and does not do it again.",
)
@click.option(
    "--corpus",
    type=click.Choice(["libreoffice", "phrasebook"]),
    default="libreoffice",
    help="Text to work on; the phrasebook needs no network and takes a second.",
)
@click.option("--train/--no-train", default=True, help="Train, or only fetch, clean and count the text.")
@click.option("--neural", is_flag=True, help="Go on from an earlier run: train neural language models too.")
def demo(data: Path, corpus: str, train: bool, neural: bool) -> None:
    """Fetch a real French-English corpus, train a translator from it, score it and translate with it."""
    screen = Screen()
    journal = Journal(screen.step)
    networks = ", with neural language models" if neural else ""
    screen.title(f"Dragoman demo: a translator trained from real bilingual text{networks}")
    text = get_corpus(corpus, data, journal, progress, screen.notice)
    screen.text(f"Corpus: {text.title}.")
    prepared = prepare_corpus(text, data, journal, progress)
    if not neural:
        show_text(prepared, count_tokens(prepared, journal, progress), screen)
    if not train:
        return
    trained = train_models(text, data, neural, journal, progress, screen)
    show_models(prepared, trained, journal, screen)


if __name__ == "__main__":
    handle_signals()
    sys.exit(run(command=demo))
