"""The cleaning rules once more, slow and plain: unicodedata, regular expressions and sets of strings."""

from __future__ import annotations

import unicodedata

from dragoman.config import CleanOptions
from dragoman.corpus.function_words import FUNCTION_WORDS, table_code
from dragoman.corpus.languages import scripts_of

TABLES = {code: set(words.split()) for code, words in FUNCTION_WORDS.items()}
ONE_CHARACTER = ("CJK UNIFIED", "CJK COMPATIBILITY IDEOGRAPH", "HIRAGANA", "KATAKANA", "BOPOMOFO")


def single(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith(ONE_CHARACTER)


def width(letter: str) -> int:
    name = unicodedata.name(letter, "")
    if name.startswith("CJK"):
        return 3
    return 2 if name.startswith(("HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO")) else 1


def pieces(text: str) -> list[tuple[str, str]]:
    """(kind, piece): words in lower case, digit runs, symbol runs, and single ideographs; punctuation separates."""
    found: list[tuple[str, str]] = []
    last = ""
    for letter in text:
        kind = unicodedata.category(letter)
        if kind[0] in "LM" or kind == "Nl":
            sort, piece = ("ideograph", letter) if kind[0] == "L" and single(letter) else ("word", letter.lower())
        elif kind[0] == "N":
            sort, piece = "digits", "0"
        elif kind[0] == "S":
            sort, piece = "symbol", letter
        else:
            last = ""
            continue
        if sort == last and sort in ("word", "symbol"):
            found[-1] = (sort, found[-1][1] + piece)
        elif not (sort == last == "digits"):
            found.append((sort, piece))
        last = sort
    return found


def fold(text: str) -> str:
    return " ".join(piece for _, piece in pieces(text))


def has_letter(word: str) -> bool:
    return any(unicodedata.category(letter)[0] == "L" for letter in word)


def control(text: str) -> bool:
    return any(unicodedata.category(letter) == "Cc" or letter == "\ufffd" for letter in text)


def script_name(letter: str) -> str:
    """The name of a letter, which begins with its script."""
    return unicodedata.name(letter, "").removeprefix("FULLWIDTH ").removeprefix("HALFWIDTH ")


def wrong_script(text: str, lang: str) -> bool:
    scripts = scripts_of(lang)
    letters = [letter for letter in text if unicodedata.category(letter)[0] == "L"]
    # Names of Han characters begin with CJK; HAN begins those of Hangul.
    beginnings = tuple("CJK" if script == "han" else script.upper() for script in scripts)
    own = [letter for letter in letters if script_name(letter).startswith(beginnings)]
    return bool(scripts) and len(letters) >= 10 and len(own) * 2 < len(letters)


def wrong_language(text: str, lang: str) -> bool:
    code = table_code(lang)
    if not code:
        return False
    words = [piece for sort, piece in pieces(text) if sort == "word" and has_letter(piece)]
    own = len(set(words) & TABLES[code])
    best, best_all = 0, 0
    for table in TABLES.values():
        hits = [word for word in words if len(word) > 1 and word in table]
        if len(set(hits)) > best:
            best, best_all = len(set(hits)), len(hits)
    return best + (own == 0) >= 4 and best >= 3 * own and best_all >= 0.3 * len(words)


def judge(pairs: list[tuple[str, str]], options: CleanOptions, langs: tuple[str, str]) -> list[str]:
    seen: dict[str, set] = {"pair": set(), "folded": set(), "source": set(), "target": set()}
    return [verdict(pair, options, langs, seen) for pair in pairs]


def verdict(pair: tuple[str, str], options: CleanOptions, langs: tuple[str, str], seen: dict[str, set]) -> str:
    if options.drop_control and any(map(control, pair)):
        return "control"
    cut = [pieces(text) for text in pair]
    if options.drop_empty and not all(cut):
        return "empty"
    tokens = [sum(sort != "symbol" for sort, _ in side) for side in cut]
    if options.max_tokens and max(tokens) > options.max_tokens:
        return "too long"
    if options.max_characters and max(len(text.strip()) for text in pair) > options.max_characters:
        return "too long"
    widths = sorted(sum(map(width, text.strip())) for text in pair)
    if options.max_ratio and widths[1] + 10 > options.max_ratio * (widths[0] + 10):
        return "length ratio"
    folded = tuple(map(fold, pair))
    if folded[0] == folded[1] and has_letter(folded[0]):
        words = sum(sort == "ideograph" or (sort == "word" and has_letter(piece)) for sort, piece in cut[0])
        if options.identical_words and words >= options.identical_words:
            return "identical"
    else:
        sides = list(zip(pair, langs, strict=True))
        if options.drop_wrong_script and any(wrong_script(*side) for side in sides):
            return "wrong script"
        if options.drop_wrong_language and any(wrong_language(*side) for side in sides):
            return "wrong language"
    key = tuple(fold_or_text or text for fold_or_text, text in zip(folded, pair, strict=True))
    if options.drop_duplicates or options.drop_near_duplicates:
        again = pair in seen["pair"]
        seen["pair"].add(pair)
        if again and options.drop_duplicates:
            return "duplicate"
        if not again and options.drop_near_duplicates:
            if key in seen["folded"]:
                return "near duplicate"
            seen["folded"].add(key)
    repeated = False
    for side, text in zip(("source", "target"), pair, strict=True):
        if options.one_side in (side, "either"):
            repeated = repeated or text in seen[side]
            seen[side].add(text)
    return "one side" if repeated else "kept"
