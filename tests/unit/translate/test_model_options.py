"""A model is searched as its weights were tuned, unless the caller asks for something else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dragoman.cli.main import run
from dragoman.config import DecodeOptions, TuneOptions
from dragoman.errors import ConfigError, FormatError
from dragoman.model.options import decode_options
from dragoman.translator import Translator
from dragoman.tune import tune_model, write_tuned
from tests.unit.translate.support import make_model


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return make_model(tmp_path / "fr-en.model")


def with_options(model: Path, decode: Any) -> Path:
    manifest = json.loads((model / "model.json").read_text())
    manifest["options"]["decode"] = decode
    (model / "model.json").write_text(json.dumps(manifest))
    return model


def is_phrase_based(features: dict[str, float]) -> bool:
    """Only that search scores how phrases follow each other."""
    return any(name.startswith("Monotone") for name in features)


def test_the_models_own_options_are_used(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with_options(model, {"decoder": "phrase-based", "pop_limit": 50, "an_option_of_later_versions": 7})
    assert decode_options(model) == DecodeOptions(decoder="phrase-based", pop_limit=50)
    translator = Translator.load(model)
    (found,) = translator.translate("la maison rouge .").alternatives
    assert is_phrase_based(found.features)
    (found,) = translator.translate("la maison rouge .", DecodeOptions()).alternatives
    assert not is_phrase_based(found.features)
    (model.parent / "text").write_text("la maison rouge .\n")
    for more, expected in ([], True), (["--decoder", "hierarchical"], False), (["--pop-limit", "9"], True):
        assert run(["translate", "-m", str(model), "--nbest", "2", str(model.parent / "text"), *more]) == 0
        assert ("Monotone" in capsys.readouterr().out) == expected


def test_tuning_puts_its_search_into_the_model(model: Path) -> None:
    source, target = ["La maison rouge.", "Le chat bleu."], ["The red house.", "The blue cat."]
    asked = DecodeOptions(decoder="phrase-based", stack_size=20)
    write_tuned(model, tune_model(model, source, target, TuneOptions(rounds=1, kbest=5), decode=asked))
    assert decode_options(model) == asked
    assert decode_options(model, {"stack_size": 30}) == DecodeOptions(decoder="phrase-based", stack_size=30)


@pytest.mark.parametrize(
    "decode", [{"pop_limit": "many"}, {"pop_limit": 0}, {"decoder": "neural"}, {"markup": 1}, {"max_span": True}]
)
def test_options_that_cannot_be_used(model: Path, decode: dict[str, Any]) -> None:
    with pytest.raises(FormatError, match=r"model\.json: options\.decode"):
        decode_options(with_options(model, decode))


def test_limits_hold_for_callers(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ConfigError, match="--pop-limit must be at least 1"):
        Translator.load(model).translate("la maison", DecodeOptions(pop_limit=-1))
    assert run(["translate", "-m", str(model), "--max-span", "-3", "/dev/null"]) == 2
    assert capsys.readouterr().err == "dragoman: --max-span must be at least 0, not -3\n"
