"""What `dragoman inspect` says of scores, whoever wrote them."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman import _core
from dragoman.cli.inspect import score_lines
from dragoman.cli.main import run
from dragoman.model.directory import building_model
from dragoman.model.manifest import Manifest


def test_scores_are_lines_for_people() -> None:
    scores = {
        "BLEU": 19.85,
        "dev BLEU-lc": 23.39,
        "test": {"intervals": {"BLEU": [16.7, 22.9]}, "length_ratio": 0.95, "signatures": {"BLEU": "nrefs:1"}},
        "tune": {"bleu": 24.0, "best_round": 3},
    }
    assert list(score_lines(scores)) == [
        "BLEU: 19.85 (16.7 to 22.9)",
        "dev BLEU-lc: 23.39",
        "test: length ratio 0.95",
        "tune: bleu 24.0, best round 3",
    ]
    assert list(score_lines({"test": 7})) == ["test: 7"]


def test_scores_may_be_anything() -> None:
    for said in (None, 7, "", [], [1], {}, {"BLEU": None}, {"BLEU": []}, {"BLEU": "16"}):
        assert list(score_lines({"test": {"intervals": said}, "BLEU": 19.85}))[1].startswith("BLEU: 19.85")


def test_languages_and_scores_are_no_markup(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with building_model(tmp_path / "model", Manifest("[/b]", "[red]", scores={"[/x]": "[bold]"})) as directory:
        _core.testing.write_container(str(directory / "lm.bin"), "lm", {"[/i]": b"1"})
    assert run(["inspect", "--sections", str(tmp_path / "model")]) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in ("[/b]", "[red]", "[/x]: [bold]", "[/i]"))
