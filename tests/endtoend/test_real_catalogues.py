"""What programs of this machine say, learned and translated by the benchmark's own code: no placeholder is lost, and
spaces are where the language puts them."""

from __future__ import annotations

import pytest

from benchmarks.catalogues import HELD_OUT, sentences, tried
from benchmarks.recognizer import LOCALES
from dragoman.evaluate.bleu_tokenizer import tokenizer_of

MESSAGES = 2000
# Wrong spaces for each thousand places that may be wrong. In Japanese some people put a space between Latin letters and
# others, and some do not.
SPACING = {"fr": 15.0, "de": 5.0, "ru": 5.0, "ja": 40.0, "ar": 30.0}
# Of placeholders, in thousandths; what was seen to be lost is none (fsmonitor--daemon).
KEPT = 985

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("code", SPACING)
def test_what_programs_say(code: str) -> None:
    if not (LOCALES / code).is_dir() or len(sentences(code, MESSAGES)) < MESSAGES / 2:
        pytest.skip(f"there are too few catalogues of {code} in {LOCALES}")
    found = tried(code, MESSAGES, threads=1)
    assert found["pairs"] >= MESSAGES / 2 - HELD_OUT
    assert f"|tok:{tokenizer_of(code)}|" in found["signature"]
    kept = found["placeholders"]
    assert kept["wanted"] > 15
    assert 1000 * kept["kept"] >= KEPT * kept["wanted"], kept
    assert found["spacing"]["places"] > 200
    assert found["spacing"]["per_thousand"] <= SPACING[code], found["spacing"]
    assert found["bleu"] > 15
