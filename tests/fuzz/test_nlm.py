"""Damaged neural models: one clear error, never a crash. The core's own tests do the same under sanitizers."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import pytest

from dragoman import _core
from dragoman.cli.main import run
from dragoman.errors import FormatError
from dragoman.neural.language_model import NeuralLanguageModel
from tests.reference.neural_lm import random_model


@pytest.mark.parametrize("output", ["class", "tree", "flat"])
def test_damaged_models_are_refused(output: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = random_model(1, output, direct=20 if output == "class" else 0)
    good_path, bad_path = tmp_path / "good.bin", tmp_path / "bad.bin"
    _core.write_neural_model(str(good_path), model.meta, model.buffers())
    good = good_path.read_bytes()
    source = random.Random(1)
    for _ in range(100):
        bad = bytearray(good)
        for _ in range(source.randint(1, 5)):
            bad[source.randrange(len(bad))] ^= source.randint(1, 255)
        bad_path.write_bytes(bytes(bad[: source.randrange(len(bad))] if source.random() < 0.2 else bad))
        with pytest.raises(FormatError):
            NeuralLanguageModel(bad_path)
        with contextlib.suppress(FormatError):
            NeuralLanguageModel(bad_path, trust=True).perplexity(["w1 w2 w3", "w0 x w0"])
    (tmp_path / "text").write_text("w1\n")
    assert run(["nlm", "perplexity", str(bad_path), str(tmp_path / "text")]) == 1
    message = capsys.readouterr().err
    assert message.count("\n") == 1 and "bad.bin" in message
