"""Folders, zip archives and prefixes as input: which files are found, which go together, and what is refused."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.cli.main import run
from dragoman.config import ReadOptions
from dragoman.corpus.collected_files import paired
from dragoman.corpus.formats import Input, find_inputs, read_pairs
from dragoman.errors import DragomanError, InputError

TMX = (
    '<tmx version="1.4"><header srclang="fr"/><body><tu><tuv xml:lang="fr"><seg>trois</seg></tuv>'
    '<tuv xml:lang="en"><seg>three</seg></tuv></tu></body></tmx>'
)
XLIFF = (
    '<xliff version="1.2"><file source-language="fr" target-language="sv"><body><trans-unit id="1"><source>un</source>'
    "<target>en</target></trans-unit></body></file></xliff>"
)
# Each kind of file with the pair that it holds.
FILES: dict[str, str] = {
    "a/train.fr": "un\n",
    "a/train.en": "one\n",
    "b/fr/letter.txt": "deux\n",
    "b/en/letter.txt": "two\n",
    "c/memory.tmx": TMX,
    "d/rows.csv": "fr;en\nquatre;four\n",
    "e/lines.jsonl": '{"fr": "cinq", "en": "five"}\n',
    "f/rows.tsv": "six\tsix\n",
    "g/Europarl.en-fr.fr": "sept\n",
    "g/Europarl.en-fr.en": "seven\n",
}
PAIRS = {("un", "one"), ("deux", "two"), ("trois", "three"), ("quatre", "four")}
PAIRS |= {("cinq", "five"), ("six", "six"), ("sept", "seven")}
ASIDE = {"README": "x", "LICENSE.txt": "x", "g/Europarl.en-fr.xml": "<x/>", "mono.en": "x\n", "notes.pdf": "x"}


def fill(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def pack(path: Path, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def read_all(inputs: list[Input]) -> set[tuple[str, str]]:
    options = ReadOptions()
    return {(pair.source, pair.target) for entry in inputs for pair in read_pairs(entry, "fr", "en", options)}


def test_a_folder_an_archive_and_an_archive_in_a_folder(tmp_path: Path) -> None:
    folder = fill(tmp_path / "folder", FILES | ASIDE)
    archive = pack(tmp_path / "all.zip", FILES | ASIDE | {"__MACOSX/x.tsv": "x", ".hidden.tsv": "x", "dir/": ""})
    both = fill(tmp_path / "both", {})
    both.mkdir()
    pack(both / "en-fr.ZIP", FILES)
    for place in (folder, archive, both):
        aside: list[str] = []
        inputs = find_inputs([place], "fr", "en", ReadOptions(), aside)
        assert read_all(inputs) == PAIRS
        assert len(inputs) == 7
        assert len(aside) == (0 if place == both else len(ASIDE))
        for entry in inputs:
            assert all(file.is_file() for file in entry.files)
            assert entry.bytes > 0


def test_where_a_pair_came_from_is_told(tmp_path: Path) -> None:
    archive = pack(tmp_path / "all.zip", {"x/train.fr": "un\ndeux\n", "x/train.en": "one\ntwo\n"})
    (entry,) = find_inputs([str(archive)], "fr", "en", ReadOptions())
    last = list(read_pairs(entry, "fr", "en", ReadOptions()))[-1]
    assert str(last.origin) == f"{archive}/x/train.fr:2"
    # A member can be named as if the archive were a folder.
    assert read_all(find_inputs([f"{archive}/x/train.en", f"{archive}/x/train.fr"], "fr", "en", ReadOptions()))


def test_compressed_files_within_an_archive(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("memory.tmx.gz", gzip.compress(TMX.encode()))
    assert read_all(find_inputs([tmp_path / "a.zip"], "fr", "en", ReadOptions())) == {("trois", "three")}


@pytest.mark.parametrize(
    ("names", "prefix", "found"),
    [
        (["train.fr", "train.en"], "train", ("train.fr", "train.en")),
        (["train.fr.gz", "train.en.xz"], "train", None),
        (["train.fr.gz", "train.en.gz", "train.de.gz"], "train", ("train.fr.gz", "train.en.gz")),
        (["Europarl.en-fr.fr", "Europarl.en-fr.en"], "Europarl", ("Europarl.en-fr.fr", "Europarl.en-fr.en")),
        (["Europarl.en-fr.fr", "Europarl.en-fr.en"], "Europarl.en-fr", ("Europarl.en-fr.fr", "Europarl.en-fr.en")),
        (["a.fr_FR.txt", "a.en_GB.txt"], "a", ("a.fr_FR.txt", "a.en_GB.txt")),
        (["train.fr", "train2.en", "training.en"], "train", None),
        (["train.clean.fr", "train.clean.en"], "train", None),
        (["train.fr"], "train", None),
    ],
)
def test_a_prefix(names: list[str], prefix: str, found: tuple[str, str] | None, tmp_path: Path) -> None:
    fill(tmp_path, dict.fromkeys(names, "x\n"))
    if found is None:
        with pytest.raises(InputError, match="there is no such file"):
            find_inputs([tmp_path / prefix], "fr", "en", ReadOptions())
        return
    (entry,) = find_inputs([tmp_path / prefix], "fr", "en", ReadOptions())
    assert tuple(Path(path).name for path in entry.paths) == found


PART = st.sampled_from(["train", "a", "fr2en", "news", "de", "it", "x1", "No"])
NAME = st.tuples(PART, st.sampled_from(["{}", "fr-en.{}", "{}/b", "v_{}.txt", "{}-big", "{}.xz"]), PART).map(
    lambda parts: f"{parts[0]}.{parts[1]}.{parts[2]}"
)


@given(st.sets(NAME, max_size=6), st.sets(NAME, max_size=6))
def test_names_that_differ_in_the_language_alone_go_together(ours: set[str], theirs: set[str]) -> None:
    names = [name.format("fr") for name in ours] + [name.format("en") for name in theirs]
    expected = {(name.format("fr"), name.format("en")) for name in ours & theirs}
    assert set(paired(names, ("fr", "en"))) == expected


def test_files_of_models_and_of_their_training_are_no_input(tmp_path: Path) -> None:
    fill(tmp_path, {"m.tsv": "un\tone\n", "old.model/model.json": "{}", "old.model/names.tsv": "x\ty\n"})
    fill(tmp_path, {"old.model.work/text/train.fr": "a\n", "old.model.work/text/train.en": "a\n", ".git/a.tsv": "x\n"})
    inputs = find_inputs([tmp_path], "fr", "en", ReadOptions())
    assert [Path(entry.source).name for entry in inputs] == ["m.tsv"]


PO = 'msgid ""\nmsgstr "Language: {}\\nContent-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "un"\nmsgstr "{}"\n'


def test_catalogues_of_other_languages_are_passed_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In a folder; one that somebody names is another matter."""
    fill(tmp_path / "locale", {f"{lang}/app.po": PO.format(lang, lang) for lang in ("de", "en", "es")})
    fill(tmp_path / "locale", {"de.tmx": TMX.replace('"en"', '"de"'), "fr.xlf": XLIFF})
    inputs = find_inputs([tmp_path / "locale"], "fr", "en", ReadOptions())
    assert len(inputs) == 5
    assert read_all(inputs) == {("un", "en")}
    with pytest.raises(InputError, match="de"):
        read_all(find_inputs([tmp_path / "locale" / "de" / "app.po"], "fr", "en", ReadOptions()))
    for lang, out in (("en", "out"), ("it", "none")):
        call = [
            "corpus",
            "prepare",
            str(tmp_path / "locale"),
            "-s",
            "fr",
            "-t",
            lang,
            "-o",
            str(tmp_path / out),
            "--json",
        ]
        assert run(call) == (0 if lang == "en" else 1)
    shown = capsys.readouterr()
    assert json.loads(shown.out)["skipped"]["files in other languages"] == 4
    assert "5 files in other languages" in shown.err and shown.err.count("\n") == 1


