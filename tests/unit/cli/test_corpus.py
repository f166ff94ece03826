"""`dragoman corpus`: tables, JSON and options."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dragoman.cli.main import run

LANGS = ["--source-lang", "fr", "--target-lang", "en"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("a.tsv").write_text(
        "".join(f"Le chat {letter}{letter} dort.\tCat {letter}{letter} sleeps.\n" for letter in "abcdefghij") + "un\t\n"
    )
    return tmp_path


def test_prepare_as_table_and_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["corpus", "prepare", "a.tsv", *LANGS, "--dev", "2", "--test", "1", "--out", "out"]
    assert run(arguments) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    for text in ("read", "11", "dropped: empty", "kept", "train", "7", "dev"):
        assert text in shown.out
    assert run([*arguments, "--overwrite", "--json", "--no-drop-empty", "--max-ratio", "0"]) == 0
    numbers = json.loads(capsys.readouterr().out)
    assert numbers["kept"] == 11
    assert numbers["splits"] == {"train": 8, "dev": 2, "test": 1}
    assert numbers["options"]["clean"]["drop_empty"] is False
    assert json.loads((folder / "out" / "report.json").read_text()) == numbers


def test_source_and_target_options(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("left").write_text("un chat\ndeux chats\n")
    Path("right").write_text("a cat\ntwo cats\n")
    arguments = ["corpus", "prepare", "--source", "left", "--target", "right", *LANGS, "--out", "out", "--json"]
    assert run([*arguments, "--dev", "0", "--test", "0"]) == 0
    assert Path("out/train.fr").read_text() == "un chat\ndeux chats\n"
    assert json.loads(Path("out/train.origin.jsonl").read_text().split("\n")[1])["line"] == 2


def test_split_and_stats(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["corpus", "split", "a.tsv", *LANGS, "--dev", "2", "--test", "10%", "--out", "out", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"read": 11, "splits": {"train": 8, "dev": 2, "test": 1}}
    assert run(["corpus", "stats", "out", "--json"]) == 0
    numbers = json.loads(capsys.readouterr().out)
    assert [Path(entry["file"]).name for entry in numbers["files"]] == [
        f"{name}.{lang}" for name in ("train", "dev", "test") for lang in ("en", "fr")
    ]
    assert len(numbers["pairs"]) == 3
    assert run(["corpus", "stats", "out"]) == 0
    shown = capsys.readouterr().out
    assert "out/train.fr" in shown
    assert "OOV" in shown


def test_every_option_is_in_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["corpus", "prepare", "--help"]) == 0
    shown = capsys.readouterr().out
    for flag in ("--max-ratio", "--drop-near-duplicates", "--one-side", "--split-by", "--dropped", "default: 5.0"):
        assert flag in shown


def test_encode_and_decode(folder: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    raw = {"source.fr": "L'été, <s> Le CHAT dort.\n\nOui\n", "target.en": "The CAT sleeps.\n\nYes\n"}
    for name, text in raw.items():
        Path(name).write_text(text)
        side, lang = name.split(".")
        assert run(["corpus", "encode", name, f"{side}.bin", "--lang", lang]) == 0
        for flags, form in (([], ["--lowercase"]), (["--written"], [])):
            assert run(["corpus", "decode", f"{side}.bin", *flags]) == 0
            decoded = capfdbinary.readouterr().out
            assert run(["corpus", "tokenize", name, "--lang", lang, *form]) == 0
            assert decoded == capfdbinary.readouterr().out != b""
    links = b"0-0 2-3\n\n0-0\n"
    Path("links").write_bytes(links)
    assert run(["corpus", "encode", "links", "links.bin", "--pairs", "source.bin", "target.bin"]) == 0
    assert run(["corpus", "decode", "links.bin"]) == 0
    assert capfdbinary.readouterr().out == links


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["encode", "absent", "out.bin"], b"absent"),
        (["encode", "a.tsv", "out.bin", "--lang", "fr", "--pairs", "a.tsv", "a.tsv"], b"leave one of them out"),
        (["encode", "a.tsv", "out.bin", "--pairs", "a.tsv", "a.tsv"], b"is not a Dragoman file"),
        (["encode", "bad", "out.bin"], b"bad: line 2"),
        (["decode", "a.tsv"], b"is not a Dragoman file"),
    ],
)
def test_what_cannot_be_encoded_gets_one_sentence(
    arguments: list[str], says: bytes, folder: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    Path("bad").write_bytes(b"a\n\xff\n")
    assert run(["corpus", *arguments]) in (1, 2)
    said = capfdbinary.readouterr().err
    assert says in said and said.count(b"\n") == 1
    assert not Path("out.bin").exists()
