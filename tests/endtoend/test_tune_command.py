"""`dragoman tune` and `dragoman evaluate` as a user runs them."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dragoman.model.weights import read_weights
from tests.unit.translate.support import make_model

SOURCE = "La maison rouge.\nLe chat bleu voit une voiture noire.\nEst-ce une maison ?\nLe chien dort.\n"
TARGET = "The red house.\nThe blue cat sees a black car.\nIs it a house?\nThe dog sleeps.\n"
COMMAND = [sys.executable, "-m", "dragoman"]


def dragoman(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=120)


@pytest.fixture
def texts(tmp_path: Path) -> tuple[Path, Path]:
    for name, text in (("dev.fr", SOURCE), ("dev.en", TARGET)):
        (tmp_path / name).write_text(text)
    return tmp_path / "dev.fr", tmp_path / "dev.en"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return make_model(tmp_path / "fr-en.model")


def test_tune_then_evaluate(model: Path, texts: tuple[Path, Path], tmp_path: Path) -> None:
    pytest.importorskip("sacrebleu")
    before = (model / "weights.txt").read_bytes()
    kept = dragoman("tune", "-m", model, *texts, "--rounds", "3", "--kbest", "20", "--out", tmp_path / "weights")
    assert kept.returncode == 0, kept.stderr
    assert (model / "weights.txt").read_bytes() == before
    tuned = dragoman("tune", "-m", model, *texts, "--rounds", "3", "--kbest", "20", "--json")
    assert tuned.returncode == 0, tuned.stderr
    assert tuned.stderr.startswith("round  1  BLEU")
    assert read_weights(model / "weights.txt") == json.loads(tuned.stdout)["weights"]
    assert read_weights(tmp_path / "weights") == read_weights(model / "weights.txt")

    output = tmp_path / "out.en"
    whole = dragoman("evaluate", "-m", model, *texts, "--samples", "50", "--translations", output, "--json")
    assert whole.returncode == 0, whole.stderr
    parts = dragoman("evaluate", output, texts[1], "--samples", "50", "--json")
    assert json.loads(parts.stdout)["scores"] == json.loads(whole.stdout)["scores"]
    assert json.loads(whole.stdout)["scores"]["BLEU-lc"]["score"] == pytest.approx(json.loads(tuned.stdout)["bleu"])
    shown = dragoman("evaluate", "-m", model, *texts, "--samples", "50", "--against", model)
    assert shown.returncode == 0 and "case:lc" in shown.stdout and "difference" in shown.stdout


def test_interrupted_tuning_keeps_what_it_reached(model: Path, texts: tuple[Path, Path], tmp_path: Path) -> None:
    big = [path.with_suffix(".big" + path.suffix) for path in texts]
    for path, text in zip(big, (SOURCE, TARGET), strict=True):
        path.write_text(text * 500)
    options = ["--rounds", "100", "--patience", "100", "--kbest", "10", "--state", str(tmp_path / "state")]
    process = subprocess.Popen(
        [*COMMAND, "tune", "-m", str(model), *map(str, big), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while not (tmp_path / "state" / "tuning.json").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    if process.returncode != 0:  # it may have found nothing new and ended by itself before the signal came
        assert process.returncode == 130 and "interrupted" in output and "Traceback" not in errors
    rounds = json.loads((tmp_path / "state" / "tuning.json").read_text())["rounds"]
    assert read_weights(model / "weights.txt") in [each["weights"] for each in rounds]
    again = dragoman("tune", "-m", model, *big, *options[:-2], "--rounds", "2", *options[-2:])
    assert again.returncode == 0 and again.stdout.startswith("BLEU"), again.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "what"),
    [
        (["tune", "-m", "{model}", "{fr}", "{none}"], 1, "none"),
        (["tune", "-m", "{model}", "{fr}", "{one}"], 1, "line by line"),
        (["tune", "-m", "{model}", "{fr}", "{en}", "--rounds", "0"], 2, "rounds"),
        (["tune", "-m", "{none}", "{fr}", "{en}"], 1, "no such model"),
        (["evaluate", "{fr}", "{one}"], 1, "line by line"),
        (["evaluate", "-m", "{none}", "{fr}", "{en}"], 1, "no such model"),
        (["evaluate", "{fr}", "{en}", "--samples", "3"], 2, "samples"),
    ],
)
def test_bad_calls(
    model: Path, texts: tuple[Path, Path], tmp_path: Path, arguments: list[str], code: int, what: str
) -> None:
    (tmp_path / "one").write_text("One line.\n")
    places = {"model": model, "fr": texts[0], "en": texts[1], "one": tmp_path / "one", "none": tmp_path / "none"}
    result = dragoman(*(each.format(**places) for each in arguments))
    assert result.returncode == code
    assert what in result.stderr and "Traceback" not in result.stderr and result.stderr.count("\n") == 1
