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
        (["a.txt", "--in-place"], 2, "only PO and XLIFF"),
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
    for name in ("a.txt", "b.txt", "a.xyz", "a.docx", "a.pdf", "bad.po"):
        (tmp_path / name).write_text("la maison\n")
    before = sorted(path.name for path in tmp_path.iterdir())
    assert run(["translate-file", "-m", str(model), *arguments]) == code
    assert said in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_too_large(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (tmp_path / "a.txt").open("wb") as stream:
        stream.truncate((64 << 20) + 1)
    assert run(["translate-file", "-m", str(model), str(tmp_path / "a.txt")]) == 1
    assert "more than" in capsys.readouterr().err