def test_nothing_in_it(tmp_path: Path) -> None:
    fill(tmp_path / "folder", {"README": "x", "a.de": "x"})
    pack(tmp_path / "a.zip", {"README": "x", "a.de": "x"})
    for place in (tmp_path / "folder", tmp_path / "a.zip"):
        with pytest.raises(InputError, match=r"holds no bilingual text for fr and en.*it has README, a\.de"):
            find_inputs([place], "fr", "en", ReadOptions())


def damaged(kind: str, path: Path) -> None:
    if kind == "no archive":
        path.write_bytes(b"PK\x03\x04 nothing")
    elif kind == "cut off":
        pack(path, {"a.tsv": "un\tone\n" * 5000})
        path.write_bytes(path.read_bytes()[:-30])
    elif kind == "wrong bytes":
        pack(path, {"a.tsv": "".join(f"un {n}\tone {n}\n" for n in range(5000))})
        content = bytearray(path.read_bytes())
        content[2000:2010] = bytes(10)
        path.write_bytes(content)
    elif kind == "password":
        pack(path, {"a.tsv": "un\tone\n"})
        content = bytearray(path.read_bytes())
        for mark, at in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
            content[content.index(mark) + at] |= 1
        path.write_bytes(content)
    elif kind == "bomb":
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("a.tsv", "w") as member:
            for _ in range(70):
                member.write(b"\n" * (1 << 20))
        path.write_bytes(made.getvalue())


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("no archive", "no zip archive that can be read"),
        ("cut off", "no zip archive that can be read"),
        ("wrong bytes", "damaged"),
        ("password", "has a password"),
        ("bomb", "would grow to 73,400,320 bytes"),
    ],
)
def test_archives_that_are_refused(kind: str, says: str, tmp_path: Path) -> None:
    damaged(kind, tmp_path / "a.zip")
    with pytest.raises(DragomanError, match=says) as refused:
        read_all(find_inputs([tmp_path / "a.zip"], "fr", "en", ReadOptions()))
    assert "a.zip" in str(refused.value)


def test_what_is_left_aside_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(tmp_path / "folder", FILES | ASIDE)
    call = [
        "corpus",
        "prepare",
        str(tmp_path / "folder"),
        "-s",
        "fr",
        "-t",
        "en",
        "-o",
        str(tmp_path / "out"),
        "--json",
    ]
    assert run(call) == 0
    assert json.loads(capsys.readouterr().out)["skipped"] == {"files without pairs": len(ASIDE)}
