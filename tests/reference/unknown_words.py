"""What an unknown word is taken for, by looking at every word of the vocabulary and at every way to cut the word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import prod

LINKS = {"de": ("s", "es", "n", "en", "er", "e"), "nl": ("s", "en", "n", "er", "e")}
DROPS = {"de": ("e", "en")}
CAPITAL_NOUNS = ("de",)
MOST_PARTS, LEAST_PIECE, LEAST_PART = 4, 3, 4
LONG_WORD, HALF_OF_LONG, ENOUGH_COMPOUNDS, ONE_IN = 8, 4, 20, 12
MOST_ENDING, LEAST_STEM, LEAST_COUNTED, ENOUGH_STEMS = 3, 4, 3, 20
FIRST_ID = 2

Part = tuple[int, int, str]


class KnownWords:
    """Words as they are usually written, the most frequent first."""

    def __init__(self, forms: list[str], language: str) -> None:
        self.ids = {form.lower(): FIRST_ID + place for place, form in enumerate(forms)}
        self.capital = {form.lower(): form[0].isupper() for form in forms}
        self.nouns = {form.lower() for form in forms if form[0].isupper() and form[1:].islower()}
        self.links, self.drops = LINKS.get(language, ()), DROPS.get(language, ())
        self.capital_nouns = language in CAPITAL_NOUNS
        self.stems: Counter[frozenset[str]] = Counter()
        stems = {word[:end] for word in self.ids for end in range(LEAST_COUNTED, len(word) + 1)}
        for stem in stems:
            endings = {word[len(stem) :] for word in self.ids if word.startswith(stem)}
            short = [ending for ending in endings if len(ending) <= MOST_ENDING]
            self.stems.update(frozenset(pair) for pair in combinations(short, 2))

    def writes_compounds(self) -> bool:
        if self.links:
            return True
        long_words = [word for word in self.ids if len(word) >= LONG_WORD]
        compounds = [
            word
            for word in long_words
            if any(
                word[:half] in self.ids and word[half:] in self.ids
                for half in range(HALF_OF_LONG, len(word) - HALF_OF_LONG + 1)
            )
        ]
        return len(compounds) >= ENOUGH_COMPOUNDS and len(compounds) * ONE_IN >= len(long_words)

    def fits(self, word: str, capital: bool | None) -> bool:
        return capital is None or capital == self.capital[word]

    def find(self, word: str, capital: bool | None) -> list[Part]:
        form = self.form(word, capital)
        if form:
            return [(0, len(word), form)]
        if not self.writes_compounds():
            return []
        ways = sorted(self.ways(word, capital), key=self.cost)
        return ways[0] if ways else []

    def form(self, word: str, capital: bool | None) -> str | None:
        best: tuple[int, int, str] | None = None
        for other, number in self.ids.items():
            if not self.fits(other, capital) or (self.capital[other] and not self.capital_nouns):
                continue
            stem = 0
            while stem < min(len(word), len(other)) and word[stem] == other[stem]:
                stem += 1
            endings = word[stem:], other[stem:]
            if stem < LEAST_STEM or max(map(len, endings)) > MOST_ENDING:
                continue
            stems = self.stems[frozenset(endings)]
            if stems >= ENOUGH_STEMS:
                best = max(best or (0, 0, ""), (stems, -number, other))
        return best and best[2]

    def cost(self, parts: list[Part]) -> tuple[int, int]:
        return len(parts), prod(self.ids[word] for _, _, word in parts)

    def ways(self, word: str, capital: bool | None, begin: int = 0) -> Iterator[list[Part]]:
        """Every way to take what begins at a letter for parts of a compound."""
        for end in range(begin + LEAST_PIECE, len(word) + 1):
            is_last = end == len(word)
            for known in self.parts(word[begin:end], is_last):
                if not is_last:
                    yield from (
                        [(begin, end, known), *rest] for rest in self.ways(word, capital, end) if len(rest) < MOST_PARTS
                    )
                elif begin > 0 and self.fits(known, capital):
                    yield [(begin, end, known)]

    def parts(self, piece: str, is_last: bool) -> list[str]:
        def known(word: str) -> bool:
            return word in self.ids and (
                len(word) >= LEAST_PART or (len(word) >= LEAST_PIECE and self.capital_nouns and word in self.nouns)
            )

        if is_last or known(piece):
            return [piece] if known(piece) else []
        others = [piece[: -len(link)] for link in self.links if piece.endswith(link)]
        others += [piece + drop for drop in self.drops]
        return [other for other in others if known(other)]
