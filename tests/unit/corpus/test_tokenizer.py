"""The tokenizer's table of cases, its forms, offsets and refusals."""

from __future__ import annotations

import unicodedata

import pytest

from dragoman._core import Tokenizer, testing
from dragoman.errors import ConfigError, InputError
from tests.unit.corpus.token_cases import CASES

ALL = [(language, text, tokens) for language, cases in CASES.items() for text, tokens in cases]


@pytest.mark.parametrize(("language", "text", "tokens"), ALL)
def test_cases(language: str, text: str, tokens: str) -> None:
    tokenizer = Tokenizer(language)
    assert tokenizer.tokenize([text]) == [tokens]
    assert tokenizer.detokenize([tokens]) == [" ".join(text.split())]


@pytest.mark.parametrize(("language", "text", "tokens"), ALL)
def test_composed_and_decomposed_text_reach_the_model_alike(language: str, text: str, tokens: str) -> None:
    tokenizer = Tokenizer(language)
    forms = {tokenizer.tokenize([unicodedata.normalize(form, text)], model=True)[0] for form in ("NFC", "NFD")}
    assert len(forms) == 1


@pytest.mark.parametrize(
    ("language", "texts", "form"),
    [
        ("en", ["hello", "Hello", "HELLO"], "hello"),
        ("fr", ["l’Été", "L'ÉTÉ", "l'été", "L'E\u0301te\u0301"], "l' été"),
        ("en", ["DON'T", "Don’t", "don't"], "do n't"),
        ("de", ["GROẞ", "groß", "Groß"], "groß"),
        ("cs", ["ČESKÝ", "Český"], "český"),
        ("el", ["ΛΟΓΟΣ", "Λογος"], "λογος"),
        ("tr", ["İstanbul", "istanbul"], "istanbul"),
        ("de", ["Kaffee\u00adtasse", "KAFFEETASSE"], "kaffeetasse"),
        ("en", ["\ufeff"], "\ufeff"),
        ("en", ["see %S"], "see %S"),
        ("en", ["See HTTP://Example.com/A"], "see HTTP://Example.com/A"),
        ("en", ["<B>Bold</B>"], "<B> bold </B>"),
    ],
)
def test_model_forms(language: str, texts: list[str], form: str) -> None:
    assert set(Tokenizer(language).tokenize(texts, model=True)) == {form}


@pytest.mark.parametrize(
    ("language", "tokens", "text"),
    [
        ("en", '" i do n\'t , " he said ( twice ) .', '"i don\'t," he said (twice).'),
        ("en", "the u.s. - led $ 5 million ( 3 % ) deal", "the u.s.-led $5 million (3%) deal"),
        ("en", "well ▁- no", "well - no"),
        ("fr", "l' homme a -t-il dit « oui » ?", "l'homme a-t-il dit « oui » ?"),
        ("de", "„ ja “ , sagte er .", "„ja“, sagte er."),
        ("zh", "你 好 ， 世 界", "你好，世界"),
        # What no tokenizer would write but a decoder might.
        ("en", "a ￭ b", "ab"),
        ("en", "￭ a ▁", "a"),
        ("en", "a ￭￭ b", "ab"),
        ("en", "a￭ ▁b", "a b"),
        ("en", "￮zz; ￮20 ￮41; ￮ffed;", "￮zz; ￮20 ￮41; ￭"),
        ("en", "   ", ""),
    ],
)
def test_detokenizing_generated_tokens(language: str, tokens: str, text: str) -> None:
    assert Tokenizer(language).detokenize([tokens]) == [text]


def test_texts_keep_their_lines() -> None:
    tokenizer = Tokenizer("en")
    assert tokenizer.tokenize(b"Hello!\n\n  \nIt's\r\nlast") == b"Hello !\n\n\nIt 's\nlast\n"
    assert tokenizer.detokenize(b"Hello !\n\nIt 's") == b"Hello!\n\nIt's\n"
    assert tokenizer.tokenize(b"") == b""
    assert tokenizer.tokenize(b"Hi - YOU", model=True) == b"hi - you\n"
    assert tokenizer.tokenize([]) == []


def test_threads_change_nothing() -> None:
    tokenizer = Tokenizer("fr")
    text = "".join(f"L'homme n° {i} a-t-il « parlé » de {i},{i % 10} % ?\n" for i in range(60000)).encode()
    tokens = tokenizer.tokenize(text)
    assert tokenizer.tokenize(text, threads=2) == tokens
    assert tokenizer.detokenize(tokens, threads=2) == text


def test_offsets_count_characters_or_bytes() -> None:
    tokenizer = Tokenizer("fr")
    line = "  L’été 😀, n'est-ce pas ?"
    words = ["L’", "été", "😀", ",", "n'", "est", "-ce", "pas", "?"]
    assert [line[begin:end] for begin, end in testing.token_spans(tokenizer, line)] == words
    spans = testing.token_spans(tokenizer, line, bytes=True)
    assert [line.encode()[begin:end].decode() for begin, end in spans] == words


def test_a_region_does_not_change_the_language() -> None:
    line = ["Qu'a-t-il dit ?"]
    assert Tokenizer("fr-CA").tokenize(line) == Tokenizer("FR_be").tokenize(line) == Tokenizer("fr").tokenize(line)
    assert Tokenizer("fr-CA").language == "fr-CA"


@pytest.mark.parametrize("code", ["", "x", "en/fr", "a language", "é" * 3])
def test_what_is_no_language_code_is_refused(code: str) -> None:
    with pytest.raises(ConfigError, match="language code"):
        Tokenizer(code)


@pytest.mark.parametrize("text", [b"ok\nbad \xff byte\n", b"ok\nnul \0 byte", b"ok\n\xed\xa0\x80"])
def test_text_that_is_no_text_is_refused_with_its_line(text: bytes) -> None:
    for call in (Tokenizer("en").tokenize, Tokenizer("en").detokenize):
        with pytest.raises(InputError, match="line 2") as caught:
            call(text)
        assert caught.value.line == 2


def test_strings_that_are_no_text_are_refused() -> None:
    with pytest.raises(InputError, match="line 2"):
        Tokenizer("en").tokenize(["fine", "lone \ud800 surrogate"])
    with pytest.raises(InputError, match="line 1"):
        Tokenizer("en").tokenize(["nul \0"])
    with pytest.raises(TypeError):
        Tokenizer("en").tokenize([b"bytes"])  # type: ignore[list-item]


def test_a_very_long_line_is_a_line() -> None:
    tokenizer = Tokenizer("en")
    for unit in ("word ", "x", "(", "<a ", "{", "...", "a'", "-t-", "http://x)", "é\u0301", "1,", "😀\u200d", '"'):
        line = unit * (200_000 // len(unit))
        tokens = tokenizer.tokenize([line])
        assert tokenizer.detokenize(tokens) == [" ".join(line.split())]
