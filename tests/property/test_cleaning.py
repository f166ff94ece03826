"""The core's cleaning rules against the slow ones, on random and on real text."""

from __future__ import annotations

import lzma
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman import _core
from dragoman.config import CleanOptions
from dragoman.corpus.clean import Cleaner
from dragoman.corpus.function_words import FUNCTION_WORDS
from dragoman.corpus.normalise import as_lines
from examples.demo.phrasebook import phrases
from tests.reference import cleaning

MATERIAL = (
    "le la de chat Chat CHAT the of cat Katze und der 12 3,5 !? ... — «a» <b> {0} l'été d’un x² 日本 かな 한국어 привет"
    " мир и не Ελλάδα και a\u0301 ½ Ⅷ € ＡＢ \u200d ß ŉ \x07 \ufffd 🙂 𝒳 a\u200bb"
)
WORDS = st.sampled_from(MATERIAL.split(" "))
TEXT = st.one_of(
    st.lists(WORDS, max_size=12).map(" ".join),
    st.sampled_from(sorted(FUNCTION_WORDS)).flatmap(
        lambda code: st.lists(st.sampled_from(FUNCTION_WORDS[code].split()), max_size=14).map(" ".join)
    ),
)
OPTIONS = st.builds(
    CleanOptions,
    drop_control=st.booleans(),
    drop_empty=st.booleans(),
    max_tokens=st.sampled_from([0, 3, 10]),
    max_characters=st.sampled_from([0, 12, 60]),
    max_ratio=st.sampled_from([0.0, 1.5, 5.0]),
    identical_words=st.sampled_from([0, 1, 3]),
    drop_wrong_script=st.booleans(),
    drop_wrong_language=st.booleans(),
    drop_duplicates=st.booleans(),
    drop_near_duplicates=st.booleans(),
    one_side=st.sampled_from(["none", "source", "target", "either"]),
)
LANGS = st.sampled_from([("fr", "en"), ("de", "ru"), ("ja", "el"), ("zz", "ko"), ("en-US", "zh-Hant")])


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(TEXT, TEXT), max_size=8), st.data(), OPTIONS, LANGS)
def test_same_verdicts_as_the_reference(
    pairs: list[tuple[str, str]], data: st.DataObject, options: CleanOptions, langs: tuple[str, str]
) -> None:
    if pairs:
        pairs = pairs + data.draw(st.lists(st.sampled_from(pairs), max_size=4))
        pairs = pairs + [(source.upper(), f"« {target} »") for source, target in pairs[:2]]
    fast = Cleaner(options, *langs)
    verdicts: list[str] = []
    for begin in range(0, len(pairs), 3):
        some = pairs[begin : begin + 3]
        verdicts += fast.judge(as_lines([a for a, _ in some], Counter()), as_lines([b for _, b in some], Counter()))[0]
    assert verdicts == cleaning.judge(pairs, options, langs)
    assert sum(fast.counts.values()) == sum(verdict != "kept" for verdict in verdicts)


@settings(max_examples=150, deadline=None)
@given(TEXT)
def test_fold(text: str) -> None:
    folded = _core.fold(text)
    assert folded == cleaning.fold(text)
    assert _core.fold(folded) == folded


def judged_as_defined(pairs: list[tuple[str, str]], langs: tuple[str, str]) -> None:
    """With some pairs the wrong way round, which must be noticed."""
    pairs = pairs + [(target, source) for source, target in pairs[:100]]
    verdicts, _ = Cleaner(CleanOptions(), *langs).judge(
        as_lines([a for a, _ in pairs], Counter()), as_lines([b for _, b in pairs], Counter())
    )
    assert verdicts == cleaning.judge(pairs, CleanOptions(), langs)
    assert "wrong language" in verdicts


def test_same_verdicts_on_the_phrasebook() -> None:
    judged_as_defined(phrases(), ("fr", "en"))


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "langs"),
    [("multi30k/test", ("en", "cs")), ("europarl.fr-en/dev", ("fr", "en")), ("tatoeba.en-de/test", ("en", "de"))],
)
def test_same_verdicts_on_real_text(shared: Callable[[str], Path], name: str, langs: tuple[str, str]) -> None:
    first, second = (
        lzma.decompress(shared(f"corpora/{name}.{lang}.xz").read_bytes()).decode().split("\n")[:400] for lang in langs
    )
    judged_as_defined(list(zip(first, second, strict=True)), langs)
