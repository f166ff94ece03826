"""The demo as a user runs it, without the network: with no packages to be had, and with stand-ins that deliver some."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = 150
PARAGRAPHS = 20
# Real words, so that the language filter has something to go by; numbers in words keep every sentence different.
FRENCH = ["le petit chien", "la grande maison", "les vieux livres", "une autre ville", "notre bon voisin"]
ENGLISH = ["the little dog", "the big house", "the old books", "another city", "our good neighbour"]


def demo(folder: Path, path: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "examples.demo", *arguments],
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONIOENCODING": "utf-8", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=600,
    )


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


@pytest.fixture
def empty_path(tmp_path: Path) -> str:
    folder = tmp_path / "no-programs"
    folder.mkdir()
    return str(folder)


def test_without_apt_the_phrasebook_steps_in(tmp_path: Path, empty_path: str) -> None:
    for _ in range(2):
        done = demo(tmp_path, empty_path)
        assert (done.returncode, done.stderr) == (0, "")
        assert "apt-get, which would fetch the packages, is not on this machine" in done.stdout
        assert "phrasebook" in done.stdout
        assert "train my.fr my.en" in done.stdout
        assert "links: " in done.stdout and "phrasebook.tsv, line" in done.stdout
        scores = next(line for line in done.stdout.splitlines() if line.startswith("n-gram"))
        assert float(scores.split()[1]) > 10
        assert "\x1b" not in done.stdout
        rows = [line.split()[:2] for line in done.stdout.splitlines() if " French " in line or " English " in line]
        assert rows == [[split, name] for split in ("train", "dev", "test") for name in ("French", "English")]
    assert sorted(path.name for path in (tmp_path / "data").iterdir()) == ["phrasebook"]
    folder = tmp_path / "data/phrasebook/prepared"
    french = [line for split in ("train", "dev", "test") for line in lines(folder / f"{split}.fr")]
    english = [line for split in ("train", "dev", "test") for line in lines(folder / f"{split}.en")]
    assert len(french) == len(english) == len(set(french)) >= 400
    assert len(lines(folder / "dev.fr")) == len(lines(folder / "test.fr")) == 40
    assert (tmp_path / "data/phrasebook/model/model.json").is_file()


def test_data_folder_that_cannot_be_made(tmp_path: Path, empty_path: str) -> None:
    (tmp_path / "file").write_text("")
    done = demo(tmp_path, empty_path, "--corpus", "phrasebook", "--data", "file/data")
    assert done.returncode == 1
    assert done.stderr.startswith("dragoman: ") and done.stderr.count("\n") == 1


@pytest.mark.parametrize("arguments", [["--corpus", "nonsense"], ["--nonsense"], ["surplus"]])
def test_wrong_call(tmp_path: Path, empty_path: str, arguments: list[str]) -> None:
    done = demo(tmp_path, empty_path, *arguments)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and "Traceback" not in done.stderr


def write_help(tree: Path) -> None:
    for language, phrases in (("fr", FRENCH), ("en-US", ENGLISH)):
        linking = "est devant" if language == "fr" else "is in front of"
        for page in range(PAGES):
            body = []
            for number in range(PARAGRAPHS):
                code = page * PARAGRAPHS + number
                one, two = phrases[code % 5], phrases[code // 5 % 5]
                word = "".join(chr(ord("a") + int(digit)) for digit in str(code))
                body.append(f'<p id="par_{number}">{one} <b>{word}</b> {linking} {two}.</p>')
            path = tree / f"usr/share/libreoffice/help/{language}/text/{page}.html"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(body), encoding="utf-8")


def test_with_packages(tmp_path: Path, empty_path: str) -> None:
    """Fetched, unpacked, paired and split by page; a second run fetches and unpacks nothing."""
    write_help(tmp_path / "tree")
    programs = tmp_path / "programs"
    programs.mkdir()
    scripts = {
        "apt-get": f'echo called >> "{tmp_path}/calls"\n'
        'for name in "$@"; do case $name in libreoffice-*) echo x > "$name"_1_all.deb;; esac; done',
        "dpkg-deb": f'echo called >> "{tmp_path}/calls"\ncp -R "{tmp_path}/tree/." "$3"',
    }
    for name, script in scripts.items():
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)
    path = f"{programs}:/usr/bin:/bin"
    first = demo(tmp_path, path, "--no-train")
    assert (first.returncode, first.stderr) == (0, "")
    assert f"{PAGES} pages" in first.stdout
    calls = lines(tmp_path / "calls")
    second = demo(tmp_path, path, "--no-train")
    assert (second.returncode, second.stderr) == (0, "")
    assert lines(tmp_path / "calls") == calls
    assert "already here" in second.stdout
    folder = tmp_path / "data/libreoffice-help/prepared"
    pages = {
        split: {json.loads(line)["attributes"]["page"] for line in lines(folder / f"{split}.origin.jsonl")}
        for split in ("train", "dev", "test")
    }
    assert all(pages.values())
    assert not pages["train"] & pages["dev"] | pages["train"] & pages["test"] | pages["dev"] & pages["test"]
    assert sum(map(len, pages.values())) == PAGES
