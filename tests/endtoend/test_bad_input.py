"""Bad input through the real command: one sentence on stderr, exit code 1 or 2, no traceback, nothing lost or left."""

from __future__ import annotations

import gzip
import json
import lzma
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "dragoman"]
GOOD_FR, GOOD_EN = "Le chat dort.\nIl fait beau.\nMerci.\n" * 3, "The cat sleeps.\nIt is sunny.\nThanks.\n" * 3
BOMB = (
    "<!DOCTYPE tmx ["
    + "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "lol"}">' for n in range(10))
    + "]><tmx><body><tu><tuv xml:lang='fr'><seg>&l9;</seg></tuv></tu></body></tmx>"
)
GERMAN, ITALIAN = (f"<tuv xml:lang='{lang}'><seg>x</seg></tuv>" for lang in ("de", "it"))
OTHER_TMX = f"<tmx><header/><body><tu>{GERMAN}{ITALIAN}</tu></body></tmx>"
CUT_XZ = lzma.compress(os.urandom(9000).hex().encode())[:2000]


def run(
    arguments: list[str],
    folder: Path,
    before: Callable[[], None] | None = None,
    stdin: bytes = b"",
    environment: dict[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=folder,
        input=stdin,
        capture_output=True,
        timeout=120,
        preexec_fn=before,
        env={**os.environ, **(environment or {})},
    )


def one_sentence(result: subprocess.CompletedProcess[bytes], *expected: str, codes: tuple[int, ...] = (1, 2)) -> None:
    stderr = result.stderr.decode()
    assert result.returncode in codes, stderr
    assert "Traceback" not in stderr
    assert len(stderr.strip().splitlines()) == 1, stderr
    assert stderr.startswith("dragoman: ")
    for text in expected:
        assert text in stderr


# name of the case: ({file: content}, arguments after `corpus prepare`, what the sentence must say)
CASES: dict[str, tuple[dict[str, bytes | str], list[str], list[str]]] = {
    "unequal": ({"a.fr": GOOD_FR, "a.en": GOOD_EN + "more\n"}, ["a.fr", "a.en"], ["a.fr has 9 lines", "a.en has 10"]),
    "not utf-8": (
        {"a.fr": b"Le\n\xe9t\xe9\n", "a.en": "a\nb\n"},
        ["a.fr", "a.en"],
        ["a.fr, line 2", "UTF-8"],
    ),
    "nul": ({"a.fr": "a\nb\0\n", "a.en": "a\nb\n"}, ["a.fr", "a.en"], ["a.fr, line 2", "NUL"]),
    "long line": (
        {"a.fr": "a" * 10**7 + "\n", "a.en": "a\n"},
        ["a.fr", "a.en"],
        ["a.fr, line 1", "1,000,000 bytes"],
    ),
    "long last line": ({"a.fr": "a", "a.en": "x " * 5_000_000}, ["a.fr", "a.en"], ["a.en, line 1", "--max-line-bytes"]),
    "empty files": ({"a.fr": "", "a.en": ""}, ["a.fr", "a.en"], ["a.fr and a.en", "empty"]),
    "empty tsv": ({"a.tsv": ""}, ["a.tsv"], ["a.tsv", "empty"]),
    "empty tmx": ({"a.tmx": ""}, ["a.tmx"], ["a.tmx"]),
    "empty po": ({"a.po": ""}, ["a.po"], ["a.po is empty"]),
    "empty jsonl": ({"a.jsonl": ""}, ["a.jsonl"], ["a.jsonl", "empty"]),
    "directory": ({"a.en": "x\n"}, ["old", "a.en"], ["old holds no bilingual text", "train.fr and train.en"]),
    "no zip": ({"a.zip": "plain"}, ["a.zip"], ["a.zip", "no zip archive", "fetch it again"]),
    "csv without columns": ({"a.csv": "un\ndeux\n"}, ["a.csv"], ["a.csv", "what separates its columns"]),
    "open quote": ({"a.csv": 'un,one\ndeux,"two\n'}, ["a.csv"], ["a.csv, line 2", "quote"]),
    "other languages": ({"a.jsonl": '{"de": "eins"}\n'}, ["a.jsonl"], ["a.jsonl, line 1", '"fr" and "en"']),
    "missing file": ({}, ["none.tmx"], ["none.tmx", "no such file"]),
    "no partner": ({"a.fr": "x\n"}, ["a.fr"], ["a.fr has no partner"]),
    "truncated xz": (
        {"a.tsv.xz": CUT_XZ},
        ["a.tsv.xz"],
        ["a.tsv.xz", "cut off"],
    ),
    "truncated gz": ({"a.tmx.gz": gzip.compress(OTHER_TMX.encode())[:60]}, ["a.tmx.gz"], ["a.tmx.gz", "cut off"]),
    "no archive": ({"a.tmx.gz": "plain"}, ["a.tmx.gz"], ["a.tmx.gz"]),
    "malformed tmx": ({"a.tmx": "<tmx><body><tu></body></tmx>"}, ["a.tmx"], ["a.tmx, line 1", "well-formed"]),
    "cut xliff": ({"a.xlf": "<xliff version='1.2'><file>"}, ["a.xlf"], ["a.xlf, line 1"]),
    "malformed po": ({"a.po": 'msgid "a"\nmsgstr "b\n'}, ["a.po"], ["a.po, line 2"]),
    "damaged mo": ({"a.mo": b"\xde\x12\x04\x95\0\0"}, ["a.mo"], ["a.mo", "damaged"]),
    "languages missing": ({"a.tmx": OTHER_TMX}, ["a.tmx"], ["no units with both fr and en", "de, it"]),
    "bomb": ({"a.tmx": BOMB}, ["a.tmx"], ["a.tmx", "entities"]),
    "one column": ({"a.tsv": "no tab here\n"}, ["a.tsv"], ["a.tsv", "column"]),
    "bad json": ({"a.jsonl": "{\n"}, ["a.jsonl"], ["a.jsonl, line 1", "JSON"]),
    "utf-16 text": ({"a.tsv": "a\tb\n".encode("utf-16")}, ["a.tsv"], ["UTF-16", "iconv"]),
    "nothing left": ({"a.tsv": "\t\n" * 3 + "...\t!\n"}, ["a.tsv"], ["none of"]),
    "too much held out": ({"a.tsv": "un\tone\n"}, ["a.tsv", "--dev", "5"], ["--dev 5"]),
    "bad size": ({"a.tsv": "un\tone\n"}, ["a.tsv", "--test", "many"], ["--test"]),
    "no inputs": ({}, [], ["no input"]),
    "source without target": ({"a": "x\n"}, ["--source", "a"], ["--target"]),
    "wrong option": ({"a.tsv": "un\tone\n"}, ["a.tsv", "--nonsense"], ["--nonsense"]),
}


@pytest.mark.parametrize("case", CASES)
def test_prepare(tmp_path: Path, case: str) -> None:
    files, arguments, expected = CASES[case]
    for name, content in files.items():
        (tmp_path / name).write_bytes(content.encode() if isinstance(content, str) else content)
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "train.fr").write_text("precious\n")
    (tmp_path / "rejects").write_text("precious\n")
    options = ["--source-lang", "fr", "--target-lang", "en", "--out", "old", "--overwrite", "--dropped", "rejects"]
    result = run(["corpus", "prepare", *arguments, *options], tmp_path)
    one_sentence(result, *expected)
    assert result.stdout == b""
    assert (tmp_path / "old" / "train.fr").read_text() == "precious\n"
    assert (tmp_path / "rejects").read_text() == "precious\n"
    assert {path.name for path in tmp_path.iterdir()} == {*files, "old", "rejects"}


