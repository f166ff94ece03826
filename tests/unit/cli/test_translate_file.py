"""The command translate-file: where output goes, what it refuses, and a real model behind it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.cli.main import run
from tests.unit.translate.support import make_model

PO = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "La maison bleue."\nmsgstr ""\n'
XLIFF = '<xliff version="1.2"><file><body><trans-unit id="1"><source>La <g id="1">maison</g> bleue.</source></trans-unit></body></file></xliff>'  # noqa: E501


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("model") / "fr-en.model")


def test_beside_the_file(model: Path, tmp_path: Path) -> None:
    (tmp_path / "a.fr.html").write_text("<p>La <b>maison</b> bleue.</p>\n")
    (tmp_path / "a.txt").write_text("La maison bleue.\n")
    assert run(["translate-file", "-m", str(model), str(tmp_path / "a.fr.html"), str(tmp_path / "a.txt")]) == 0
    assert (tmp_path / "a.en.html").read_text() == "<p>The blue <b>house</b>.</p>\n"
    assert (tmp_path / "a.en.txt").read_text() == "The blue house.\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.en.html", "a.en.txt", "a.fr.html", "a.txt"]


def test_in_place_and_again(model: Path, tmp_path: Path) -> None:
    (tmp_path / "a.po").write_text(PO)
    (tmp_path / "a.xlf").write_text(XLIFF)
    command = ["translate-file", "-m", str(model), "--in-place", str(tmp_path / "a.po"), str(tmp_path / "a.xlf")]
    assert run(command) == 0
    made = (tmp_path / "a.po").read_text(), (tmp_path / "a.xlf").read_text()
    assert '#, fuzzy\nmsgid "La maison bleue."\nmsgstr "The blue house."' in made[0]
    assert 'state-qualifier="mt-suggestion">The blue <g id="1">house</g>.</target>' in made[1]
    assert run(command) == 0
    assert made == ((tmp_path / "a.po").read_text(), (tmp_path / "a.xlf").read_text())


def test_out_and_out_dir(model: Path, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# La maison\n")
    base = ["translate-file", "-m", str(model), str(tmp_path / "a.md")]
    assert run([*base, "--out", str(tmp_path / "b.md")]) == 0
    assert (tmp_path / "b.md").read_text() == "# The house\n"
    assert run([*base, "--out-dir", str(tmp_path / "new" / "folder"), "--format", "text"]) == 0
    assert (tmp_path / "new" / "folder" / "a.md").read_text() == "# The house\n"
    assert run([*base, "--out", str(tmp_path / "b.md"), "--overwrite"]) == 0


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["a.txt", "--in-place"], 2, "only PO, XLIFF"),
        (["a.csv"], 2, "say which columns"),
        (["a.csv", "--column", "x"], 2, "no column 'x', but 1 (la maison)"),
        (["a.csv", "--column", "1", "--in-place"], 2, "CSV with --into"),
        (["a.txt", "--column", "1"], 2, "are for CSV files"),
        (["a.txt", "--update"], 2, "RESX and Android"),
        (["a.txt", "b.txt", "--out", "c.txt"], 2, "--out-dir"),
        (["a.txt", "--out", "c.txt", "--out-dir", "d"], 2, "exclude each other"),
        (["none.txt"], 1, "no such file"),
        (["a.xyz"], 2, "--format"),
        (["a.docx"], 1, "no whole zip archive"),
        (["a.pdf"], 1, "pdftotext"),
        (["a.txt", "--out", "b.txt"], 2, "--overwrite"),
        (["a.txt", "--out", "."], 2, "is a directory"),
        (["bad.po"], 1, "bad.po, line 1"),
        (["a.txt", "./a.txt", "--out-dir", "new"], 2, "two files would be written"),
        ([], 2, "Missing argument"),
    ],
)
def test_refusals(
    model: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.txt", "b.txt", "a.csv", "a.xyz", "a.docx", "a.pdf", "bad.po"):
        (tmp_path / name).write_text("la maison\n")
    before = sorted(path.name for path in tmp_path.iterdir())
    assert run(["translate-file", "-m", str(model), *arguments]) == code
    assert said in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_string_tables(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tables = {
        "fr.yml": ("fr:\n  a: La maison bleue.\n", "en:\n  a: The blue house.\n"),
        "a.fr.json": ('{"a": "La maison"}', '{"a": "The house"}'),
        "a.properties": ("a = La maison\n", "a = The house\n"),
    }
    for name, (text, _) in tables.items():
        (tmp_path / name).write_text(text)
    assert (
        run(["translate-file", "-m", str(model), "--out-dir", str(tmp_path / "new"), *map(str, tmp_path.glob("*.*"))])
        == 0
    )
    assert {name: (tmp_path / "new" / name).read_text() for name in tables} == {n: t for n, (_, t) in tables.items()}
    (tmp_path / "a.json").write_text('{"a": "{n, plural, one {La maison", "b": "La {n} maison"}')
    assert run(["translate-file", "-m", str(model), str(tmp_path / "a.json"), "--overwrite"]) == 0
    assert "line 1: a message that cannot be followed" in capsys.readouterr().err
    assert (tmp_path / "a.en.json").read_text() == '{"a": "{n, plural, one {La maison", "b": "The {n} house"}'


def test_columns(model: Path, tmp_path: Path) -> None:
    """Beside the source a table may be filled in place, and again once more."""
    table = tmp_path / "a.csv"
    table.write_text("key;fr;en\nx;La maison;\ny;La maison;done\n")
    command = ["translate-file", "-m", str(model), str(table), "--column", "fr", "--into", "en", "--in-place"]
    for _ in range(2):
        assert run(command) == 0
        assert table.read_text() == "key;fr;en\nx;La maison;The house\ny;La maison;done\n"
    assert run([*command[:4], "--column", "2", "--out", str(tmp_path / "b.csv")]) == 0
    assert "\nx;The house;The house\n" in (tmp_path / "b.csv").read_text()


def test_pairs_are_filled(model: Path, tmp_path: Path) -> None:
    source, target = tmp_path / "a.resx", tmp_path / "a.en.resx"
    source.write_text("<root><data name='a'><value>La maison</value></data></root>")
    command = ["translate-file", "-m", str(model), str(source), "--update"]
    assert run(command) == 0
    assert target.read_text() == "<root><data name='a'><value>The house</value></data></root>"
    target.write_text("<root><data name='b'><value>home</value></data></root>")
    for _ in range(2):
        assert run(command) == 0
        assert [line.split("<")[0] for line in target.read_text().split("<value>")[1:]] == ["home", "The house"]


def test_too_large(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (tmp_path / "a.txt").open("wb") as stream:
        stream.truncate((64 << 20) + 1)
    assert run(["translate-file", "-m", str(model), str(tmp_path / "a.txt")]) == 1
    assert "more than" in capsys.readouterr().err
