"""Damaged alignment models: an error that names the file, or a model that still answers; never a crash."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import pytest

from dragoman.align import AlignmentModel
from dragoman.config import AlignOptions
from dragoman.errors import FormatError


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("model") / "align.bin"
    words = [f"w{n % 17}" for n in range(400)]
    lines = [" ".join(words[n : n + 7]) for n in range(0, 390, 5)]
    model = AlignmentModel.train(lines, lines, AlignOptions(threads=1)).model
    assert model is not None
    model.save(path)
    return path.read_bytes()


def test_changed_bytes_are_noticed(whole: bytes, tmp_path: Path) -> None:
    rng = random.Random(7)
    path = tmp_path / "align.bin"
    for _ in range(100):
        damaged = bytearray(whole)
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        path.write_bytes(damaged)
        with pytest.raises(FormatError, match=r"align\.bin"):
            AlignmentModel.open(path)


def test_trusted_damage_is_harmless(whole: bytes, tmp_path: Path) -> None:
    rng = random.Random(8)
    path = tmp_path / "align.bin"
    for _ in range(300):
        damaged = bytearray(whole)
        for _ in range(rng.randint(1, 8)):
            damaged[rng.randrange(64, len(damaged))] = rng.randrange(256)
        path.write_bytes(damaged)
        with contextlib.suppress(FormatError):
            model = AlignmentModel.open(path, trust=True)
            model.align(["w1 w2 w3 unknown"], ["w3 w2 w1"], AlignOptions(threads=1))
            model.parameters()


def test_cut_off_files_are_noticed(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "align.bin"
    for size in (0, 1, 63, 64, 100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(FormatError):
            AlignmentModel.open(path)
