"""What all commands have in common: -m, groups of options, names that are nearly right, completion, interruptions."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from dragoman.cli.command import Command, Group, ModelArgument
from dragoman.cli.main import COMMANDS, SECTIONS, dragoman_command, run
from tests.unit.translate.support import make_model


def every_command() -> dict[str, click.Command]:
    """All commands, by how they are called."""
    found: dict[str, click.Command] = {}

    def visit(path: str, command: click.Command) -> None:
        if isinstance(command, click.Group):
            context = click.Context(command)
            for name in command.list_commands(context):
                child = command.get_command(context, name)
                assert child is not None
                visit(f"{path} {name}".strip(), child)
        else:
            found[path] = command

    visit("", dragoman_command)
    return found


def test_every_command_is_one_of_ours() -> None:
    commands = every_command()
    assert len(commands) > 30
    assert {path for path, command in commands.items() if not isinstance(command, Command)} == set()


def test_a_model_is_named_by_the_same_flag_everywhere() -> None:
    """Whoever takes a model, takes -m; nobody has the flag for something else."""
    for path, command in every_command().items():
        flags = {flag for parameter in command.params for flag in parameter.opts}
        arguments = [parameter for parameter in command.params if isinstance(parameter, click.Argument)]
        if any(argument.name == "model" for argument in arguments):
            assert isinstance(arguments[0], ModelArgument), path
            assert "-m" in flags, path
        if "-m" in flags:
            assert "--model" in flags, path


def test_short_flags_mean_the_same_everywhere() -> None:
    meanings: dict[str, set[str]] = {}
    for command in every_command().values():
        for parameter in command.params:
            short = [flag for flag in parameter.opts if flag.startswith("-") and not flag.startswith("--")]
            for flag in short:
                meanings.setdefault(flag, set()).add(next(name for name in parameter.opts if name.startswith("--")))
    assert meanings == {
        "-m": {"--model"},
        "-o": {"--out"},
        "-s": {"--source-lang"},
        "-t": {"--target-lang"},
    }
    for path, command in every_command().items():
        flags = {flag for parameter in command.params for flag in parameter.opts}
        for long, short in (("--out", "-o"), ("--source-lang", "-s"), ("--target-lang", "-t")):
            assert (long in flags) == (short in flags), path


@pytest.mark.parametrize(
    "arguments",
    [
        ["MODEL", "one", "two"],
        ["-m", "MODEL", "one", "two"],
        ["one", "two", "-m", "MODEL"],
        ["one", "--model=MODEL", "two"],
        ["-mMODEL", "--", "one", "two"],
        ["one", "--flag", "x", "-m", "MODEL", "two"],
    ],
)
@pytest.mark.parametrize("name", ["fr-en.model", "-odd.model", "a b"])
def test_flag_or_first_argument(arguments: list[str], name: str, capsys: pytest.CaptureFixture[str]) -> None:
    from dragoman.cli.command import model_argument

    @click.command(cls=Command)
    @model_argument()
    @click.argument("files", nargs=-1)
    @click.option("--flag")
    def show(model: Path, files: tuple[str, ...], flag: str | None) -> None:
        click.echo(f"{model}|{files}")

    if name.startswith("-") and arguments[0] == "MODEL":
        return
    assert run([argument.replace("MODEL", name) for argument in arguments], show) == 0
    assert capsys.readouterr().out == f"{name}|('one', 'two')\n"


def test_a_model_that_is_missing_or_named_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = str(make_model(tmp_path / "fr-en.model"))
    assert run(["inspect"]) == 2
    assert "name the model with -m" in capsys.readouterr().err
    assert run(["inspect", "-m", model, model]) == 2
    assert "unexpected extra argument" in capsys.readouterr().err
    assert run(["inspect", "-m", model]) == 0
    shown = capsys.readouterr().out
    assert run(["inspect", model]) == 0
    assert capsys.readouterr().out == shown


@pytest.mark.parametrize(
    ("call", "meant"),
    [
        (["trian"], "train"),
        (["tranlsate"], "translate"),
        (["explian", "x"], "explain"),
        (["corpus", "prepair"], "prepare"),
        (["glossary", "chek"], "check"),
        (["lm", "biuld"], "build"),
    ],
)
def test_a_name_that_is_nearly_right(call: list[str], meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(call) == 2
    error = capsys.readouterr().err
    assert f"did you mean {meant}" in error
    assert error.count("\n") == 1
    assert run([*call[:-2], "quite-another"] if len(call) > 1 else ["quite-another"]) == 2
    assert "did you mean" not in capsys.readouterr().err


def test_help_has_what_people_use_first_and_the_search_apart(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    shown = capsys.readouterr().out
    places = [shown.index(f"\n  {name} ") for name in COMMANDS]
    assert places == sorted(places)
    assert [shown.index(f"\n{title}:\n") for title in SECTIONS] == sorted(shown.index(title) - 1 for title in SECTIONS)
    assert "..." not in shown.replace("[ARGS]...", "")
    assert max(map(len, shown.splitlines())) <= 80
    assert run(["translate", "--help"]) == 0
    own, search = capsys.readouterr().out.split("The search:")
    assert all(flag in own for flag in ("--text", "-o, --out", "--glossary", "--help"))
    assert all(flag in search and flag not in own for flag in ("--pop-limit", "--decoder", "--stack-size"))


def test_help_imports_no_command() -> None:
    program = (
        "import sys; from dragoman.cli.main import run; run(['--help']);"
        "sys.exit([name for name in sys.modules if name.startswith('dragoman.translat') or name == 'torch'] != [])"
    )
    assert subprocess.run([sys.executable, "-c", program], stdout=subprocess.DEVNULL).returncode == 0


def test_translating_loads_nothing_heavy() -> None:
    """Start-up is most of what a short text costs."""
    program = "import sys, dragoman.cli.main, dragoman.cli.translate; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout.split()
    heavy = (
        "torch",
        "numpy",
        "lxml",
        "ssl",
        "urllib.request",
        "difflib",
        "xml",
        "dragoman.corpus.preparation",
        "dragoman.serve",
    )
    assert "dragoman.translator" in loaded
    assert [name for name in heavy if name in loaded] == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_for_shells(shell: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "_DRAGOMAN_COMPLETE" in script
    if shutil.which(shell):
        (tmp_path / "script").write_text(script)
        assert subprocess.run([shell, "-n", str(tmp_path / "script")]).returncode == 0


@pytest.mark.parametrize(
    ("words", "last", "found"),
    [
        (["dragoman"], "tr", {"train", "translate", "translate-batch", "translate-file"}),
        (["dragoman", "glossary"], "", {"use", "check"}),
        (["dragoman", "train"], "--source-l", {"--source-lang"}),
        (["dragoman", "inspect", "-m", "x"], "--js", {"--json"}),
        (["dragoman", "translate", "--decoder"], "ph", {"phrase-based"}),
    ],
)
def test_a_shell_is_told_what_a_word_could_be(words: list[str], last: str, found: set[str]) -> None:
    environment = {
        **os.environ,
        "_DRAGOMAN_COMPLETE": "bash_complete",
        "COMP_WORDS": "\n".join([*words, last]),
        "COMP_CWORD": str(len(words)),
    }
    told = subprocess.run([sys.executable, "-m", "dragoman"], env=environment, capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    assert {line.partition(",")[2] for line in told.stdout.splitlines()} == found


@pytest.mark.parametrize("resumes", [True, False])
def test_an_interrupted_command_says_whether_it_goes_on(resumes: bool, capsys: pytest.CaptureFixture[str]) -> None:
    @click.group("dragoman", cls=Group)
    def group() -> None: ...

    @group.command("work", resumes=resumes)
    def work() -> None:
        raise KeyboardInterrupt

    assert run(["work"], group) == 130
    assert ("the same command goes on where it was" in capsys.readouterr().err) == resumes


def test_those_that_go_on() -> None:
    going_on = {path for path, command in every_command().items() if isinstance(command, Command) and command.resumes}
    assert going_on == {"train", "translate-batch", "translate-file", "nlm train"}
