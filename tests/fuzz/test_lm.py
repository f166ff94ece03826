"""Damaged models and ARPA files: one clear error, never a crash. The core's own tests do the same under sanitizers."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import pytest

from dragoman.cli.main import run
from dragoman.errors import FormatError, InputError
from dragoman.lm import LanguageModel, build_model

TEXT = "".join(f"w{i % 7} w{i % 11} w{i % 3} w{i % 5}\n" for i in range(200))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lm")
    (folder / "text").write_text(TEXT)
    build_model(folder / "lm.bin", [folder / "text"], arpa=folder / "lm.arpa")
    return folder


def test_damaged_models_are_refused(built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = (built / "lm.bin").read_bytes()
    bad_path = tmp_path / "bad.bin"
    source = random.Random(1)
    for _ in range(200):
        bad = bytearray(good)
        for _ in range(source.randint(1, 5)):
            bad[source.randrange(len(bad))] ^= source.randint(1, 255)
        bad_path.write_bytes(bytes(bad[: source.randrange(len(bad))] if source.random() < 0.2 else bad))
        with pytest.raises(FormatError):
            LanguageModel(bad_path)
        with contextlib.suppress(FormatError):
            LanguageModel(bad_path, trust=True).score(["w1 w2 w3", "w0 x w0"])
    assert run(["lm", "perplexity", str(bad_path), str(built / "text")]) == 1
    message = capsys.readouterr().err
    assert message.count("\n") == 1 and "bad.bin" in message


def test_damaged_arpa_is_refused_or_read(built: Path, tmp_path: Path) -> None:
    good = (built / "lm.arpa").read_bytes()
    source = random.Random(2)
    refused = 0
    for _ in range(200):
        bad = bytearray(good)
        for _ in range(source.randint(1, 3)):
            at = source.randrange(len(bad))
            bad[at : at + source.randint(0, 3)] = bytes(
                source.choices(b"\n\t 0123456789-\\.\xff", k=source.randint(0, 3))
            )
        (tmp_path / "bad.arpa").write_bytes(bytes(bad))
        try:
            build_model(tmp_path / "lm.bin", from_arpa=tmp_path / "bad.arpa")
        except InputError as error:
            refused += 1
            assert "bad.arpa" in str(error)
    assert refused > 0
