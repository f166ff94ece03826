"""A model whose corrections are in a database is not used without them."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from dragoman.chain import Chain
from dragoman.cli.main import run
from dragoman.errors import ConfigError
from dragoman.learn.log import SHARED, write_mark
from dragoman.model.manifest import OVERLAY
from dragoman.translator import Translator
from tests.unit.learn.postgres import postgres_server
from tests.unit.learn.support import make_model

PLACE = "postgresql://database/dragoman"
SENTENCE = "Le zorglub dort."
# All commands that open a model to translate, or to show what it would translate with.
COMMANDS = [
    ["translate", "--text", SENTENCE],
    ["translate", "--text", SENTENCE, "--then", "MODEL"],
    ["translate-file", "FOLDER/text.txt", "-o", "FOLDER/out.txt"],
    ["translate-batch", "FOLDER/text.txt", "--out", "FOLDER/out"],
    ["explain", SENTENCE],
    ["explain", SENTENCE, "--then", "MODEL"],
    ["extract", "grammar"],
    ["extract", "count"],
    ["extract", "text"],
    ["glossary", "use", "FOLDER/terms.tsv"],
    ["glossary", "check", "FOLDER/terms.tsv"],
    ["lessons"],
    ["serve"],
]


def command(words: list[str], model: Path) -> list[str]:
    """With the model, and the folder it is in, in their places."""
    named = [word.replace("MODEL", str(model)).replace("FOLDER", str(model.parent)) for word in words]
    group = 2 if words[0] in ("extract", "glossary") else 1
    return [*named[:group], "-m", str(model), *named[group:]]


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("DRAGOMAN_CORRECTIONS", raising=False)
    (tmp_path / "text.txt").write_text(f"{SENTENCE}\n")
    (tmp_path / "terms.tsv").write_text("zorglub\tsnark\n")
    return make_model(tmp_path / "fr-en.model")


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_command_goes_without(model: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    write_mark(model / OVERLAY / SHARED, PLACE)
    before = contents(model.parent)
    assert run(command(words, model)) == 2
    said = capsys.readouterr()
    assert said.out == ""
    for part in (f"are kept in {PLACE}", "--corrections", "DRAGOMAN_CORRECTIONS", str(model / OVERLAY / SHARED)):
        assert part in said.err
    assert contents(model.parent) == before


def test_nor_does_a_program(model: Path) -> None:
    write_mark(model / OVERLAY / SHARED, PLACE)
    with pytest.raises(ConfigError, match="are kept in"):
        Translator.load(model)
    with pytest.raises(ConfigError, match="are kept in"):
        Chain.load([model])
    (model / OVERLAY / SHARED).unlink()
    assert Translator.load(model).translate("une maison").text


def test_archives_and_descriptions_are_of_the_files(model: Path) -> None:
    """A mark says nothing of pairs that the directory has of its own."""
    write_mark(model / OVERLAY / SHARED, PLACE)
    assert run(["inspect", str(model)]) == 0
    assert run(["pack", str(model), "-o", str(model.parent / "packed")]) == 0
    assert run(["unpack", str(model.parent / "packed"), "-o", str(model.parent / "unpacked.model")]) == 0
    with Translator.load(model.parent / "unpacked.model") as translator:
        translator.add(SENTENCE, "The snark sleeps.")
    assert run(["pack", str(model.parent / "unpacked.model"), "-o", str(model.parent / "again")]) == 2


def test_commands_take_the_corrections(
    model: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    with postgres_server() as database:
        with Translator.load(model, corrections=database.url) as translator:
            translator.add(SENTENCE, "The snark sleeps.")
        given = ["--corrections", database.url]
        for words in COMMANDS[:3] + COMMANDS[4:5]:
            if "--then" not in words:
                capfdbinary.readouterr()
                assert run([*command(words, model), *given]) == 0
                files = [path.read_bytes() for path in model.parent.glob("out.txt")]
                assert b"The snark sleeps." in capfdbinary.readouterr().out + b"".join(files)
        monkeypatch.setenv("DRAGOMAN_CORRECTIONS", database.url)
        assert run(command(["translate-batch", "FOLDER/text.txt", "--out", "FOLDER/out"], model)) == 0
        assert (model.parent / "out" / "text.txt").read_text() == "The snark sleeps.\n"
        capfdbinary.readouterr()
        assert run(command(["extract", "text"], model)) == 0
        assert b"snark" in capfdbinary.readouterr().out
        for name in ("grammar", "count"):
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"zorglub\n")))
            capfdbinary.readouterr()
            assert run(command(["extract", name], model)) == 0
            assert name == "count" or b"snark" in capfdbinary.readouterr().out
        batch = command(["translate-batch", "FOLDER/text.txt", "--out", "FOLDER/out"], model)
        assert run([*batch, "--cluster", "tcp://127.0.0.1:9"]) == 2
        assert b"do not read corrections of a database" in capfdbinary.readouterr().err
