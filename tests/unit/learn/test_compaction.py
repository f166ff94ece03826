"""Compaction of a model that an earlier version made: it held samples of frequent patterns in a file of their own."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from dragoman import _core
from dragoman.learn.compaction import compact
from dragoman.model.directory import ModelDirectory, revising_model
from dragoman.translator import Translator
from tests.unit.learn.support import make_model


def test_samples_of_frequent_patterns_are_not_read_and_go(tmp_path: Path) -> None:
    model = make_model(tmp_path / "model")
    expected = Translator.load(model).translate("la maison bleue").text
    old = {"index": {"sample_seed": 1, "frequent_phrases": 50, "frequent_bytes_per_token": 0.25}}
    with revising_model(
        ModelDirectory.open(model), lambda manifest: dataclasses.replace(manifest, options=old)
    ) as directory:
        _core.testing.write_container(str(directory / "frequent.bin"), "frequent", {"symbols": b"la maison"})
    assert ModelDirectory.open(model).has("frequent.bin")
    assert Translator.load(model).translate("la maison bleue").text == expected
    Translator.load(model).add("Le zorglub dort.", "The snark sleeps.")
    compact(model)
    assert not ModelDirectory.open(model).has("frequent.bin")
    assert not (model / "frequent.bin").exists()