PREPARE = ["corpus", "prepare", "a.fr", "a.en", "--source-lang", "fr", "--target-lang", "en"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.fr").write_text("".join(f"Le chat {word}{word} dort.\n" for word in map(chr, range(97, 123))) * 40)
    (tmp_path / "a.en").write_text("".join(f"Cat {word}{word} sleeps.\n" for word in map(chr, range(97, 123))) * 40)
    return tmp_path


def test_existing_output_needs_overwrite(folder: Path) -> None:
    (folder / "out").mkdir()
    (folder / "out" / "train.fr").write_text("precious")
    one_sentence(run([*PREPARE, "--out", "out"], folder), "--overwrite", codes=(2,))
    assert (folder / "out" / "train.fr").read_text() == "precious"
    assert run([*PREPARE, "--out", "out", "--overwrite"], folder).returncode == 0
    assert (folder / "out" / "train.fr").read_text() != "precious"


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# Arguments after PREPARE that would lose something of the user's, and what the sentence must say.
LOSSES: dict[str, tuple[list[str], str]] = {
    "other files in the output": (["--out", "own", "--overwrite"], "own holds diary.txt"),
    "output is the folder of the input": (["--out", ".", "--overwrite"], "a.fr"),
    "output is the folder of the input, by its path": (["--out", "{folder}", "--overwrite"], "a.fr"),
    "output is the parent folder": (["--out", "..", "--overwrite"], ".."),
    "output is the root": (["--out", "/", "--overwrite"], "/"),
    "output is nothing": (["--out", "", "--overwrite"], "input"),
    "output is an input": (["--out", "a.fr", "--overwrite"], "a.fr"),
    "output is a file": (["--out", "own/diary.txt", "--overwrite"], "is a file"),
    "dropped pairs over an input": (["--out", "new", "--dropped", "a.en"], "a.en"),
    "dropped pairs over an output": (["--out", "new", "--dropped", "new/train.fr"], "train.fr"),
    "dropped pairs over a folder": (["--out", "new", "--dropped", "own"], "own"),
}


@pytest.mark.parametrize("case", LOSSES)
def test_nothing_of_the_users_is_lost(folder: Path, case: str) -> None:
    arguments, expected = LOSSES[case]
    (folder / "own").mkdir()
    (folder / "own" / "diary.txt").write_text("precious")
    before = contents(folder)
    one_sentence(run([*PREPARE, *(part.format(folder=folder) for part in arguments)], folder), expected)
    assert contents(folder) == before


def test_dropped_pairs_inside_the_output(folder: Path) -> None:
    for _ in range(2):
        result = run([*PREPARE, "--out", "out", "--dropped", "out/dropped.jsonl", "--overwrite"], folder)
        assert result.returncode == 0, result.stderr
    assert b'"rule":"duplicate"' in (folder / "out" / "dropped.jsonl").read_bytes()
    assert (folder / "out" / "train.fr").exists()


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--max-ratio", "nan"], "--max-ratio"),
        (["--max-line-bytes", "-1"], "--max-line-bytes"),
        (["--dev", "9" * 5000], "--dev"),
        (["--source", "-", "--target", "-"], "standard input"),
        (["--format", "tsv", "--source-column", "1", "--target-column", "1"], "the same"),
        (["--format", "tsv", "--source-column", "9" * 5000, "--target-column", "1"], "a.fr"),
        (["--source-lang", "fr.x/../y"], "language code"),
    ],
)
def test_odd_option_values(folder: Path, options: list[str], expected: str) -> None:
    one_sentence(run([*PREPARE, *options, "--out", "out"], folder), expected)
    assert not (folder / "out").exists()


