"""Random damage to the bytes of manifests, archives and containers: FormatError or the same content, never a crash.

The core's container reader is also mutated 30,000 times under the sanitizers in core/tests/base_test.cpp.
"""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import pytest

from dragoman import _core
from dragoman.errors import FormatError
from dragoman.model.directory import ModelDirectory, building_model
from dragoman.model.manifest import Manifest
from dragoman.model.pack import pack, unpack


def mutate(content: bytes, rng: random.Random) -> bytes:
    damaged = bytearray(content)
    choice = rng.randrange(4)
    if choice == 0:
        return bytes(damaged[: rng.randrange(len(damaged))])
    if choice == 1:
        at = rng.randrange(len(damaged))
        return bytes(damaged[:at] + rng.randbytes(rng.randrange(1, 9)) + damaged[at:])
    for _ in range(rng.randrange(1, 4)):
        damaged[rng.randrange(len(damaged))] = rng.randrange(256)
    return bytes(damaged)


def test_containers(tmp_path: Path) -> None:
    rng = random.Random(1)
    sections = {"first": rng.randbytes(100), "second": b"", "third": rng.randbytes(64)}
    _core.testing.write_container(str(tmp_path / "x.bin"), "test", sections)
    good = (tmp_path / "x.bin").read_bytes()
    for _ in range(10_000):
        bad = mutate(good, rng)
        try:
            assert _core.testing.read_container(bad, "test") == sections
            assert bad == good
        except FormatError:
            pass


@pytest.fixture
def model(tmp_path: Path) -> ModelDirectory:
    with building_model(tmp_path / "model", Manifest("fr", "en")) as directory:
        (directory / "weights.txt").write_text("LanguageModel 0.5\n")
        _core.testing.write_container(str(directory / "lm.bin"), "lm", {"trie": b"y" * 300})
    return ModelDirectory.open(tmp_path / "model")


def test_manifests(model: ModelDirectory) -> None:
    rng = random.Random(2)
    good = model.manifest.to_json().encode()
    for _ in range(3000):
        with contextlib.suppress(FormatError):
            Manifest.from_json(mutate(good, rng), "x")


def test_archives(model: ModelDirectory, tmp_path: Path) -> None:
    rng = random.Random(3)
    pack(model, tmp_path / "packed", lambda done, total: None)
    good = (tmp_path / "packed").read_bytes()
    for _ in range(500):
        (tmp_path / "bad").write_bytes(mutate(good, rng))
        try:
            opened = unpack(tmp_path / "bad", tmp_path / "out", lambda done, total: None, overwrite=True)
            assert opened.sections("lm.bin") == {"trie": 300}
        except FormatError:
            pass
