"""dragoman serve: an HTTP server for tools that already speak to LibreTranslate or Apertium, and a page for people."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dragoman.cli.command import Command
from dragoman.cli.options import CORRECTIONS_VARIABLE, collect, options_of
from dragoman.config import ServeOptions
from dragoman.errors import DragomanError
from dragoman.extras import install_command

if TYPE_CHECKING:
    from dragoman.serve.engine import Engine


@click.command(cls=Command)
@click.option(
    "-m", "--model", "models", required=True, multiple=True, type=click.Path(path_type=Path),
    help="A model directory; give the option again for more models.",
)  # fmt: skip
@options_of(ServeOptions)
def serve(models: tuple[Path, ...], **values: Any) -> None:
    """Serve models over HTTP, and a page to translate and teach by hand.

    Without --host only this machine can connect. The log is one line of JSON per request on standard error and does
    not hold the users' text.
    """
    options = collect(ServeOptions, values)
    if not options.corrections:
        options = replace(options, corrections=os.environ.get(CORRECTIONS_VARIABLE, ""))
    try:
        from dragoman.serve.run import serve as run_server
    except ImportError as error:
        if error.name and error.name.startswith("dragoman"):
            raise
        raise DragomanError(
            f"the server needs the package {error.name}; install it with `{install_command('serve')}`"
        ) from None

    def ready(url: str, engine: Engine) -> None:
        pairs = ", ".join(f"{source} to {target}" for source, target in engine.pairs)
        click.echo(f"Translating {pairs} at {url}")

    run_server(models, options, ready)