def test_huge_limits_are_no_limits(folder: Path) -> None:
    options = ["--max-tokens", "9" * 40, "--max-ratio", "1e300", "--split-seed", "9" * 40]
    result = run([*PREPARE, *options, "--out", "[/b]:x: \udcff"], folder)
    assert result.returncode == 0, result.stderr


def test_names_that_are_no_text(folder: Path) -> None:
    name = os.fsdecode(b"caf\xe9[x].tsv")
    (folder / name).write_text("Le chat dort.\tThe cat sleeps.\n")
    options = ["--source-lang", "fr", "--target-lang", "en", "--out", "out"]
    result = run(["corpus", "prepare", name, *options, "--json"], folder)
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["inputs"][0]["files"] == [name]
    assert json.loads((folder / "out" / "train.origin.jsonl").read_bytes())["file"] == name
    assert json.loads((folder / "out" / "report.json").read_bytes())["inputs"][0]["files"] == [name]
    result = run(["corpus", "stats", name, "--lang", "fr"], folder)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(("closed", "expected"), [(0, "standard input is closed"), (1, "standard output is closed")])
def test_closed_streams(folder: Path, closed: int, expected: str) -> None:
    one_sentence(run(["corpus", "tokenize", "--lang", "fr"], folder, before=lambda: os.close(closed)), expected)


def test_no_command_prints_help(folder: Path) -> None:
    result = run([], folder)
    assert result.returncode == 2
    assert result.stderr.startswith(b"Usage: ")


def test_language_of_stats(folder: Path) -> None:
    (folder / "a.txt").write_text("x\n")
    one_sentence(run(["corpus", "stats", "a.txt"], folder), "a.txt", "--lang", codes=(2,))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_leave_nothing_behind(folder: Path, number: signal.Signals) -> None:
    # A pipe that stays open: the command is in the middle of reading for as long as it takes.
    options = ["-", "--format", "tsv", "--source-lang", "fr", "--target-lang", "en", "--out", "out", "--dropped", "d"]
    process = subprocess.Popen(
        [*COMMAND, "corpus", "prepare", *options],
        cwd=folder,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # Whoever runs the tests may have told them to outlive a terminal, which programs inherit.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
    )
    assert process.stdin is not None
    before = {path.name for path in folder.iterdir()}
    while {path.name for path in folder.iterdir()} == before:
        time.sleep(0.02)
    process.send_signal(number)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"interrupted" in stderr
    assert {path.name for path in folder.iterdir()} == before


