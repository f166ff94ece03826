"""Lines of one text, in languages with and without spaces between words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.documents import translate_document
from dragoman.documents.line_joins import broken, joined
from tests.unit.documents.support import Wordwise

SRT = "1\n00:00:01,000 --> 00:00:04,000\n{}\n"


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["one", "two"], "one two"),
        (["これは", "本です。"], "これは本です。"),
        (["我们", "<i>喜欢</i>", "书。"], "我们<i>喜欢</i>书。"),
        (["これは", "book です"], "これは book です"),
        (["이것은", "책이다"], "이것은 책이다"),
        (["ok 😀", "😀"], "ok 😀 😀"),
        (["", "a", "", "b"], "a b"),
    ],
)
def test_lines_are_joined_as_the_script_writes_them(lines: list[str], text: str) -> None:
    assert joined(lines) == text


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("one two three four", ["one two", "three four"]),
        ("私たちは本を読むのが好きです。", ["私たちは本を読む", "のが好きです。"]),
        ("他说：「好的。」", ["他说：「好", "的。」"]),
        ("カッー", ["カッー"]),
        ("word", ["word"]),
    ],
)
def test_text_is_broken_where_words_end(text: str, lines: list[str]) -> None:
    assert broken(text, 2) == lines


@given(st.text("ab 日本語。「」ーアー한국 ", max_size=40), st.integers(1, 5))
def test_breaking_loses_nothing(text: str, count: int) -> None:
    lines = broken(text, count)
    assert len(lines) <= max(1, count)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert len(max(lines, key=len)) <= len(text)


def test_subtitles_and_paragraphs_without_spaces() -> None:
    translator = Wordwise()
    translate_document(SRT.format("我们喜欢\n读书。").encode(), "a.srt", translator)
    translate_document("我们喜欢\n读书。\n".encode(), "a.md", translator)
    assert translator.seen == ["我们喜欢读书。", "我们喜欢读书。"]
    # A cue of two lines has two lines again, in a language without spaces too.
    made = translate_document(SRT.format("reading\nreading").encode(), "a.srt", Wordwise(lambda word: "喜欢读书"))
    assert made.decode().splitlines()[2:] == ["喜欢读书", "喜欢读书"]
