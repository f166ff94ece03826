"""Which language a text looks like: how often right text is doubted, and wrong text is not, in many languages.

    python -m benchmarks.recognizer [--messages 2000]

Text is what programs say in the languages that are installed here (/usr/share/locale, catalogues of gettext): short
messages full of names, which is as hard as it gets. For each language a vocabulary is made from half of its messages,
as a model would have it, or from 60 of them; the others are judged one by one, in twenties and in two hundreds, as
text of that language, and as text of the language after it in the alphabet and of English as text of this one. Then
the messages and their originals are judged as training text of English and the language, the right way and swapped.
"""

from __future__ import annotations

import argparse
import gettext
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.measure import report
from dragoman.corpus.language_profile import LanguageProfile, words_in
from dragoman.corpus.recognizer import Recognizer
from dragoman.corpus.side_languages import SideLanguages

LOCALES = Path("/usr/share/locale")
TOGETHER = (1, 20, 200)
VOCABULARIES = (1000, 60)


def messages(code: str, most: int) -> list[tuple[str, str]]:
    """English messages and what they are in a language."""
    found: set[tuple[str, str]] = set()
    for path in sorted((LOCALES / code / "LC_MESSAGES").glob("*.mo")):
        # Names of countries and languages are no text.
        if path.name.startswith("iso_"):
            continue
        try:
            with path.open("rb") as stream:
                catalogue: dict[Any, str] = gettext.GNUTranslations(stream)._catalog  # type: ignore[attr-defined]
        except (OSError, UnicodeDecodeError, ValueError, IndexError):
            continue
        pairs = ((key[0] if isinstance(key, tuple) else key, text) for key, text in catalogue.items())
        found.update((key, text) for key, text in pairs if key and text and text != key)
    return random.Random(1).sample(sorted(found), min(most, len(found)))


def vocabulary(texts: Sequence[str]) -> list[str]:
    return [word for word, _ in Counter(word for text in texts for word in words_in(text)).most_common()]


def doubted(recognizer: Recognizer, texts: Sequence[str], together: int) -> tuple[int, int]:
    """How many groups of texts are doubted to be in the recognizer's first language, and how many there are."""
    groups = [texts[at : at + together] for at in range(0, len(texts) - together + 1, together)]
    return sum(recognizer.doubt(group, recognizer.profiles[0]) is not None for group in groups), len(groups)


def judged_texts(texts: dict[str, list[tuple[str, str]]]) -> dict[str, Any]:
    counts: Counter[tuple[str, int, int, str]] = Counter()
    codes = list(texts)
    for code, other in zip(codes, codes[1:] + codes[:1], strict=True):
        ours, theirs = ([text for _, text in texts[each]] for each in (code, other))
        english = [text for text, _ in texts[code]]
        for size in VOCABULARIES:
            profiles = [
                LanguageProfile(each, vocabulary(text[:size])) for each, text in ((code, ours), (other, theirs))
            ]
            recognizer = Recognizer(profiles)
            for together in TOGETHER:
                for kind, text in (("right", ours), ("target", theirs), ("English", english)):
                    found, all_groups = doubted(recognizer, text[1000:], together)
                    counts[kind, size, together, "doubted"] += found
                    counts[kind, size, together, "of"] += all_groups
    return {
        f"{kind}, vocabulary of {size} messages, {together} together": {
            "doubted": counts[kind, size, together, "doubted"],
            "of": counts[kind, size, together, "of"],
        }
        for kind in ("right", "target", "English")
        for size in VOCABULARIES
        for together in TOGETHER
    }


def judged_pairs(texts: dict[str, list[tuple[str, str]]]) -> dict[str, Any]:
    said: dict[str, Counter[str]] = {"right": Counter(), "swapped": Counter()}
    for code, pairs in texts.items():
        for langs in (("en", code), (code, "en")):
            for kind in said:
                sides = SideLanguages(*langs)
                for pair in pairs:
                    backwards = (langs[0] == code) == (kind == "right")
                    sides.see(*(pair[::-1] if backwards else pair))
                doubt = sides.doubt()
                said[kind]["swapped" if doubt.endswith("swapped?") else "another language" if doubt else "nothing"] += 1
    return {kind: dict(counts) for kind, counts in said.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--messages", type=int, default=2000)
    most = parser.parse_args().messages
    codes = sorted(path.name for path in LOCALES.iterdir() if path.name.isalpha() and path.name != "en")
    texts = {code: found for code in codes if len(found := messages(code, most)) == most}
    report({"languages": " ".join(texts), "texts": judged_texts(texts), "training text": judged_pairs(texts)})


if __name__ == "__main__":
    main()