def test_read_only_output(folder: Path) -> None:
    closed = folder / "closed"
    closed.mkdir()
    closed.chmod(0o555)
    # Permissions do not bind root, but nobody can make files below /proc.
    place = "/proc/dragoman-out" if os.geteuid() == 0 else "closed/out"
    one_sentence(run([*PREPARE, "--out", place], folder), place, "cannot write")
    assert list(closed.iterdir()) == []
    one_sentence(run([*PREPARE, "--out", "out", "--dropped", f"{place}/dropped"], folder))
    assert not (folder / "out").exists()


def limit_file_size() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))


def test_no_room_for_the_output(folder: Path) -> None:
    keep = ["--no-drop-duplicates", "--no-drop-near-duplicates"]
    one_sentence(run([*PREPARE, *keep, "--out", "out"], folder, before=limit_file_size), "out: cannot write")
    assert {path.name for path in folder.iterdir()} == {"a.fr", "a.en"}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_full_disk_behind_a_filter(folder: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(
            [*COMMAND, "corpus", "tokenize", "--lang", "fr", "a.fr"], cwd=folder, stdout=full, stderr=subprocess.PIPE
        )
    one_sentence(result, "No space left", codes=(1,))


@pytest.mark.parametrize("verb", ["tokenize", "detokenize"])
@pytest.mark.parametrize(
    ("content", "expected"),
    [(b"a\nb\xff\n", "standard input, line 2"), (b"a\n\0\n", "line 2"), ("a\n".encode("utf-16"), "UTF-16")],
)
def test_filters(tmp_path: Path, verb: str, content: bytes, expected: str) -> None:
    one_sentence(run(["corpus", verb, "--lang", "fr"], tmp_path, stdin=content), expected, codes=(1,))


def test_filters_on_files(tmp_path: Path) -> None:
    one_sentence(run(["corpus", "tokenize", "--lang", "fr", "."], tmp_path), "directory")
    one_sentence(run(["corpus", "tokenize", "--lang", "fr", "none"], tmp_path), "no such file")
    one_sentence(run(["corpus", "tokenize", "--lang", "French"], tmp_path), "language code", codes=(2,))
    one_sentence(run(["corpus", "stats", "none"], tmp_path), "no such file")
    (tmp_path / "empty.fr").touch()
    one_sentence(run(["corpus", "stats", "empty.fr"], tmp_path), "empty")
    one_sentence(run(["corpus", "stats", "."], tmp_path), "directory")


def test_a_very_long_line_passes_the_filters(tmp_path: Path) -> None:
    line = b"mot " * 2_500_000
    result = run(["corpus", "tokenize", "--lang", "fr"], tmp_path, stdin=b"un\n" + line + b"\nfin")
    assert result.returncode == 0
    assert result.stdout == b"un\n" + line.strip() + b"\nfin\n"


def test_head_is_no_failure(folder: Path) -> None:
    command = " ".join([*COMMAND, "corpus tokenize --lang fr big; echo $? >&2"])
    (folder / "big").write_text((folder / "a.fr").read_text() * 100)
    result = subprocess.run(["bash", "-c", f"({command}) | head -n 1"], cwd=folder, capture_output=True, timeout=60)
    assert result.stdout == b"Le chat aa dort .\n"
    assert result.stderr == b"0\n"


def test_a_missing_library_is_named_with_the_command_that_brings_it(tmp_path: Path) -> None:
    (tmp_path / "sacrebleu.py").write_text("raise ImportError('not here', name='sacrebleu')\n")
    (tmp_path / "uvicorn.py").write_text("raise ImportError('not here', name='uvicorn')\n")
    (tmp_path / "a").write_text("x\n")
    for arguments, package in ((["evaluate", "a", "a"], "sacrebleu"), (["serve", "-m", "a"], "uvicorn")):
        result = run(arguments, tmp_path, environment={"PYTHONPATH": str(tmp_path)})
        one_sentence(result, f"{sys.executable} -m pip install ", codes=(1, 2))
        one_sentence(result, package, codes=(1, 2))


INTERRUPTED = "corpus prepare - --format tsv --source-lang fr --target-lang en --out out"


def test_interrupt_leaves_nothing(folder: Path) -> None:
    reader, writer = os.pipe()
    os.write(writer, b"Le chat\tThe cat\n")
    process = subprocess.Popen(
        [*COMMAND, *INTERRUPTED.split(" ")],
        cwd=folder,
        stdin=reader,
        stderr=subprocess.PIPE,
    )
    os.close(reader)
    deadline = 200
    while not list(folder.glob(".out.*")) and deadline and process.poll() is None:
        deadline -= 1
        time.sleep(0.05)
    process.terminate()
    assert process.wait(timeout=20) == 130
    os.close(writer)
    assert process.stderr is not None
    assert b"interrupted" in process.stderr.read()
    assert {path.name for path in folder.iterdir()} == {"a.fr", "a.en"}
