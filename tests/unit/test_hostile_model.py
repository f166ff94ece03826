"""Archives whose headers lie, and model directories that hold other things than files."""

from __future__ import annotations

import contextlib
import io
import os
import random
import shutil
import socket
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.live.support import make_model

from dragoman.errors import FormatError
from dragoman.model import Manifest, ModelDirectory, building_model
from dragoman.pack import pack, unpack
from dragoman.translator import Translator


def ignore(done: int, total: int) -> None:
    pass


@pytest.fixture
def model(tmp_path: Path) -> ModelDirectory:
    with building_model(tmp_path / "model", Manifest("fr", "en")) as directory:
        (directory / "weights.txt").write_text("LanguageModel 1\n")
        (directory / "text.json").write_text("{}")
    return ModelDirectory.open(tmp_path / "model")


def headers_of(archive: bytes) -> list[int]:
    """Where the headers of an archive begin."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as opened:
        return [member.offset for member in opened]


def with_checksum(header: bytes) -> bytes:
    blank = header[:148] + b" " * 8 + header[156:]
    return blank[:148] + b"%06o\0 " % sum(blank) + blank[156:]


def refused(archive: bytes, tmp_path: Path) -> bool:
    """Whether an archive is refused in a sentence, and leaves nothing; anything else that is raised goes on."""
    path = tmp_path / "odd.tar"
    path.write_bytes(archive)
    try:
        unpack(path, tmp_path / "unpacked", ignore)
    except FormatError as error:
        assert str(path) in str(error)
        assert not (tmp_path / "unpacked").exists()
        return True
    shutil.rmtree(tmp_path / "unpacked")
    return False


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
    kinds = b"\x000123457SgxLKX"
    odd = 0
    for _ in range(1500):
        mutated = bytearray(archive)
        at = chance.choice(headers_of(archive))
        header = bytearray(mutated[at : at + 512])
        for _ in range(chance.randint(0, 6)):
            header[chance.randrange(512)] = chance.choice([0, 32, 48, 55, 57, 128, 255, chance.randrange(256)])
        if chance.random() < 0.7:
            header[156] = chance.choice(kinds)
        if chance.random() < 0.3:
            header[124:136] = chance.choice([b"77777777777\0", b"\x80" + b"\xff" * 11, b"-0000000001\0", b"1" * 12])
        if chance.random() < 0.3:
            records = chance.choice(
                [b"30 GNU.sparse.map=1,x,3\n", b"25 GNU.sparse.size=-1\n", b"9 size=x\n", b"0 a=b\n"]
            )
            mutated[at + 512 : at + 512 + len(records)] = records
        mutated[at : at + 512] = with_checksum(bytes(header))
        odd += refused(bytes(mutated), tmp_path)
    assert odd > 500


def pipe(path: Path) -> None:
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.mkdir()


def listening(path: Path) -> None:
    with contextlib.chdir(path.parent), socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)


def dangling(path: Path) -> None:
    path.symlink_to("nowhere")


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.mark.parametrize("make", [pipe, folder, listening, dangling, endless])
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
        if (path / name).is_dir() and not (path / name).is_symlink():
            (path / name).rmdir()
        else:
            (path / name).unlink()
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
