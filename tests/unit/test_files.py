"""Files and directories appear whole or not at all."""

from __future__ import annotations

import errno
import gzip
import lzma
import os
import threading
from pathlib import Path

import pytest

from dragoman.errors import ConfigError, InputError
from dragoman.files import link_file, reading, writing, writing_directory


@pytest.mark.parametrize(
    ("suffix", "compress"), [("", bytes), (".gz", gzip.compress), (".xz", lzma.compress), (".GZ", gzip.compress)]
)
def test_reading_by_suffix(tmp_path: Path, suffix: str, compress: object) -> None:
    path = tmp_path / f"text{suffix}"
    path.write_bytes(compress("déjà\n".encode()))  # type: ignore[operator]
    with reading(path) as stream:
        assert stream.read() == "déjà\n".encode()


@pytest.mark.parametrize(("suffix", "compress"), [(".gz", gzip.compress), (".xz", lzma.compress)])
def test_truncated_archive_is_named(tmp_path: Path, suffix: str, compress: object) -> None:
    path = tmp_path / f"text{suffix}"
    path.write_bytes(compress(bytes(range(256)) * 40)[:-20])  # type: ignore[operator]
    with pytest.raises(InputError, match=f"text{suffix}.*cut off"), reading(path) as stream:
        stream.read()


def test_writing_replaces_only_when_complete(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_text("old")
    with pytest.raises(RuntimeError), writing(path) as stream:
        stream.write(b"half")
        raise RuntimeError
    assert path.read_text() == "old"
    with writing(path) as stream:
        stream.write(b"new")
    assert path.read_text() == "new"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    with writing(tmp_path / "link") as stream:
        stream.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(path.read_bytes()))
    reader.start()
    with writing(path) as stream:
        stream.write(b"new")
    reader.join()
    assert received == [b"new"]
    assert path.is_fifo()


def test_writing_names_the_file_the_user_knows(tmp_path: Path) -> None:
    with pytest.raises(OSError) as caught, writing(tmp_path / "out"):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert caught.value.filename == str(tmp_path / "out")
    with pytest.raises(FileNotFoundError) as missing, writing(tmp_path / "absent" / "out"):
        pass
    assert missing.value.filename == str(tmp_path / "absent" / "out")


@pytest.mark.parametrize("name", ["", ".", "..", "/", "a/.."])
def test_a_directory_needs_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    (tmp_path / "a").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match="name one below"), writing_directory(name, overwrite=True):
        pass


def test_only_what_is_ours_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.mkdir()
    (path / "ours").write_text("1")
    with writing_directory(path, True, lambda name: name == "ours") as directory:
        (directory / "ours").write_text("2")
    assert (path / "ours").read_text() == "2"
    with (
        pytest.raises(ConfigError, match="holds theirs"),
        writing_directory(path, True, lambda name: name == "ours") as directory,
    ):
        # Also what somebody else puts there while we work.
        (path / "theirs").write_text("3")
    assert {entry.name for entry in path.iterdir()} == {"ours", "theirs"}
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]


def test_directory_is_kept_unless_told_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with writing_directory(path) as directory:
        (directory / "a").write_text("1")
    with pytest.raises(ConfigError, match="exists already"), writing_directory(path):
        pass
    with pytest.raises(RuntimeError), writing_directory(path, overwrite=True) as directory:
        (directory / "b").write_text("2")
        raise RuntimeError
    assert [entry.name for entry in path.iterdir()] == ["a"]
    with writing_directory(path, overwrite=True) as directory:
        (directory / "b").write_text("2")
    assert [entry.name for entry in path.iterdir()] == ["b"]
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("code", [errno.EPERM, errno.EXDEV, errno.EACCES])
def test_files_are_copied_where_they_cannot_be_linked(
    code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(source: Path, target: Path) -> None:
        raise OSError(code, "no")

    (tmp_path / "a").write_bytes(b"text")
    monkeypatch.setattr(os, "link", refuse)
    if code == errno.EACCES:
        with pytest.raises(OSError):
            link_file(tmp_path / "a", tmp_path / "b")
        return
    link_file(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "b").read_bytes() == b"text"
