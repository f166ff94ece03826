"""`dragoman extract` as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest


def dragoman(*arguments: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "dragoman", "extract", *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, timeout=60)


@pytest.fixture
def texts(tmp_path: Path) -> list[Path]:
    contents = {"fr": "le chat\nle chien\n", "en": "the cat\nthe dog\n", "al": "0-0 1-1\n0-0 1-1\n"}
    for name, text in contents.items():
        (tmp_path / name).write_text(text)
    return [tmp_path / name for name in contents]


def test_index_grammar_table(texts: list[Path], tmp_path: Path) -> None:
    model = tmp_path / "model"
    built = dragoman("index", *texts, "--out", model, "--json")
    assert built.returncode == 0
    assert json.loads(built.stdout) == {"sentences": 2, "source_tokens": 4, "target_tokens": 4, "links": 4}

    stream = dragoman("grammar", model, stdin=b"le chat\n\nchien\n")
    assert stream.returncode == 0 and not stream.stderr
    assert b"[X] ||| le chat ||| the cat ||| EgivenFCoherent=0 " in stream.stdout
    files = dragoman("grammar", model, "--out-dir", tmp_path / "out", "--threads", "2", stdin=b"le chat\n\nchien\n")
    assert files.returncode == 0 and not files.stdout
    parts = [(tmp_path / "out" / f"grammar.{i}").read_bytes() for i in range(3)]
    assert b"".join(parts) == stream.stdout and parts[1] == b""
    without = dragoman("grammar", model, "--leave-one-out", stdin=b"le chat\n")
    assert b"chat" not in without.stdout and b"[X] ||| le ||| the" in without.stdout

    counts = dragoman("count", model, "--json", stdin=b"le chat\n\nchien\n")
    assert json.loads(counts.stdout)["sentences"] == 3
    assert json.loads(counts.stdout)["rules"] == stream.stdout.count(b"\n")
    assert b"rules" in dragoman("count", model, stdin=b"le chat\n").stdout

    table = dragoman("table", model)
    assert table.returncode == 0
    assert b"chat ||| cat ||| 1 1 1 1 ||| 0-0 ||| 1 1 1\n" in table.stdout
    assert dragoman("table", model, "--out", tmp_path / "table").returncode == 0
    assert (tmp_path / "table").read_bytes() == table.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["grammar", "nowhere"], 1, b"no such model directory"),
        (["grammar", "MODEL", "--max-rule-span", "0"], 2, b"max_rule_span: must be between 1 and 255"),
        (["grammar", "MODEL", "--matching", "fast"], 2, b"'fast' is not one of"),
        (["table", "MODEL", "--max-phrase-length", "0"], 2, b"max_phrase_length: must be between"),
        (["index", "FR", "EN", "nowhere", "--out", "other"], 1, b"nowhere: No such file"),
        (["index", "FR", "EN", "FR", "--out", "other"], 1, b"line 1: 'le' is no link"),
        (["index", "FR", "EN", "AL", "--out", "MODEL"], 2, b"exists already"),
    ],
)
def test_refusals(texts: list[Path], tmp_path: Path, arguments: list[str], code: int, says: bytes) -> None:
    assert dragoman("index", *texts, "--out", tmp_path / "MODEL").returncode == 0
    known = {"FR": texts[0], "EN": texts[1], "AL": texts[2], "other": tmp_path / "other", "MODEL": tmp_path / "MODEL"}
    failed = dragoman(*(known.get(argument, argument) for argument in arguments), stdin=b"le\n")
    assert failed.returncode == code and says in failed.stderr and b"Traceback" not in failed.stderr
    assert failed.stderr.count(b"\n") == 1
    assert not (tmp_path / "other").exists()


def test_input_that_is_not_text(texts: list[Path], tmp_path: Path) -> None:
    assert dragoman("index", *texts, "--out", tmp_path / "model").returncode == 0
    failed = dragoman("grammar", tmp_path / "model", stdin=b"le\n\xff\n")
    assert failed.returncode == 1 and b"standard input: line 2" in failed.stderr
