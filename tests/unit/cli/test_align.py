"""The command `dragoman align`: results, pictures, and one sentence for every mistake."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from dragoman.align.picture import svg, terminal
from dragoman.cli.main import run


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_text("das haus\ndas buch\nein buch\n" * 20)
    target.write_text("the house\nthe book\na book\n" * 20)
    return source, target


def test_links_on_stdout(files: tuple[Path, Path], capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["align", *map(str, files)]) == 0
    assert capfd.readouterr().out == "0-0 1-1\n" * 60


def test_save_and_load(files: tuple[Path, Path], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    model = str(tmp_path / "align.bin")
    assert run(["align", *map(str, files), "--save", model]) == 0
    first = capfd.readouterr().out
    assert run(["align", *map(str, files), "--load", model]) == 0
    assert capfd.readouterr().out == first


def test_score(files: tuple[Path, Path], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    gold = tmp_path / "gold"
    gold.write_text("0-0 1-1\n0-0\n")
    assert run(["align", *map(str, files), "--score", str(gold), "--json"]) == 0
    result = json.loads(capfd.readouterr().out)
    assert result["recall"] == 1
    assert result["precision"] == 0.75
    assert result["sentences"] == 2
    assert run(["align", *map(str, files), "--score", str(gold)]) == 0
    assert "75.00%" in capfd.readouterr().out


def test_show(files: tuple[Path, Path], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "one.svg"
    assert run(["align", *map(str, files), "--show", "1", "--svg", str(picture)]) == 0
    assert capfd.readouterr().out.count("■") == 2
    root = ElementTree.fromstring(picture.read_text())
    assert len([node for node in root.iter() if node.tag.endswith("title")]) == 2


def test_pictures_hold_any_words() -> None:
    words = ["<b>", "日本", "é", "&"]
    text = terminal(words, words, [(0, 0), (3, 3)])
    assert text.count("■") == 2
    ElementTree.fromstring(svg(words, words, [(0, 0), (1, 2)]))
    ElementTree.fromstring(svg([], [], []))
    assert terminal([], [], []) == ""


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["SOURCE"], 2, "SOURCE and TARGET"),
        (["SOURCE", "missing"], 1, "missing"),
        (["SOURCE", "TARGET", "--possible", "SOURCE"], 2, "--score"),
        (["SOURCE", "TARGET", "--svg", "x.svg"], 2, "--show"),
        (["SOURCE", "TARGET", "--show", "61"], 1, "no line 61"),
        (["SOURCE", "TARGET", "--load", "SOURCE"], 1, "SOURCE"),
        (["SOURCE", "TARGET", "--score", "SOURCE"], 1, "is no link"),
        (["SOURCE", "TARGET", "--model", "ibm9"], 2, "ibm9"),
        (["SOURCE", "TARGET", "--ibm1-iterations", "0"], 2, "at least 2"),
    ],
)
def test_mistakes(
    arguments: list[str], code: int, words: str, files: tuple[Path, Path], capfd: pytest.CaptureFixture[str]
) -> None:
    names = {"SOURCE": str(files[0]), "TARGET": str(files[1])}
    assert run(["align", *(names.get(argument, argument) for argument in arguments)]) == code
    error = capfd.readouterr().err
    assert names.get(words, words) in error
    assert "Traceback" not in error
    assert len(error.strip().splitlines()) == 1
