"""Models of earlier versions: they open as they are, and `dragoman upgrade` makes them what this version writes.

tests/data/model-with-log-v1.tar.xz was written by an earlier version: with frequent.bin, which nothing reads any more,
and with a log of version 1, which added pairs and removed one.
"""

from __future__ import annotations

import hashlib
import json
import tarfile
from pathlib import Path

import pytest

from dragoman import _core
from dragoman.cli.main import run
from dragoman.errors import FormatError
from dragoman.learn.log import OverlayLog
from dragoman.learn.overlay import bitext_hash, open_overlay
from dragoman.model.directory import ModelDirectory, seal
from dragoman.model.manifest import MANIFEST
from dragoman.model.pack import unpack
from dragoman.model.upgrade import upgrade
from dragoman.translator import Translator

DATA = Path(__file__).parent.parent / "data"
# What the earlier version said.
TRANSLATIONS = {
    "Le zorglub dort.": "The snark sleeps.",
    "Une maison rouge.": "A house rouge.",
    "La maison bleue. Une voiture.": "The blue house. A automobile.",
}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    with tarfile.open(DATA / "model-with-log-v1.tar.xz") as archive:
        archive.extractall(tmp_path / "old.model", filter="data")
    return tmp_path / "old.model"


def contents(path: Path) -> dict[str, bytes]:
    return {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()}


def translations(path: Path) -> dict[str, str]:
    with Translator.load(path) as translator:
        return {text: str(translator.translate(text)) for text in TRANSLATIONS}


def test_an_old_model_opens_as_it_is(old: Path) -> None:
    before = contents(old)
    assert ModelDirectory.open(old, verify=True).has("frequent.bin")
    assert translations(old) == TRANSLATIONS
    assert open_overlay(old).log.version == 1 != _core.LOG_VERSION
    assert run(["inspect", str(old), "--json"]) == 0
    assert contents(old) == before


def test_an_old_model_becomes_a_present_one(old: Path) -> None:
    before = contents(old)
    with Translator.load(old) as inside:
        done = upgrade(old)
        assert done and done.dropped == ["frequent.bin"] and done.log_version == 1
        assert done.dropped_bytes == len(before["frequent.bin"])
        # Whoever has it open goes on.
        assert str(inside.translate("Le zorglub dort.")) == "The snark sleeps."
    after = contents(old)
    changed = {"frequent.bin", "model.json", "overlay/log"}
    assert set(after) == set(before) - {"frequent.bin"}
    assert all(after[name] == before[name] for name in set(after) - changed)
    model = ModelDirectory.open(old, verify=True)
    assert set(model.manifest.files) == set(after) - changed
    for name, entry in model.manifest.files.items():
        assert entry.sha256 == hashlib.sha256(after[name]).hexdigest() and entry.bytes == len(after[name])
    was = json.loads(before["model.json"])
    assert (model.manifest.options, model.manifest.scores) == (was["options"], was["scores"])
    assert translations(old) == TRANSLATIONS
    assert [path.name for path in old.parent.iterdir()] == [old.name]
    manifest = (old / MANIFEST).stat().st_ino
    assert not upgrade(old)
    assert contents(old) == after and (old / MANIFEST).stat().st_ino == manifest


def test_the_log_keeps_every_record(old: Path) -> None:
    def records(path: Path) -> list[object]:
        log = OverlayLog(path, bitext_hash(ModelDirectory.open(path)))
        return [log.record(entry.offset) for entry in log.read_news().entries]

    before = records(old)
    upgrade(old)
    assert records(old) == before and len(before) == 4
    with Translator.load(old) as translator:
        assert translator.overlay.log.version == _core.LOG_VERSION
        translator.add("Une fleur.", "A flower.", "flower")
        assert translator.remove("correction")
    with Translator.load(old) as translator:
        assert str(translator.translate("Une fleur.")) == "A flower."
        assert "snark" not in str(translator.translate("Le zorglub dort."))


def test_a_damaged_model_stays_what_it_is(old: Path) -> None:
    good = contents(old)
    for name, at in (("lm.bin", -20), ("frequent.bin", -20), ("overlay/log", 60)):
        data = bytearray(good[name])
        data[at] ^= 255
        (old / name).write_bytes(data)
        before = contents(old)
        with pytest.raises(FormatError, match="damaged"):
            upgrade(old)
        assert contents(old) == before
        (old / name).write_bytes(good[name])
    assert [path.name for path in old.parent.iterdir()] == [old.name]
    # A tail that a killed writer left was promised to nobody.
    with (old / "overlay" / "log").open("ab") as stream:
        stream.write(b"half a rec")
    assert upgrade(old)
    assert translations(old) == TRANSLATIONS


def test_a_log_of_the_present_version_is_carried_over(old: Path) -> None:
    upgrade(old)
    log = (old / "overlay" / "log").read_bytes()
    (old / "frequent.bin").write_bytes((old / "lm.bin").read_bytes())
    seal(old, ModelDirectory.open(old).manifest)
    assert upgrade(old).dropped == ["frequent.bin"]
    assert (old / "overlay" / "log").read_bytes() == log


def test_a_model_without_an_index(tmp_path: Path) -> None:
    unpack(DATA / "model-v1.dragoman", tmp_path / "model", lambda done, total: None)
    before = contents(tmp_path / "model")
    assert not upgrade(tmp_path / "model")
    assert contents(tmp_path / "model") == before


def test_the_command_says_what_it_did(old: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["upgrade", str(old)]) == 0
    said = capsys.readouterr().err
    assert "dropped frequent.bin (samples of frequent patterns" in said and "which this version does not read" in said
    assert f"became version {_core.LOG_VERSION}; it was 1" in said
    assert run(["upgrade", str(old)]) == 0
    assert "is of the present format; nothing was changed" in capsys.readouterr().err
    assert run(["upgrade", str(old), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["changed"] is False
    assert run(["upgrade", str(old.parent / "nothing")]) == 1


def test_strange_files_are_not_deleted(old: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (old / "diary.txt").write_text("precious")
    assert run(["upgrade", str(old)]) == 2
    assert "holds diary.txt" in capsys.readouterr().err
    assert (old / "diary.txt").read_text() == "precious" and (old / "frequent.bin").exists()
