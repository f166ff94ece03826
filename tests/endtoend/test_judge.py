"""A model with a judge, as a user trains and uses it: `dragoman train --judge on`, on a processor."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("numpy")

import dragoman
from dragoman.cli.main import run
from dragoman.config import DecodeOptions
from dragoman.model.directory import ModelDirectory
from dragoman.model.options import options_of_model
from dragoman.model.weights import JUDGE_WEIGHTS, read_weights
from dragoman.translator import Translator
from examples.demo.phrasebook import phrases

TINY = {"dimension": 64, "encoder_layers": 1, "decoder_layers": 1, "pieces": 400, "epochs": 3, "batch_pieces": 512}


def arguments(folder: Path, judge: str) -> dict[str, Any]:
    return {
        "source": folder / "train.fr",
        "target": folder / "train.en",
        "dev_source": folder / "dev.fr",
        "dev_target": folder / "dev.en",
        "test_source": folder / "test.fr",
        "test_target": folder / "test.en",
        "source_lang": "fr",
        "target_lang": "en",
        "out": folder / f"{judge}.model",
        "work": folder / "work",
        "language_models": "ngram",
        "judge": judge,
        "threads": 1,
        "stages": {
            "judge_network": TINY,
            "tune": {"rounds": 2, "kbest": 10},
            "decode": {"pop_limit": 20, "judged": 20},
        },
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The text, and a model of it with a judge and one without."""
    folder = tmp_path_factory.mktemp("judged")
    pairs = phrases()
    for part, chosen in (("train", pairs[:300]), ("dev", pairs[300:400]), ("test", pairs[400:420])):
        for side, lang in enumerate(("fr", "en")):
            (folder / f"{part}.{lang}").write_text("".join(f"{pair[side]}\n" for pair in chosen), encoding="utf-8")
    for judge in ("on", "off"):
        result = dragoman.train(**arguments(folder, judge))
        (folder / f"{judge}.json").write_text(json.dumps(result.summary))
    return folder


def test_the_model_has_it_and_its_weights(folder: Path) -> None:
    model = ModelDirectory.open(folder / "on.model", verify=True)
    assert model.has("judge.bin") and model.manifest.options["train"]["judge"] == "on"
    weights, without = read_weights(model.file("weights.txt")), read_weights(folder / "off.model/weights.txt")
    assert set(weights) - set(without) == set(JUDGE_WEIGHTS)
    # The search is not changed by what comes after it.
    assert {name: weights[name] for name in without} == without
    assert options_of_model(model).judged == 20
    summary, plain = (json.loads((folder / f"{judge}.json").read_text()) for judge in ("on", "off"))
    scores = summary["scores"]
    assert scores["dev BLEU-lc unjudged"] == plain["scores"]["dev BLEU-lc"] <= scores["dev BLEU-lc"]
    assert "dev BLEU-lc unjudged" not in plain["scores"]
    assert [row["stage"] for row in summary["stages"]].index("judge") < [
        row["stage"] for row in summary["stages"]
    ].index("lm")
    assert summary["memory"]["measured"] and summary["memory"]["within_budget"]


def test_nothing_is_done_twice(folder: Path) -> None:
    again = dragoman.train(**arguments(folder, "on")).report
    assert all(row.skipped for row in again.stages)


def test_it_has_a_say_unless_it_is_left_out(folder: Path) -> None:
    judged, plain = (Translator.load(folder / f"{judge}.model") for judge in ("on", "off"))
    lines = (folder / "test.fr").read_text(encoding="utf-8").splitlines()
    found = judged.translate(lines, nbest=5)
    # What is the only translation needs no judge.
    chosen = [each.alternatives[0] for each in found if len(each.alternatives) > 1]
    assert len(chosen) > 10
    assert all(each.features["Judge"] < 0 < each.features["JudgePieces"] for each in chosen)
    for translation in found:
        scores = [alternative.score for alternative in translation.alternatives]
        assert scores == sorted(scores, reverse=True)
    unasked = judged.translate(lines, DecodeOptions(pop_limit=20, judged=0))
    assert [each.text for each in unasked] == [each.text for each in plain.translate(lines)]


def test_who_looks_at_it_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["inspect", str(folder / "on.model"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["components"]["judge.bin"]["holds"] == "judge of finished translations"
    assert run(["translate", "-m", str(folder / "on.model"), "--judged", "0", str(folder / "test.fr")]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 20


def test_a_pack_of_it_travels(folder: Path, tmp_path: Path) -> None:
    assert run(["pack", str(folder / "on.model"), "--translate-only", "-o", str(tmp_path / "m.dragoman")]) == 0
    assert run(["unpack", str(tmp_path / "m.dragoman"), "-o", str(tmp_path / "model")]) == 0
    line = "Où est la gare ?"
    assert (
        Translator.load(tmp_path / "model").translate(line).text
        == Translator.load(folder / "on.model").translate(line).text
    )
