"""Places of sentences and tokens, whatever the text: text[span] is the token; and given translations are never lost."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dragoman.config import DecodeOptions
from dragoman.translation import Translation
from dragoman.translator import Translator
from tests.unit.translate.support import make_model

WORDS = """
la maison chat le voit bleue zorglub L'École N'est-ce Dr. 3,5 İstanbul ﬁn e\u0301te\u0301 日本 𝒳 👩\u200d👩\u200d👧
( ) « » , . ? ! - … ' " {d0} {d1} %s <b> </b> <br/> http://a.b/c?d=e x@y.z &amp; ￭ ▁ ￮ ￮20; ￮41; \u200b [X,1] |||
"""
SPACES = [" ", " ", " ", "", "  ", "\t", "\u00a0", "\u3000"]
texts = st.lists(st.tuples(st.sampled_from(WORDS.split()), st.sampled_from(SPACES)), max_size=12).map(
    lambda pairs: "".join(word + space for word, space in pairs)
)
# What may stand in instructions: nothing that begins one.
inner = texts.map(lambda text: text.replace("<", "‹").replace(">", "›").replace("&", "+").strip())
kept = inner.filter(bool).map(lambda text: (f"<keep>{text}</keep>", text))
wanted = inner.filter(bool).map(lambda text: text.replace('"', "”").replace("|", "¦"))
told = st.tuples(kept, wanted).map(lambda pair: (f'<t to="{pair[1]}">{pair[0][1]}</t>', pair[1]))
MARKS = re.compile("^[￭▁]*|[￭▁]*$")
ESCAPED = re.compile("￮([0-9a-fA-F]{1,6});")
GLOSSARY = {"maison": "{d0} home", "le chat": "the  Cat's", "zorglub": "￭x"}


@pytest.fixture(scope="module")
def translators() -> Iterator[dict[str, Translator]]:
    with tempfile.TemporaryDirectory() as name:
        yield {
            kind: Translator.load(make_model(Path(name) / f"{kind}.model", tokenizer=kind))
            for kind in ("language", "none")
        }


def written(token: str) -> str:
    """A token as it stands in text: without marks and escapes."""
    return ESCAPED.sub(lambda found: chr(int(found[1], 16)), MARKS.sub("", token))


def bare(text: str) -> str:
    return re.sub(r"\s+", "", text)


def check(source: str, result: Translation, raw: bool) -> None:
    last = 0, 0
    for sentence in result.sentences:
        assert source[slice(*sentence.source_span)] == sentence.source
        assert result.text[slice(*sentence.target_span)] == sentence.text
        assert last <= (sentence.source_span[0], sentence.target_span[0])
        last = sentence.source_span[1], sentence.target_span[1]
        for text, tokens, spans in (
            (sentence.source, sentence.source_tokens, sentence.source_spans),
            (sentence.text, sentence.target_tokens, sentence.target_spans),
        ):
            assert len(tokens) == len(spans)
            flat = [place for span in spans for place in span]
            assert flat == sorted(flat) and (not flat or flat[-1] <= len(text))
            for token, (begin, end) in zip(tokens, spans, strict=True):
                # A term of several words is one token; without a tokenizer only what was given has escapes.
                parts = token.split(" ")
                readings = {bare("".join(map(written, parts))), bare(token) if raw else ""}
                assert bare(text[begin:end]) in readings
            # Between tokens there is nothing but white space.
            at = 0
            for begin, end in spans:
                assert not text[at:begin].strip()
                at = end
            assert not text[at:].strip()


@settings(max_examples=150)
@example(["a<b>", "La maison. Le chat!"], "language", "hierarchical", True)
@given(
    st.lists(texts, min_size=1, max_size=3),
    st.sampled_from(["language", "none"]),
    st.sampled_from(["hierarchical", "phrase-based"]),
    st.booleans(),
)
def test_spans_are_tokens(
    translators: dict[str, Translator], lines: list[str], kind: str, decoder: str, terms: bool
) -> None:
    text = "\n".join(lines)
    options = DecodeOptions(decoder=decoder, pop_limit=10, max_sentence_words=6)
    result = translators[kind].translate(text, options, glossary=GLOSSARY if terms else None)
    check(text, result, kind == "none")


@settings(max_examples=150)
@given(
    st.lists(st.one_of(inner.map(lambda text: (text, "")), kept, told), min_size=1, max_size=6),
    st.sampled_from(["language", "none"]),
    st.sampled_from(["hierarchical", "phrase-based"]),
    st.integers(0, 4),
)
def test_holes_are_filled(
    translators: dict[str, Translator], parts: list[tuple[str, str]], kind: str, decoder: str, most_words: int
) -> None:
    """Each given translation stands in the output, once, as it was given, and so in every alternative."""
    line = " ".join(part for part, _ in parts)
    options = DecodeOptions(decoder=decoder, pop_limit=10, markup=True, max_sentence_words=most_words)
    result = translators[kind].translate(line, options, nbest=3)
    check(re.sub(r'<t to="[^"]*">|</t>|</?keep>', "", line), result, kind == "none")
    assert sum(each.protected_in for each in result.sentences) == sum(each.protected_out for each in result.sentences)
    filled = [text for _, text in parts if text]
    for alternative in result.alternatives:
        for text in set(filled):
            assert alternative.text.count(text) >= filled.count(text)
