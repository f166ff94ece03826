"""Building, opening and measuring indexes; what is refused and how."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from dragoman import _core
from dragoman.errors import ConfigError, FormatError, InputError
from dragoman.index.build import build_index, open_index
from dragoman.index.grammar import grammars
from dragoman.model.directory import ModelDirectory

SOURCE = "le chat noir\nle chien noir\n\nle chat dort\n"
TARGET = "the black cat\nthe black dog\n\nthe cat sleeps\n"
LINKS = "0-0 1-2 2-1\n0-0 1-2 2-1\n\n0-0 1-1 2-2\n"


@pytest.fixture
def texts(tmp_path: Path) -> tuple[Path, Path, Path]:
    paths = tmp_path / "source", tmp_path / "target", tmp_path / "links"
    for path, text in zip(paths, (SOURCE, TARGET, LINKS), strict=True):
        path.write_text(text, "utf-8")
    return paths


def test_a_model_directory_of_its_own(texts: tuple[Path, Path, Path], tmp_path: Path) -> None:
    counts = build_index(*texts, tmp_path / "model", source_lang="fr", target_lang="en")
    assert counts == {"sentences": 4, "source_tokens": 9, "target_tokens": 9, "links": 9}
    model = ModelDirectory.open(tmp_path / "model", verify=True)
    assert json.loads(model.file("text.json").read_text()) == {"tokenizer": "none"}
    assert model.manifest.source_lang == "fr" and model.manifest.options["index"]["sample_seed"] == 1
    index = open_index(tmp_path / "model")
    assert (index.sentences, index.source_tokens) == (4, 9)


def test_the_same_input_gives_the_same_bytes(texts: tuple[Path, Path, Path], tmp_path: Path) -> None:
    for name in ("one", "two"):
        build_index(*texts, tmp_path / name)
    for file in (tmp_path / "one").iterdir():
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes()


def test_compressed_files(texts: tuple[Path, Path, Path], tmp_path: Path) -> None:
    packed = tmp_path / "source.gz"
    packed.write_bytes(gzip.compress(SOURCE.encode()))
    build_index(packed, *texts[1:], tmp_path / "model")
    assert open_index(tmp_path / "model").sentences == 4


@pytest.mark.parametrize(
    ("source", "target", "links", "says"),
    [
        ("a b\n", "x\n", "0-0 2-0\n", "line 1: link 2-0 points outside a pair of 2 source and 1 target words"),
        ("a\n", "x\n", "0-1\n", "line 1: link 0-1 points outside"),
        ("a\n\n", "x\n\n", "0-0\n0-0\n", "line 2: link 0-0 points outside a pair of 0 source and 0 target words"),
        ("a\n", "x\n", "0:0\n", "line 1: '0:0' is no link"),
        ("a\n", "x\n", "0-0x\n", "line 1: '0-0x' is no link"),
        ("a\n", "x\n", "0--1\n", "line 1: '0--1' is no link"),
        ("a\n", "x\n", "99999999999-0\n", "is no link"),
        ("a\nb\n", "x\n", "0-0\n", "as many lines as each other, but have 2, 1 and 1"),
        ("a\n", "x\n", "", "as many lines as each other, but have 1, 1 and 0"),
        ("a\0\n", "x\n", "0-0\n", "line 1"),
        ("a " * 70000 + "\n", "x\n", "0-0\n", "line 1: a sentence may have at most 65534 words"),
    ],
)
def test_refused_input(tmp_path: Path, source: str, target: str, links: str, says: str) -> None:
    for name, text in (("source", source), ("target", target), ("links", links)):
        (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(InputError, match=says):
        build_index(tmp_path / "source", tmp_path / "target", tmp_path / "links", tmp_path / "model")
    assert not (tmp_path / "model").exists()
    assert {path.name for path in tmp_path.iterdir()} == {"source", "target", "links"}


def test_an_empty_bitext(tmp_path: Path) -> None:
    for name in ("source", "target", "links"):
        (tmp_path / name).write_text("", "utf-8")
    build_index(tmp_path / "source", tmp_path / "target", tmp_path / "links", tmp_path / "model")
    assert list(grammars(open_index(tmp_path / "model"), [b"a b\n"])) == [b""]


def test_a_directory_that_exists_stays(texts: tuple[Path, Path, Path], tmp_path: Path) -> None:
    build_index(*texts, tmp_path / "model")
    with pytest.raises(ConfigError, match="exists already"):
        build_index(*texts, tmp_path / "model")


def test_damage_is_found(texts: tuple[Path, Path, Path], tmp_path: Path) -> None:
    build_index(*texts, tmp_path / "model")
    path = tmp_path / "model" / "bitext.bin"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 255
    path.write_bytes(content)
    with pytest.raises(FormatError, match=r"bitext\.bin"):
        open_index(tmp_path / "model")
    path.unlink()
    with pytest.raises(FormatError, match="missing"):
        open_index(tmp_path / "model")


def assert_small(source: bytes, target: bytes, links: bytes, folder: Path) -> None:
    counts = _core.build_index(str(folder), source, target, links, {})
    sections = _core.describe_container(str(folder / "bitext.bin"))["sections"]
    assert sections["links"] < 1.1 * counts["links"]
    assert sum(sections.values()) < 8 * counts["source_tokens"]


def test_bytes_per_source_token(tmp_path: Path) -> None:
    """The links of a real corpus take about a byte each."""
    folder = Path(__file__).parents[2] / "golden" / "phrasebook"
    assert_small(*((folder / f"train.{part}").read_bytes() for part in ("fr", "en", "links")), tmp_path)


@pytest.mark.shared
def test_bytes_per_source_token_of_long_sentences(shared: Callable[[str], Path], tmp_path: Path) -> None:
    rows = gzip.decompress(shared("golden/cdec-extractor/corpus.fr-en.gz").read_bytes()).decode().splitlines()
    links = gzip.decompress(shared("golden/cdec-extractor/corpus.al.gz").read_bytes())
    source, target = ("".join(row.split(" ||| ")[side].strip() + "\n" for row in rows).encode() for side in (0, 1))
    assert_small(source, target, links, tmp_path)
