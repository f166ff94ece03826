"""dragoman completion: what lets a shell complete commands and options."""

from __future__ import annotations

import os

import click

from dragoman.cli.command import Command

SHELLS = ("bash", "zsh", "fish")
# What the scripts set when a word is to be completed.
PROGRAM, VARIABLE = "dragoman", "_DRAGOMAN_COMPLETE"


def is_wanted() -> bool:
    """Whether a shell asks what a word could be."""
    return VARIABLE in os.environ


def complete(command: click.Command) -> int:
    """Tells the shell, and returns the exit code."""
    from click.shell_completion import shell_complete

    return shell_complete(command, {}, PROGRAM, VARIABLE, os.environ[VARIABLE])


@click.command(cls=Command)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print a script that makes SHELL complete commands, options and file names.

    \b
    dragoman completion bash >> ~/.bashrc
    dragoman completion zsh >> ~/.zshrc
    dragoman completion fish > ~/.config/fish/completions/dragoman.fish
    """
    from click.shell_completion import get_completion_class

    script = get_completion_class(shell)
    assert script is not None
    root = context.find_root().command
    completer = script(root, {}, PROGRAM, VARIABLE)
    # Not source(), which asks the bash of this machine for its version.
    click.echo(completer.source_template % completer.source_vars())
