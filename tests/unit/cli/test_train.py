"""Where the arguments of `dragoman train` come from: flags, a TOML file, and --set."""

from __future__ import annotations

import json
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
