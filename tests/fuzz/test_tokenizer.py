"""Random bytes are refused with their line or tokenized; nothing else happens."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman._core import Tokenizer, normalise
from dragoman.errors import InputError

TOKENIZERS = [Tokenizer(language) for language in ("en", "fr", "de", "zh", "none")]


@settings(max_examples=300)
@given(st.binary(max_size=200), st.sampled_from(TOKENIZERS))
def test_bytes(data: bytes, tokenizer: Tokenizer) -> None:
    try:
        data.decode()
        valid = b"\0" not in data
    except UnicodeDecodeError:
        valid = False
    for call in (tokenizer.tokenize, tokenizer.detokenize, normalise):
        refused = True
        with suppress(InputError):
            call(data)
            refused = False
        assert refused != valid
