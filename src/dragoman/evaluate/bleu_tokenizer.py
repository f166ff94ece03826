"""Which of sacreBLEU's tokenizers takes a language's text apart.

Where no spaces stand between words, 13a would take a clause for a word, and BLEU would count hardly anything.
"""

from __future__ import annotations

import importlib.util
from collections import Counter
from collections.abc import Iterable

from dragoman import _core

# sacreBLEU's names. Some need packages of their own, which it names when they are missing.
TOKENIZERS = ("none", "13a", "intl", "zh", "ja-mecab", "ko-mecab", "char", "flores101", "flores200")
# Those that the core has too.
OWN_TOKENIZERS = ("none", "13a", "zh", "char")
# Those for text without spaces between words.
UNSPACED_TOKENIZERS = ("zh", "ja-mecab", "char")

JAPANESE = "ja"
SCRIPT_LANGUAGES = {
    "han": "zh",
    "bopomofo": "zh",
    "hiragana": JAPANESE,
    "katakana": JAPANESE,
    "thai": "th",
    "lao": "lo",
    "khmer": "km",
    "myanmar": "my",
    "tibetan": "bo",
}
# Of the letters of a Chinese text; Japanese has far more.
MOST_KANA = 0.05


def tokenizer_of(language: str) -> str:
    """For text in this language: zh, ja-mecab where that is installed, char without spaces between words, else 13a."""
    base = language.replace("_", "-").partition("-")[0].lower()
    return "ja-mecab" if base == JAPANESE and has_mecab() else _core.bleu_tokenizer(language)


def tokenizer_of_text(lines: Iterable[str]) -> str:
    """For text whose language nobody named: by the script that most of its letters are in."""
    scripts = Counter(_core.script_of(letter) for line in lines for letter in line if letter.isalpha())
    languages = Counter[str]()
    for script, count in scripts.items():
        languages[SCRIPT_LANGUAGES.get(script, "")] += count
    if languages[JAPANESE] > MOST_KANA * languages.total():
        languages[JAPANESE] += languages.pop("zh", 0)
    (language, _), *_ = languages.most_common(1) or [("", 0)]
    return tokenizer_of(language) if language else "13a"


def has_mecab() -> bool:
    return all(importlib.util.find_spec(name) for name in ("MeCab", "ipadic"))
