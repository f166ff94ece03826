"""Model directories: the manifest, what opening refuses, revising, packing and unpacking."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from dragoman import _core
from dragoman.errors import ConfigError, FormatError
from dragoman.model.directory import ModelDirectory, building_model, revising_model
from dragoman.model.manifest import Manifest
from dragoman.model.pack import pack, unpack

MANIFEST = Manifest("fr", "en", options={"text": {"lang": "fr"}}, scores={"BLEU": 31.5})


def ignore(done: int, total: int) -> None:
    assert 0 <= done <= total


@pytest.fixture
def model(tmp_path: Path) -> ModelDirectory:
    path = tmp_path / "model"
    with building_model(path, MANIFEST) as directory:
        (directory / "weights.txt").write_text("LanguageModel 0.5\n")
        (directory / "text.json").write_text("{}")
        _core.testing.write_container(str(directory / "vocab.bin"), "vocab", {"a": b"words", "b": b"x" * 1000})
        _core.testing.write_container(str(directory / "lm.bin"), "lm", {"trie": b"y" * 5000})
    return ModelDirectory.open(path, verify=True)


def test_manifest_round_trip(model: ModelDirectory) -> None:
    again = Manifest.from_json(model.manifest.to_json(), "x")
    assert again == model.manifest
    assert list(again.files) == ["lm.bin", "text.json", "vocab.bin", "weights.txt"]
    assert again.options == MANIFEST.options
    assert model.sections("vocab.bin") == {"a": 5, "b": 1000}


def test_same_content_same_manifest(model: ModelDirectory, tmp_path: Path) -> None:
    with building_model(tmp_path / "again", MANIFEST) as directory:
        for name in model.manifest.files:
            (directory / name).write_bytes((model.path / name).read_bytes())
    assert (tmp_path / "again" / "model.json").read_bytes() == (model.path / "model.json").read_bytes()


def flip(path: Path, offset: int) -> None:
    content = bytearray(path.read_bytes())
    content[offset] ^= 1
    path.write_bytes(content)


def swap(directory: Path) -> None:
    other = directory / "other.bin"
    _core.testing.write_container(str(other), "lm", {"trie": b"z" * 5000})
    other.replace(directory / "lm.bin")


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda d: (d / "lm.bin").unlink(), "lm.bin: is missing"),
        (lambda d: (d / "lm.bin").write_bytes((d / "lm.bin").read_bytes()[:-1]), "lm.bin: is 5183 bytes long"),
        (lambda d: (d / "lm.bin").write_bytes(b""), "lm.bin: is 0 bytes long"),
        (lambda d: (d / "text.json").write_text("[]"), "text.json: is damaged"),
        (lambda d: (d / "model.json").write_text("{"), "model.json: is not valid JSON"),
        (lambda d: (d / "model.json").write_text("[" * 100_000), "model.json: is not valid JSON"),
        (lambda d: (d / "model.json").write_text("{}"), "not a Dragoman manifest"),
        (lambda d: (d / "model.json").write_text('{"format": 99}'), "update Dragoman"),
        (lambda d: (d / "model.json").unlink(), "holds no model.json"),
        (swap, "lm.bin: belongs to another model"),
    ],
)
def test_damage_is_seen_on_opening(model: ModelDirectory, damage: Callable[[Path], object], complaint: str) -> None:
    damage(model.path)
    with pytest.raises(FormatError, match=complaint):
        ModelDirectory.open(model.path)


def test_a_flipped_byte_is_seen(model: ModelDirectory) -> None:
    flip(model.path / "lm.bin", 2000)
    with pytest.raises(FormatError, match="damaged section 'trie'"):
        _core.describe_container(str(model.path / "lm.bin"))
    with pytest.raises(FormatError, match="SHA-256"):
        ModelDirectory.open(model.path, verify=True)


def test_weights_may_be_edited(model: ModelDirectory) -> None:
    (model.path / "weights.txt").write_text("LanguageModel 0.25\n")
    assert ModelDirectory.open(model.path, verify=True).has("weights.txt")


def test_not_a_model(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no such model"):
        ModelDirectory.open(tmp_path / "absent")
    (tmp_path / "file").write_text("")
    with pytest.raises(FormatError, match="is a file"):
        ModelDirectory.open(tmp_path / "file")


def test_absent_component_is_named(model: ModelDirectory) -> None:
    with pytest.raises(FormatError, match=r"no nlm\.bin"):
        model.file("nlm.bin")


def test_revising_replaces_as_one(model: ModelDirectory) -> None:
    with pytest.raises(RuntimeError), revising_model(model, lambda m: m) as directory:
        (directory / "text.json").unlink()
        raise RuntimeError
    assert ModelDirectory.open(model.path, verify=True).manifest == model.manifest
    with revising_model(model, lambda m: m) as directory:
        _core.testing.write_container(str(directory / "lm.bin"), "lm", {"trie": b"new"})
    assert ModelDirectory.open(model.path, verify=True).sections("lm.bin") == {"trie": 3}


def test_foreign_files_have_no_place(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no place"), building_model(tmp_path / "m", MANIFEST) as directory:
        (directory / "notes.txt").write_text("")
    assert list(tmp_path.iterdir()) == []


def test_pack_and_unpack(model: ModelDirectory, tmp_path: Path) -> None:
    (model.path / "weights.txt").write_text("LanguageModel 0.25\n")
    pack(model, tmp_path / "packed", ignore)
    pack(model, tmp_path / "again", ignore)
    assert (tmp_path / "packed").read_bytes() == (tmp_path / "again").read_bytes()
    opened = unpack(tmp_path / "packed", tmp_path / "copy", ignore)
    for name in model.manifest.files:
        assert (opened.path / name).read_bytes() == (model.path / name).read_bytes()
    with pytest.raises(ConfigError, match="exists"):
        unpack(tmp_path / "packed", tmp_path / "copy", ignore)


def test_sections_stay_aligned_in_the_archive(model: ModelDirectory, tmp_path: Path) -> None:
    pack(model, tmp_path / "packed", ignore)
    with tarfile.open(tmp_path / "packed") as archive:
        assert all(member.offset_data % 512 == 0 for member in archive)


def archive_of(members: list[tuple[tarfile.TarInfo, bytes]]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for member, content in members:
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return stream.getvalue()


def evil(kind: str, manifest: bytes) -> bytes:
    first = (tarfile.TarInfo("model.json"), manifest)
    link = tarfile.TarInfo("lm.bin")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    return {
        "not an archive": b"no archive at all" * 100,
        "empty": archive_of([]),
        "climbs": archive_of([first, (tarfile.TarInfo("../lm.bin"), b"x")]),
        "absolute": archive_of([first, (tarfile.TarInfo("/tmp/lm.bin"), b"x")]),
        "link": archive_of([first, (link, b"")]),
        "twice": archive_of([first, first]),
        "no manifest": archive_of([(tarfile.TarInfo("lm.bin"), b"x")]),
        "incomplete": archive_of([first]),
        "wrong size": archive_of([first, (tarfile.TarInfo("text.json"), b"")]),
        "wrong content": archive_of([first, (tarfile.TarInfo("text.json"), b"[]")]),
    }[kind]


@pytest.mark.parametrize(
    "kind",
    [
        "not an archive",
        "empty",
        "climbs",
        "absolute",
        "link",
        "twice",
        "no manifest",
        "incomplete",
        "wrong size",
        "wrong content",
    ],
)
def test_hostile_archives(model: ModelDirectory, tmp_path: Path, kind: str) -> None:
    (tmp_path / "bad").write_bytes(evil(kind, (model.path / "model.json").read_bytes()))
    with pytest.raises(FormatError):
        unpack(tmp_path / "bad", tmp_path / "out", ignore)
    assert not (tmp_path / "out").exists()


def test_manifest_names_only_known_files(model: ModelDirectory) -> None:
    data = json.loads(model.manifest.to_json())
    data["files"]["../evil"] = data["files"]["lm.bin"]
    with pytest.raises(FormatError, match="unknown file"):
        Manifest.from_json(json.dumps(data), "x")


@pytest.mark.parametrize("language", ["fr\n", "fr\x1b[31m", "fr\u2028"])
def test_a_language_stands_on_one_line(model: ModelDirectory, language: str) -> None:
    """Else what is said of it would not be one sentence."""
    data = json.loads(model.manifest.to_json())
    data["source_lang"] = language
    with pytest.raises(FormatError, match="misspells 'source_lang'"):
        Manifest.from_json(json.dumps(data), "x")


def test_half_a_surrogate_pair_is_no_text(model: ModelDirectory) -> None:
    text = model.manifest.to_json().replace('"fr"', '"\\ud800"')
    assert "\\ud800" in text
    with pytest.raises(FormatError):
        Manifest.from_json(text, "x")


def test_models_of_format_1_stay_readable(tmp_path: Path) -> None:
    old = Path(__file__).parent.parent / "data" / "model-v1.dragoman"
    opened = unpack(old, tmp_path / "old", ignore)
    assert opened.manifest.format == 1 and opened.manifest.scores == {"BLEU": 31.5}
    sections = _core.testing.read_container(opened.file("lm.bin").read_bytes(), "lm")
    assert sections == {"first": bytes(range(200)), "empty": b"", "last": "déjà vu".encode()}


def test_an_archive_does_not_go_into_the_model(model: ModelDirectory) -> None:
    with pytest.raises(ConfigError, match="inside the model"):
        pack(model, model.path / "weights.txt", ignore)
    assert ModelDirectory.open(model.path, verify=True) == model


def test_unpacking_replaces_models_only(model: ModelDirectory, tmp_path: Path) -> None:
    pack(model, tmp_path / "m.dragoman", ignore)
    own = tmp_path / "own"
    own.mkdir()
    (own / "diary.txt").write_text("precious")
    with pytest.raises(ConfigError, match=r"holds diary\.txt"):
        unpack(tmp_path / "m.dragoman", own, ignore, overwrite=True)
    assert [entry.name for entry in own.iterdir()] == ["diary.txt"]
    unpack(tmp_path / "m.dragoman", model.path, ignore, overwrite=True)
