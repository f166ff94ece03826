"""Archives whose headers lie, and model directories that hold other things than files."""

from __future__ import annotations

import random
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from dragoman.errors import FormatError
from dragoman.model.directory import ModelDirectory, building_model
from dragoman.model.manifest import Manifest
from dragoman.model.pack import pack
from dragoman.translator import Translator
from tests.fuzz.archives import refused, with_odd_header
from tests.fuzz.special_files import SPECIAL, dangling, pipe, remove
from tests.unit.learn.support import make_model


def ignore(done: int, total: int) -> None:
    pass


@pytest.fixture
def model(tmp_path: Path) -> ModelDirectory:
    with building_model(tmp_path / "model", Manifest("fr", "en")) as directory:
        (directory / "weights.txt").write_text("LanguageModel 1\n")
        (directory / "text.json").write_text("{}")
    return ModelDirectory.open(tmp_path / "model")


@pytest.mark.parametrize("kind", [b"x", b"g", b"L", b"K"])
def test_headers_before_headers_end_in_a_sentence(model: ModelDirectory, tmp_path: Path, kind: bytes) -> None:
    pack(model, tmp_path / "packed", ignore)
    archive = (tmp_path / "packed").read_bytes()
    link = tarfile.TarInfo("next")
    link.type = kind
    assert refused(link.tobuf() * 5000 + archive, tmp_path)


def test_headers_of_any_content_end_in_a_sentence(model: ModelDirectory, tmp_path: Path) -> None:
    """Bytes of headers changed and their sums made right; sparse members and pax records among them."""
    pack(model, tmp_path / "packed", ignore)
    archive = (tmp_path / "packed").read_bytes()
    chance = random.Random(4)
    odd = 0
    for _ in range(1500):
        odd += refused(with_odd_header(archive, chance), tmp_path)
    assert odd > 500


@pytest.mark.parametrize("make", SPECIAL)
def test_what_is_no_plain_file_is_refused_at_once(tmp_path: Path, make: Callable[[Path], None]) -> None:
    """In the place of every file of a model; who waited for a pipe would wait for ever."""
    path = make_model(tmp_path / "model")
    Translator.load(path).add("un chat", "a cat", id="1")
    names = sorted(str(file.relative_to(path)) for file in path.rglob("*") if file.is_file())
    assert {"model.json", "weights.txt", "overlay/log", "text.json", "align.bin", "lm.bin"} <= set(names)
    for name in names:
        kept = (path / name).read_bytes()
        (path / name).unlink()
        make(path / name)
        # Without its log a model is what it was before anything was added.
        if not (make is dangling and name == "overlay/log"):
            with pytest.raises((FormatError, OSError)) as refusal:
                Translator.load(path).add("un chien", "a dog", id="2")
            assert name in str(refusal.value)
        remove(path / name)
        (path / name).write_bytes(kept)
    assert str(Translator.load(path).translate("un chat")) == "a cat"


def test_what_becomes_a_pipe_later_is_refused_too(tmp_path: Path) -> None:
    path = make_model(tmp_path / "model")
    model = ModelDirectory.open(path)
    for name in model.manifest.files:
        (path / name).unlink()
        pipe(path / name)
        with pytest.raises(FormatError, match="plain file"):
            model.file(name)
