"""Where the arguments of `dragoman train` come from: flags, a TOML file, and --set."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from dragoman.cli.main import run


def test_columns_of_a_table_by_flags_over_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A table of three columns can be named on the command line, which goes over the file."""
    rows = "".join(f"{i}\tmaison numéro {i}\thouse number {i}\n" for i in "abcdefghij")
    (tmp_path / "table.txt").write_text(rows)
    columns = 'source_column = "1"\ntarget_column = "2"\n'
    (tmp_path / "train.toml").write_text(f'source_lang = "fr"\ntarget_lang = "en"\n[read]\nformat = "tsv"\n{columns}')
    call = ["estimate", str(tmp_path / "table.txt"), "--config", str(tmp_path / "train.toml"), "--json"]
    assert run([*call, "--source-column", "2", "--target-column", "3"]) == 0
    assert json.loads(capsys.readouterr().out)["pairs"]["read"] == 10
    assert run([*call, "--source-column", "2", "--target-column", "9"]) == 1
    assert "column 9 is wanted" in capsys.readouterr().err
    assert run([*call, "--source-column", "2", "--set", "read.target_column=3"]) == 0


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("source_lang = 3", "'source_lang' is text, not 3"),
        ('threads = "two"', "'threads' is a whole number, not 'two'"),
        ("overwrite = 1", "'overwrite' is true or false, not 1"),
        ("monolingual = 7", "'monolingual'"),
        ("dev_source = [1]", "'dev_source' is text, not [1]"),
        (f"threads = {'9' * 5000}", "is not a TOML file"),
    ],
)
def test_kinds_of_values_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, said: str) -> None:
    names = "" if line.startswith("source_lang") else 'source_lang = "fr"\n'
    (tmp_path / "train.toml").write_text(f'{line}\n{names}target_lang = "en"\n')
    assert run(["estimate", "a.fr", "a.en", "--config", str(tmp_path / "train.toml")]) == 2
    assert said in capsys.readouterr().err


def test_a_folder_with_an_archive_in_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Read where they lie, by training too; what is no text is named."""
    folder = tmp_path / "corpora"
    folder.mkdir()
    rows = [(f"la maison {name}", f"the house {name}") for name in "abcdefghijklmnopqrst"]
    (folder / "rows.csv").write_text("".join(f"{ours};{theirs}\n" for ours, theirs in rows[:10]))
    with zipfile.ZipFile(folder / "en-fr.zip", "w") as archive:
        for side, lang in enumerate(("fr", "en")):
            archive.writestr(f"Books.en-fr.{lang}", "".join(f"{row[side]}\n" for row in rows[10:]))
        archive.writestr("LICENSE", "free")
        archive.writestr("de.po", 'msgid ""\nmsgstr "Language: de\\n"\n\nmsgid "la maison"\nmsgstr "das Haus"\n')
    call = [str(folder), "-s", "fr", "-t", "en"]
    assert run(["estimate", *call, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pairs"]["read"] == 20
    work = ["-o", str(tmp_path / "m"), "--threads", "1", "--no-tune", "--language-models", "ngram"]
    assert run(["train", *call, *work, "--set", "split.dev=0", "--set", "split.test=0", "--json"]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["pairs"]["train"] == 20
    assert "LICENSE is no bilingual text" in shown.err
    assert "1 file is for other languages" in shown.err
