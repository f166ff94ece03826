"""Entry point: finds the command, and turns every failure into one sentence and an exit code.

0 it worked, 1 it failed, 2 it was called wrongly, 130 interrupted.
"""

from __future__ import annotations

import importlib
import io
import os
import re
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import click

import dragoman
from dragoman.errors import DragomanError

# Command name -> "module:attribute". A module is imported when its command runs, so that start-up stays fast and an
# optional dependency is missed only by the command that needs it.
COMMANDS: dict[str, str] = {
    "train": "dragoman.cli.train:train",
    "estimate": "dragoman.cli.train:estimate",
    "corpus": "dragoman.cli.corpus:corpus",
    "align": "dragoman.cli.align:align",
    "extract": "dragoman.cli.index:extract",
    "lm": "dragoman.cli.lm:lm",
    "nlm": "dragoman.cli.neural:nlm",
    "translate": "dragoman.cli.translate:translate",
    "tune": "dragoman.cli.tune:tune",
    "evaluate": "dragoman.cli.evaluate:evaluate",
    "translate-file": "dragoman.cli.translate_file:translate_file",
    "explain": "dragoman.cli.explain:explain",
    "confidence": "dragoman.cli.confidence:confidence",
    "glossary": "dragoman.cli.glossary:glossary",
    "add": "dragoman.cli.learn:add",
    "remove": "dragoman.cli.learn:remove",
    "compact": "dragoman.cli.learn:compact",
    "serve": "dragoman.cli.serve:serve",
    "inspect": "dragoman.cli.inspect:inspect",
    "pack": "dragoman.cli.inspect:pack",
    "unpack": "dragoman.cli.inspect:unpack",
    "upgrade": "dragoman.cli.inspect:upgrade",
}


class LazyGroup(click.Group):
    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module, attribute = COMMANDS[name].split(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command


@click.command(
    "dragoman",
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110, "show_default": True},
)
@click.version_option(dragoman.__version__, prog_name="dragoman")
def dragoman_command() -> None:
    """Translate with a system trained from your own bilingual text, on this machine, within a memory budget."""


# Words of a message that are longer come from a damaged file, and say no more at full length.
LONGEST_WORD = 300


def sentence(error: BaseException) -> str:
    """What to tell the user about a failure, whatever was in the file it quotes."""
    return re.sub(rf"(\S{{{LONGEST_WORD}}})\S+", r"\1...", explanation(error))


def explanation(error: BaseException) -> str:
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, MemoryError):
        return "not enough memory for this; try less text at once or fewer threads"
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror or error}"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error)


def run(arguments: list[str] | None = None, command: click.Command = dragoman_command) -> int:
    """Runs one command line and returns its exit code."""
    try:
        set_up_streams()
        # Not click's own main(), which turns the broken pipe of `| head` into a failure.
        line = sys.argv[1:] if arguments is None else arguments
        with command.make_context(command.name, list(line)) as context:
            command.invoke(context)
        # Here and not at interpreter exit, where a full disk behind a pipe could not be reported any more.
        sys.stdout.flush()
        return 0
    except click.exceptions.Exit as error:
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        print("\ninterrupted; nothing half-written was left behind", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of a pipe went away, as `| head` does. Python must not try to flush to it again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.format_message(), file=sys.stderr)
        return 2
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "dragoman"
        print(f"dragoman: {sentence(error)} (see `{where} --help`)", file=sys.stderr)
        return 2
    except (DragomanError, click.ClickException) as error:
        print(f"dragoman: {sentence(error)}", file=sys.stderr)
        return error.exit_code
    except (OSError, MemoryError) as error:
        print(f"dragoman: {sentence(error)}", file=sys.stderr)
        return 1


def set_up_streams() -> None:
    """Sees to it that what is written can be: the caller may have closed a stream or chosen a narrow encoding."""
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115
    if sys.stdout is None:
        raise DragomanError("standard output is closed, so results have nowhere to go; redirect it to a file")
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Where the system cannot write a character, a question mark is better than an end.
        sys.stdout.reconfigure(errors="replace")


def terminate(number: int, frame: FrameType | None) -> Any:
    raise KeyboardInterrupt


def handle_signals() -> None:
    """Being ended, or losing the terminal, unwinds like Ctrl-C does, so that temporary files go."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        # Where the caller has chosen otherwise, as nohup does, it stays so.
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, terminate)


def main() -> None:
    handle_signals()
    sys.exit(run())


if __name__ == "__main__":
    main()
