"""Files and directories appear whole or not at all."""

from __future__ import annotations

import errno
import gzip
import lzma
from pathlib import Path

import pytest

from dragoman.errors import ConfigError, InputError
from dragoman.files import reading, writing, writing_directory


@pytest.mark.parametrize(("suffix", "compress"), [("", bytes), (".gz", gzip.compress), (".xz", lzma.compress)])
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


def test_writing_names_the_file_the_user_knows(tmp_path: Path) -> None:
    with pytest.raises(OSError) as caught, writing(tmp_path / "out"):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert caught.value.filename == str(tmp_path / "out")
    with pytest.raises(FileNotFoundError) as missing, writing(tmp_path / "absent" / "out"):
        pass
    assert missing.value.filename == str(tmp_path / "absent" / "out")


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
