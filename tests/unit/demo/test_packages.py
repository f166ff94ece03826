"""Fetching and unpacking with stand-ins for apt-get and dpkg-deb: what works, what fails, and what is left behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from examples.demo import packages
from examples.demo.packages import PackageError, complaint, fetch, fetched, unpack

NAMES = ("help-fr", "help-en")
APT_WORKS = 'for name in "$@"; do case $name in help-*) echo archive > "$name"_1_all.deb;; esac; done'
APT_STOPS_HALFWAY = 'echo archive > help-fr_1_all.deb; echo "E: Failed to fetch x  Could not connect" >&2; exit 100'
APT_NEEDS_LISTS = f"""
case "$*" in
  *update*) : > "$LISTS_FETCHED";;
  *) if [ -e "$LISTS_FETCHED" ]; then {APT_WORKS}; else echo "E: Unable to locate package help-fr" >&2; exit 100; fi;;
esac
"""
APT_HAS_NO_NETWORK = """
case "$*" in
  *update*) echo "W: Failed to fetch lists  Could not resolve host" >&2;;
  *) echo "E: Unable to locate package help-fr" >&2; exit 100;;
esac
"""
DPKG_WORKS = 'mkdir -p "$3/usr"; echo page > "$3/usr/$(basename "$2").html"'
DPKG_FAILS = 'mkdir -p "$3/usr"; echo "dpkg-deb: error: the archive is cut off" >&2; exit 2'


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of stand-ins that comes before everything else in PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.setenv("LISTS_FETCHED", str(tmp_path / "lists-fetched"))
    install(folder, "dpkg-deb", DPKG_WORKS)
    return folder


def install(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("script", [APT_WORKS, APT_NEEDS_LISTS])
def test_fetch_and_unpack(programs: Path, tmp_path: Path, script: str) -> None:
    install(programs, "apt-get", script)
    data = tmp_path / "data"
    fetch(NAMES, data / "packages")
    assert names_in(data / "packages") == ["help-en_1_all.deb", "help-fr_1_all.deb"]
    assert fetched(NAMES, data / "packages")
    unpack(NAMES, data / "packages", data / "pages")
    assert names_in(data / "pages/usr") == ["help-en_1_all.deb.html", "help-fr_1_all.deb.html"]
    assert names_in(data) == ["packages", "pages"]


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (APT_STOPS_HALFWAY, "Could not connect"),
        (APT_HAS_NO_NETWORK, "Could not resolve host"),
        ("echo nothing wrong here", "it gave no reason"),
        ("sleep 5", "did not finish"),
    ],
)
def test_failed_fetch_leaves_nothing(
    programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, reason: str
) -> None:
    monkeypatch.setattr(packages, "DOWNLOAD_SECONDS", 1)
    install(programs, "apt-get", script)
    with pytest.raises(PackageError, match=reason) as caught:
        fetch(NAMES, tmp_path / "data/packages")
    assert "\n" not in str(caught.value)
    assert names_in(tmp_path / "data") == []


def test_failed_unpacking_leaves_nothing(programs: Path, tmp_path: Path) -> None:
    install(programs, "apt-get", APT_WORKS)
    install(programs, "dpkg-deb", DPKG_FAILS)
    fetch(NAMES, tmp_path / "data/packages")
    with pytest.raises(PackageError, match="the archive is cut off"):
        unpack(NAMES, tmp_path / "data/packages", tmp_path / "data/pages")
    assert names_in(tmp_path / "data") == ["packages"]


def test_programs_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PackageError, match="apt-get, which would fetch the packages, is not on this machine"):
        fetch(NAMES, tmp_path / "packages")
    assert names_in(tmp_path) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("W: unimportant\nE: no such package\nE: another", "no such package"),
        ("W: Failed to fetch it", "Failed to fetch it"),
        ("first\nlast\n", "last"),
        ("", "it gave no reason"),
    ],
)
def test_complaint(text: str, expected: str) -> None:
    assert complaint(text) == expected
