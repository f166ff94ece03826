"""Sentence splitting on random text: spans are ordered, trimmed, cover all but white space, and are stable."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman._core import SentenceSplitter, testing

SPLITTERS = {
    (language, newlines): SentenceSplitter(language, newlines)
    for language in ("", "en", "fr", "de", "cs", "ja")
    for newlines in ("end", "blank", "space")
}

WORDS = ["Mr.", "etc.", "z.B.", "A.", "12.", "Word", "word", "the", "The", "é", "你", "{x. Y}"]
MARKS = [".", "...", "…", "!", "?", "。", "।", "」", "「", "«", "»", '"', "(", ")", "<b>", "</b>", "-"]
SPACES = [" ", " ", " ", "\n", "\n\n", "\r\n", "\u00a0", "\u2028"]
PIECES = st.sampled_from(WORDS + MARKS + SPACES)
TEXT = st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=30).map("".join))


@settings(max_examples=400, deadline=None)
@given(text=TEXT, key=st.sampled_from(sorted(SPLITTERS)))
def test_spans_cover_the_text(text: str, key: tuple[str, str]) -> None:
    raw = text.encode("utf-8", "surrogatepass").decode("utf-8", "replace").encode()
    spans = testing.sentence_spans(SPLITTERS[key], raw)
    at = 0
    for begin, end in spans:
        assert at <= begin < end <= len(raw)
        assert not raw[at:begin].decode().strip()
        sentence = raw[begin:end].decode()  # cut at characters
        assert sentence == sentence.strip()
        at = end
    assert not raw[at:].decode().strip()


@settings(max_examples=200, deadline=None)
@given(texts=st.lists(TEXT.filter(str.isprintable), max_size=4), key=st.sampled_from(sorted(SPLITTERS)))
def test_strings_and_spans_agree(texts: list[str], key: tuple[str, str]) -> None:
    splitter = SPLITTERS[key]
    expected = [
        [text.encode()[b:e].decode() for b, e in testing.sentence_spans(splitter, text.encode())] for text in texts
    ]
    assert splitter.split(texts) == expected


@settings(max_examples=200, deadline=None)
@given(
    words=st.lists(
        st.lists(st.sampled_from(["alpha", "beta", "Gamma", "12", "(see", "it)", "“no”"]), min_size=2, max_size=5),
        min_size=1,
        max_size=6,
    ),
    ends=st.lists(st.sampled_from(["!", "?", "?!", "."]), min_size=6, max_size=6),
)
def test_a_sentence_by_itself_is_one_sentence(words: list[list[str]], ends: list[str]) -> None:
    splitter = SPLITTERS["en", "end"]
    text = " ".join(" ".join(["The", *line]) + end for line, end in zip(words, ends, strict=False))
    for sentence in splitter.split([text])[0]:
        assert splitter.split([sentence]) == [[sentence]]


@pytest.mark.parametrize("piece", [". ", "a. ", "\n", " ", "(", '" ', "…", "<", "{", "。", ". - ", "A.B. "])
@pytest.mark.parametrize("newlines", ["end", "blank", "space"])
def test_long_runs_take_linear_time(piece: str, newlines: str) -> None:
    # Quadratic time would make this test take minutes.
    raw = (piece * 200_000).encode()
    testing.sentence_spans(SentenceSplitter("en", newlines), raw)


@settings(max_examples=400, deadline=None)
@given(
    pieces=st.lists(st.sampled_from(WORDS + MARKS + SPACES), min_size=1, max_size=20),
    cuts=st.lists(st.integers(0, 60), max_size=16),
    key=st.sampled_from(sorted(SPLITTERS)),
)
def test_protected_spans_stay_whole(pieces: list[str], cuts: list[int], key: tuple[str, str]) -> None:
    text = "".join(pieces)
    raw = text.encode()
    edges = sorted({len(text[:cut].encode()) for cut in cuts})  # at characters
    protected = [(begin, end) for begin, end in zip(edges[::2], edges[1::2], strict=False)]
    spans = testing.sentence_spans(SPLITTERS[key], raw, protected)
    for begin, end in protected:
        inside = [edge for span in spans for edge in span if begin < edge < end]
        # An edge inside may only have white space of the span beside it.
        for edge in inside:
            assert not raw[begin:edge].decode().strip() or not raw[edge:end].decode().strip()
