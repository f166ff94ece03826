"""The command `dragoman` as a user runs it: exit codes, streams, one-sentence errors."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from dragoman import _core
from dragoman.model.directory import building_model
from dragoman.model.manifest import Manifest


def dragoman(*arguments: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "dragoman", *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, timeout=60)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    with building_model(tmp_path / "model", Manifest("fr", "en")) as directory:
        (directory / "weights.txt").write_text("LanguageModel 0.5\n")
        _core.testing.write_container(str(directory / "lm.bin"), "lm", {"trie": b"y" * 300, "strings": b"z"})
    return tmp_path / "model"


def test_help_and_version() -> None:
    shown = dragoman("--help")
    assert shown.returncode == 0 and b"inspect" in shown.stdout and not shown.stderr
    assert b"0.1.0" in dragoman("--version").stdout


def test_inspect(model: Path) -> None:
    table = dragoman("inspect", model, "--sections")
    assert table.returncode == 0 and b"lm.bin" in table.stdout and b"trie" in table.stdout
    described = json.loads(dragoman("inspect", model, "--json").stdout)
    assert described["components"]["lm.bin"]["sections"] == {"trie": 300, "strings": 1}
    assert described["bytes"] == sum(path.stat().st_size for path in model.iterdir())


def test_pack_unpack(model: Path, tmp_path: Path) -> None:
    assert dragoman("pack", model).returncode == 0
    packed = tmp_path / "model.dragoman"
    assert dragoman("unpack", packed, "--out", tmp_path / "copy").returncode == 0
    assert (tmp_path / "copy" / "lm.bin").read_bytes() == (model / "lm.bin").read_bytes()
    again = dragoman("unpack", packed, "--out", tmp_path / "copy")
    assert again.returncode == 2 and b"exists already" in again.stderr


def damage(model: Path, kind: str) -> None:
    file = model / "lm.bin"
    content = bytearray(file.read_bytes())
    if kind == "missing":
        file.unlink()
    elif kind == "swapped":
        _core.testing.write_container(str(file), "nlm", {"trie": b"y" * 300, "strings": b"z"})
    elif kind == "truncated":
        file.write_bytes(content[:-100])
    elif kind == "flipped":
        content[300] ^= 1
        file.write_bytes(content)
    elif kind == "manifest":
        (model / "model.json").write_text("nonsense")


@pytest.mark.parametrize("kind", ["missing", "swapped", "truncated", "flipped", "manifest"])
def test_damaged_models_give_one_sentence(model: Path, kind: str) -> None:
    damage(model, kind)
    shown = dragoman("inspect", model)
    assert shown.returncode == 1 and not shown.stdout
    lines = shown.stderr.decode().splitlines()
    assert len(lines) == 1 and lines[0].startswith("dragoman: ") and "Traceback" not in lines[0]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(("nonsense",), 2), (("inspect",), 2), (("inspect", "absent"), 1), (("inspect", "--nonsense"), 2)],
)
def test_wrong_calls(arguments: tuple[str, ...], code: int) -> None:
    shown = dragoman(*arguments)
    assert shown.returncode == code
    assert shown.stderr.startswith(b"dragoman: ") and shown.stderr.count(b"\n") == 1


def test_a_reader_that_has_enough_is_no_failure() -> None:
    command = f"yes 'Bonjour, le monde.' | {sys.executable} -m dragoman.cli.main corpus tokenize --lang fr | head -n 1"
    shown = subprocess.run(["bash", "-c", f"set -o pipefail; {command}; echo ${{PIPESTATUS[1]}}"], capture_output=True)
    assert shown.stdout.decode().splitlines() == ["Bonjour , le monde .", "0"] and not shown.stderr


def test_parts_become_a_model_that_translates(tmp_path: Path) -> None:
    """Align, index, language model, translate: the parts by hand, on text that is tokens already."""
    pairs = [("la maison rouge", "the red house"), ("la maison", "the house"), ("une fleur rouge", "a red flower")] * 5
    for side, text in enumerate(("fr", "en")):
        (tmp_path / text).write_text("".join(pair[side] + "\n" for pair in pairs))
    links = dragoman("align", tmp_path / "fr", tmp_path / "en")
    assert links.returncode == 0, links.stderr
    (tmp_path / "links").write_bytes(links.stdout)
    for command in (
        ("extract", "index", tmp_path / "fr", tmp_path / "en", tmp_path / "links", "--out", tmp_path / "model"),
        ("lm", "build", tmp_path / "en", "--order", "3", "--out", tmp_path / "model"),
        ("inspect", tmp_path / "model"),
    ):
        done = dragoman(*command)
        assert done.returncode == 0, done.stderr
    assert b"lm.bin" in done.stdout
    shown = dragoman("translate", "-m", tmp_path / "model", stdin=b"la fleur rouge\n\nune maison\nXYZ\n")
    assert shown.stdout.decode().splitlines() == ["the red flower", "", "a house", "XYZ"], shown.stderr
