"""`dragoman translate`: what goes in, where it goes out, and a program that writes a line and reads one."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
from pathlib import Path

import pytest

from dragoman.cli.main import run
from tests.unit.translate.support import make_model

HOUSES = {"la maison": "the house", "La maison bleue.": "The blue house.", "": "", "le chat": "the cat"}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("model") / "fr-en.model")


def test_text_on_the_command_line(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["translate", "-m", str(model), "--text", "La maison bleue.", "--text", "le chat\n\nla maison"]) == 0
    assert capsys.readouterr().out == "The blue house.\nthe cat\n\nthe house\n"
    assert run(["translate", "-m", str(model), "--text", "la maison", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["text"] == "the house"


def test_a_file_that_appears_whole_or_not_at_all(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("".join(f"{line}\n" for line in HOUSES))
    assert run(["translate", "-m", str(model), "a.txt", "-o", "b.txt"]) == 0
    assert Path("b.txt").read_text() == "".join(f"{line}\n" for line in HOUSES.values())
    assert capsys.readouterr().out == ""
    Path("a.txt").write_bytes(b"la maison\n" * 200 + b"\xff\n")
    assert run(["translate", "-m", str(model), "a.txt", "-o", "b.txt"]) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt", "b.txt"]
    assert Path("b.txt").read_text() == "".join(f"{line}\n" for line in HOUSES.values())
    assert run(["translate", "-m", str(model), "a.txt", "--text", "la maison"]) == 2
    assert "exclude each other" in capsys.readouterr().err


def answer(stream: int, seconds: float = 60) -> bytes:
    """A line, as long as it takes; the test fails where none comes."""
    line = b""
    while not line.endswith(b"\n"):
        assert select.select([stream], [], [], seconds)[0], f"no answer, but {line!r}"
        byte = os.read(stream, 1)
        assert byte, f"the end, after {line!r}"
        line += byte
    return line


@pytest.mark.parametrize("threads", ["1", "2", "5", "0"])
def test_a_program_that_writes_a_line_reads_one(model: Path, threads: str) -> None:
    command = [sys.executable, "-m", "dragoman", "translate", "-m", str(model), "--threads", threads]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
        assert process.stdin is not None and process.stdout is not None
        for source, target in HOUSES.items():
            process.stdin.write(f"{source}\n".encode())
            assert answer(process.stdout.fileno()).decode() == f"{target}\n"
        # Two at once, and the beginning of a third.
        process.stdin.write(b"le chat\nla maison\nle ch")
        assert answer(process.stdout.fileno()) + answer(process.stdout.fileno()) == b"the cat\nthe house\n"
        process.stdin.write(b"at\n")
        assert answer(process.stdout.fileno()) == b"the cat\n"
        process.stdin.write(b"la maison")
        process.stdin.close()
        assert process.stdout.read() == b"the house\n"
    assert process.returncode == 0


def test_somebody_at_a_terminal(model: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "dragoman", "translate", "-m", str(model)]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True) as process:
        os.close(theirs)
        seen = answer(ours)
        assert b"Ctrl-D" in seen
        os.write(ours, b"La maison bleue.\n")
        assert [answer(ours).strip() for _ in range(2)] == [b"La maison bleue.", b"The blue house."]
        os.write(ours, b"\x04")
        assert process.wait(60) == 0
    os.close(ours)
