"""A model directory with neural language models: beside n-grams, alone, and with one that reads the source."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from dragoman import _core
from dragoman.model.directory import ModelDirectory, component_output
from dragoman.translator import Translator
from tests.reference.neural_lm import random_model
from tests.unit.translate.support import PAIRS, make_model

WORDS = sorted({word for _, target, _ in PAIRS for word in target.split()})


def add(folder: Path, name: str, window: int | None = None) -> None:
    model = random_model(3, words=len(WORDS), order=3, window=window)
    model.meta["words"] = WORDS
    with component_output(folder, name) as path:
        _core.write_neural_model(str(path), model.meta, model.buffers())


@pytest.mark.parametrize("lm", [True, False])
@pytest.mark.parametrize("files", [["nlm.bin"], ["source_nlm.bin"], ["nlm.bin", "source_nlm.bin"]])
def test_translates_with_any_mix(lm: bool, files: list[str], tmp_path: Path) -> None:
    folder = make_model(tmp_path / "model", lm=lm, weights=False)
    for name in files:
        add(folder, name, 1 if name.startswith("source") else None)
    translator = Translator.load(folder)
    names = {"nlm.bin": "NeuralLM", "source_nlm.bin": "SourceNeuralLM"}
    for decoder in ("hierarchical", "phrase-based"):
        from dragoman.config import DecodeOptions

        result = translator.translate("le chat voit la maison bleue.", DecodeOptions(decoder=decoder), nbest=3)
        assert str(result)
        for name in files:
            assert all(names[name] in each.features for each in result.alternatives)
            assert translator.weights[names[name]] > 0
        assert ("LanguageModel" in result.alternatives[0].features) == lm
        counts = result.as_json()["sentences"][0]["neural"]
        assert counts["queries"] > 0 and 0 <= counts["cached_words"] <= 1
    # In threads as alone.
    lines = ["le chat dort.", "une maison rouge.", "la maison."] * 3
    assert translator.translate(lines, threads=3) == translator.translate(lines)


def test_without_neural_models_nothing_is_said_of_them(tmp_path: Path) -> None:
    translator = Translator.load(make_model(tmp_path / "model"))
    assert "neural" not in translator.translate("la maison.").as_json()["sentences"][0]


def test_weights_may_leave_a_neural_model_out(tmp_path: Path) -> None:
    folder = make_model(tmp_path / "model")
    plain = Translator.load(folder).translate("le chat noir voit une maison.")
    add(folder, "nlm.bin")
    with_it = Translator.load(folder).translate("le chat noir voit une maison.")
    assert with_it.text == plain.text and with_it.score == pytest.approx(plain.score)


def test_the_neural_file_belongs_to_the_manifest(tmp_path: Path) -> None:
    folder = make_model(tmp_path / "model")
    add(folder, "nlm.bin")
    add(folder, "source_nlm.bin", 1)
    assert {"nlm.bin", "source_nlm.bin"} <= set(ModelDirectory.open(folder, verify=True).manifest.files)
    shutil.copy(folder / "lm.bin", folder / "nlm.bin")
    from dragoman.errors import FormatError

    with pytest.raises(FormatError):
        Translator.load(folder)
