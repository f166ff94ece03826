"""Round trips, offsets and forms hold for any text in any language."""

from __future__ import annotations

import unicodedata

from hypothesis import example, given, settings
from hypothesis import strategies as st

from dragoman._core import Tokenizer, testing

LANGUAGES = ["en", "fr", "de", "cs", "it", "es", "ca", "pt", "nl", "pl", "sk", "zh", "th", "xx"]
TOKENIZERS = {language: Tokenizer(language) for language in [*LANGUAGES, "none"]}

# What the rules are about, so that random text runs into them.
RULED = """
￭ ▁ ￮ ￮20; ￮ffed; " ' ’ ` “ ” „ ‘ ‚ « » ( ) [ ] { } <b> </b> <br/> &amp; {0} {{x}} %s %% % 50% $x| $ € - -- – — / ... …
. , ; : ! ? !? l' L’ d' n't 's -t-il -vous -li aujourd'hui peut-être Mr. z.B. 27. IV. U.S. 1,000.5 10:30 a@b.org
http://x.y/z) www.a.b [X1X] --opt 漢 字 。 「 か ナ 한국 ไทย เก ខ្ញុំ 😀 👩‍👧 🇫 🇷 1️⃣ é ́ É ß İ Σ ΛΟΣ
­ ​ ‍ ﻿   צה"ל col·l a_b ° C # @ & + = × ™ c f s
"""
PIECES = st.sampled_from([*RULED.split(), '<a b="c  d ">', "{{ x y }}"])
SPACES = st.sampled_from(["", "", " ", "  ", "\t", "\u00a0", "\u2003", "\u3000", "\x85", "\x1c", "\n", "\r"])
CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXTS = st.lists(st.tuples(PIECES | st.text(CHARACTERS, max_size=4), SPACES), max_size=25).map(
    lambda parts: "".join(piece + space for piece, space in parts)
) | st.text(CHARACTERS, max_size=60)


@settings(max_examples=400)
@given(language=st.sampled_from([*LANGUAGES, "none"]), text=TEXTS)
def test_round_trip(language: str, text: str) -> None:
    tokenizer = TOKENIZERS[language]
    (tokens,) = tokenizer.tokenize([text])
    # White space inside a protected span survives as it is, elsewhere as one space.
    assert " ".join(tokenizer.detokenize([tokens])[0].split()) == " ".join(text.split())
    # The token line splits on single spaces into as many tokens as there are spans.
    spans = testing.token_spans(tokenizer, text)
    assert tokens.split(" ") == tokens.split() or not spans
    assert len(tokens.split()) == len(spans)
    # Nothing but white space lies between tokens.
    last = 0
    for begin, end in spans:
        assert text[last:begin].strip() == ""
        last = end
    assert text[last:].strip() == ""


@settings(max_examples=60)
@given(language=st.sampled_from(LANGUAGES), text=TEXTS)
@example(language="en", text="$Ù $aÙ <a≯ --naïve x@y.coé %sé")
def test_model_forms_are_stable_and_one_per_token(language: str, text: str) -> None:
    tokenizer = TOKENIZERS[language]
    (surface,), (model,) = tokenizer.tokenize([text]), tokenizer.tokenize([text], model=True)
    assert len(surface.split()) == len(model.split())
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert tokenizer.tokenize([composed], model=True) == tokenizer.tokenize([decomposed], model=True)


@settings(max_examples=60)
@given(language=st.sampled_from([*LANGUAGES, "none"]), tokens=TEXTS)
def test_any_token_line_can_be_detokenized(language: str, tokens: str) -> None:
    (text,) = TOKENIZERS[language].detokenize([tokens])
    (again,) = TOKENIZERS[language].detokenize(TOKENIZERS[language].tokenize([text]))
    assert again.split() == text.split()


@settings(max_examples=60)
@given(language=st.sampled_from(LANGUAGES), lines=st.lists(TEXTS, max_size=5))
def test_bytes_and_strings_agree(language: str, lines: list[str]) -> None:
    tokenizer = TOKENIZERS[language]
    lines = [line.replace("\n", " ").replace("\r", " ") for line in lines]
    text = "".join(f"{line}\n" for line in lines).encode()
    assert tokenizer.tokenize(text).decode().split("\n")[:-1] == tokenizer.tokenize(lines)
