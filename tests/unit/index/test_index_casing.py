"""Written forms beside the words of an index: what the decoder gives its output back with."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest

from dragoman import _core
from dragoman.config import IndexOptions
from dragoman.errors import ConfigError, InputError

SOURCE = b"Nous voyons Paris\nParis est belle\n"
LINKS = b"0-0 1-1 2-2\n" * 2


@pytest.fixture
def vocabulary(tmp_path: Path) -> Path:
    source = b"nous voyons paris\nparis est belle\n"
    target = b"we see paris\nparis is beautiful\n"
    _core.build_index(str(tmp_path), source, target, LINKS, asdict(IndexOptions()))
    return tmp_path / "vocab.bin"


def test_forms_are_added_and_replaced(vocabulary: Path) -> None:
    words = _core.testing.read_container(vocabulary.read_bytes(), "vocab")
    for written in (b"We see Paris\nParis is beautiful\n", b"WE SEE PARIS\nParis is beautiful\n"):
        _core.add_casing(str(vocabulary), "target", written, "en")
        made = _core.testing.read_container(vocabulary.read_bytes(), "vocab")
        assert {name: made[name] for name in words} == words
        assert {name for name in made if name not in words} == {
            f"target.case.{part}" for part in ("size", "shapes", "ids", "offsets", "strings", "weights")
        }
    # Nothing is written in the source language, so it needs no weights.
    _core.add_casing(str(vocabulary), "source", SOURCE, "fr", threads=2)
    assert len(_core.testing.read_container(vocabulary.read_bytes(), "vocab")) == len(words) + 11


def test_case_is_learned_with_the_source(vocabulary: Path) -> None:
    def weights(**source: bytes) -> bytes:
        _core.add_casing(str(vocabulary), "target", b"We see paris\nParis Is Beautiful\n", "en", **source)
        return _core.testing.read_container(vocabulary.read_bytes(), "vocab")["target.case.weights"]

    _core.add_casing(str(vocabulary), "source", SOURCE, "fr")
    assert weights(source=SOURCE, links=LINKS) != weights()
    before = vocabulary.read_bytes()
    with pytest.raises(InputError, match="as many lines as each other"):
        weights(source=SOURCE, links=b"0-0\n")
    with pytest.raises(InputError, match="points outside"):
        weights(source=SOURCE, links=b"0-0\n7-7\n")
    assert vocabulary.read_bytes() == before


@pytest.mark.parametrize("words", [1, 1000, 1024, 1025, 5000, 70_000])
def test_case_and_spaces_take_what_a_plan_counts_on(vocabulary: Path, words: int) -> None:
    line, rest = b"Paris, 1 " * 10, words % 30
    written = b"Paris " * rest + b"\n" + (line + b"\n") * (words // 30)
    tokens = _core.Tokenizer("en").tokenize(written)
    assert len(tokens.split()) == words
    _core.add_casing(str(vocabulary), "target", tokens, "en")
    _core.add_spacing(str(vocabulary), tokens, "en", tokens, b"\n" * tokens.count(b"\n"), "en")
    made = _core.testing.read_container(vocabulary.read_bytes(), "vocab")
    learned = len(made["target.case.weights"]) + len(made["target.spacing.weights"])
    assert learned == _core.case_and_spacing_bytes(words)
    # A bucket for each word, of two bytes and of one, but for very long texts.
    assert learned >= 3 * min(words, 1 << 16)


def test_what_cannot_be_done_leaves_the_file(vocabulary: Path) -> None:
    before = vocabulary.read_bytes()
    with pytest.raises(ConfigError, match="side"):
        _core.add_casing(str(vocabulary), "both", b"", "en")
    with pytest.raises(InputError):
        _core.add_casing(str(vocabulary), "target", b"\xff\n", "en")
    assert vocabulary.read_bytes() == before
