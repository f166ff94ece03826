"""Copies of a model's files that have no name: nothing changes them, and nothing is left of them."""

from __future__ import annotations

import gc
import os
import random
import tempfile
import time
from pathlib import Path

import pytest

from dragoman.errors import DragomanError, FormatError
from dragoman.model import private_files
from dragoman.model.private_files import PrivateFiles, fingerprint, is_quiet, private_copy
from dragoman.translator import Translator
from tests.unit.learn.support import make_model

pytestmark = pytest.mark.skipif(not private_files.DESCRIPTORS.is_dir(), reason="this system does not name open files")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return make_model(tmp_path / "fr-en.model")


def spoil(model: Path) -> None:
    chance = random.Random(1)
    for file in model.iterdir():
        if file.is_file():
            size = file.stat().st_size
            with file.open("wb") as stream:
                stream.write(chance.randbytes(size // 2))


def descriptors() -> int:
    gc.collect()
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_private_translator_does_not_notice(model: Path) -> None:
    translator = Translator.load(model, private=True)
    before = translator.translate("La maison bleue.", explain=True)
    troubles: list[object] = []
    translator.on_reopened(troubles.append)
    spoil(model)
    # Long enough ago for the translator to look at what is there now.
    for file in model.iterdir():
        os.utime(file, (1, 1))
    private_files.QUIET_SECONDS, quiet = 0.0, private_files.QUIET_SECONDS
    try:
        for _ in range(3):
            after = translator.translate("La maison bleue.", explain=True)
            assert after == before
    finally:
        private_files.QUIET_SECONDS = quiet
    # What was refused is not tried again.
    assert len(troubles) == 1
    assert isinstance(troubles[0], FormatError)
    with pytest.raises(DragomanError):
        translator.add("un truc", "a gizmo")


def test_nothing_is_left_of_the_copies(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = model.parent / "tmp"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    before = descriptors()
    for _ in range(3):
        translator = Translator.load(model, private=True)
        assert str(translator.translate("La maison.")) == "The house."
        assert not list(temporary.iterdir())
        assert sorted(each.name for each in model.parent.iterdir()) == ["fr-en.model", "tmp"]
        assert descriptors() > before
        del translator
    assert descriptors() == before
    (model / "bitext.bin").write_bytes(b"nonsense")
    with pytest.raises(FormatError, match=r"fr-en\.model/bitext\.bin"):
        Translator.load(model, private=True)
    assert descriptors() == before


def test_errors_name_the_users_files(model: Path) -> None:
    content = bytearray((model / "lexicon.bin").read_bytes())
    content[-1] ^= 255
    (model / "lexicon.bin").write_bytes(content)
    (model / "weights.txt").write_text("Nonsense 1\n")
    for spoiled in ("weights.txt", "lexicon.bin"):
        with pytest.raises(DragomanError) as refused:
            Translator.load(model, private=True)
        assert "/proc/" not in str(refused.value)
        assert tempfile.gettempdir() + "/dragoman-" not in str(refused.value)
        (model / spoiled).unlink(missing_ok=True)


def test_a_file_that_changes_while_it_is_copied_is_refused(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = private_files.private_copy

    def meanwhile(path: Path) -> object:
        made = copy(path)
        if path.name == "vocab.bin":
            (model / "bitext.bin").write_bytes(b"other")
        return made

    monkeypatch.setattr(private_files, "private_copy", meanwhile)
    with pytest.raises(FormatError, match="changed while"):
        PrivateFiles(model)


@pytest.mark.parametrize("size", [0, 1, 100_000])
def test_copies_are_equal_with_and_without_the_systems_help(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    content = random.Random(size).randbytes(size)
    (tmp_path / "folder").mkdir()
    path = tmp_path / "folder" / "file"
    path.write_bytes(content)

    def copied() -> bytes:
        with private_copy(path) as made:
            return Path(f"/proc/self/fd/{made.fileno()}").read_bytes()

    assert copied() == content

    def cannot(*given: object) -> int:
        raise OSError(18, "Invalid cross-device link")

    monkeypatch.setattr(os, "copy_file_range", cannot)
    assert copied() == content


def test_no_room_is_one_sentence(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*given: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "copy_file_range", full)
    with pytest.raises(DragomanError, match="--in-place"):
        Translator.load(model, private=True)


def test_what_is_mounted_read_only_is_used_where_it_lies(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(private_files, "is_read_only", lambda path: True)
    before = descriptors()
    translator = Translator.load(model, private=True)
    assert str(translator.translate("La maison.")) == "The house."
    assert descriptors() == before
    assert not private_files.fingerprint(model / "nowhere")


def test_fingerprints_and_quiet(model: Path, tmp_path: Path) -> None:
    before = fingerprint(model)
    assert before == fingerprint(model)
    assert {"model.json", "bitext.bin", "weights.txt"} <= {each[0] for each in before}
    with (model / "lm.bin").open("r+b") as stream:
        stream.write(b"x")
    assert fingerprint(model) != before
    assert fingerprint(tmp_path / "nowhere") == ()
    assert is_quiet(tmp_path / "nowhere")
    (model / "lm.bin").touch()
    # A file of the future is no reason to wait for it.
    end = time.monotonic() + 30
    while not is_quiet(model) and time.monotonic() < end:
        time.sleep(0.05)
    assert is_quiet(model)
