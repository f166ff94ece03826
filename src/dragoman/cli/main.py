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
from dragoman.cli import completion
from dragoman.cli.command import Group, Interrupted
from dragoman.errors import DragomanError

# Command name -> "module:attribute" and what it does, under the headings of `--help`, what people use most first. A
# module is imported when its command runs, so that start-up stays fast and an optional dependency is missed only by the
# command that needs it.
SECTIONS: dict[str, dict[str, tuple[str, str]]] = {
    "Every day": {
        "translate": ("dragoman.cli.translate:translate", "Translate text, line by line."),
        "translate-file": ("dragoman.cli.translate_file:translate_file", "Translate documents, which keep their form."),
        "translate-batch": ("dragoman.cli.translate_batch:translate_batch", "Translate much text, in shards."),
        "train": ("dragoman.cli.train:train", "Make a model from bilingual text."),
        "add": ("dragoman.cli.learn:add", "Learn sentence pairs or corrections at once."),
        "lessons": ("dragoman.cli.lessons:lessons", "Show what a model was taught."),
        "memories": ("dragoman.cli.lessons:memories", "Show which memories its lessons are in."),
        "remove": ("dragoman.cli.learn:remove", "Forget sentence pairs."),
        "export": ("dragoman.cli.export:export", "Write what a model was taught as TMX, XLIFF or TSV."),
        "glossary": ("dragoman.cli.glossary:glossary", "Give a model terms that it must obey."),
        "explain": ("dragoman.cli.explain:explain", "Show which training sentences a translation comes from."),
        "serve": ("dragoman.cli.serve:serve", "Offer models to other programs, and a page to people."),
    },
    "Models": {
        "inspect": ("dragoman.cli.inspect:inspect", "Show what a model holds, and check its files."),
        "estimate": ("dragoman.cli.train:estimate", "Foretell the size, time and memory of a training."),
        "evaluate": ("dragoman.cli.evaluate:evaluate", "Score translations, or a model, on a test text."),
        "tune": ("dragoman.cli.tune:tune", "Learn the weights of a model again."),
        "confidence": ("dragoman.cli.confidence:confidence", "Teach a model how far to trust its translations."),
        "compact": ("dragoman.cli.learn:compact", "Merge what was added into the model's files."),
        "pack": ("dragoman.cli.inspect:pack", "Make one file of a model."),
        "unpack": ("dragoman.cli.inspect:unpack", "Make a model of such a file."),
        "upgrade": ("dragoman.cli.inspect:upgrade", "Bring a model of an earlier version up to date."),
    },
    "Parts of a training, one by one": {
        "corpus": ("dragoman.cli.corpus:corpus", "Prepare, count, split and tokenize text."),
        "align": ("dragoman.cli.align:align", "Link the words of sentence pairs."),
        "extract": ("dragoman.cli.index:extract", "Index a bitext, and take rules from it."),
        "lm": ("dragoman.cli.lm:lm", "Build and ask n-gram language models."),
        "nlm": ("dragoman.cli.neural:nlm", "Train and ask neural language models."),
    },
    "This program": {
        "completion": ("dragoman.cli.completion:completion", "Let the shell complete commands and options."),
    },
}
COMMANDS = {name: place for section in SECTIONS.values() for name, (place, _) in section.items()}


class LazyGroup(Group):
    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module, attribute = COMMANDS[name].split(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        # All sections have their second column in the same place.
        widest = max(map(len, COMMANDS))
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(widest), does) for name, (_, does) in commands.items()])


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
        if completion.is_wanted():
            return completion.complete(command)
        # Not click's own main(), which turns the broken pipe of `| head` into a failure.
        line = sys.argv[1:] if arguments is None else arguments
        with command.make_context(command.name, list(line)) as context:
            command.invoke(context)
        # Here and not at interpreter exit, where a full disk behind a pipe could not be reported any more.
        sys.stdout.flush()
        return 0
    except click.exceptions.Exit as error:
        return error.exit_code
    except (KeyboardInterrupt, click.Abort) as error:
        goes_on = "the same command goes on where it was" if isinstance(error, Interrupted) else ""
        print(f"\ninterrupted; {goes_on or 'nothing half-written was left behind'}", file=sys.stderr)
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
