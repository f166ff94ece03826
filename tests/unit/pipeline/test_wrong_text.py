"""Training on text that is not what it is said to be stops before anything is learned, and says what it looks like."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dragoman.cli.main import run
from dragoman.errors import InputError
from dragoman.pipeline.forecast import estimate_job
from dragoman.pipeline.job import make_job
from dragoman.pipeline.runner import Silence
from dragoman.pipeline.training import train_job
from examples.demo.phrasebook import phrases
from tests.unit.corpus.test_side_languages import MESSAGES

GIVEN: dict[str, Any] = {"source_lang": "fr", "target_lang": "en", "language_models": "ngram", "threads": 1}
SWAPPED = "the text looks like English to French: source and target swapped? Give the right files and languages, or"


class StopsAfterPreparing(Silence):
    def __init__(self) -> None:
        self.said: list[str] = []

    def stage(self, stage: Any) -> Any:
        if stage.name != "prepare":
            raise PreparedError
        return super().stage(stage)

    def warn(self, message: str) -> None:
        self.said.append(message)


class PreparedError(Exception):
    """Nothing was wrong with the text."""


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two halves of the phrasebook, each right and wrong, in several formats."""
    folder = tmp_path_factory.mktemp("texts")
    halves = {"one": phrases()[:250], "two": phrases()[250:]}
    for name, pairs in halves.items():
        (folder / f"{name}.tsv").write_text("".join(f"{fr}\t{en}\n" for fr, en in pairs))
        (folder / f"{name}.swapped.tsv").write_text("".join(f"{en}\t{fr}\n" for fr, en in pairs))
        (folder / f"{name}.swapped.jsonl").write_text(
            "".join(json.dumps({"source": en, "target": fr}) + "\n" for fr, en in pairs)
        )
        for side, lang in enumerate(("fr", "en")):
            (folder / f"{name}.{lang}").write_text("".join(f"{pair[side]}\n" for pair in pairs))
    spanish = MESSAGES["es"] * 20
    (folder / "spanish.tsv").write_text(
        "".join(f"{es}\t{en}\n" for es, en in zip(spanish, MESSAGES["en"] * 20, strict=True))
    )
    return folder


def arguments(folder: Path, case: str) -> tuple[list[Path], dict[str, Any]]:
    files, others = CASES[case][0], CASES[case][1]
    return [folder / name for name in files], {name: folder / file for name, file in others.items()}


CASES: dict[str, tuple[list[str], dict[str, str], str, str]] = {
    "columns": (["one.swapped.tsv"], {}, "one.swapped.tsv", SWAPPED),
    "keys": (["one.swapped.jsonl"], {}, "one.swapped.jsonl", SWAPPED),
    "files": ([], {"source": "one.en", "target": "one.fr"}, "one.fr", SWAPPED),
    "one of several": (["one.tsv", "two.swapped.tsv"], {}, "two.swapped.tsv", SWAPPED),
    "the same on both sides": (
        [],
        {"source": "one.en", "target": "one.en"},
        "one.en",
        "source text looks like English",
    ),
    "another language": (["spanish.tsv"], {}, "spanish.tsv", "the source text looks like Spanish, not French."),
    "a set to tune on": (["one.tsv"], {"dev_source": "two.en", "dev_target": "two.fr"}, "two.fr", SWAPPED),
    "more text": (["one.tsv"], {"monolingual": "two.fr"}, "two.fr", "the text looks like French, not English."),
    "a set to test on": (["one.tsv"], {"test_source": "two.en", "test_target": "two.fr"}, "two.fr", SWAPPED),
}


@pytest.mark.parametrize("case", CASES)
def test_it_stops_and_says_what_the_text_looks_like(texts: Path, tmp_path: Path, case: str) -> None:
    inputs, others = arguments(texts, case)
    _, _, file, wanted = CASES[case]
    job = make_job(inputs, out=tmp_path / "model", **GIVEN, **others)
    with pytest.raises(InputError) as refused:
        train_job(job, Silence())
    assert file in str(refused.value)
    assert wanted in str(refused.value)
    assert "--force" in str(refused.value)
    assert not (tmp_path / "model").exists()
    with pytest.raises(InputError) as foretold:
        estimate_job(job)
    assert str(foretold.value) == str(refused.value)


@pytest.mark.parametrize("case", [case for case in CASES if case != "the same on both sides"])
def test_forced_it_goes_on_from_there(texts: Path, tmp_path: Path, case: str) -> None:
    inputs, others = arguments(texts, case)
    job = make_job(inputs, out=tmp_path / "model", force=True, **GIVEN, **others)
    listener = StopsAfterPreparing()
    with pytest.raises(PreparedError):
        train_job(job, listener)
    assert any("looks like" in said for said in listener.said)
    assert estimate_job(job)


@pytest.mark.parametrize("files", [["one.tsv"], ["one.tsv", "two.tsv"], ["one.fr", "one.en"]])
def test_text_that_is_right_is_not_spoken_of(texts: Path, tmp_path: Path, files: list[str]) -> None:
    listener = StopsAfterPreparing()
    with pytest.raises(PreparedError):
        train_job(make_job([texts / name for name in files], out=tmp_path / "model", **GIVEN), listener)
    assert listener.said == []


def test_preparing_says_it_too(texts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["corpus", "prepare", str(texts / "spanish.tsv"), "--source-lang", "fr", "--target-lang", "en"]
    run([*command, "--out", str(tmp_path / "prepared")])
    assert "the source text looks like Spanish, not French" in capsys.readouterr().err
